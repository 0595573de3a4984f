/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-engine.h"
#include "kernels/lifetime/engine/lifetime-filter.h"
#include "kernels/lifetime/engine/lifetime-region.h"
#include "kernels/lifetime/engine/lifetime-state.h"
#include "kernels/base/vg-memory.h"
#include <math.h>
#include <string.h>
/* The functions of the CPU engine. */

/* Planes of the filtered phasors and of the filter's buffers. */
static int
filter_planes (const VgLifetimeParams *params)
{
  return params->phasor_filter == VG_LIFETIME_FILTER_NONE ? 0
                                                          : 2 + vg_lifetime_filter_planes (params);
}

static void
state_free (gpointer data)
{
  VgLifetimeState *self = data;

  if (self == NULL)
    return;
  vg_lifetime_fit_stop (self);
  g_clear_pointer (&self->current, vg_frame_unref);
  vg_lifetime_source_clear (&self->source);
  vg_lifetime_curve_clear (&self->measured);
  vg_lifetime_plan_clear (&self->plan);
  vg_lifetime_fitting_clear (&self->fitting);
  g_free (self->decay);
  g_free (self->sums);
  g_free (self->binned);
  g_free (self->lifetime);
  g_free (self->extra);
  g_free (self->density);
  g_free (self->filtered);
  g_free (self->fit);
  g_free (self);
}

static gboolean
allocate (VgLifetimeState *self)
{
  gsize n = self->n;

  self->decay = g_try_new0 (double, self->info.bins);
  self->sums = g_try_malloc_n (n * VG_LIFETIME_N_SUMS, sizeof (float));
  self->lifetime = g_try_new (float, n);
  self->extra = g_try_new (float, n);
  self->density = g_try_new (float, VG_LIFETIME_DENSITY_SIDE *VG_LIFETIME_DENSITY_SIDE);
  if (self->params.bin > 0)
    self->binned = g_try_malloc_n (n * VG_LIFETIME_N_SUMS, sizeof (float));
  self->n_filtered = filter_planes (&self->params);
  if (self->n_filtered > 0)
    self->filtered = g_try_malloc_n (n * (gsize) self->n_filtered, sizeof (float));
  if (vg_lifetime_state_fits (self))
    self->fit = g_try_malloc_n (n * VG_LIFETIME_N_OUTPUTS, sizeof (float));
  return self->decay && self->sums && self->lifetime && self->extra && self->density &&
         (self->params.bin == 0 || self->binned) && (self->n_filtered == 0 || self->filtered) &&
         (!vg_lifetime_state_fits (self) || self->fit);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  VgLifetimeState *self;
  gsize host, device;

  if (!vg_lifetime_check_input (context, error))
    return NULL;
  vg_lifetime_memory (context->params, context->info, &host, &device);
  if (!vg_memory_check (host, "the maps of these data", error))
    return NULL;
  self = g_new0 (VgLifetimeState, 1);
  self->params = vg_lifetime_copy_params (context->params);
  self->info = *context->info;
  self->width = context->info->width;
  self->height = context->info->height;
  self->slices = (int) context->info->slices;
  self->pixels = (gsize) self->width * (gsize) self->height;
  self->n = self->pixels * (gsize) self->slices;
  self->threads = context->threads > 0 ? context->threads : (int) g_get_num_processors ();
  self->full_scale = vg_lifetime_full_scale (context->info);
  if (!vg_lifetime_source_load (&self->source, &self->measured, context, error))
    {
      state_free (self);
      return NULL;
    }
  if (allocate (self))
    return self;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "the maps of these data need %.1f GB of memory; use a smaller image",
               (double) host / 1e9);
  state_free (self);
  return NULL;
}

/* Planes of binned sums and of fits are allocated when they are first needed. */
static gboolean
update (gpointer data, const void *new_params)
{
  VgLifetimeState *self = data;
  VgLifetimeParams next = vg_lifetime_copy_params (new_params);

  if (!vg_lifetime_source_same (&self->source, new_params) ||
      (next.bin > 0 && self->binned == NULL) ||
      (vg_lifetime_fit_finds (next.method) != 0 && self->fit == NULL) ||
      filter_planes (&next) > self->n_filtered)
    return FALSE;
  if (vg_lifetime_same_but_overlay (&next, &self->params))
    {
      self->params = self->plan.finish.params = next;
      return TRUE;
    }
  self->bin_due = self->bin_due || next.bin != self->params.bin;
  self->params = next;
  self->phase = VG_LIFETIME_PLAN;
  return TRUE;
}

static gboolean
feed (gpointer data, VgFrame *frame, GError **error)
{
  VgLifetimeState *self = data;

  /* The engine receives the same frame again after a change of settings; its sums remain valid. */
  if (self->current != NULL && frame->id == self->current->id &&
      frame->index == self->current->index && frame->time_us == self->current->time_us)
    return TRUE;
  g_clear_pointer (&self->current, vg_frame_unref);
  self->current = vg_frame_ref (frame);
  self->have_decay = FALSE;
  self->pass_due = TRUE;
  self->phase = VG_LIFETIME_PLAN;
  return TRUE;
}

static void
make_decay (VgLifetimeState *self)
{
  if (!self->have_decay)
    vg_lifetime_decay (self, NULL, self->decay);
  self->have_decay = TRUE;
}

static void
make_plan (VgLifetimeState *self)
{
  vg_lifetime_fit_stop (self);
  if (vg_lifetime_plan_needs_decay (&self->params))
    make_decay (self);
  if (self->source.is_region && self->params.irf_kind == VG_LIFETIME_IRF_MEASURED)
    {
      self->measured.n = (int) self->info.bins;
      self->measured.h = self->params.bin_width_ns;
      if (self->measured.counts == NULL)
        self->measured.counts = g_new0 (double, self->info.bins);
      vg_lifetime_decay (self, &self->source.region, self->measured.counts);
    }
  if (vg_lifetime_plan_make (&self->plan, &self->params, &self->info, self->decay, &self->measured))
    self->pass_due = TRUE;
  self->bin_due = self->bin_due || self->pass_due;
  self->next = 0;
  self->phase = self->pass_due ? VG_LIFETIME_PASS : VG_LIFETIME_BIN;
}

/* Processes rows with about 4 MB of samples. */
static void
do_pass (VgLifetimeState *self)
{
  gsize row = (gsize) self->width * (gsize) self->info.bins * vg_type_size (self->info.type);
  int rows = self->height * self->slices,
      step = (int) CLAMP ((4 << 20) / MAX (row, 1), 1, (gsize) rows);
  int end = MIN (self->next + step, rows);

  vg_lifetime_pass_rows (self, self->next, end);
  self->next = end;
  if (end < rows)
    return;
  self->pass_due = FALSE;
  self->next = 0;
  self->phase = VG_LIFETIME_BIN;
}

static void
do_bin (VgLifetimeState *self)
{
  if (self->params.bin > 0 && self->bin_due)
    {
      vg_lifetime_bin_plane (self, self->next++);
      if (self->next < VG_LIFETIME_N_SUMS)
        return;
      self->bin_due = FALSE;
    }
  self->next = 0;
  self->phase = VG_LIFETIME_FILTER;
}

static void
do_fit (VgLifetimeState *self)
{
  /* Some hundred pixels for each thread, so that few threads wait for the last. */
  int rows = self->threads * MAX (512 / self->width, 1),
      end = MIN (self->next + rows, self->height * self->slices);

  self->next = vg_lifetime_fit_rows (self, self->next, end);
  if (self->next == self->height * self->slices)
    self->phase = VG_LIFETIME_MAP;
}

/* Output WHICH of pixel (x, y); *STATUS receives the reason for a missing value. */
static float
value_at (const VgLifetimeState *self, guint32 finds, int which, gsize base, int x, int y,
          int *status)
{
  const float *sums = vg_lifetime_state_sums (self);
  const VgLifetimeFinish *finish = &self->plan.finish;
  gsize i = base + (gsize) y * (gsize) self->width + (gsize) x;
  float value;

  if ((finds & 1u << which) == 0)
    return vg_lifetime_value (which, sums, self->n, base, x, y, finish, status);
  *status = (int) vg_lifetime_status (sums, self->n, i, finish);
  if (*status != VG_LIFETIME_FITTED)
    return VG_LIFETIME_NAN;
  value = vg_lifetime_fit_plane (self, which)[i];
  if (!isfinite (value))
    *status = VG_LIFETIME_FAILED;
  return value;
}

/* Computes output WHICH of every pixel.  STATUS, unless NULL, receives the number of pixels of
 * each status. */
static void
make_map (VgLifetimeState *self, int which, float *map, guint64 *status)
{
  guint32 finds = vg_lifetime_fit_finds (self->params.method);
  guint64 counts[VG_LIFETIME_N_STATUS] = { 0 };

#pragma omp parallel for num_threads(self->threads) schedule(dynamic, 8) reduction(+ : counts)
  for (int row = 0; row < self->height * self->slices; row++)
    {
      gsize base = (gsize) (row / self->height) * self->pixels;
      int y = row % self->height;

      for (int x = 0; x < self->width; x++)
        {
          int why;

          map[base + (gsize) y * (gsize) self->width + (gsize) x] = value_at (self, finds, which,
                                                                              base, x, y, &why);
          counts[why]++;
        }
    }
  if (status != NULL)
    memcpy (status, counts, sizeof counts);
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  VgLifetimeState *self = data;
  gint64 end = g_get_monotonic_time () + (gint64) (budget_s * 1e6);

  if (self->current == NULL)
    return VG_STEP_WAIT;
  do
    switch (self->phase)
      {
      case VG_LIFETIME_PLAN:
        make_plan (self);
        break;
      case VG_LIFETIME_PASS:
        do_pass (self);
        break;
      case VG_LIFETIME_BIN:
        do_bin (self);
        break;
      case VG_LIFETIME_FILTER:
        vg_lifetime_filter (self);
        self->phase = vg_lifetime_state_fits (self) ? VG_LIFETIME_FIT : VG_LIFETIME_MAP;
        break;
      case VG_LIFETIME_FIT:
        do_fit (self);
        break;
      case VG_LIFETIME_MAP:
        make_map (self, VG_LIFETIME_OUTPUT_LIFETIME, self->lifetime, self->status);
        self->have_map = TRUE;
        self->phase = VG_LIFETIME_IDLE;
        break;
      case VG_LIFETIME_IDLE:
      default:
        return VG_STEP_DONE;
      }
  while (self->phase == VG_LIFETIME_IDLE || g_get_monotonic_time () < end);
  return VG_STEP_MORE;
}

static void
make_density (VgLifetimeState *self)
{
  const float *sums = vg_lifetime_state_sums (self);
  const gsize cells = (gsize) VG_LIFETIME_DENSITY_SIDE * VG_LIFETIME_DENSITY_SIDE;

  memset (self->density, 0, sizeof (float) * cells);
  for (int row = 0; row < self->height * self->slices; row++)
    for (int x = 0; x < self->width; x++)
      {
        gsize base = (gsize) (row / self->height) * self->pixels;
        int y = row % self->height, why, cell;
        float g = vg_lifetime_value (VG_LIFETIME_OUTPUT_PHASOR_G, sums, self->n, base, x, y,
                                     &self->plan.finish, &why);
        float s = vg_lifetime_value (VG_LIFETIME_OUTPUT_PHASOR_S, sums, self->n, base, x, y,
                                     &self->plan.finish, &why);

        cell = vg_lifetime_density_cell (g, s);
        if (cell >= 0)
          self->density[cell] += 1.0f;
      }
  for (gsize i = 0; i < cells; i++)
    if (self->density[i] == 0.0f)
      self->density[i] = VG_LIFETIME_NAN;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  VgLifetimeState *self = data;

  if (!self->have_map || self->phase != VG_LIFETIME_IDLE || i >= VG_LIFETIME_N_OUTPUTS ||
      !vg_lifetime_has_output (&self->params, (int) i))
    return FALSE;
  vg_lifetime_describe_plane (plane, (int) i, &self->info, &self->plan);
  plane->place = VG_HOST;
  plane->data = self->extra;
  if (i == VG_LIFETIME_OUTPUT_LIFETIME)
    plane->data = self->lifetime;
  else if (i == VG_LIFETIME_OUTPUT_INTENSITY)
    plane->data = self->sums + VG_LIFETIME_SUM_TOTAL * self->n;
  else if (i == VG_LIFETIME_OUTPUT_DENSITY)
    {
      plane->data = self->density;
      make_density (self);
    }
  else
    make_map (self, (int) i, self->extra, NULL);
  return TRUE;
}

static double
progress (gpointer data)
{
  const VgLifetimeState *self = data;
  double rows = (double) self->height * self->slices;

  if (self->phase == VG_LIFETIME_IDLE)
    return 1;
  if (self->phase == VG_LIFETIME_MAP) /* A fit takes long, the map does not. */
    return 0.99;
  return self->phase == VG_LIFETIME_FIT
             ? 0.99 * (self->next + vg_lifetime_fit_progress (self) * self->height) / rows
             : 0;
}

static gboolean
results (gpointer data, VgMetrics *metrics, GError **error)
{
  VgLifetimeState *self = data;
  double photons = 0.0;

  if (!self->have_map)
    return TRUE;
  for (gsize i = 0; i < self->n; i++)
    if (isfinite (self->sums[VG_LIFETIME_SUM_TOTAL * self->n + i]))
      photons += self->sums[VG_LIFETIME_SUM_TOTAL * self->n + i];
  vg_lifetime_add_results (metrics, &self->plan, self->status, photons);
  if (vg_lifetime_state_fits (self) && self->phase == VG_LIFETIME_IDLE)
    vg_lifetime_add_deviance (metrics, &self->plan,
                              vg_lifetime_fit_plane (self, VG_LIFETIME_OUTPUT_DEVIANCE), self->n);
  return TRUE;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  VgLifetimeState *self = data;
  const VgLifetimeFinish *finish = &self->plan.finish;
  gboolean fits = vg_lifetime_state_fits (self);
  g_autofree double *counts = NULL, *fitted = NULL;
  float outputs[VG_LIFETIME_N_OUTPUTS];
  VgLifetimeValue value;
  int column, row;
  gsize i;

  if (!self->have_map || self->phase != VG_LIFETIME_IDLE ||
      !(x >= 0.0 && x < self->width && y >= 0.0 && y < self->height) || slice < 0 ||
      slice >= self->slices)
    return NULL;
  column = (int) x;
  row = (int) y;
  i = (gsize) slice * self->pixels + (gsize) row * (gsize) self->width + (gsize) column;
  counts = g_new (double, self->info.bins);
  vg_lifetime_histogram (self, slice, column, row, counts);
  value = vg_lifetime_solve (
      vg_lifetime_state_sums (self), self->n, i, finish,
      vg_lifetime_window_pixels (column, row, self->width, self->height, self->params.bin));
  if (fits)
    {
      value.lifetime = self->lifetime[i];
      fitted = g_new0 (double, finish->bins);
      vg_lifetime_fit_values (self, i, outputs);
    }
  if (!isfinite (self->lifetime[i]) ||
      (fits && !vg_lifetime_fitting_curve (&self->fitting, outputs, fitted)))
    return vg_lifetime_pixel_curves (&self->plan, column, row, counts, NULL, NULL, NULL);
  return vg_lifetime_pixel_curves (&self->plan, column, row, counts, &value, fitted,
                                   fits ? outputs : NULL);
}

static VgCurves *
sample_region (gpointer data, const VgRegion *region, GError **error)
{
  VgLifetimeState *self = data;
  double pixels = vg_lifetime_region_pixels (region, self->width, self->height, NULL);
  g_autofree double *counts = NULL;

  if (!self->have_map || self->phase != VG_LIFETIME_IDLE || pixels == 0.0 || region->slice < 0 ||
      region->slice >= self->slices)
    return NULL;
  counts = g_new (double, self->info.bins);
  vg_lifetime_decay (self, region, counts);
  return vg_lifetime_region_curves (&self->plan, counts, pixels);
}

static VgCurves *
plot (gpointer data, guint i, GError **error)
{
  VgLifetimeState *self = data;

  if (!self->have_map)
    return NULL;
  if (i == VG_LIFETIME_PLOT_LIFETIMES)
    return vg_lifetime_plot_lifetimes (self->lifetime, self->sums + VG_LIFETIME_SUM_TOTAL * self->n,
                                       self->n);
  if (i != VG_LIFETIME_PLOT_DECAY)
    return NULL;
  make_decay (self);
  return vg_lifetime_plot_decay (&self->plan, self->decay);
}

static const VgEngineCurves curves = { .sample = sample,
                                       .sample_region = sample_region,
                                       .plot = plot };

const VgEngine vg_lifetime_cpu_engine = {
  .prepare = prepare,
  .update = update,
  .feed = feed,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .free = state_free,
  .curves = &curves,
};
