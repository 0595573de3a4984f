/* SPDX-License-Identifier: MIT */
/* Tables of the plain numbers in VgView and VgDisplay; the names that the program gives. */
#include "app/session/vg-session-fields.h"
#include <glib/gi18n.h>

#define ANY .min = -1e300, .max = 1e300

static const VgParam view_items[] = {
  VG_DOUBLE_PARAM (VgView, zoom, .label = "Zoom", .max = 1e6),
  VG_DOUBLE_PARAM (VgView, center_x, .label = "Centre, x", ANY),
  VG_DOUBLE_PARAM (VgView, center_y, .label = "Centre, y", ANY),
  VG_DOUBLE_PARAM (VgView, part_x, .label = "Slide region, x", ANY),
  VG_DOUBLE_PARAM (VgView, part_y, .label = "Slide region, y", ANY),
  VG_DOUBLE_PARAM (VgView, part_scale, .label = "Slide region, downsample", .max = 1e6),
  VG_INT_PARAM (VgView, slice, .label = "Slice", .max = G_MAXINT),
  VG_DOUBLE_PARAM (VgView, playback_fps, .label = "Playback", .unit = "frames/s", .def = 25,
                   .max = 1e6),
  VG_BOOL_PARAM (VgView, loop, .label = "Loop", .def = 1),
  VG_BOOL_PARAM (VgView, smooth, .label = "Interpolation"),
  VG_BOOL_PARAM (VgView, mosaic, .label = "All slices"),
  VG_BOOL_PARAM (VgView, volume.planes, .label = "Three planes"),
  VG_INT_PARAM (VgView, volume.column, .label = "Crosshair, column", .max = G_MAXINT),
  VG_INT_PARAM (VgView, volume.row, .label = "Crosshair, row", .max = G_MAXINT),
  VG_BOOL_PARAM (VgView, as_stored, .label = "As stored"),
  VG_CHOICE_PARAM (VgView, length_unit, .label = "Unit of length", .choices = vg_length_ids,
                   .max = VG_LENGTH_CM),
  VG_BOOL_PARAM (VgView, proportions, .label = "True proportions", .def = 1),
  VG_BOOL_PARAM (VgView, axes, .label = "Axes", .def = 1),
  VG_BOOL_PARAM (VgView, overlay, .label = "Overlay", .def = 1),
  VG_BOOL_PARAM (VgView, outlines, .label = "Outlines", .def = 1),
  VG_BOOL_PARAM (VgView, other_outlines, .label = "Outlines of another method"),
  VG_DOUBLE_PARAM (VgView, outline_width, .label = "Line width", .def = 1.5, .min = 0.5, .max = 10),
  VG_INT_PARAM (VgView, underlay_frame, .label = "Frame of the underlay", .max = G_MAXINT),
};

static const VgParam display_items[] = {
  VG_BOOL_PARAM (VgDisplay, auto_limits, .label = "Automatic limits", .def = 1),
  VG_DOUBLE_PARAM (VgDisplay, auto_low_percent, .label = "Low percentile", .def = 0.5, .max = 100),
  VG_DOUBLE_PARAM (VgDisplay, auto_high_percent, .label = "High percentile", .def = 99.5,
                   .max = 100),
  VG_DOUBLE_PARAM (VgDisplay, low, .label = "Low limit", ANY),
  VG_DOUBLE_PARAM (VgDisplay, high, .label = "High limit", .def = 1, ANY),
  VG_DOUBLE_PARAM (VgDisplay, gamma, .label = "Gamma", .def = 1, .min = 0.01, .max = 100),
  VG_BOOL_PARAM (VgDisplay, log_scale, .label = "Logarithmic"),
  VG_BOOL_PARAM (VgDisplay, reversed, .label = "Reversed"),
  VG_BOOL_PARAM (VgDisplay, brightness, .label = "Brightness from another output", .def = 1),
  VG_BOOL_PARAM (VgDisplay, decades, .label = "Isolines at decades"),
  VG_BOOL_PARAM (VgDisplay, underlay, .label = "Underlay"),
  VG_DOUBLE_PARAM (VgDisplay, level, .label = "Window level", ANY),
  VG_DOUBLE_PARAM (VgDisplay, width, .label = "Window width", .max = 1e300),
  VG_DOUBLE_PARAM (VgDisplay, opacity, .label = "Opacity over the underlay", .def = 0.6, .max = 1),
};

const VgParamTable vg_session_view_fields = { view_items, G_N_ELEMENTS (view_items),
                                              sizeof (VgView) };
const VgParamTable vg_session_display_fields = { display_items, G_N_ELEMENTS (display_items),
                                                 sizeof (VgDisplay) };

/* The English name in SYNTHETIC that is NAME or, TRANSLATED, whose translation is; NULL: none. */
static const char *
find_mark (const VgSynthetic *synthetic, const char *name, gboolean translated)
{
  for (int sample = 0; synthetic->samples[sample].id != NULL; sample++)
    {
      VgSyntheticSize size = synthetic->live;
      const char *mark;
      char *shape;

      size.sample = sample;
      for (guint i = 0; (shape = synthetic->mark (&size, i, &mark)) != NULL; i++)
        {
          g_free (shape);
          if (g_strcmp0 (translated ? gettext (mark) : mark, name) == 0)
            return mark;
        }
    }
  return NULL;
}

/* The same of all names that OPERATION gives. */
static const char *
find_given (const VgOperation *operation, const char *name, gboolean translated)
{
  const VgParamTable *table = &operation->params;

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];

      if ((param->kind == VG_PARAM_REGION || param->file.or_region) &&
          g_strcmp0 (translated ? gettext (param->label) : param->label, name) == 0)
        return param->label;
    }
  return operation->synthetic != NULL && operation->synthetic->mark != NULL
             ? find_mark (operation->synthetic, name, translated)
             : NULL;
}

const char *
vg_session_name_in_english (const VgOperation *operation, const char *name)
{
  const char *given = find_given (operation, name, TRUE);

  return given != NULL ? given : name;
}

const char *
vg_session_name_translated (const VgOperation *operation, const char *english)
{
  const char *given = find_given (operation, english, FALSE);

  return given != NULL ? gettext (given) : english;
}
