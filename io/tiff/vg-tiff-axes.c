/* SPDX-License-Identifier: MIT */
/* Axes and scales from the ImageDescription of the first page: ImageJ's
 * key=value lines, and the "bits" of a JSON object; OME has a file of its own. */
#include "io/tiff/vg-tiff-axes-private.h"
#include <math.h>
#include <string.h>

enum { IMAGEJ_MAX_CHANNELS = 7 };

static const char RECORDED[] = "{\"recorded_by\": \"Vivograph\", ";

gboolean
vg_tiff_length_unit (const char *text, char unit[8], double *scale)
{
  static const struct
  {
    const char *text, *unit;
    double scale;
  } units[] = {
    { "micron", "µm", 1 }, { "microns", "µm", 1 }, { "um", "µm", 1 },       { "µm", "µm", 1 },
    { "μm", "µm", 1 },     { "\xb5m", "µm", 1 },   { "\\u00B5m", "µm", 1 }, { "nm", "nm", 1 },
    { "mm", "mm", 1 },     { "cm", "cm", 1 },      { "m", "m", 1 },         { "inch", "mm", 25.4 },
    { "in", "mm", 25.4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (text, units[i].text) == 0)
      {
        g_strlcpy (unit, units[i].unit, 8);
        *scale = units[i].scale;
        return TRUE;
      }
  return FALSE;
}

double
vg_tiff_positive (const char *text)
{
  double value = text ? g_ascii_strtod (text, NULL) : 0;

  return isfinite (value) && value > 0 ? value : 0;
}

gint64
vg_tiff_extent (const char *text)
{
  gint64 value = text ? g_ascii_strtoll (text, NULL, 10) : 1;

  return CLAMP (value, 1, G_MAXINT32);
}

/* Shortens the slowest axis of a file that was cut short to its complete steps. */
static void
shorten (gint64 size[VG_TIFF_N_AXES], const VgTiffAxis order[VG_TIFF_N_AXES], gint64 pages)
{
  for (int i = VG_TIFF_N_AXES - 1; i >= 0; i--)
    if (size[order[i]] > 1)
      {
        double faster = (double) size[0] * (double) size[1] * (double) size[2] /
                        (double) size[order[i]];

        size[order[i]] = (gint64) CLAMP ((double) pages / faster, 1, (double) size[order[i]]);
        return;
      }
}

void
vg_tiff_axes_set (VgTiffAxes *self, const gint64 given[VG_TIFF_N_AXES],
                  const VgTiffAxis order[VG_TIFF_N_AXES], gint64 pages, const char *from,
                  GString *notes)
{
  gint64 stride = 1, sizes[VG_TIFF_N_AXES] = { given[0], given[1], given[2] }, *size = sizes;

  if (self->cut)
    shorten (size, order, pages);
  if (self->cut ? size[0] * size[1] * size[2] > pages
                : (double) size[0] * (double) size[1] * (double) size[2] != (double) pages)
    {
      g_string_append_printf (
          notes,
          "The %s axes give %" G_GINT64_FORMAT " channels, %" G_GINT64_FORMAT
          " slices and %" G_GINT64_FORMAT " frames, but the file has %" G_GINT64_FORMAT
          " pages, so pages are read as frames.\n",
          from, size[VG_TIFF_BIN], size[VG_TIFF_SLICE], size[VG_TIFF_FRAME], pages);
      return;
    }
  for (int i = 0; i < VG_TIFF_N_AXES; i++)
    {
      self->size[order[i]] = size[order[i]];
      self->stride[order[i]] = stride;
      stride *= size[order[i]];
    }
  self->described = TRUE;
}

/* --- ImageJ --- */

static void
parse_imagej (VgTiffAxes *self, const char *description, gint64 pages, GString *notes)
{
  static const VgTiffAxis order[] = { VG_TIFF_BIN, VG_TIFF_SLICE, VG_TIFF_FRAME };
  gint64 size[VG_TIFF_N_AXES] = { 1, 1, 1 };
  gboolean hyperstack = FALSE;
  double scale = 1, fps = 0;
  g_auto (GStrv) lines = g_strsplit (description, "\n", 256);

  for (char **line = lines; *line; line++)
    {
      char *value = strchr (*line, '=');

      if (!value)
        continue;
      *value++ = '\0';
      g_strchomp (value);
      if (strcmp (*line, "images") == 0)
        self->images = vg_tiff_extent (value);
      else if (strcmp (*line, "channels") == 0)
        size[VG_TIFF_BIN] = vg_tiff_extent (value);
      else if (strcmp (*line, "slices") == 0)
        size[VG_TIFF_SLICE] = vg_tiff_extent (value);
      else if (strcmp (*line, "frames") == 0)
        size[VG_TIFF_FRAME] = vg_tiff_extent (value);
      else if (strcmp (*line, "hyperstack") == 0)
        hyperstack = strcmp (value, "true") == 0;
      else if (strcmp (*line, "unit") == 0)
        self->resolution_scale = vg_tiff_length_unit (value, self->pixel_unit, &scale) ? scale : 0;
      else if (strcmp (*line, "spacing") == 0)
        self->pixel_size[2] = vg_tiff_positive (value);
      else if (strcmp (*line, "finterval") == 0)
        self->frame_interval_s = vg_tiff_positive (value);
      else if (strcmp (*line, "fps") == 0)
        fps = vg_tiff_positive (value);
    }
  if (self->frame_interval_s == 0 && fps > 0)
    self->frame_interval_s = 1 / fps;
  self->pixel_size[2] *= scale;
  if (self->images > 1 && pages == 1 && !self->cut)
    pages = self->images;
  self->size[VG_TIFF_FRAME] = pages;
  /* a plain stack calls its pages slices, whatever they are; more channels
   * than ImageJ can show are a stack that some writer has mislabelled */
  if ((!hyperstack && size[VG_TIFF_BIN] == 1 && size[VG_TIFF_FRAME] == 1) ||
      (size[VG_TIFF_BIN] == pages && pages > IMAGEJ_MAX_CHANNELS))
    {
      if (pages > 1)
        g_string_append (notes, "ImageJ stack without a time axis: pages are read as frames.\n");
    }
  else
    vg_tiff_axes_set (self, size, order, pages, "ImageJ", notes);
}

/* --- JSON --- */

/* The text that matches the group in PATTERN, owned; or NULL. */
static char *
match (const char *pattern, const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) info = NULL;

  return g_regex_match (regex, text, 0, &info) ? g_match_info_fetch (info, 1) : NULL;
}

/* {"shape": [6, 20, 30], "truncated": true}: all pages follow the only directory. */
static void
parse_shape (VgTiffAxes *self, const char *shape, guint samples)
{
  g_auto (GStrv) sizes = g_strsplit (shape, ",", 16);
  gint64 images = 1;
  int leading = (int) g_strv_length (sizes) - (samples > 1 ? 3 : 2);

  for (int i = 0; i < leading; i++)
    images = MIN (images * vg_tiff_extent (sizes[i]), G_MAXINT32);
  self->images = self->size[VG_TIFF_FRAME] = images;
}

static void
parse_json (VgTiffAxes *self, const char *description, gint64 pages, guint samples)
{
  g_autofree char *bits = match ("\"bits\"\\s*:\\s*([0-9]{1,2})\\b", description);
  g_autofree char *shape = match ("\"shape\"\\s*:\\s*\\[([0-9, ]{1,200})\\]", description);
  g_autofree char *truncated = match ("\"truncated\"\\s*:\\s*(true)", description);

  if (bits)
    self->significant_bits = (int) g_ascii_strtoll (bits, NULL, 10);
  if (shape && truncated && pages == 1 && !self->cut)
    parse_shape (self, shape, samples);
}

/* --- recordings of this program --- */

/* Parses the first page of a recording of this program: one line of JSON, as vg-recorder writes
 * it. */
static void
parse_stamped (VgTiffAxes *self, const char *description, gint64 pages, GString *notes)
{
  static const VgTiffAxis order[] = { VG_TIFF_BIN, VG_TIFF_SLICE, VG_TIFF_FRAME };
  static const struct
  {
    const char *name;
    gsize offset;
  } numbers[] = {
    { "frame_interval_s", G_STRUCT_OFFSET (VgTiffAxes, frame_interval_s) },
    { "exposure_ms", G_STRUCT_OFFSET (VgTiffAxes, exposure_ms) },
    { "pixel_width", G_STRUCT_OFFSET (VgTiffAxes, pixel_size[0]) },
    { "pixel_height", G_STRUCT_OFFSET (VgTiffAxes, pixel_size[1]) },
  };
  g_autofree char *bits = match ("\"significant_bits\": ([0-9]{1,2})\\b", description),
                  *unit = match ("\"pixel_unit\": \"([^\"\\\\]{1,7})\"", description);
  g_autofree char *bins = match ("\"bins\": ([0-9]{1,9})\\b", description),
                  *slices = match ("\"slices\": ([0-9]{1,9})\\b", description);
  g_autofree char *source = match ("\"source\": \"([^\"\\\\]{1,200})\"", description),
                  *camera = match ("\"camera\": \"([^\"\\\\]{1,500})\"", description);
  double scale = 0;

  if (source != NULL)
    g_string_append_printf (notes, "Recorded from: %s\n", source);
  if (camera != NULL)
    g_string_append_printf (notes, "Camera settings at the start: %s\n", camera);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *pattern = g_strdup_printf ("\"%s\": ([-+.0-9e]{1,30})", numbers[i].name),
                      *text = match (pattern, description);

      G_STRUCT_MEMBER (double, self, numbers[i].offset) = vg_tiff_positive (text);
    }
  self->significant_bits = bits ? (int) g_ascii_strtoll (bits, NULL, 10) : 0;
  if (!unit || !vg_tiff_length_unit (unit, self->pixel_unit, &scale) || self->pixel_size[0] <= 0)
    self->pixel_size[0] = self->pixel_size[1] = 0;
  if (bins || slices)
    {
      const gint64 per_frame[] = { vg_tiff_extent (bins), vg_tiff_extent (slices) };
      const gint64 size[] = { per_frame[0], per_frame[1],
                              MAX (pages / MAX (per_frame[0] * per_frame[1], 1), 1) };

      vg_tiff_axes_set (self, size, order, pages, "recorded", notes);
    }
  self->stamped = TRUE;
}

gboolean
vg_tiff_axes_stamp (const char *description, guint64 *frame, double *time_s)
{
  const char *number = strstr (description, "\"frame\": "),
             *time = strstr (description, "\"time_s\": ");
  char *end_number = NULL, *end_time = NULL;

  if (!g_str_has_prefix (description, RECORDED) || !number || !time)
    return FALSE;
  *frame = g_ascii_strtoull (number + 9, &end_number, 10);
  *time_s = g_ascii_strtod (time + 10, &end_time);
  return end_number > number + 9 && end_time > time + 10 && isfinite (*time_s);
}

/* Parses a recording of an earlier version: key=value lines in the first page only. */
static void
parse_recording (VgTiffAxes *self, const char *description)
{
  g_auto (GStrv) lines = g_strsplit (description, "\n", 16);

  for (char **line = lines; *line; line++)
    {
      char *value = strchr (*line, '=');

      if (!value)
        continue;
      *value++ = '\0';
      if (strcmp (*line, "frame_interval_s") == 0)
        self->frame_interval_s = vg_tiff_positive (value);
      else if (strcmp (*line, "exposure_ms") == 0)
        self->exposure_ms = vg_tiff_positive (value);
      else if (strcmp (*line, "significant_bits") == 0)
        self->significant_bits = (int) MIN (vg_tiff_positive (value), 32);
    }
}

void
vg_tiff_axes_parse (VgTiffAxes *self, const char *description, gint64 pages, gboolean cut,
                    guint samples, GString *notes)
{
  *self = (VgTiffAxes){
    .size = { 1, 1, pages }, .stride = { 1, 1, 1 }, .channels = 1, .channel_stride = 1, .cut = cut
  };
  if (!description)
    return;
  while (g_ascii_isspace (*description))
    description++;
  if (g_str_has_prefix (description, "ImageJ="))
    parse_imagej (self, description, pages, notes);
  else if (g_str_has_prefix (description, "Recorded by Vivograph.\n"))
    parse_recording (self, description);
  else if (g_str_has_prefix (description, RECORDED))
    parse_stamped (self, description, pages, notes);
  else if (*description == '{')
    parse_json (self, description, pages, samples);
  else if (*description == '<' && strstr (description, "OME"))
    vg_tiff_axes_parse_ome (self, description, pages, MAX (samples, 1), notes);
  if (cut)
    self->images = 0;
}

/* Makes all pages, in the order of the file, steps of one axis. */
static void
along_one_axis (VgTiffAxes *self, VgTiffAxis axis)
{
  gint64 pages = self->channels * self->size[VG_TIFF_BIN] * self->size[VG_TIFF_SLICE] *
                 self->size[VG_TIFF_FRAME];

  self->channels = 1;
  for (int i = 0; i < VG_TIFF_N_AXES; i++)
    self->size[i] = self->stride[i] = 1;
  self->size[axis] = pages;
}

/* Makes the time axis, or without one the slices, the time bins of a decay; one of the file's
 * channels is read. */
static void
set_decay (VgTiffAxes *self, GString *notes)
{
  VgTiffAxis axis = self->size[VG_TIFF_FRAME] > 1 ? VG_TIFF_FRAME : VG_TIFF_SLICE;

  if (self->decay || self->size[axis] == 1)
    return;
  self->channels = self->size[VG_TIFF_BIN];
  self->channel_stride = self->stride[VG_TIFF_BIN];
  self->size[VG_TIFF_BIN] = self->size[axis];
  self->stride[VG_TIFF_BIN] = self->stride[axis];
  self->size[axis] = 1;
  /* the step of this axis is the bin width if it is short enough, and no frame interval */
  if (axis == VG_TIFF_FRAME)
    {
      self->bin_width_ns = self->frame_interval_s < 1e-6 ? 1e9 * self->frame_interval_s : 0;
      self->frame_interval_s = 0;
    }
  self->decay = TRUE;
  g_string_append_printf (notes, "%s are read as time bins%s.\n",
                          axis == VG_TIFF_FRAME ? "Frames" : "Slices",
                          self->channels > 1 ? "; set Channel to read one channel" : "");
}

static void
set_channels (VgTiffAxes *self, GString *notes)
{
  self->channels = self->size[VG_TIFF_BIN];
  self->channel_stride = self->stride[VG_TIFF_BIN];
  self->size[VG_TIFF_BIN] = self->stride[VG_TIFF_BIN] = 1;
  g_string_append (notes, "One channel is read. To read another, set Channel.\n");
}

void
vg_tiff_axes_choose (VgTiffAxes *self, const VgReadOptions *read_options, gboolean bins,
                     gboolean channels, GString *notes)
{
  if (read_options->pages == VG_PAGES_FRAMES)
    along_one_axis (self, VG_TIFF_FRAME);
  else if (read_options->pages == VG_PAGES_SLICES)
    along_one_axis (self, VG_TIFF_SLICE);
  else if (read_options->pages == VG_PAGES_BINS ||
           (bins && (!self->described || self->size[VG_TIFF_BIN] == 1)))
    set_decay (self, notes);
  else if (channels && !self->decay && self->channels == 1 && self->size[VG_TIFF_BIN] > 1)
    set_channels (self, notes);
}
