/* SPDX-License-Identifier: MIT */
#include "io/source/vg-feature.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void
feature_free (gpointer data)
{
  VgFeature *self = data;

  g_free (self->name);
  g_free (self->label);
  g_free (self->help);
  g_free (self->unit);
  g_free (self->value);
  g_strfreev (self->choices);
  g_free (self);
}

VgFeatures *
vg_features_new (void)
{
  VgFeatures *self = g_new0 (VgFeatures, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->items = g_ptr_array_new_with_free_func (feature_free);
  return self;
}

VgFeatures *
vg_features_ref (VgFeatures *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
vg_features_unref (VgFeatures *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->items);
  g_free (self->refused);
  g_free (self->caution);
  g_free (self->text);
  g_free (self);
}

VgFeature *
vg_features_add (VgFeatures *self, const char *name, VgFeatureKind kind)
{
  VgFeature *feature = g_new0 (VgFeature, 1);

  feature->name = g_strdup (name);
  feature->label = g_strdup (name);
  feature->kind = kind;
  feature->writable = TRUE;
  g_ptr_array_add (self->items, feature);
  return feature;
}

void
vg_feature_set_number (VgFeature *self, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_free (self->value);
  self->value = g_strdup (g_ascii_formatd (text, sizeof text, "%.10g", value));
}

static gboolean
is_region (const VgFeature *self, const char *value)
{
  int v[4] = { 0 }, end = 0;

  if (sscanf (value, "%d,%d,%d,%d%n", &v[0], &v[1], &v[2], &v[3], &end) != 4 || value[end] != '\0')
    return FALSE;
  for (int i = 0; i < 2; i++)
    if (v[i] < 0 || v[2 + i] < self->least[i] || v[2 + i] > self->most[i] ||
        v[i] > self->most[i] - v[2 + i])
      return FALSE;
  return TRUE;
}

gboolean
vg_feature_accepts (const VgFeature *self, const char *value)
{
  char *end = NULL;
  double number;

  switch (self->kind)
    {
    case VG_FEATURE_NUMBER:
    case VG_FEATURE_WHOLE:
      number = g_ascii_strtod (value, &end);
      return end != value && *end == '\0' && isfinite (number) &&
             (!(self->max > self->min) || (number >= self->min && number <= self->max));
    case VG_FEATURE_CHOICE:
      return self->choices == NULL || g_strv_contains ((const char *const *) self->choices, value);
    case VG_FEATURE_SWITCH:
      return g_str_equal (value, "0") || g_str_equal (value, "1");
    case VG_FEATURE_TEXT:
      return self->most[0] == 0 || is_region (self, value);
    case VG_FEATURE_COMMAND:
      break;
    }
  return TRUE;
}

char *
vg_feature_describe_range (const VgFeature *self)
{
  if (self->kind == VG_FEATURE_CHOICE && self->choices != NULL)
    return g_strjoinv (", ", self->choices);
  if (self->kind == VG_FEATURE_SWITCH)
    return g_strdup ("0 or 1");
  if (self->most[0] > 0)
    return g_strdup_printf ("X,Y,W,H within %dx%d px, at least %dx%d px", self->most[0],
                            self->most[1], self->least[0], self->least[1]);
  if (self->max > self->min)
    return g_strdup_printf ("from %g to %g%s%s", self->min, self->max,
                            self->unit != NULL ? " " : "", self->unit != NULL ? self->unit : "");
  return g_strdup (self->kind == VG_FEATURE_TEXT || self->kind == VG_FEATURE_CHOICE ? "text"
                                                                                    : "a number");
}

/* The number NAME; 0: there is none. */
static double
find_number (const VgFeatures *self, const char *name)
{
  const VgFeature *feature = vg_features_find (self, name);

  return feature != NULL && feature->value != NULL ? g_ascii_strtod (feature->value, NULL) : 0;
}

/* A camera without trigger sends fewer frames than set if its exposure is longer than their
 * interval. */
static char *
compare_exposure (const VgFeatures *self)
{
  const VgFeature *trigger = vg_features_find (self, "Trigger");
  const double exposure_s = find_number (self, "ExposureTime") * 1e-6,
               rate = find_number (self, "FrameRate");
  const gboolean free_running = trigger == NULL || g_strcmp0 (trigger->value, "Off") == 0;

  if (!free_running || !(exposure_s * rate > 1.001))
    return NULL;
  return g_strdup_printf ("an exposure time of %.4g ms allows at most %.4g frames/s, so the camera "
                          "sends fewer than the %.4g frames/s that are set; set a shorter exposure "
                          "time or a lower frame rate",
                          1000 * exposure_s, 1 / exposure_s, rate);
}

void
vg_features_complete (VgFeatures *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      const VgFeature *feature = self->items->pdata[i];

      if (feature->common && feature->value != NULL && *feature->value != '\0' &&
          feature->kind != VG_FEATURE_COMMAND)
        g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " " : "", feature->name,
                                feature->value);
    }
  g_free (self->text);
  self->text = g_string_free (g_steal_pointer (&text), FALSE);
  g_free (self->caution);
  self->caution = compare_exposure (self);
}

const VgFeature *
vg_features_find (const VgFeatures *self, const char *name)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const VgFeature *feature = self->items->pdata[i];

      if (g_str_equal (feature->name, name))
        return feature;
    }
  return NULL;
}

char *
vg_setting_name (const char *setting)
{
  const char *equals = strchr (setting, '=');

  if (equals == NULL || equals == setting || equals[1] == '\0' ||
      strpbrk (setting, " \t\n#") != NULL)
    return NULL;
  return g_strndup (setting, (gsize) (equals - setting));
}

char *
vg_live_address_device (const char *address)
{
  return g_strndup (address, strcspn (address, "#"));
}

char *
vg_live_address_with (const char *address, const char *setting)
{
  const char *hash = strchr (address, '#');
  g_auto (GStrv) each = g_strsplit (hash != NULL ? hash + 1 : "", " ", -1);
  g_autofree char *name = vg_setting_name (setting), *device = vg_live_address_device (address);
  GString *text = g_string_new (device);
  char mark = '#';

  for (guint i = 0; each[i] != NULL; i++)
    {
      g_autofree char *other = vg_setting_name (each[i]);

      if (*each[i] == '\0' || g_strcmp0 (other, name) == 0)
        continue;
      g_string_append_printf (text, "%c%s", mark, each[i]);
      mark = ' ';
    }
  if (name != NULL)
    g_string_append_printf (text, "%c%s", mark, setting);
  return g_string_free (text, FALSE);
}
