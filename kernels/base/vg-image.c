/* SPDX-License-Identifier: MIT */
/* Sizes of a data set, and data held whole. */
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-length.h"
#include "kernels/base/vg-memory.h"
#include <math.h>
#include <string.h>

/* A * B, or 0 when that overflows or either is not above 0. */
static gsize
multiply (gsize a, gint64 b)
{
  gsize product;

  if (b <= 0 || (guint64) b > G_MAXSIZE || !g_size_checked_mul (&product, a, (gsize) b) ||
      product > G_MAXSSIZE)
    return 0;
  return product;
}

gsize
vg_image_info_page_samples (const VgImageInfo *info)
{
  if ((int) info->type < VG_U8 || info->type > VG_F32)
    return 0;
  if (info->channels != 1 && info->channels != 3 && info->channels != 4)
    return 0;
  return multiply (multiply (multiply (1, info->width), info->height), info->channels);
}

gsize
vg_image_info_page_bytes (const VgImageInfo *info)
{
  return multiply (vg_image_info_page_samples (info), (gint64) vg_type_size (info->type));
}

gsize
vg_image_info_frame_bytes (const VgImageInfo *info)
{
  return multiply (multiply (vg_image_info_page_bytes (info), info->bins), info->slices);
}

double
vg_image_info_volume_ml (const VgImageInfo *info, double n)
{
  const char *unit = info->pixel_unit;
  double volume = n;

  for (int i = 0; i < 3; i++)
    volume *= info->pixel_size[i];
  /* divided once, so that 31 voxels of 45 mm3 are 1.395 ml to the last digit */
  volume /= strcmp (unit, "mm") == 0 ? 1e3 : strcmp (unit, "cm") == 0 ? 1 : 1e12;
  return volume > 0 && *unit != '\0' ? volume : NAN;
}

gint64
vg_image_info_pages (const VgImageInfo *info)
{
  if (info->frames < 0)
    return -1;
  return (gint64) multiply (multiply (multiply (1, info->frames), info->slices), info->bins);
}

static void
append_count (GString *string, gint64 count, const char *one, const char *many)
{
  if (count != 1)
    g_string_append_printf (string, ", %" G_GINT64_FORMAT " %s", count, many);
  else if (one != NULL)
    g_string_append_printf (string, ", 1 %s", one);
}

gboolean
vg_image_info_pixel_um (const VgImageInfo *info, double um[2])
{
  double factor;
  const char *unit = vg_length_convert (info->pixel_unit, VG_LENGTH_UM, &factor);

  um[0] = um[1] = 0;
  if (!vg_length_is_unit (unit) || strchr (unit, '/') != NULL || !(info->pixel_size[0] > 0) ||
      !isfinite (info->pixel_size[0]))
    return FALSE;
  um[0] = factor * info->pixel_size[0];
  um[1] = info->pixel_size[1] > 0 && isfinite (info->pixel_size[1]) ? factor * info->pixel_size[1]
                                                                    : um[0];
  return TRUE;
}

char *
vg_image_info_to_string (const VgImageInfo *info)
{
  int bits = 8 * (int) vg_type_size (info->type);
  GString *string = g_string_new (NULL);

  g_string_append_printf (string, "%dx%d, %d-bit%s", info->width, info->height, bits,
                          info->type == VG_F32 ? " float" : "");
  if (info->type != VG_F32 && info->significant_bits > 0 && info->significant_bits < bits)
    g_string_append_printf (string, " (%d used)", info->significant_bits);
  if (info->channels > 1)
    g_string_append (string, info->channels == 4 ? " RGBA" : " RGB");
  append_count (string, info->bins, NULL, "bins");
  append_count (string, info->slices, NULL, "slices");
  if (info->frames < 0)
    g_string_append (string, ", live");
  else
    append_count (string, info->frames, "frame", "frames");
  return g_string_free (string, FALSE);
}

static VgImage *
image_new (const char *name)
{
  VgImage *self = g_new0 (VgImage, 1);

  self->name = g_strdup (name != NULL ? name : "");
  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

VgImage *
vg_image_new (const VgImageInfo *info, const char *name, GError **error)
{
  gsize bytes = multiply (vg_image_info_frame_bytes (info), info->frames);
  const char *what = name != NULL ? name : "an image";
  VgImage *self;
  void *data;

  if (bytes == 0)
    {
      g_autofree char *text = vg_image_info_to_string (info);

      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "%s does not fit in memory: it would take %s", what, text);
      return NULL;
    }
  if (!vg_memory_check (bytes, what, error))
    return NULL;
  data = g_try_malloc0 (bytes);
  if (data == NULL)
    {
      g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);

      g_set_error (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
          "%s would take %s of memory, which the system refused; use fewer or smaller frames", what,
          size);
      return NULL;
    }
  self = image_new (name);
  self->info = *info;
  self->data = data;
  self->free_data = g_free;
  return self;
}

VgImage *
vg_image_new_text (char *text, gsize length, const char *name)
{
  VgImage *self = image_new (name);

  self->text = text;
  self->text_length = length;
  return self;
}

VgImage *
vg_image_ref (VgImage *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
vg_image_unref (VgImage *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->free_data != NULL)
    self->free_data (self->data);
  g_free (self->name);
  g_free (self->details);
  g_strfreev (self->series);
  g_free (self->caution);
  g_free (self->times_s);
  g_strfreev (self->names);
  g_free (self->flips_deg);
  g_free (self->inversions_ms);
  g_free (self->text);
  g_clear_pointer (&self->slide, vg_image_unref);
  if (self->measured != NULL)
    self->free_measured (self->measured);
  g_free (self);
}
