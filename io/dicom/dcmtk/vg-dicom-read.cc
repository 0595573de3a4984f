/* SPDX-License-Identifier: MIT */
/* Reads the samples of a frame, compressed or not. */
#include "io/dicom/dcmtk/vg-dicom-file.h"
#include <cstring>
#include <dcmtk/dcmdata/dcpixel.h>

/* How samples are stored. */
typedef struct
{
  int allocated, stored, high; /* bits of a sample, of its value, and the highest of these */
  gboolean is_signed;
} Layout;

static gboolean
get_layout (VgDicomFile *file, Layout *layout, char **reason)
{
  int samples = vg_dicom_integer (file->data, DCM_SamplesPerPixel, 1);

  layout->allocated = vg_dicom_integer (file->data, DCM_BitsAllocated, 0);
  layout->stored = vg_dicom_integer (file->data, DCM_BitsStored, layout->allocated);
  layout->high = vg_dicom_integer (file->data, DCM_HighBit, layout->stored - 1);
  layout->is_signed = vg_dicom_integer (file->data, DCM_PixelRepresentation, 0) == 1;
  if (samples != 1)
    *reason = g_strdup ("it is a colour image");
  else if (layout->allocated != 8 && layout->allocated != 16 && layout->allocated != 32)
    *reason = g_strdup_printf ("its samples have %d bits, not 8, 16 or 32", layout->allocated);
  else if (layout->stored < 1 || layout->stored > layout->allocated ||
           layout->high < layout->stored - 1 || layout->high >= layout->allocated)
    *reason = g_strdup_printf (
        "it declares %d stored bits of %d with the highest bit %d, which is impossible",
        layout->stored, layout->allocated, layout->high);
  return *reason == NULL;
}

/* Cuts each value out of its sample and extends its sign. */
template <typename T>
static void
convert (const T *from, gsize n, const Layout *layout, float *to)
{
  int shift = layout->high + 1 - layout->stored;
  guint32 mask = layout->stored == 32 ? G_MAXUINT32 : (1u << layout->stored) - 1,
          sign = layout->is_signed ? 1u << (layout->stored - 1) : 0;

  for (gsize i = 0; i < n; i++)
    {
      guint32 value = ((guint32) from[i] >> shift) & mask;

      to[i] = sign == 0 ? (float) value : (float) ((gint64) (value ^ sign) - (gint64) sign);
    }
}

/* Frames of numbers in floating point, as in parametric maps. */
static gboolean
read_floats (DcmElement *element, int index, float *samples, gsize n, char **reason)
{
  gsize offset = (gsize) index * n * sizeof (float);

  if (offset + n * sizeof (float) > element->getLength () ||
      element
          ->getPartialValue (samples, (Uint32) offset, (Uint32) (n * sizeof (float)), NULL,
                             gLocalByteOrder)
          .bad ())
    {
      *reason = g_strdup ("it ends inside its samples");
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_pixels (VgDicomFile *file, DcmPixelData *pixels, int index, void *buffer, gsize bytes,
             char **reason)
{
  E_TransferSyntax syntax = file->data->getOriginalXfer ();
  OFString colours;
  Uint32 fragment = 0;
  OFCondition result;

  if (!DcmXfer (syntax).isEncapsulated () &&
      (guint64) pixels->getLength () < (guint64) (index + 1) * bytes)
    {
      *reason = g_strdup ("it ends inside its samples");
      return FALSE;
    }
  result = pixels->getUncompressedFrame (file->data, (Uint32) index, fragment, buffer,
                                         (Uint32) (bytes + (bytes & 1)), colours);
  if (result.good ())
    return TRUE;
  *reason = DcmXfer (syntax).isEncapsulated ()
                ? g_strdup_printf ("its compression, %s, cannot be read (%s)",
                                   DcmXfer (syntax).getXferName (), result.text ())
                : g_strdup_printf ("its samples cannot be read (%s)", result.text ());
  return FALSE;
}

gboolean
vg_dicom_read (VgDicomFile *file, int index, float *samples, gsize n, char **reason)
{
  DcmElement *element = NULL;
  DcmPixelData *pixels;
  Layout layout;
  gsize bytes;
  void *buffer;
  gboolean read;

  if (n != (gsize) file->width * (gsize) file->height || index < 0 || index >= file->frames)
    {
      *reason = g_strdup ("its size differs from that in its header");
      return FALSE;
    }
  if (file->data->findAndGetElement (DCM_FloatPixelData, element).good () && element != NULL)
    return read_floats (element, index, samples, n, reason);
  file->data->findAndGetElement (DCM_PixelData, element);
  pixels = dynamic_cast<DcmPixelData *> (element);
  if (pixels == NULL)
    {
      *reason = g_strdup ("it has no samples");
      return FALSE;
    }
  if (!file->segments.empty () && file->fraction == 0)
    return vg_dicom_read_bits (pixels, index, samples, n, reason);
  if (!get_layout (file, &layout, reason))
    return FALSE;
  bytes = n * (gsize) (layout.allocated / 8);
  buffer = g_try_malloc0 (bytes + 2);
  if (buffer == NULL)
    {
      *reason = g_strdup ("there is not enough memory for a frame");
      return FALSE;
    }
  read = read_pixels (file, pixels, index, buffer, bytes, reason);
  if (read && layout.allocated == 8)
    convert ((const guint8 *) buffer, n, &layout, samples);
  else if (read && layout.allocated == 16)
    convert ((const guint16 *) buffer, n, &layout, samples);
  else if (read)
    convert ((const guint32 *) buffer, n, &layout, samples);
  for (gsize i = 0; read && file->fraction > 0 && i < n; i++)
    samples[i] = 2 * samples[i] >= (float) file->fraction;
  g_free (buffer);
  return read;
}
