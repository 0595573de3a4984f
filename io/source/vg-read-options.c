/* SPDX-License-Identifier: MIT */
/* Converts read options from and to text. */
#include "io/source/vg-read-options.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <string.h>
#include <glib/gi18n.h>

static const char *const pages_ids[] = { "file", "bins", "slices", "frames", NULL };
static const char *const pages_labels[] = { N_ ("From the file"), N_ ("Time bins of a decay"),
                                            N_ ("Slices"), N_ ("Frames"), NULL };

static const VgParam items[] = {
  VG_INT_PARAM (
      VgReadOptions, channel, .label = N_ ("Channel"),
      .help = N_ ("Detector channel or data block to read, counted from 1. Unless set, it is "
                  "the one with the most photons; in images, the first."),
      .def = 0, .min = 1, .max = 65535),
  VG_CHOICE_PARAM (
      VgReadOptions, pages, .label = N_ ("Pages"),
      .help = N_ ("What the pages of a stack are, if the file does not say it or is wrong."),
      .choices = pages_ids, .choice_labels = pages_labels),
  VG_INT_PARAM (VgReadOptions, sum_frames, .label = N_ ("Summed frames"),
                .help = N_ ("Number of scans that are summed to one image; 0 sums all."), .def = 0,
                .min = 0, .max = 1000000),
  VG_INT_PARAM (VgReadOptions, level, .label = N_ ("Level"),
                .help = N_ ("Resolution of a whole slide to read; 0 is the finest."), .def = 0,
                .min = 0, .max = 63),
  VG_REGION_PARAM (VgReadOptions, region, .label = N_ ("Slide region"),
                   .help = N_ ("Rectangle of a whole slide to read, X,Y,WIDTH,HEIGHT in pixels of "
                               "level 0. If empty, all of it is read.")),
  VG_INT_PARAM (
      VgReadOptions, unpack_gb, .label = N_ ("Unpacking limit"),
      .help = N_ ("Maximum size of a file unpacked from a ZIP archive into the temporary folder."),
      .unit = N_ ("GB"), .def = 1, .min = 1, .max = 1000),
  VG_FLOAT_PARAM (VgReadOptions, pixel_um, .label = N_ ("Pixel size"), .unit = "\302\265m",
                  .help = N_ ("Width and height of a pixel, if the file does not give them or is "
                              "wrong; 0 uses the value in the file."),
                  .def = 0, .min = 0, .max = 1e6),
  VG_FLOAT_PARAM (
      VgReadOptions, frame_interval_ms, .label = N_ ("Frame interval"), .unit = "ms",
      .help = N_ ("Time between frames, if the file does not give it or is wrong; 0 uses "
                  "the value in the file."),
      .def = 0, .min = 0, .max = 1e8),
  VG_INT_PARAM (
      VgReadOptions, series, .label = N_ ("Series"),
      .help = N_ ("Number of the DICOM series to read, counted from 1. 0 reads the series of the "
                  "opened file, or the series of the opened folder that has the most images."),
      .def = 0, .min = 0, .max = 100000),
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
  g_clear_pointer (&self->series_uid, g_free);
  g_clear_pointer (&self->segment, g_free);
  g_clear_pointer (&self->region, g_free);
}

gboolean
vg_read_options_set_uid (VgReadOptions *self, const char *uid, GError **error)
{
  g_autofree char *quoted = vg_text_quote (uid);

  if (*uid == '\0' || strlen (uid) > 64 || strspn (uid, "0123456789.") != strlen (uid))
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "series is %s, which is not a UID; give the number of the series in the list "
                   "that info prints, or its UID, such as 1.2.840.113619.2.5",
                   quoted);
      return FALSE;
    }
  g_free (self->series_uid);
  self->series_uid = g_strdup (uid);
  return TRUE;
}

static gboolean
parse_word (VgReadOptions *self, char *word, GError **error)
{
  char *value = strchr (word, '=');
  g_autofree char *quoted = NULL;
  const VgParam *param;

  /* the label of a segment may contain spaces */
  if (!value && self->segment)
    {
      g_autofree char *begin = g_steal_pointer (&self->segment);

      self->segment = g_strjoin (" ", begin, word, NULL);
      return TRUE;
    }
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
  if (value && *value && g_str_equal (word, "segment"))
    {
      g_free (self->segment);
      self->segment = g_strdup (value);
      return TRUE;
    }
  if (value && strchr (value, '.') && g_str_equal (word, "series"))
    return vg_read_options_set_uid (self, value, error);
  param = value ? vg_params_find (&vg_read_options_table, word) : NULL;
  if (param)
    return vg_param_parse (param, self, value, error);
  quoted = vg_text_quote (word);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "%s is not a read option; write channel=2, pages=bins, pixel_um=6.5, or the "
               "geometry of raw frames",
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
  if (self->series_uid)
    g_string_append_printf (text, "%sseries=%s", text->len ? " " : "", self->series_uid);
  if (self->segment)
    g_string_append_printf (text, "%ssegment=%s", text->len ? " " : "", self->segment);
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
  if (g_str_equal (param->id, "series"))
    g_clear_pointer (&self.series_uid, g_free);
  return vg_read_options_format (&self);
}
