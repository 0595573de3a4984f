/* SPDX-License-Identifier: MIT */
/* Axes and scales from the ImageDescription of the first page: the OME-TIFF
 * specification's Pixels element, ImageJ's key=value lines, and the "bits"
 * of a JSON object. */
#include "vg-tiff-axes.h"
#include <math.h>
#include <string.h>

enum { IMAGEJ_MAX_CHANNELS = 7 };

gboolean
vg_tiff_length_unit (const char *text, char unit[8], double *scale)
{
  static const struct { const char *text, *unit; double scale; } units[] = {
    { "micron", "µm", 1 }, { "microns", "µm", 1 }, { "um", "µm", 1 }, { "µm", "µm", 1 }, { "μm", "µm", 1 },
    { "\xb5m", "µm", 1 }, { "\\u00B5m", "µm", 1 }, { "nm", "nm", 1 }, { "mm", "mm", 1 }, { "cm", "cm", 1 },
    { "m", "m", 1 }, { "inch", "mm", 25.4 }, { "in", "mm", 25.4 },
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

static double
positive (const char *text)
{
  double value = text ? g_ascii_strtod (text, NULL) : 0;

  return isfinite (value) && value > 0 ? value : 0;
}

/* A count, at least 1. */
static gint64
extent (const char *text)
{
  gint64 value = text ? g_ascii_strtoll (text, NULL, 10) : 1;

  return CLAMP (value, 1, G_MAXINT32);
}

/* Takes the sizes if they make PAGES together; ORDER: fastest first. */
static void
set_axes (VgTiffAxes *self, const gint64 size[VG_TIFF_N_AXES], const VgTiffAxis order[VG_TIFF_N_AXES], gint64 pages,
          const char *from, GString *notes)
{
  gint64 stride = 1;

  if ((double) size[0] * (double) size[1] * (double) size[2] != (double) pages)
    {
      g_string_append_printf (notes, "%s axes say %" G_GINT64_FORMAT " channels, %" G_GINT64_FORMAT " slices, %"
                              G_GINT64_FORMAT " frames, the file has %" G_GINT64_FORMAT " pages: read as frames\n",
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

/* --- OME --- */

typedef struct
{
  VgTiffAxes *axes;
  guint samples;
  gint64 size[VG_TIFF_N_AXES];
  VgTiffAxis order[VG_TIFF_N_AXES];
  gboolean in_pixels, seen_pixels, shuffled;
  double first_time_s, last_time_s;
  gint64 last_frame;
  gboolean in_modulo, in_label;    /* of a lifetime axis */
  VgTiffAxis lifetime_axis;
  double start_ns, step_ns, end_ns, unit_ns;
  gint64 labels;
} Ome;

static const char *
attribute (const char *const *names, const char *const *values, const char *name)
{
  for (; *names; names++, values++)
    if (strcmp (*names, name) == 0)
      return *values;
  return NULL;
}

static double
seconds (const char *value, const char *unit)
{
  double scale = !unit || strcmp (unit, "s") == 0 ? 1 : strcmp (unit, "ms") == 0 ? 1e-3
               : strcmp (unit, "µs") == 0 ? 1e-6 : strcmp (unit, "ns") == 0 ? 1e-9 : strcmp (unit, "ps") == 0 ? 1e-12
               : strcmp (unit, "min") == 0 ? 60 : strcmp (unit, "h") == 0 ? 3600 : 0;

  return positive (value) * scale;
}

static void
ome_physical_sizes (VgTiffAxes *axes, const char *const *names, const char *const *values)
{
  static const char *const size[] = { "PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ" };
  static const char *const unit[] = { "PhysicalSizeXUnit", "PhysicalSizeYUnit", "PhysicalSizeZUnit" };
  char first[8] = "", this[8];
  double scale;

  for (int i = 0; i < 3; i++)
    {
      const char *text = attribute (names, values, unit[i]);

      if (!vg_tiff_length_unit (text ? text : "µm", this, &scale))
        continue;
      if (!*first)
        g_strlcpy (first, this, sizeof first);
      if (strcmp (first, this) == 0)
        axes->pixel_size[i] = positive (attribute (names, values, size[i])) * scale;
    }
  if (axes->pixel_size[0] > 0)
    g_strlcpy (axes->pixel_unit, first, sizeof axes->pixel_unit);
}

/* "XYCZT": X and Y first, then each of C, Z and T once. */
static void
ome_order (Ome *ome, const char *text)
{
  static const char letters[] = "CZT";
  guint seen = 0;
  VgTiffAxis order[VG_TIFF_N_AXES];

  if (!text || strlen (text) != 5)
    return;
  for (int i = 0; i < VG_TIFF_N_AXES; i++)
    {
      const char *at = strchr (letters, text[2 + i]);

      if (!at)
        return;
      order[i] = (VgTiffAxis) (at - letters);
      seen |= 1u << order[i];
    }
  if (seen == 7)
    memcpy (ome->order, order, sizeof order);
}

static void
ome_pixels (Ome *ome, const char *const *names, const char *const *values)
{
  VgTiffAxes *axes = ome->axes;

  ome->seen_pixels = ome->in_pixels = TRUE;
  /* SizeC counts the samples of a page too */
  ome->size[VG_TIFF_BIN] = MAX (extent (attribute (names, values, "SizeC")) / ome->samples, 1);
  ome->size[VG_TIFF_SLICE] = extent (attribute (names, values, "SizeZ"));
  ome->size[VG_TIFF_FRAME] = extent (attribute (names, values, "SizeT"));
  ome_order (ome, attribute (names, values, "DimensionOrder"));
  ome_physical_sizes (axes, names, values);
  axes->frame_interval_s = seconds (attribute (names, values, "TimeIncrement"),
                                    attribute (names, values, "TimeIncrementUnit"));
  axes->significant_bits = (int) MIN (positive (attribute (names, values, "SignificantBits")), 32);
}

/* Planes are expected one after the other; anything else is not followed. */
static void
ome_tiff_data (Ome *ome, const char *const *names, const char *const *values)
{
  static const char *const first[] = { "FirstC", "FirstZ", "FirstT" };
  const char *ifd = attribute (names, values, "IFD");
  gint64 plane = 0, stride = 1;

  if (!ifd)
    return;
  for (int i = 0; i < VG_TIFF_N_AXES; i++)
    {
      const char *text = attribute (names, values, first[ome->order[i]]);

      plane += stride * (text ? CLAMP (g_ascii_strtoll (text, NULL, 10), 0, G_MAXINT32) : 0);
      stride = MIN (stride * ome->size[ome->order[i]], G_MAXINT32);
    }
  if (g_ascii_strtoll (ifd, NULL, 10) != plane)
    ome->shuffled = TRUE;
}

static void
ome_plane (Ome *ome, const char *const *names, const char *const *values)
{
  const char *exposure = attribute (names, values, "ExposureTime"), *delta = attribute (names, values, "DeltaT");
  const char *frame = attribute (names, values, "TheT");
  gint64 t = frame ? g_ascii_strtoll (frame, NULL, 10) : 0;

  if (exposure && ome->axes->exposure_ms == 0)
    ome->axes->exposure_ms = 1e3 * seconds (exposure, attribute (names, values, "ExposureTimeUnit"));
  if (!delta)
    return;
  if (t == 0 && ome->last_frame == 0 && ome->first_time_s < 0)
    ome->first_time_s = seconds (delta, attribute (names, values, "DeltaTUnit"));
  if (t > ome->last_frame)
    {
      ome->last_frame = t;
      ome->last_time_s = seconds (delta, attribute (names, values, "DeltaTUnit"));
    }
}

/* <ModuloAlongT Type="lifetime" Unit="ps" Start="0" Step="50" End="12450"/>, or with a Label for each: an axis
 * that goes on inside another one, its own steps the faster. */
static void
ome_modulo (Ome *ome, VgTiffAxis axis, const char *const *names, const char *const *values)
{
  const char *type = attribute (names, values, "Type"), *unit = attribute (names, values, "Unit");
  const char *start = attribute (names, values, "Start"), *step = attribute (names, values, "Step");
  const char *end = attribute (names, values, "End");

  if (!type || g_ascii_strcasecmp (type, "lifetime") != 0 || ome->step_ns > 0)
    return;
  ome->in_modulo = TRUE;
  ome->lifetime_axis = axis;
  ome->unit_ns = unit && *unit ? 1e9 * seconds ("1", unit) : 1e-3;
  ome->unit_ns = ome->unit_ns > 0 ? ome->unit_ns : 1e-3;
  ome->start_ns = start ? g_ascii_strtod (start, NULL) * ome->unit_ns : 0;
  ome->step_ns = positive (step) * ome->unit_ns;
  ome->end_ns = end ? g_ascii_strtod (end, NULL) * ome->unit_ns : 0;
}

static void
ome_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Ome *ome = data;
  double value;

  if (!ome->in_label || length > 40)
    return;
  value = g_ascii_strtod (text, NULL) * ome->unit_ns;
  if (ome->labels == 0)
    ome->start_ns = value;
  ome->end_ns = value;
  ome->labels++;
}

static void
ome_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Ome *ome = data;

  ome->in_label = FALSE;
  if (strstr (element, "ModuloAlong"))
    ome->in_modulo = FALSE;
}

/* Takes the lifetime axis out of the one it goes along. */
static void
ome_take_lifetime (Ome *ome, GString *notes)
{
  static const char letters[] = "CZT";
  VgTiffAxes *axes = ome->axes;
  VgTiffAxis along = ome->lifetime_axis;
  gint64 stride = axes->stride[along], n;
  double step = ome->labels > 1 ? (ome->end_ns - ome->start_ns) / (double) (ome->labels - 1) : ome->step_ns;
  double steps = step > 0 ? (ome->end_ns - ome->start_ns) / step : 0;

  if (!axes->described || !(step > 0) || !isfinite (step))
    return;
  n = ome->labels > 1 ? ome->labels : steps >= 1 && steps < G_MAXINT32 ? (gint64) (steps + 1.5) : axes->size[along];
  if (n < 2 || axes->size[along] % n != 0)
    {
      g_string_append_printf (notes, "the lifetime axis says %" G_GINT64_FORMAT " steps, which do not divide the %"
                              G_GINT64_FORMAT " of %c: not followed\n", n, axes->size[along], letters[along]);
      return;
    }
  axes->size[along] /= n;
  axes->stride[along] *= n;
  axes->channels = axes->size[VG_TIFF_BIN];
  axes->channel_stride = axes->stride[VG_TIFF_BIN];
  axes->size[VG_TIFF_BIN] = n;
  axes->stride[VG_TIFF_BIN] = stride;
  axes->decay = TRUE;
  axes->bin_width_ns = step;
  g_string_append_printf (notes, "lifetime axis along %c, %" G_GINT64_FORMAT " bins of %g ns\n", letters[along], n,
                          step);
}

static void
ome_start (GMarkupParseContext *context, const char *element, const char **names, const char **values, gpointer data,
           GError **error)
{
  Ome *ome = data;
  const char *colon = strrchr (element, ':'), *name = colon ? colon + 1 : element;

  if (strcmp (name, "Pixels") == 0)
    {
      ome->in_pixels = FALSE;
      if (!ome->seen_pixels)
        ome_pixels (ome, (const char *const *) names, (const char *const *) values);
    }
  else if (ome->in_pixels && strcmp (name, "TiffData") == 0)
    ome_tiff_data (ome, (const char *const *) names, (const char *const *) values);
  else if (ome->in_pixels && strcmp (name, "Plane") == 0)
    ome_plane (ome, (const char *const *) names, (const char *const *) values);
  else if (strcmp (name, "ModuloAlongC") == 0)
    ome_modulo (ome, VG_TIFF_BIN, (const char *const *) names, (const char *const *) values);
  else if (strcmp (name, "ModuloAlongZ") == 0)
    ome_modulo (ome, VG_TIFF_SLICE, (const char *const *) names, (const char *const *) values);
  else if (strcmp (name, "ModuloAlongT") == 0)
    ome_modulo (ome, VG_TIFF_FRAME, (const char *const *) names, (const char *const *) values);
  ome->in_label = ome->in_modulo && strcmp (name, "Label") == 0;
}

static void
parse_ome (VgTiffAxes *self, const char *description, gint64 pages, guint samples, GString *notes)
{
  static const GMarkupParser parser = { .start_element = ome_start, .text = ome_text, .end_element = ome_end };
  Ome ome = { .axes = self, .samples = samples, .size = { 1, 1, 1 }, .first_time_s = -1,
              .order = { VG_TIFF_BIN, VG_TIFF_SLICE, VG_TIFF_FRAME } };
  g_autofree char *text = g_utf8_make_valid (description, -1);
  g_autoptr (GMarkupParseContext) context
      = g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &ome, NULL);

  /* what was understood before the first mistake is kept */
  if (!g_markup_parse_context_parse (context, text, -1, NULL))
    g_string_append (notes, "the OME description is not well-formed; what could be read of it is used\n");
  if (!ome.seen_pixels)
    return;
  if (ome.shuffled)
    g_string_append (notes, "the OME description lists planes out of order: read as frames in file order\n");
  else
    set_axes (self, ome.size, ome.order, pages, "OME", notes);
  ome_take_lifetime (&ome, notes);
  if (self->frame_interval_s == 0 && ome.last_frame > 0 && ome.first_time_s >= 0 && ome.last_time_s > ome.first_time_s)
    self->frame_interval_s = (ome.last_time_s - ome.first_time_s) / (double) ome.last_frame;
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
        self->images = extent (value);
      else if (strcmp (*line, "channels") == 0)
        size[VG_TIFF_BIN] = extent (value);
      else if (strcmp (*line, "slices") == 0)
        size[VG_TIFF_SLICE] = extent (value);
      else if (strcmp (*line, "frames") == 0)
        size[VG_TIFF_FRAME] = extent (value);
      else if (strcmp (*line, "hyperstack") == 0)
        hyperstack = strcmp (value, "true") == 0;
      else if (strcmp (*line, "unit") == 0)
        self->resolution_scale = vg_tiff_length_unit (value, self->pixel_unit, &scale) ? scale : 0;
      else if (strcmp (*line, "spacing") == 0)
        self->pixel_size[2] = positive (value);
      else if (strcmp (*line, "finterval") == 0)
        self->frame_interval_s = positive (value);
      else if (strcmp (*line, "fps") == 0)
        fps = positive (value);
    }
  if (self->frame_interval_s == 0 && fps > 0)
    self->frame_interval_s = 1 / fps;
  self->pixel_size[2] *= scale;
  if (self->images > 1 && pages == 1)
    pages = self->images;
  self->size[VG_TIFF_FRAME] = pages;
  /* a plain stack calls its pages slices, whatever they are; more channels
   * than ImageJ can show are a stack that some writer has mislabelled */
  if ((!hyperstack && size[VG_TIFF_BIN] == 1 && size[VG_TIFF_FRAME] == 1)
      || (size[VG_TIFF_BIN] == pages && pages > IMAGEJ_MAX_CHANNELS))
    {
      if (pages > 1)
        g_string_append (notes, "ImageJ stack without a time axis: its pages are taken as frames\n");
    }
  else
    set_axes (self, size, order, pages, "ImageJ", notes);
}

/* --- JSON --- */

/* The text that the pattern's group matches, or NULL. */
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
    images = MIN (images * extent (sizes[i]), G_MAXINT32);
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
  if (shape && truncated && pages == 1)
    parse_shape (self, shape, samples);
}

/* --- recordings of this program --- */

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
        self->frame_interval_s = positive (value);
      else if (strcmp (*line, "exposure_ms") == 0)
        self->exposure_ms = positive (value);
      else if (strcmp (*line, "significant_bits") == 0)
        self->significant_bits = (int) MIN (positive (value), 32);
    }
}

void
vg_tiff_axes_parse (VgTiffAxes *self, const char *description, gint64 pages, guint samples, GString *notes)
{
  *self = (VgTiffAxes) { .size = { 1, 1, pages }, .stride = { 1, 1, 1 }, .channels = 1, .channel_stride = 1 };
  if (!description)
    return;
  while (g_ascii_isspace (*description))
    description++;
  if (g_str_has_prefix (description, "ImageJ="))
    parse_imagej (self, description, pages, notes);
  else if (g_str_has_prefix (description, "Recorded by Vivograph\n"))
    parse_recording (self, description);
  else if (*description == '{')
    parse_json (self, description, pages, samples);
  else if (*description == '<' && strstr (description, "OME"))
    parse_ome (self, description, pages, MAX (samples, 1), notes);
}

/* All pages in the file's order along one axis. */
static void
along_one_axis (VgTiffAxes *self, VgTiffAxis axis)
{
  gint64 pages = self->channels * self->size[VG_TIFF_BIN] * self->size[VG_TIFF_SLICE] * self->size[VG_TIFF_FRAME];

  self->channels = 1;
  for (int i = 0; i < VG_TIFF_N_AXES; i++)
    self->size[i] = self->stride[i] = 1;
  self->size[axis] = pages;
}

/* The time axis, else the slices, are the bins of a decay; what was called channels is chosen from. */
static void
take_decay (VgTiffAxes *self, GString *notes)
{
  VgTiffAxis axis = self->size[VG_TIFF_FRAME] > 1 ? VG_TIFF_FRAME : VG_TIFF_SLICE;

  if (self->decay || self->size[axis] == 1)
    return;
  self->channels = self->size[VG_TIFF_BIN];
  self->channel_stride = self->stride[VG_TIFF_BIN];
  self->size[VG_TIFF_BIN] = self->size[axis];
  self->stride[VG_TIFF_BIN] = self->stride[axis];
  self->size[axis] = 1;
  /* the step of this axis is no time between frames any more, and may be that between bins */
  if (axis == VG_TIFF_FRAME)
    {
      self->bin_width_ns = self->frame_interval_s < 1e-6 ? 1e9 * self->frame_interval_s : 0;
      self->frame_interval_s = 0;
    }
  self->decay = TRUE;
  g_string_append_printf (notes, "%s are taken as time bins%s\n", axis == VG_TIFF_FRAME ? "frames" : "slices",
                          self->channels > 1 ? ", channels are chosen from" : "");
}

void
vg_tiff_axes_choose (VgTiffAxes *self, const VgReading *reading, gboolean bins, GString *notes)
{
  if (reading->pages == VG_PAGES_FRAMES)
    along_one_axis (self, VG_TIFF_FRAME);
  else if (reading->pages == VG_PAGES_SLICES)
    along_one_axis (self, VG_TIFF_SLICE);
  else if (reading->pages == VG_PAGES_BINS || (bins && (!self->described || self->size[VG_TIFF_BIN] == 1)))
    take_decay (self, notes);
}
