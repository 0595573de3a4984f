/* SPDX-License-Identifier: MIT */
/* The table of the module.  DCMTK may throw when memory is short; no exception leaves the module.
 */
#include "io/dicom/dcmtk/vg-dicom-file.h"
#include <cstddef>
#include <dcmtk/dcmdata/dcistrmf.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpls/djdecode.h>
#include <gmodule.h>
#include <memory>

/* Longer elements stay in the file until they are read. */
static const Uint32 longest_in_memory = 256 << 10;
/* Bytes; a thread has at least twice as many. */
static const ptrdiff_t most_stack = 1 << 20;
/* Of a side, as in the other formats. */
static const int largest_side = 65535, most_frames = 1 << 20;

#define GUARD_BEGIN try
#define GUARD_END(result)                                                                          \
  catch (...)                                                                                      \
  {                                                                                                \
    if (reason != NULL)                                                                            \
      *reason = g_strdup ("there is not enough memory for it");                                    \
    return result;                                                                                 \
  }

/* DCMTK calls itself for each sequence in a sequence, as deep as a file says.  This stream ends
 * where that has taken too much of the stack. */
class VgDicomStream : public DcmInputFileStream
{
public:
  explicit VgDicomStream (const char *path)
      : DcmInputFileStream (path), base_ ((const char *) __builtin_frame_address (0)), deep_ (false)
  {
  }

  OFBool
  good () const override
  {
    return !deep_ && DcmInputFileStream::good ();
  }

  OFBool
  eos () override
  {
    return is_deep () || DcmInputFileStream::eos ();
  }

  offile_off_t
  avail () override
  {
    return is_deep () ? 0 : DcmInputFileStream::avail ();
  }

  offile_off_t
  read (void *buffer, offile_off_t length) override
  {
    return is_deep () ? 0 : DcmInputFileStream::read (buffer, length);
  }

  bool
  is_deep ()
  {
    const char *here = (const char *) __builtin_frame_address (0);

    deep_ = deep_ || base_ - here > most_stack || here - base_ > most_stack;
    return deep_;
  }

private:
  const char *base_;
  bool deep_;
};

VgDicomFile *
vg_dicom_open (const char *path, char **reason)
{
  GUARD_BEGIN
  {
    std::unique_ptr<VgDicomFile> file (new VgDicomFile ());
    VgDicomStream stream (path);
    OFCondition result = stream.status ();

    if (result.good ())
      {
        file->format.transferInit ();
        result = file->format.read (stream, EXS_Unknown, EGL_noChange, longest_in_memory);
        file->format.transferEnd ();
      }
    if (stream.is_deep ())
      {
        *reason = g_strdup ("its sequences are nested too deeply");
        return NULL;
      }
    file->data = file->format.getDataset ();
    if (result.good () && file->data != NULL && file->data->card () > 0)
      return file.release ();
    *reason = result.good () ? g_strdup ("it is empty")
                             : g_strdup_printf ("it is damaged, or it is not a DICOM file (%s)",
                                                result.text ());
    return NULL;
  }
  GUARD_END (NULL)
}

void
vg_dicom_close (VgDicomFile *file)
{
  delete file;
}

/* Finds the functional groups of an enhanced image. */
static void
find_groups (VgDicomFile *file)
{
  DcmElement *element = NULL;

  if (file->data->findAndGetElement (DCM_PerFrameFunctionalGroupsSequence, element).good ())
    file->per_frame = dynamic_cast<DcmSequenceOfItems *> (element);
  file->shared = vg_dicom_first_item (file->data, DCM_SharedFunctionalGroupsSequence);
}

static int
count_frames (VgDicomFile *file, char **reason)
{
  GUARD_BEGIN
  {
    int frames = vg_dicom_integer (file->data, DCM_NumberOfFrames, 1);

    file->width = vg_dicom_integer (file->data, DCM_Columns, 0);
    file->height = vg_dicom_integer (file->data, DCM_Rows, 0);
    if (!file->data->tagExistsWithValue (DCM_PixelData) &&
        !file->data->tagExistsWithValue (DCM_FloatPixelData))
      *reason = g_strdup ("it contains no image");
    else if (vg_dicom_integer (file->data, DCM_SamplesPerPixel, 1) != 1)
      *reason = g_strdup ("it is a colour image");
    else if (vg_dicom_integer (file->data, DCM_BitsAllocated, 16) == 1 &&
             !vg_dicom_is_segmentation (file))
      *reason = g_strdup ("it contains a mask, not an image");
    else if (file->width < 1 || file->height < 1 || file->width > largest_side ||
             file->height > largest_side || frames > most_frames)
      *reason = g_strdup_printf ("it declares an impossible size of %d x %d with %d frames",
                                 file->width, file->height, frames);
    if (*reason != NULL)
      return 0;
    file->frames = MAX (frames, 1);
    find_groups (file);
    file->segments.clear ();
    return !vg_dicom_is_segmentation (file) || vg_dicom_check_segments (file, reason) ? file->frames
                                                                                      : 0;
  }
  GUARD_END (0)
}

static void
describe (VgDicomFile *file, int index, VgDicomFrame *frame)
{
  char **reason = NULL;

  GUARD_BEGIN
  {
    vg_dicom_describe (file, index, frame);
  }
  GUARD_END ()
}

static gboolean
read_frame (VgDicomFile *file, int index, float *samples, gsize n, char **reason)
{
  GUARD_BEGIN
  {
    return vg_dicom_read (file, index, samples, n, reason);
  }
  GUARD_END (FALSE)
}

static char **
list_files (VgDicomFile *file, guint most, char **reason)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  GUARD_BEGIN
  {
    DcmElement *element = NULL;
    DcmSequenceOfItems *records = NULL;

    if (file->data->findAndGetElement (DCM_DirectoryRecordSequence, element).good ())
      records = dynamic_cast<DcmSequenceOfItems *> (element);
    for (DcmObject *record = records != NULL ? records->nextInContainer (NULL) : NULL;
         record != NULL && names->len < most; record = records->nextInContainer (record))
      {
        char text[1024];

        vg_dicom_text (dynamic_cast<DcmItem *> (record), DCM_ReferencedFileID, text, sizeof text);
        if (*text != '\0')
          g_ptr_array_add (names, g_strdup (text));
      }
    if (records != NULL)
      {
        g_ptr_array_add (names, NULL);
        return (char **) g_ptr_array_free (names, FALSE);
      }
    *reason = g_strdup ("it is not a DICOMDIR");
    g_ptr_array_unref (names);
    return NULL;
  }
  GUARD_END (NULL)
}

static VgDicomStudy *
new_study (const char *const *files, const char *modality, gboolean anonymous, char **reason)
{
  GUARD_BEGIN
  {
    return vg_dicom_study_new (files, modality, anonymous, reason);
  }
  GUARD_END (NULL)
}

static gboolean
write_map (const VgDicomStudy *study, const char *path, const VgDicomMap *map, char **reason)
{
  GUARD_BEGIN
  {
    return vg_dicom_write (study, path, map, reason);
  }
  GUARD_END (FALSE)
}

static gboolean
write_regions (const VgDicomStudy *study, const char *path, const VgDicomSegments *segments,
               char **reason)
{
  GUARD_BEGIN
  {
    return vg_dicom_write_segments (study, path, segments, reason);
  }
  GUARD_END (FALSE)
}

static void
describe_patient (VgDicomFile *file, VgDicomPatient *patient)
{
  char **reason = NULL;

  GUARD_BEGIN
  {
    vg_dicom_patient (file, patient);
  }
  GUARD_END ()
}

extern "C" G_MODULE_EXPORT const VgDicomModule *
vg_dicom_module (void)
{
  static const VgDicomModule module = {
    VG_DICOM_ABI, vg_dicom_open, vg_dicom_close,      count_frames, describe,      read_frame,
    list_files,   new_study,     vg_dicom_study_free, write_map,    write_regions, describe_patient,
  };

  /* what is wrong with a file is said in the program's own words */
  OFLog::configure (OFLogger::OFF_LOG_LEVEL);
  DJDecoderRegistration::registerCodecs ();
  DJLSDecoderRegistration::registerCodecs ();
  DcmRLEDecoderRegistration::registerCodecs ();
  return &module;
}
