/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-checks.h"
#include "kernels/lifetime/engine/lifetime-filter.h"
#include "kernels/lifetime/fit/lifetime-fit.h"
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
                       "the %s and the %s lifetime are both set to %.6g ns, so their fractions "
                       "cannot be determined; change one, or fit fewer lifetimes",
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

  if (params->bin_width_ns > 0.0f && params->bin_width_ns < VG_LIFETIME_MIN_BIN_WIDTH_NS)
    {
      g_set_error (
          error, VG_USAGE_ERROR, 0,
          "the bin width is %g ns, but the smallest is %g ns; give it in ns, or 0 if it is "
          "not known",
          (double) params->bin_width_ns, (double) VG_LIFETIME_MIN_BIN_WIDTH_NS);
      return FALSE;
    }
  if (params->range == VG_LIFETIME_RANGE_MANUAL && params->fit_end_ns > 0.0f &&
      params->fit_end_ns <= params->fit_start_ns)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the fit range ends at %g ns, which is not after its start at %g ns; move the "
                   "end, or set it to 0",
                   (double) params->fit_end_ns, (double) params->fit_start_ns);
      return FALSE;
    }
  if (vg_lifetime_is_biexponential (params->method) && both &&
      params->short_lifetime_ns >= params->long_lifetime_ns)
    {
      g_set_error (
          error, VG_USAGE_ERROR, 0,
          "the short lifetime, %g ns, is not below the long lifetime, %g ns; change one of them",
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

/* IRF and nodes of a fit, bytes. */
static gsize
table_bytes (const VgLifetimeParams *params, gsize bins)
{
  return sizeof (float) *
         (bins * VG_LIFETIME_NODES * 2 +
          (gsize) vg_lifetime_fitting_period (params, (int) MIN (bins, VG_LIFETIME_MAX_BINS)));
}

static gboolean
has_area (const VgLifetimeParams *params)
{
  return params->bin > 0 || params->offset == VG_LIFETIME_OFFSET_BEFORE;
}

/* Host memory of a fit of a slice of PIXELS, as lifetime-fit-rows.c uses it: the planes of N
 * pixels, the tables and, for the rows that are fitted at a time, masks, numbers of binned pixels
 * and binned decays.  A global fit takes all rows and stores values of each pixel. */
static gsize
host_fit_bytes (const VgLifetimeParams *params, gsize n, gsize pixels, gsize width, gsize bins)
{
  gboolean is_global = params->sharing == VG_LIFETIME_SHARE_IMAGE;
  gsize rows = is_global ? pixels : MIN (pixels, g_get_num_processors () * MAX (512, width)),
        each = 1 + (has_area (params) ? sizeof (float) : 0) +
               (params->bin > 0 ? bins * sizeof (float) : 0);

  return sizeof (float) * n * VG_LIFETIME_N_OUTPUTS + table_bytes (params, bins) + rows * each +
         (is_global ? vg_lifetime_global_bytes (pixels) : 0);
}

/* Device memory of a fit, as lifetime_fit_needs () gives it: the planes of the outputs that the
 * method finds, masks, numbers of binned pixels, tables, binned decays, and in a global fit the
 * sums of each block, which are less than a byte for each pixel. */
static gsize
device_fit_bytes (const VgLifetimeParams *params, gsize n, gsize pixels, gsize width, gsize bins)
{
  gboolean is_global = params->sharing == VG_LIFETIME_SHARE_IMAGE;
  gsize decays = sizeof (float) * pixels * bins, row = sizeof (float) * width * bins,
        planes = (gsize) __builtin_popcount (vg_lifetime_fit_finds (params->method));

  return n * (sizeof (float) * planes + 1 + (has_area (params) ? sizeof (float) : 0)) +
         table_bytes (params, bins) + (is_global ? pixels : 0) +
         (params->bin == 0 ? 0
          : is_global      ? decays
                           : MAX (decays / VG_LIFETIME_DEVICE_TILES, row));
}

/* Sums, binned sums (CPU), the lifetime and another map, the density of phasors, filtered phasors,
 * and a fit.  On the device also the frame, the photons before binning, the mask of the IRF, and
 * weights and decay of each bin. */
void
vg_lifetime_memory (const void *data, const VgImageInfo *info, gsize *host, gsize *device)
{
  const VgLifetimeParams params = vg_lifetime_copy_params (data);
  gsize frame = vg_image_info_frame_bytes (info), bins = (gsize) MAX (info->bins, 1),
        n = frame / vg_type_size (info->type) / bins, pixels = n / (gsize) MAX (info->slices, 1),
        width = (gsize) info->width, density, planes, small;

  density = sizeof (float) * VG_LIFETIME_DENSITY_SIDE * VG_LIFETIME_DENSITY_SIDE;
  planes = params.phasor_filter == VG_LIFETIME_FILTER_NONE
               ? 0
               : 2 + (gsize) vg_lifetime_filter_planes (&params);
  /* Each page may be padded by 16 bytes, and each array by 256. */
  small = bins * (sizeof (float) * VG_LIFETIME_WEIGHT_STRIDE + sizeof (double)) +
          bins * 16 * (gsize) MAX (info->slices, 1) + sizeof (double) * VG_LIFETIME_CMM_CELLS +
          ((gsize) 1 << 14);
  *host = n * sizeof (float) * (VG_LIFETIME_N_SUMS * (params.bin > 0 ? 2 : 1) + 2 + planes) +
          density;
  *device = n * sizeof (float) * (VG_LIFETIME_N_SUMS + 3 + planes) + density + pixels + frame +
            small;
  if (vg_lifetime_fit_finds (params.method) == 0)
    return;
  *host += host_fit_bytes (&params, n, pixels, width, bins);
  *device += device_fit_bytes (&params, n, pixels, width, bins);
}

gboolean
vg_lifetime_check_input (const VgContext *context, GError **error)
{
  const VgImageInfo *info = context->info;

  if (info == NULL || vg_image_info_frame_bytes (info) == 0)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the data do not have a valid size");
      return FALSE;
    }
  if (info->slices > G_MAXINT / info->height || vg_image_info_frame_bytes (info) > G_MAXSIZE / 1024)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "data of %dx%d pixels in %" G_GINT64_FORMAT " slices are too large; crop them",
                   info->width, info->height, info->slices);
      return FALSE;
    }
  if (info->channels != 1)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "an image with %d colour channels has no photon counts; choose a grey stack",
                   info->channels);
      return FALSE;
    }
  if (info->bins < 2 || info->bins > VG_LIFETIME_MAX_BINS)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the data have %" G_GINT64_FORMAT
                   " time bins per pixel, but lifetimes need 2 to %d; if pages are time bins, set "
                   "Pages to Time bins of a decay",
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
                   "the region of the IRF, %s, lies outside the image of %dx%d pixels", self->text,
                   context->info->width, context->info->height);
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
