/* SPDX-License-Identifier: MIT */
/* The table of the formats that are read, and the names of formats that are not, so that a message
 * can say how to export the data. */
#include "io/vg-formats.h"
#include <string.h>

/* In the order in which they are tried: formats with a magic number come before those that are
 * recognised by a header that fits the size of the file. */
static const VgFormat *const formats[] = {
  &vg_zip_format,  &vg_tiff_format,  &vg_nifti_format,    &vg_ptu_format,   &vg_sdt_format,
  &vg_png_format,  &vg_jpeg_format,  &vg_rls_format,      &vg_pqbin_format, &vg_foil_format,
  &vg_nrrd_format, &vg_dicom_format, &vg_recorded_format, &vg_spc_format,
};

#define IMAGES "Export it as OME-TIFF from the microscope's program or from Fiji."
#define PICTURE "Save it as PNG or TIFF."
#define VIDEO "Export its frames as a TIFF stack without compression, for example in Fiji."
#define VOLUME "Convert it to NIfTI (.nii.gz), for example in 3D Slicer."
#define ARRAYS "Export its images as TIFF, or its volumes as NIfTI."
#define UNPACK "Unpack it and open the file inside."
#define OLD_PICOQUANT                                                                              \
  "Import it into SymPhoTime 64 and open the .ptu file it makes. If it contains a histogram, "     \
  "export the curve as text."

typedef struct
{
  gsize at;
  const char *magic;
  gsize length;
  const char *is;     /* "a Leica LIF file" */
  const char *advice; /* a sentence */
} Content;

static const Content contents[] = {
  { 0, "PicoHarp 300", 12, "an older PicoQuant PicoHarp file (.pt2, .pt3, .phd)", OLD_PICOQUANT },
  { 0, "HydraHarp", 9, "an older PicoQuant HydraHarp file (.ht2, .ht3, .hhd)", OLD_PICOQUANT },
  { 0, "TimeHarp 200", 12, "an older PicoQuant TimeHarp file (.t3r, .thd)", OLD_PICOQUANT },
  { 0, "PQHISTO", 7, "a PicoQuant histogram (.phu)", "Export its curve as text." },
  { 0, "\211FLF\r\n0\n", 8, "a FlimFast file (.flif)",
    "Export the decays or phase images as TIFF from the program that wrote it." },
  { 0, "ZISRAWFILE", 10, "a Zeiss CZI file", IMAGES },
  { 0, "\xda\xce\xbe\x0a", 4, "a Nikon ND2 file", IMAGES },
  { 0, "OLYMPUSRAWFORMAT", 16, "an Olympus OIR file", IMAGES },
  { 0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, "an Olympus OIB or another compound file", IMAGES },
  { 0, "\211HDF\r\n\032\n", 8, "an HDF5 file (.h5, .ims, .mat and others)", ARRAYS },
  { 0, "MATLAB 5.0 MAT-file", 19, "a MATLAB file", ARRAYS },
  { 0, "\223NUMPY", 6, "a NumPy array", "Save it as TIFF, for example with tifffile.imwrite." },
  { 0, "SIMPLE  =", 9, "a FITS file", "Save its images as TIFF." },
  { 0, "ObjectType", 10, "a MetaImage volume", VOLUME },
  { 0, "NDims", 5, "a MetaImage volume", VOLUME },
  { 0, "GIF8", 4, "a GIF image", PICTURE },
  { 8, "WEBP", 4, "a WebP image", PICTURE },
  { 0, "\0\0\0\fjP  ", 8, "a JPEG 2000 image", PICTURE },
  { 0, "\xff\x4f\xff\x51", 4, "a JPEG 2000 image", PICTURE },
  { 4, "ftyphei", 7, "an HEIC image", PICTURE },
  { 4, "ftypmif", 7, "an HEIC image", PICTURE },
  { 4, "ftypavif", 8, "an AVIF image", PICTURE },
  { 8, "AVI ", 4, "an AVI video", VIDEO },
  { 4, "ftyp", 4, "an MP4 or QuickTime video", VIDEO },
  { 0, "\x1a\x45\xdf\xa3", 4, "a Matroska or WebM video", VIDEO },
  { 0, "%PDF-", 5, "a PDF document", "Save the image in it as PNG or TIFF." },
  { 0, "Rar!", 4, "a RAR archive", UNPACK },
  { 0, "7z\xbc\xaf\x27\x1c", 6, "a 7z archive", UNPACK },
  { 0,
    "\xfd"
    "7zXZ",
    5, "compressed with xz", UNPACK },
  { 0, "BZh", 3, "compressed with bzip2", UNPACK },
  { 0, "\x28\xb5\x2f\xfd", 4, "compressed with Zstandard", UNPACK },
  { 257, "ustar", 5, "a tar archive", UNPACK },
};

/* Without a mark in their content, or with one that is not known: by their usual endings. */
typedef struct
{
  const char *endings[8];
  const char *is, *advice;
} Ending;

static const Ending endings[] = {
  { { ".ref", ".r64", ".z64", ".b64", ".i64", ".bhz", ".b&h", NULL },
    "a SimFCS file",
    "Open the recording from which it was made (.sdt, .ptu), or export the decays from SimFCS as a "
    "TIFF stack of time bins." },
  { { ".ifli", ".iss-tdflim", NULL },
    "an ISS VistaVision file",
    "Export the decays from VistaVision as TIFF, one page per time bin." },
  { { ".flif", NULL },
    "a FlimFast file",
    "Export the decays or phase images as TIFF from the program that wrote it." },
  { { ".spc", NULL },
    "a Becker & Hickl photon stream",
    "It has no records, or those of an SPC-600 or SPC-630. Convert it in SPCM or SPCImage to "
    ".sdt." },
  { { ".ht2", ".ht3", ".hhd", ".pt2", ".pt3", ".phd", ".thd", ".t3r" },
    "an older PicoQuant file",
    OLD_PICOQUANT },
  { { ".lif", ".xlef", NULL },
    "a Leica file",
    "Export it from LAS X: images as OME-TIFF, lifetimes as .ptu." },
  { { ".par", ".rec", NULL },
    "a Philips PAR/REC volume",
    "Convert it with dcm2niix and open the .nii.gz file." },
  { { ".bmp", NULL }, "a BMP image", PICTURE },
  { { ".ppm", ".pgm", NULL }, "a Netpbm image", PICTURE },
  { { ".webp", NULL }, "a WebP image", PICTURE },
  { { ".heic", NULL }, "an HEIC image", PICTURE },
  { { ".jp2", NULL }, "a JPEG 2000 image", PICTURE },
};

const VgFormat *
vg_format_find (const guint8 *head, gsize length, gint64 size)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i]->detect != NULL ? formats[i]->detect (head, length, size)
                                   : formats[i]->promised_bytes (head, length) == size)
      return formats[i];
  return NULL;
}

gboolean
vg_format_has_suffix (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    for (const char *const *suffix = formats[i]->suffixes; *suffix != NULL; suffix++)
      if (g_str_has_suffix (lower, *suffix))
        return TRUE;
  return FALSE;
}

static const VgFormat *
find_cut_short (const guint8 *head, gsize length, gint64 size)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      gint64 promised = formats[i]->detect == NULL ? formats[i]->promised_bytes (head, length) : 0;

      /* the header of another format mostly gives an absurd size */
      if (promised > size && promised / 1000 < size)
        return formats[i];
    }
  return NULL;
}

static const Content *
find_content (const guint8 *head, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    if (length >= contents[i].at + contents[i].length &&
        memcmp (head + contents[i].at, contents[i].magic, contents[i].length) == 0)
      return &contents[i];
  return NULL;
}

/* Block marks of 0x70 and 0x2a around the length of the first block. */
static gboolean
is_leica (const guint8 *head, gsize length)
{
  return length >= 9 && memcmp (head, "\x70\0\0\0", 4) == 0 && head[8] == 0x2a;
}

static gboolean
is_flim_labs (const guint8 *head, gsize length)
{
  return length > 0 && head[0] == '{' &&
         g_strstr_len ((const char *) head, (gssize) length, "laser_period_ns") != NULL;
}

gboolean
vg_format_is_foreign (const guint8 *head, gsize length)
{
  return find_content (head, length) != NULL || is_leica (head, length) ||
         is_flim_labs (head, length);
}

static const Ending *
find_ending (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    for (guint j = 0; j < G_N_ELEMENTS (endings[i].endings) && endings[i].endings[j] != NULL; j++)
      if (g_str_has_suffix (lower, endings[i].endings[j]))
        return &endings[i];
  return NULL;
}

void
vg_format_refuse (const char *name, const guint8 *head, gsize length, gint64 size, GError **error)
{
  const Content *content = find_content (head, length);
  const Ending *ending = find_ending (name);
  const VgFormat *cut_short = find_cut_short (head, length, size);
  gsize first = 0;

  while (first < length && g_ascii_isspace (head[first]))
    first++;
  if (content != NULL)
    vg_format_refuse_as (name, content->is, content->advice, error);
  else if (is_leica (head, length))
    vg_format_refuse_as (name, "a Leica LIF file",
                         "Export it from LAS X: images as OME-TIFF, lifetimes as .ptu.", error);
  else if (is_flim_labs (head, length))
    vg_format_refuse_as (
        name, "a FLIM LABS recording (.json)",
        "Export its decays as TIFF, one page per time bin, for example with PhasorPy and tifffile.",
        error);
  else if (ending != NULL)
    vg_format_refuse_as (name, ending->is, ending->advice, error);
  else if (first < length && head[first] == '{')
    vg_format_refuse_as (name, "a JSON file", "Open the recording it belongs to.", error);
  else
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNKNOWN,
                 "Cannot open \"%s\". It is not in a format that Vivograph knows%s%s%s.", name,
                 cut_short != NULL ? "; it may be a " : "",
                 cut_short != NULL ? cut_short->name : "",
                 cut_short != NULL ? " file that was cut short" : "");
}
