/* SPDX-License-Identifier: MIT */
/* Reads Segmentation Storage (DICOM PS3.3, A.51): each frame is a slice of one segment, with a bit
 * or a fraction for each pixel. */
#include "io/dicom/dcmtk/vg-dicom-file.h"
#include <cstring>

gboolean
vg_dicom_is_segmentation (VgDicomFile *file)
{
  char uid[VG_DICOM_UID_SIZE];

  vg_dicom_text (file->data, DCM_SOPClassUID, uid, sizeof uid);
  return strcmp (uid, UID_SegmentationStorage) == 0;
}

/* The number of the segment of frame INDEX; 0: not given. */
static int
number_of (VgDicomFile *file, int index)
{
  return vg_dicom_integer (vg_dicom_group (file, index, DCM_SegmentIdentificationSequence),
                           DCM_ReferencedSegmentNumber, 0);
}

static gboolean
check_type (VgDicomFile *file, char **reason)
{
  char type[32];
  int bits = vg_dicom_integer (file->data, DCM_BitsAllocated, 0),
      most = vg_dicom_integer (file->data, DCM_MaximumFractionalValue, 0);

  vg_dicom_text (file->data, DCM_SegmentationType, type, sizeof type);
  if (strcmp (type, "BINARY") != 0 && strcmp (type, "FRACTIONAL") != 0)
    *reason = g_strdup_printf ("its segmentation type is \"%s\", not BINARY or FRACTIONAL", type);
  else if (bits != (*type == 'B' ? 1 : 8))
    *reason = g_strdup_printf ("it is a segmentation of type %s with %d bits in a sample, not %d",
                               type, bits, *type == 'B' ? 1 : 8);
  else if (*type == 'F' && (most < 1 || most > 255))
    *reason = g_strdup_printf ("its maximum fractional value is %d, not 1 to 255", most);
  file->fraction = *type == 'F' ? most : 0;
  return *reason == NULL;
}

/* Finds the segments by their numbers. */
static gboolean
find_segments (VgDicomFile *file, char **reason)
{
  DcmElement *element = NULL;
  DcmSequenceOfItems *items = NULL;

  if (file->data->findAndGetElement (DCM_SegmentSequence, element).good ())
    items = dynamic_cast<DcmSequenceOfItems *> (element);
  for (DcmObject *object = items != NULL ? items->nextInContainer (NULL) : NULL;
       object != NULL && *reason == NULL; object = items->nextInContainer (object))
    {
      DcmItem *item = dynamic_cast<DcmItem *> (object);
      int number = vg_dicom_integer (item, DCM_SegmentNumber, 0);

      if (number < 1)
        *reason = g_strdup ("it lists a segment without a number");
      else if (!file->segments.insert ({ number, item }).second)
        *reason = g_strdup_printf ("it lists two segments with the number %d", number);
    }
  if (*reason == NULL && file->segments.empty ())
    *reason = g_strdup ("it is a segmentation that lists no segment");
  return *reason == NULL;
}

/* Whether the samples of all frames are in the file, as far as that can be told. */
static gboolean
check_length (VgDicomFile *file, char **reason)
{
  guint64 samples = (guint64) file->width * (guint64) file->height * (guint64) file->frames,
          bytes = file->fraction > 0 ? samples : (samples + 7) / 8;
  gboolean packed = DcmXfer (file->data->getOriginalXfer ()).isEncapsulated ();
  DcmElement *element = NULL;

  file->data->findAndGetElement (DCM_PixelData, element);
  if (element == NULL)
    *reason = g_strdup ("it has no samples");
  else if (packed && file->fraction == 0)
    *reason = g_strdup ("its bits are compressed, which cannot be read; store it uncompressed");
  else if (!packed && element->getLength () < bytes)
    *reason = g_strdup_printf ("it declares %d frames of %d x %d, but ends inside their samples",
                               file->frames, file->width, file->height);
  return *reason == NULL;
}

gboolean
vg_dicom_check_segments (VgDicomFile *file, char **reason)
{
  unsigned long described = file->per_frame != NULL ? file->per_frame->card () : 0;

  if (!check_type (file, reason) || !find_segments (file, reason) || !check_length (file, reason))
    return FALSE;
  if (described != (unsigned long) file->frames)
    *reason = g_strdup_printf ("it declares %d frames, but describes %lu", file->frames, described);
  for (int i = 0; i < file->frames && *reason == NULL; i++)
    if (file->segments.count (number_of (file, i)) == 0)
      *reason = g_strdup_printf ("its frame %d is of segment %d, which it does not list", i + 1,
                                 number_of (file, i));
  return *reason == NULL;
}

void
vg_dicom_describe_segment (VgDicomFile *file, int index, VgDicomFrame *frame)
{
  const auto found = file->segments.find (number_of (file, index));

  if (found == file->segments.end ())
    return;
  frame->segment = found->first;
  vg_dicom_text (found->second, DCM_SegmentLabel, frame->origin.kind, sizeof frame->origin.kind);
  if (*frame->origin.kind == '\0')
    g_snprintf (frame->origin.kind, sizeof frame->origin.kind, "Segment %d", frame->segment);
  frame->samples = {};
  frame->samples.slope = 1;
}

gboolean
vg_dicom_read_bits (DcmElement *element, int index, float *samples, gsize n, char **reason)
{
  guint64 begin = (guint64) index * n, first = begin / 8, bytes = (begin + n + 7) / 8 - first;
  g_autofree guint8 *bits = (guint8 *) g_try_malloc (bytes);

  if (bits == NULL)
    *reason = g_strdup ("there is not enough memory for a frame");
  else if (first + bytes > element->getLength () ||
           element->getPartialValue (bits, (Uint32) first, (Uint32) bytes, NULL, EBO_LittleEndian)
               .bad ())
    *reason = g_strdup ("it ends inside its samples");
  if (*reason != NULL)
    return FALSE;
  for (gsize i = 0, at = begin % 8; i < n; i++, at++)
    samples[i] = (float) (bits[at / 8] >> (at % 8) & 1);
  return TRUE;
}
