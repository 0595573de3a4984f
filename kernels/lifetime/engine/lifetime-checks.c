/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-checks.h"
#include "kernels/lifetime/engine/lifetime-filter.h"
#include "kernels/lifetime/engine/lifetime-view.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>

extern const VgOperation vg_lifetime_operation;

/* With two equal known lifetimes the amplitudes are not determined: the fit would report 1/2 or
 * 1/3 everywhere. */
static gboolean
check_known (const VgLifetimeParams *params, GError **error)
{
  static const char *const names[] = { "first", "second", "third" };
  const double apart = 1e-3;
  const gboolean known[] = { params->know_1, params->know_2, params->know_3 };
  const double ns[] = { params->known_1_ns, params->known_2_ns, params->known_3_ns };
  guint32 finds = vg_lifetime_fit_finds (params->method);
  int n = (finds & VG_LIFETIME_BIT (LIFETIME_3)) != 0 ? 3
          : (finds & VG_LIFETIME_BIT (FRACTION)) != 0 ? 2
                                                      : 0;

  for (int i = 0; i < n; i++)
    for (int k = i + 1; k < n; k++)
      if (known[i] && known[k] && fabs (ns[i] - ns[k]) <= apart * ns[i])
        {
          g_set_error (error, VG_USAGE_ERROR, 0,
                       "the %s and the %s lifetime are both set to %.6g ns, so their shares cannot "
                       "be told apart; change one, or fit fewer lifetimes",
                       names[i], names[k], ns[k]);
          return FALSE;
        }
  return TRUE;
}

gboolean
vg_lifetime_validate (const void *data, GError **error)
{
  const VgLifetimeParams *params = data;
  gboolean both = params->fix_short &&
                  (params->method == VG_LIFETIME_PHASOR_TWO || params->fix_long);

  if (params->range == VG_LIFETIME_RANGE_MANUAL && params->fit_end_ns > 0.0f &&
      params->fit_end_ns <= params->fit_start_ns)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the fit ends at %g ns, which is not after its start at %g ns; move the end, or "
                   "set it to 0",
                   (double) params->fit_end_ns, (double) params->fit_start_ns);
      return FALSE;
    }
  if (vg_lifetime_is_biexponential (params->method) && both &&
      params->short_lifetime_ns >= params->long_lifetime_ns)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the short lifetime %g ns is not below the long one, %g ns; change one of them",
                   (double) params->short_lifetime_ns, (double) params->long_lifetime_ns);
      return FALSE;
    }
  return check_known (params, error);
}

void
vg_lifetime_follow (void *data, const gboolean *changed)
{
  const VgParamTable *table = &vg_lifetime_operation.params;
  VgLifetimeParams *params = data;

  for (guint i = 0; i < table->n_items; i++)
    if (changed[i] && (g_str_equal (table->items[i].id, "fit_start_ns") ||
                       g_str_equal (table->items[i].id, "fit_end_ns")))
      params->range = VG_LIFETIME_RANGE_MANUAL;
}

void
vg_lifetime_adopt (void *data, const VgImageInfo *info)
{
  VgLifetimeParams *params = data;

  if (vg_lifetime_has_bin_width (info))
    params->bin_width_ns = (float) info->bin_width_ns;
  if (vg_lifetime_has_period (info))
    params->period_ns = (float) info->period_ns;
}

/* Planes of sums, of binned sums, of lifetimes, and one for other maps. */
void
vg_lifetime_memory (const void *data, const VgImageInfo *info, gsize *host, gsize *device)
{
  const VgLifetimeParams *params = data;
  gsize n = vg_image_info_frame_bytes (info) / vg_type_size (info->type) /
            (gsize) MAX (info->bins, 1),
        density, planes;

  density = sizeof (float) * VG_LIFETIME_DENSITY_SIDE * VG_LIFETIME_DENSITY_SIDE;
  planes = params->phasor_filter == VG_LIFETIME_FILTER_NONE
               ? 0
               : 2 + (gsize) vg_lifetime_filter_planes (params);
  *host = n * sizeof (float) * (VG_LIFETIME_N_SUMS * (params->bin > 0 ? 2 : 1) + 2 + planes) +
          density;
  *device = n * sizeof (float) * (VG_LIFETIME_N_SUMS + 4 + planes) + density +
            vg_image_info_frame_bytes (info);
}

gboolean
vg_lifetime_check_input (const VgContext *context, GError **error)
{
  const VgImageInfo *info = context->info;

  if (info == NULL || vg_image_info_frame_bytes (info) == 0)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the data have no valid size");
      return FALSE;
    }
  if (info->slices > G_MAXINT / info->height || vg_image_info_frame_bytes (info) > G_MAXSIZE / 1024)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "data of %dx%d pixels in %" G_GINT64_FORMAT
                   " slices are too large; cut out a part",
                   info->width, info->height, info->slices);
      return FALSE;
    }
  if (info->channels != 1)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "a picture of %d colours holds no photon counts; choose a grey stack",
                   info->channels);
      return FALSE;
    }
  if (info->bins < 2 || info->bins > VG_LIFETIME_MAX_BINS)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the data have %" G_GINT64_FORMAT
                   " time bins for each pixel and lifetimes need 2 to %d; say that pages are time "
                   "bins if they are",
                   info->bins, (int) VG_LIFETIME_MAX_BINS);
      return FALSE;
    }
  return TRUE;
}

double
vg_lifetime_full_scale (const VgImageInfo *info)
{
  int bits = info->significant_bits, all = (int) (8 * vg_type_size (info->type));

  if (info->type == VG_F32)
    return HUGE_VAL;
  return exp2 (bits >= 1 && bits <= all ? bits : all) - 1.0;
}

static void
set_cursors (VgLifetimeParams *self, const VgTable *table)
{
  self->n_cursors = table != NULL ? MIN (table->rows, VG_LIFETIME_MAX_CURSORS) : 0;
  memset (self->cursor, 0, sizeof self->cursor);
  for (int i = 0; i < self->n_cursors; i++)
    {
      const double *row = table->values + (gsize) i * (gsize) table->columns;
      double angle = row[4] * G_PI / 180.0;

      self->cursor[i] = (VgLifetimeCursor){
        .g = (float) row[0],
        .s = (float) row[1],
        .along = { (float) (cos (angle) / row[2]), (float) (sin (angle) / row[2]) },
        .across = { (float) (-sin (angle) / row[3]), (float) (cos (angle) / row[3]) }
      };
    }
}

VgLifetimeParams
vg_lifetime_copy_params (const void *params)
{
  VgLifetimeParams copy = *(const VgLifetimeParams *) params;

  copy.irf_kind = copy.irf != NULL && *copy.irf != '\0' ? VG_LIFETIME_IRF_MEASURED : copy.irf_model;
  copy.irf = NULL;
  /* These methods do not have the parameter. */
  if (vg_lifetime_fit_finds (copy.method) == 0)
    copy.offset = VG_LIFETIME_OFFSET_GIVEN;
  copy.earlier_pulses |= vg_lifetime_fit_finds (copy.method) == 0 ||
                         copy.method == VG_LIFETIME_MLE_STRETCHED;
  set_cursors (&copy, copy.cursors);
  copy.cursors = NULL;
  return copy;
}

gboolean
vg_lifetime_same_but_overlay (const VgLifetimeParams *a, const VgLifetimeParams *b)
{
  VgLifetimeParams copy = *b;

  copy.n_cursors = a->n_cursors;
  memcpy (copy.cursor, a->cursor, sizeof copy.cursor);
  copy.guide = a->guide;
  copy.guide_1_ns = a->guide_1_ns;
  copy.guide_2_ns = a->guide_2_ns;
  copy.donor_ns = a->donor_ns;
  copy.fret_efficiency = a->fret_efficiency;
  copy.fret_share = a->fret_share;
  copy.fret_background = a->fret_background;
  return memcmp (&copy, a, sizeof copy) == 0; /* Different padding only costs another map. */
}

gboolean
vg_lifetime_source_load (VgLifetimeSource *self, VgLifetimeCurve *measured,
                         const VgContext *context, GError **error)
{
  const VgLifetimeParams *params = context->params;
  int x0, y0, x1, y1;

  self->text = g_strdup (params->irf);
  self->is_region = self->text != NULL && vg_region_parse (&self->region, self->text, NULL);
  if (self->is_region && !vg_region_bounds (&self->region, context->info->width,
                                            context->info->height, &x0, &y0, &x1, &y1))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the region of the response, %s, lies outside the picture of %dx%d pixels",
                   self->text, context->info->width, context->info->height);
      return FALSE;
    }
  for (guint i = 0; i < context->n_files; i++)
    if (g_strcmp0 (context->files[i].param_id, "irf") == 0 && !self->is_region)
      return vg_lifetime_curve_load (measured, context->files[i].image, error);
  return TRUE;
}

gboolean
vg_lifetime_source_same (const VgLifetimeSource *self, const VgLifetimeParams *params)
{
  return g_strcmp0 (self->text, params->irf) == 0;
}

void
vg_lifetime_source_clear (VgLifetimeSource *self)
{
  g_clear_pointer (&self->text, g_free);
}
