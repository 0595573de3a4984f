/* SPDX-License-Identifier: MIT */
/* Axes and scales from an ImageDescription in OME-XML: the OME-TIFF
 * specification's Pixels element, and a lifetime axis in its Modulo elements. */
#include "io/tiff/vg-tiff-axes-private.h"
#include <math.h>
#include <string.h>

typedef struct
{
  VgTiffAxes *axes;
  guint samples;
  gint64 size[VG_TIFF_N_AXES];
  VgTiffAxis order[VG_TIFF_N_AXES];
  gboolean in_pixels, seen_pixels, shuffled;
  double first_time_s, last_time_s;
  gint64 last_frame;
  gboolean in_modulo, in_label; /* of a lifetime axis */
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
  double scale = !unit || strcmp (unit, "s") == 0 ? 1
                 : strcmp (unit, "ms") == 0       ? 1e-3
                 : strcmp (unit, "µs") == 0       ? 1e-6
                 : strcmp (unit, "ns") == 0       ? 1e-9
                 : strcmp (unit, "ps") == 0       ? 1e-12
                 : strcmp (unit, "min") == 0      ? 60
                 : strcmp (unit, "h") == 0        ? 3600
                                                  : 0;

  return vg_tiff_positive (value) * scale;
}

static void
ome_physical_sizes (VgTiffAxes *axes, const char *const *names, const char *const *values)
{
  static const char *const size[] = { "PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ" };
  static const char *const unit[] = { "PhysicalSizeXUnit", "PhysicalSizeYUnit",
                                      "PhysicalSizeZUnit" };
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
        axes->pixel_size[i] = vg_tiff_positive (attribute (names, values, size[i])) * scale;
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
  ome->size[VG_TIFF_BIN] = MAX (vg_tiff_extent (attribute (names, values, "SizeC")) / ome->samples,
                                1);
  ome->size[VG_TIFF_SLICE] = vg_tiff_extent (attribute (names, values, "SizeZ"));
  ome->size[VG_TIFF_FRAME] = vg_tiff_extent (attribute (names, values, "SizeT"));
  ome_order (ome, attribute (names, values, "DimensionOrder"));
  ome_physical_sizes (axes, names, values);
  axes->frame_interval_s = seconds (attribute (names, values, "TimeIncrement"),
                                    attribute (names, values, "TimeIncrementUnit"));
  axes->significant_bits = (int) MIN (
      vg_tiff_positive (attribute (names, values, "SignificantBits")), 32);
}

/* Checks that the planes are listed in the order of the axes; other orders are not supported. */
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
  const char *exposure = attribute (names, values, "ExposureTime"),
             *delta = attribute (names, values, "DeltaT");
  const char *frame = attribute (names, values, "TheT");
  gint64 t = frame ? g_ascii_strtoll (frame, NULL, 10) : 0;

  if (exposure && ome->axes->exposure_ms == 0)
    ome->axes->exposure_ms = 1e3 *
                             seconds (exposure, attribute (names, values, "ExposureTimeUnit"));
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

/* <ModuloAlongT Type="lifetime" Unit="ps" Start="0" Step="50" End="12450"/>, or with a Label for
 * each step: a lifetime axis that shares an axis of the file and varies faster. */
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
  ome->step_ns = vg_tiff_positive (step) * ome->unit_ns;
  ome->end_ns = end ? g_ascii_strtod (end, NULL) * ome->unit_ns : 0;
}

static void
ome_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
          GError **error)
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

/* Separates the lifetime axis from the axis that it shares. */
static void
ome_take_lifetime (Ome *ome, GString *notes)
{
  static const char letters[] = "CZT";
  VgTiffAxes *axes = ome->axes;
  VgTiffAxis along = ome->lifetime_axis;
  gint64 stride = axes->stride[along], n;
  double step = ome->labels > 1 ? (ome->end_ns - ome->start_ns) / (double) (ome->labels - 1)
                                : ome->step_ns;
  double steps = step > 0 ? (ome->end_ns - ome->start_ns) / step : 0;

  if (!axes->described || !(step > 0) || !isfinite (step))
    return;
  n = ome->labels > 1                    ? ome->labels
      : steps >= 1 && steps < G_MAXINT32 ? (gint64) (steps + 1.5)
                                         : axes->size[along];
  if (n < 2 || axes->size[along] % n != 0)
    {
      g_string_append_printf (notes,
                              "The lifetime axis has %" G_GINT64_FORMAT
                              " steps, but %" G_GINT64_FORMAT
                              ", the size of axis %c, is not a multiple of this, so the axis is "
                              "ignored.\n",
                              n, axes->size[along], letters[along]);
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
  g_string_append_printf (notes, "Lifetime axis along %c: %" G_GINT64_FORMAT " bins of %g ns.\n",
                          letters[along], n, step);
}

static void
ome_start (GMarkupParseContext *context, const char *element, const char **names,
           const char **values, gpointer data, GError **error)
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

void
vg_tiff_axes_parse_ome (VgTiffAxes *self, const char *description, gint64 pages, guint samples,
                        GString *notes)
{
  static const GMarkupParser parser = { .start_element = ome_start,
                                        .text = ome_text,
                                        .end_element = ome_end };
  Ome ome = { .axes = self,
              .samples = samples,
              .size = { 1, 1, 1 },
              .first_time_s = -1,
              .order = { VG_TIFF_BIN, VG_TIFF_SLICE, VG_TIFF_FRAME } };
  g_autofree char *text = g_utf8_make_valid (description, -1);
  g_autoptr (GMarkupParseContext)
      context = g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &ome, NULL);

  /* what was parsed before the first mistake is used */
  if (!g_markup_parse_context_parse (context, text, -1, NULL))
    g_string_append (notes, "The OME description is damaged; the part that can be read is used.\n");
  if (!ome.seen_pixels)
    return;
  if (ome.shuffled)
    g_string_append (notes, "The OME description lists planes out of order, so pages are read as "
                            "frames in file order.\n");
  else
    vg_tiff_axes_set (self, ome.size, ome.order, pages, "OME", notes);
  ome_take_lifetime (&ome, notes);
  if (self->frame_interval_s == 0 && ome.last_frame > 0 && ome.first_time_s >= 0 &&
      ome.last_time_s > ome.first_time_s)
    self->frame_interval_s = (ome.last_time_s - ome.first_time_s) / (double) ome.last_frame;
}
