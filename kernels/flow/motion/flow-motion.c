/* SPDX-License-Identifier: MIT */
#include "kernels/flow/motion/flow-motion.h"
#include "kernels/flow/motion/flow-motion-fft.h"
#include "kernels/flow/model/flow-formula.h"
#include "kernels/base/vg-error.h"
#include <string.h>

enum { POOL = 3, GRIDS = 2 };

struct _VgFlowMotion
{
  VgFlowParams params;
  VgImageInfo info;
  int threads;
  VgFlowMotionGrid grid[GRIDS]; /* for the displacement and for the rotation; side 0: not used */
  VgFlowFft fft;
  float *re, *im;                         /* a tile, or its spectrum */
  float *weight[GRIDS];                   /* W */
  float *mean_re[GRIDS], *mean_im[GRIDS]; /* spectra of the reference frame's tiles */
  int n_mean;                             /* frames in the reference */
  VgFlowShift shift;                      /* of the newest frame */
  float *spans;                           /* first and last column of each row */
  VgFlowMotionLog log;
  VgFrame pool[POOL]; /* owner NULL: not in use */
};

VgFlowMotionGrid
vg_flow_motion_grid (int width, int height, gboolean rotation)
{
  int shorter = MIN (width, height), bin = MAX (shorter / VG_FLOW_MOTION_MOST, 1);
  int side = VG_FLOW_MOTION_MOST;
  VgFlowMotionGrid grid = { 0 };

  while (side > shorter / bin)
    side /= 2;
  if (side < (rotation ? 2 : 1) * VG_FLOW_MOTION_LEAST)
    return grid;
  grid.bin = bin;
  grid.left = (width - side * bin) / 2;
  grid.top = (height - side * bin) / 2;
  grid.tiles = rotation ? VG_FLOW_MOTION_TILES : 1;
  grid.side = rotation ? side / 2 : side;
  return grid;
}

static gsize
tile_samples (const VgFlowMotionGrid *grid)
{
  return (gsize) grid->side * (gsize) grid->side;
}

static gboolean
uses_grid (const VgFlowParams *params, const VgFlowMotionGrid *grid)
{
  return grid->side > 0 && (grid->tiles == 1 || params->motion == VG_FLOW_MOTION_RIGID);
}

gsize
vg_flow_motion_bytes (const VgFlowParams *params, const VgImageInfo *info)
{
  gsize pixels = (gsize) MAX (info->width, 0) * (gsize) MAX (info->height, 0);
  gsize samples = (gsize) VG_FLOW_MOTION_MOST * VG_FLOW_MOTION_MOST;

  if (params->motion == VG_FLOW_MOTION_NONE)
    return 0;
  return POOL * pixels * vg_type_size (info->type) + 12 * samples * sizeof (float) +
         2 * sizeof (float) * (gsize) MAX (info->height, 0) +
         VG_FLOW_MOTION_KEPT * (sizeof (VgFlowShift) + sizeof (VgFlowMotionStamp));
}

static void
release (VgFrame *frame)
{
  frame->owner = NULL;
}

static gboolean
allocate (VgFlowMotion *self)
{
  gsize bytes = vg_image_info_frame_bytes (&self->info), samples = tile_samples (&self->grid[0]);
  gboolean ok = TRUE;

  for (int i = 0; i < POOL; i++)
    ok = (self->pool[i].data = g_try_malloc (bytes)) != NULL && ok;
  self->spans = g_try_new (float, 2 * (gsize) self->info.height);
  ok = ok && self->spans != NULL;
  if (samples == 0)
    return ok;
  self->re = g_try_new (float, samples);
  self->im = g_try_new (float, samples);
  for (int g = 0; g < GRIDS; g++)
    {
      gsize n = tile_samples (&self->grid[g]);

      if (!uses_grid (&self->params, &self->grid[g]))
        continue;
      self->weight[g] = g_try_new (float, n);
      self->mean_re[g] = g_try_new (float, n *(gsize) self->grid[g].tiles);
      self->mean_im[g] = g_try_new (float, n *(gsize) self->grid[g].tiles);
      ok = ok && self->weight[g] && self->mean_re[g] && self->mean_im[g];
    }
  return ok && self->re && self->im &&
         vg_flow_fft_init (&self->fft, self->grid[0].side, self->threads);
}

static void
fill_weights (VgFlowMotion *self, int g)
{
  int side = self->grid[g].side;

  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++)
      self->weight[g][(gsize) y * (gsize) side + (gsize) x] = vg_flow_motion_weight (
          vg_flow_motion_frequency (x, side), vg_flow_motion_frequency (y, side), side);
}

VgFlowMotion *
vg_flow_motion_new (const VgFlowParams *params, const VgImageInfo *info, int threads,
                    GError **error)
{
  VgFlowMotion *self = g_new0 (VgFlowMotion, 1);

  self->params = *params;
  self->params.dark_file = NULL;
  self->params.exposures = NULL;
  self->info = *info;
  self->threads = threads;
  for (int g = 0; g < GRIDS; g++)
    self->grid[g] = vg_flow_motion_grid (info->width, info->height, g == 1);
  vg_flow_motion_log_init (&self->log, g_new0 (VgFlowShift, VG_FLOW_MOTION_KEPT));
  if (!allocate (self))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "the motion correction of frames of %dx%d needs %.1f MB of memory; turn it off, "
                   "or use a smaller image",
                   info->width, info->height, (double) vg_flow_motion_bytes (params, info) / 1e6);
      vg_flow_motion_free (self);
      return NULL;
    }
  for (int g = 0; g < GRIDS; g++)
    if (self->weight[g] != NULL)
      fill_weights (self, g);
  return self;
}

void
vg_flow_motion_free (VgFlowMotion *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < POOL; i++)
    g_free (self->pool[i].data);
  for (int g = 0; g < GRIDS; g++)
    {
      g_free (self->weight[g]);
      g_free (self->mean_re[g]);
      g_free (self->mean_im[g]);
    }
  g_free (self->re);
  g_free (self->im);
  g_free (self->spans);
  g_free (self->log.shifts);
  vg_flow_motion_log_clear (&self->log);
  vg_flow_fft_clear (&self->fft);
  g_free (self);
}

/* ---- Tiles ---- */

/* The frame between its samples; the border goes on outside. */
static float
read_between (const VgImage *frame, float x, float y)
{
  int w = frame->info.width, h = frame->info.height;
  float fx = floorf (x), fy = floorf (y), u = x - fx, v = y - fy, sum = 0.0f;

  for (int k = 0; k < 4; k++)
    {
      int column = CLAMP ((int) fx + k % 2, 0, w - 1), row = CLAMP ((int) fy + k / 2, 0, h - 1);
      float share = (k % 2 ? u : 1.0f - u) * (k / 2 ? v : 1.0f - v);
      float value;

      if (!(share > 0.0f))
        continue;
      value = (float) vg_image_sample (frame, (gsize) row * (gsize) w + (gsize) column);
      sum += isfinite (value) ? share * value : 0.0f;
    }
  return sum;
}

/* Reads tile I of grid G of FRAME, moved back by SHIFT, and transforms it into `re` and `im`. */
static void
transform_tile (VgFlowMotion *self, const VgImage *frame, int g, int tile, VgFlowShift shift)
{
  const VgFlowMotionGrid *grid = &self->grid[g];
  int side = grid->side, bin = grid->bin;
  int left = grid->left + (tile % 2) * side * bin, top = grid->top + (tile / 2) * side * bin;
  VgFlowMove move = vg_flow_motion_move (&shift, grid);

#pragma omp parallel for num_threads(self->threads)
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++)
      {
        gsize at = (gsize) j * (gsize) side + (gsize) i;
        float sum = 0.0f;

        for (int k = 0; k < bin * bin; k++)
          {
            float x = (float) (left + i * bin + k % bin), y = (float) (top + j * bin + k / bin);

            vg_flow_motion_apply (&move, &x, &y);
            sum += read_between (frame, x, y);
          }
        self->re[at] = sum * vg_flow_motion_window (i, side) * vg_flow_motion_window (j, side);
        self->im[at] = 0.0f;
      }
  vg_flow_fft_run (&self->fft, self->re, self->im, side, FALSE);
}

/* Makes of the spectrum in `re` and `im` its correlation with tile I of the reference.  Returns the
 * standard deviation that it would have if the two had nothing in common. */
static float
correlate (VgFlowMotion *self, int g, int tile)
{
  gsize n = tile_samples (&self->grid[g]);
  const float *mr = self->mean_re[g] + (gsize) tile * n, *mi = self->mean_im[g] + (gsize) tile * n;
  double power = 0.0;

#pragma omp parallel for num_threads(self->threads) reduction(+ : power)
  for (gsize k = 0; k < n; k++)
    power += (double) vg_flow_motion_cross (&self->re[k], &self->im[k], mr[k], mi[k],
                                            self->weight[g][k]);
  vg_flow_fft_run (&self->fft, self->re, self->im, self->grid[g].side, TRUE);
  return (float) sqrt (power);
}

/* Where the correlation in `re` has its peak, px, and the peak's height over NOISE. */
static void
find_peak (const VgFlowMotion *self, int g, float noise, float *x, float *y, float *quality)
{
  int side = self->grid[g].side, mask = side - 1, reach = side / 4, bx = 0, by = 0;
  const float *c = self->re;
  float best = -HUGE_VALF, patch[25];

  for (int v = -reach; v <= reach; v++)
    for (int u = -reach; u <= reach; u++)
      {
        float value = c[(gsize) (v & mask) * (gsize) side + (gsize) (u & mask)];

        if (value > best)
          {
            best = value;
            bx = u;
            by = v;
          }
      }
  for (int i = 0; i < 25; i++)
    patch[i] =
        c[(gsize) ((by + i / 5 - 2) & mask) * (gsize) side + (gsize) ((bx + i % 5 - 2) & mask)];
  vg_flow_motion_top (patch, x, y);
  *x = ((float) bx + *x) * (float) self->grid[g].bin;
  *y = ((float) by + *y) * (float) self->grid[g].bin;
  *quality = vg_flow_motion_quality (best, noise, side);
}

/* One look with grid G: reads the frame at AT and adds what the tiles are displaced by. */
static VgFlowShift
look (VgFlowMotion *self, const VgImage *frame, int g, VgFlowShift at)
{
  float x[VG_FLOW_MOTION_TILES], y[VG_FLOW_MOTION_TILES], quality[VG_FLOW_MOTION_TILES];

  for (int i = 0; i < self->grid[g].tiles; i++)
    {
      transform_tile (self, frame, g, i, at);
      find_peak (self, g, correlate (self, g, i), &x[i], &y[i], &quality[i]);
    }
  vg_flow_motion_add (&at, &self->grid[g], x, y, quality);
  return at;
}

static VgFlowShift
find_shift (VgFlowMotion *self, const VgImage *frame)
{
  VgFlowShift shift = look (self, frame, 0, (VgFlowShift){ 0 });

  if (shift.quality >= VG_FLOW_MOTION_SURE && self->weight[1] == NULL)
    return look (self, frame, 0, vg_flow_motion_whole (shift));
  for (int i = 0; i < VG_FLOW_MOTION_LOOKS && self->weight[1] != NULL; i++)
    {
      VgFlowShift found = look (self, frame, 1, shift);

      if (found.quality >= VG_FLOW_MOTION_SURE && shift.quality >= VG_FLOW_MOTION_SURE)
        shift = found;
    }
  return shift;
}

/* Adds FRAME, moved back by SHIFT, to the reference. */
static void
add_to_reference (VgFlowMotion *self, const VgImage *frame, VgFlowShift shift)
{
  float share = vg_flow_motion_share (++self->n_mean);

  for (int g = 0; g < GRIDS; g++)
    for (int i = 0; i < self->grid[g].tiles && self->weight[g] != NULL; i++)
      {
        gsize n = tile_samples (&self->grid[g]);
        float *mr = self->mean_re[g] + (gsize) i * n, *mi = self->mean_im[g] + (gsize) i * n;

        transform_tile (self, frame, g, i, shift);
        for (gsize k = 0; k < n; k++)
          {
            mr[k] = share < 1.0f ? mr[k] + share * (self->re[k] - mr[k]) : self->re[k];
            mi[k] = share < 1.0f ? mi[k] + share * (self->im[k] - mi[k]) : self->im[k];
          }
      }
}

/* ---- Frames ---- */

static void
move_samples (const VgFlowMotion *self, const void *from, void *to)
{
  int w = self->info.width, h = self->info.height;
  gsize size = vg_type_size (self->info.type);
  VgFlowMove move = vg_flow_motion_move (&self->shift, &self->grid[0]);

#pragma omp parallel for num_threads(self->threads)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      {
        float u = (float) x, v = (float) y;
        gsize target = (gsize) y * (gsize) w + (gsize) x, source;

        vg_flow_motion_apply (&move, &u, &v);
        source = (gsize) CLAMP ((int) rintf (v), 0, h - 1) * (gsize) w +
                 (gsize) CLAMP ((int) rintf (u), 0, w - 1);
        if (size == 1)
          ((guint8 *) to)[target] = ((const guint8 *) from)[source];
        else if (size == 2)
          ((guint16 *) to)[target] = ((const guint16 *) from)[source];
        else
          ((guint32 *) to)[target] = ((const guint32 *) from)[source];
      }
}

static VgFrame *
take_from_pool (VgFlowMotion *self, const VgFrame *like)
{
  VgFrame *frame = NULL;
  void *data;

  for (int i = 0; i < POOL && frame == NULL; i++)
    if (self->pool[i].owner == NULL)
      frame = &self->pool[i];
  g_return_val_if_fail (frame != NULL, NULL);
  data = frame->data;
  *frame = *like;
  frame->data = data;
  frame->pinned = FALSE;
  frame->release = release;
  frame->owner = self;
  g_atomic_ref_count_init (&frame->ref_count);
  return frame;
}

VgFrame *
vg_flow_motion_align (VgFlowMotion *self, VgFrame *frame)
{
  VgImage image = { .info = self->info, .data = frame->data };
  VgFlowShift *found = vg_flow_motion_log_add (&self->log, frame);
  VgFrame *moved = take_from_pool (self, frame);

  if (self->grid[0].side > 0 && self->n_mean > 0)
    {
      VgFlowShift shift = find_shift (self, &image);

      vg_flow_motion_settle (&self->shift, shift);
    }
  else
    self->shift = (VgFlowShift){ .quality = self->grid[0].side > 0 ? HUGE_VALF : 0.0f };
  if (self->grid[0].side > 0 &&
      (self->n_mean == 0 || (self->params.motion_reference == VG_FLOW_REFERENCE_MEAN &&
                             self->shift.quality >= VG_FLOW_MOTION_SURE)))
    add_to_reference (self, &image, self->shift);
  *found = self->shift;
  move_samples (self, frame->data, moved->data);
  return moved;
}

void
vg_flow_motion_mask (const VgFlowMotion *self, int depth, int radius, float *contrast, float *index)
{
  int w = self->info.width, h = self->info.height;
  int n = (int) MIN (self->log.count, (guint64) depth);
  VgFlowMove moves[VG_FLOW_MAX_FRAMES];

  for (int i = 0; i < n; i++)
    moves[i] = vg_flow_motion_move (
        &self->log.shifts[(self->log.count - (guint64) i - 1) % VG_FLOW_MOTION_KEPT],
        &self->grid[0]);
#pragma omp parallel for num_threads(self->threads)
  for (int y = 0; y < h; y++)
    {
      float *span = self->spans + 2 * y;

      span[0] = 0.0f;
      span[1] = (float) (w - 1);
      for (int i = 0; i < n; i++)
        vg_flow_motion_inside (&moves[i], y, w, h, &span[0], &span[1]);
    }
#pragma omp parallel for num_threads(self->threads)
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      if (!vg_flow_motion_covers (self->spans + 2 * MAX (y - radius, 0),
                                  self->spans + 2 * MIN (y + radius, h - 1), x, radius, w))
        contrast[(gsize) y * (gsize) w + (gsize) x] = index[(gsize) y * (gsize) w + (gsize) x] =
            VG_FLOW_NAN;
}

const VgFlowMotionLog *
vg_flow_motion_get_log (const VgFlowMotion *self)
{
  return self != NULL ? &self->log : NULL;
}
