/* SPDX-License-Identifier: MIT */
/* Converts read options from and to text. */
#include "io/source/vg-read-options.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <string.h>

static const char *const pages_ids[] = { "file", "bins", "slices", "frames", NULL };
static const char *const pages_labels[] = { "As the file says", "Time bins of a decay", "Slices",
                                            "Frames", NULL };

static const VgParam items[] = {
  VG_INT_PARAM (VgReadOptions, channel, .label = "Channel",
                .help = "Detector channel or data block to read, counted from 1. Unless set, the "
                        "one with the most photons is read; in images, the first",
                .def = 0, .min = 1, .max = 65535),
  VG_CHOICE_PARAM (
      VgReadOptions, pages, .label = "Pages",
      .help = "What the pages of a stack are, when the file does not say it or says it wrong",
      .choices = pages_ids, .choice_labels = pages_labels),
  VG_INT_PARAM (VgReadOptions, sum_frames, .label = "Summed frames",
                .help = "Scans of the field that are added up to one image; 0 adds all", .def = 0,
                .min = 0, .max = 1000000),
  VG_INT_PARAM (VgReadOptions, level, .label = "Level",
                .help = "Which resolution of a whole slide is read; 0 is the finest", .def = 0,
                .min = 0, .max = 63),
  VG_REGION_PARAM (VgReadOptions, region, .label = "Part",
                   .help = "Rectangle of a whole slide that is read, X,Y,WIDTH,HEIGHT in pixels of "
                           "level 0; empty: all of it"),
  VG_INT_PARAM (
      VgReadOptions, unpack_gb, .label = "Unpack at most",
      .help = "Size limit of a file unpacked from a ZIP archive into the temporary folder",
      .unit = "GB", .def = 1, .min = 1, .max = 1000),
  VG_FLOAT_PARAM (VgReadOptions, pixel_um, .label = "Pixel size", .unit = "\302\265m",
                  .help = "Width and height of a pixel, if the file has none or a wrong one; 0 "
                          "takes the value in the file",
                  .def = 0, .min = 0, .max = 1e6),
  VG_FLOAT_PARAM (VgReadOptions, frame_interval_ms, .label = "Frame interval", .unit = "ms",
                  .help = "Time from frame to frame, if the file has none or a wrong one; 0 takes "
                          "the value in the file",
                  .def = 0, .min = 0, .max = 1e8),
};

const VgParamTable vg_read_options_table = { items, G_N_ELEMENTS (items), sizeof (VgReadOptions) };

void
vg_read_options_init (VgReadOptions *self)
{
  *self = (VgReadOptions){ .geometry = NULL, .sample = NULL };
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    if (items[i].kind != VG_PARAM_REGION)
      vg_param_set_number (&items[i], self, items[i].def);
  self->channel = 0;
}

void
vg_read_options_clear (VgReadOptions *self)
{
  g_clear_pointer (&self->geometry, g_free);
  g_clear_pointer (&self->sample, g_free);
  g_clear_pointer (&self->region, g_free);
}

static gboolean
parse_word (VgReadOptions *self, char *word, GError **error)
{
  char *value = strchr (word, '=');
  g_autofree char *quoted = NULL;
  const VgParam *param;

  if (!value && !self->geometry)
    {
      self->geometry = g_strdup (word);
      return TRUE;
    }
  if (value)
    *value++ = '\0';
  if (value && *value && g_str_equal (word, "sample"))
    {
      g_free (self->sample);
      self->sample = g_strdup (value);
      return TRUE;
    }
  param = value ? vg_params_find (&vg_read_options_table, word) : NULL;
  if (param)
    return vg_param_parse (param, self, value, error);
  quoted = vg_text_quote (word);
  g_set_error (
      error, VG_USAGE_ERROR, 0,
      "%s says nothing about how to read a file; write channel=2, pages=bins, pixel_um=6.5, or the "
      "geometry of bare frames",
      quoted);
  return FALSE;
}

gboolean
vg_read_options_parse (VgReadOptions *self, const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;

  vg_read_options_init (self);
  if (!text || !*text)
    return TRUE;
  /* a text without '=' is always a geometry, so that the error message is about the geometry */
  if (!strchr (text, '='))
    {
      self->geometry = g_strdup (text);
      return TRUE;
    }
  words = g_strsplit (text, " ", 64);
  for (char **word = words; *word; word++)
    if (**word && !parse_word (self, *word, error))
      {
        vg_read_options_clear (self);
        vg_read_options_init (self);
        return FALSE;
      }
  return TRUE;
}

gboolean
vg_read_options_is_default (const VgReadOptions *self, const VgParam *param)
{
  return param->kind == VG_PARAM_REGION ? !self->region
                                        : vg_param_get_number (param, self) == param->def;
}

char *
vg_read_options_format (const VgReadOptions *self)
{
  g_autoptr (GString) text = g_string_new (self->geometry);

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    if (!vg_read_options_is_default (self, &items[i]))
      {
        g_autofree char *value = vg_param_format (&items[i], self);

        g_string_append_printf (text, "%s%s=%s", text->len ? " " : "", items[i].id, value);
      }
  if (self->sample)
    g_string_append_printf (text, "%ssample=%s", text->len ? " " : "", self->sample);
  return text->len ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

char *
vg_read_options_set (const char *text, const VgParam *param, const char *value, GError **error)
{
  g_auto (VgReadOptions) self = { 0 };

  if (!vg_read_options_parse (&self, text, error) || !vg_param_parse (param, &self, value, error))
    return NULL;
  return vg_read_options_format (&self);
}
