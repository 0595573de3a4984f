/* SPDX-License-Identifier: MIT */
#include "kernels/contour/seeds/contour-areas.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/shapes/contour-metrics.h"
#include "kernels/contour/engine/contour-nucleus.h"
#include "kernels/contour/engine/contour-calibration.h"
#include <math.h>
#include <omp.h>
#include <string.h>
/* Stitches the nuclei of tiles to those of the whole image.  A nucleus belongs
 * to the tile whose core contains its centroid.  Two tiles may find it on
 * either side of their seam, so a core takes centroids a little beyond its
 * edge, and drops a nucleus that an earlier tile has found.
 *
 * Memory holds only nuclei that later tiles may still meet: blocks of the maps
 * are drawn, and rows written, as soon as all tiles that affect them are done. */

#define MARGIN 0.25 /* radii beyond a core in which its tile takes nuclei */
/* The margin around a core, in radii, that affects its nuclei.  Areas of seeds reach further than
 * contours do. */
#define HALO_RADII 8.0
#define AREA_HALO_RADII (VG_CONTOUR_AREA_REACH + 2.0)
enum { LEAST_HALO = 64, GRAIN = 16 };

typedef struct
{
  const VgContourCalibration *calibration;
  VgTiling tiling;
  VgTileSink sink;
  VgContourPosition place;
  GPtrArray *open;  /* of VgContourNucleus, in order of their numbers */
  GPtrArray *found; /* of VgContourMask, with a truth only */
  guint next_id, written, doubles, seeds, moving, far_from_convergence;
  VgContourLosses losses;
  gint64 matters[VG_CONTOUR_MATTERS];
  double area;
  VgContourCounts counts;
  gboolean colourless;
  guint64 iterations;
  double seeds_s, evolution_s, merging_s;
  GString *table, *json;
  float *samples[2]; /* a block of labels, and of how many overlap */
  float *deepest;
} Stitch;

static int
halo (gconstpointer calibration)
{
  const VgContourCalibration *self = calibration;
  const float radius = self->foreground->radius;
  int wanted = (int) ceil ((self->areas ? AREA_HALO_RADII : HALO_RADII) * radius);

  if (self->reach > 0)
    wanted = MAX (wanted, self->reach + (int) ceil (HALO_RADII * radius));

  return MAX (LEAST_HALO, (wanted + GRAIN - 1) / GRAIN * GRAIN);
}

VgContourWindow
vg_contour_tile_window (const VgPart *part, int width, int height)
{
  const VgContourCalibration *calibration = part->calibration;
  const VgTiling *tiling = part->tiling;
  const int beyond = CLAMP (tiling->halo -
                                (int) ceil (HALO_RADII * (double) calibration->foreground->radius),
                            0, calibration->reach);

  return (VgContourWindow){ part->x > 0 ? beyond : 0, part->y > 0 ? beyond : 0,
                            part->x + width < tiling->whole.width ? width - beyond : width,
                            part->y + height < tiling->whole.height ? height - beyond : height };
}

static void
merge_free (gpointer data)
{
  Stitch *self = data;

  if (self == NULL)
    return;
  g_ptr_array_unref (self->open);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  g_string_free (self->table, TRUE);
  g_string_free (self->json, TRUE);
  g_free (self->samples[0]);
  g_free (self->samples[1]);
  g_free (self->deepest);
  g_free (self);
}

static gpointer
merge_new (gconstpointer calibration, const VgContext *context, const VgTiling *tiling,
           const VgTileSink *sink, GError **error)
{
  Stitch *self = g_new0 (Stitch, 1);

  (void) error;
  self->calibration = calibration;
  self->tiling = *tiling;
  self->sink = *sink;
  self->place = vg_contour_position_of (&tiling->whole, &self->calibration->scale);
  self->open = g_ptr_array_new_with_free_func (vg_contour_nucleus_free);
  self->place.judged = self->calibration->truth != NULL;
  self->place.classed = vg_contour_positive_is_on (context->params, &tiling->whole);
  self->colourless = ((const VgContourParams *) context->params)->positivity &&
                     !self->place.classed;
  if (self->place.judged)
    self->found = g_ptr_array_new_with_free_func (vg_contour_mask_free);
  self->table = g_string_new (NULL);
  self->json = g_string_new (NULL);
  vg_contour_table_head (self->table, &self->place);
  vg_contour_json_head (self->json);
  for (int i = 0; i < 2; i++)
    self->samples[i] = g_new (float, VG_TILE_BLOCK *VG_TILE_BLOCK);
  self->deepest = g_new (float, VG_TILE_BLOCK *VG_TILE_BLOCK);
  self->next_id = 1;
  return self;
}

/* The last tile that affects BOX of the whole image, enlarged by BY pixels. */
static int
last_tile (const Stitch *self, const VgContourBox *box, int by)
{
  return vg_tiling_last (&self->tiling, (gint64) box->x + box->width + by,
                         (gint64) box->y + box->height + by);
}

/* ---- A tile's nuclei ---- */

/* Counts lost objects and seeds inside the core; those in the margin count for other tiles. */
static void
count_core (Stitch *self, const VgContourRun *run, const VgContourBox *core)
{
  const GPtrArray *const lists[] = { run->scene->objects, run->scene->dropped };

  for (int k = 0; k < 2; k++)
    for (guint i = 0; i < lists[k]->len; i++)
      {
        const VgContourObject *object = lists[k]->pdata[i];

        if (object->seed_x >= core->x && object->seed_y >= core->y &&
            object->seed_x < core->x + core->width && object->seed_y < core->y + core->height)
          {
            vg_contour_losses_add (&self->losses, object);
            self->moving += vg_contour_scene_is_cut_off (run->scene, object) != 0;
            self->far_from_convergence += k == 0 && vg_contour_scene_is_far (run->scene, object);
          }
      }
  for (guint i = 0; i < run->wanted->len; i++)
    {
      const VgContourPoint *p = &g_array_index (run->wanted, VgContourPoint, i);

      self->seeds += p->x >= core->x && p->y >= core->y && p->x < core->x + core->width &&
                     p->y < core->y + core->height;
    }
}

/* Of the seed file. */
static guint
count_outside (const Stitch *self)
{
  guint n = 0;

  for (guint i = 0; self->calibration->seeds != NULL && i < self->calibration->seeds->len; i++)
    {
      const VgContourPoint *p = &g_array_index (self->calibration->seeds, VgContourPoint, i);

      n += !(p->x >= 0.0 && p->y >= 0.0 && p->x < self->tiling.whole.width &&
             p->y < self->tiling.whole.height);
    }
  return n;
}

/* A contour of a tile, and the nucleus that it becomes, if it is inside the core and new. */
typedef struct
{
  const VgContourMask *mask;
  VgContourNucleus *nucleus;
  gboolean known;
} Candidate;

static void
judge (const Stitch *self, const VgContourPlaces *places, const VgContourRun *run, int i,
       Candidate *candidate)
{
  double margin = MARGIN * run->scene->radius;
  VgContourPoint centre;
  VgContourMask moved = *candidate->mask;
  int x, y, width, height, x0, y0;

  vg_tiling_core (&self->tiling, i, &x, &y, &width, &height);
  x0 = MAX (x - self->tiling.halo, 0);
  y0 = MAX (y - self->tiling.halo, 0);
  moved.box.x += x0;
  moved.box.y += y0;
  centre = vg_contour_mask_centroid (&moved);
  if (centre.x < x - margin || centre.y < y - margin || centre.x >= x + width + margin ||
      centre.y >= y + height + margin)
    return;
  candidate->known = vg_contour_nuclei_has (self->open, places, &moved, i);
  if (!candidate->known)
    candidate->nucleus = vg_contour_nucleus_new (run, candidate->mask, x0, y0, &self->place);
  if (candidate->nucleus != NULL)
    vg_contour_nucleus_keep_depth (candidate->nucleus, candidate->mask->object);
}

/* Draws the outline into the preview, in pixels of the whole image. */
static void
show (const Stitch *self, VgContourNucleus *nucleus)
{
  const GArray *points = nucleus->outline->points, *ends = nucleus->outline->ring_ends;
  double x = (nucleus->place.x - self->place.x) / self->place.scale,
         y = (nucleus->place.y - self->place.y) / self->place.scale;
  g_autofree double *moved = g_new (double, 2 * points->len + 1);

  for (guint i = 0; i < points->len; i++)
    {
      moved[2 * i] = x + g_array_index (points, VgContourPoint, i).x;
      moved[2 * i + 1] = y + g_array_index (points, VgContourPoint, i).y;
    }
  for (guint k = 0, start = 0; k < ends->len; start = g_array_index (ends, guint, k++))
    self->sink.ring (self->sink.data, nucleus->id, moved + 2 * start,
                     g_array_index (ends, guint, k) - start);
}

static void
take (Stitch *self, VgContourNucleus *nucleus, int tile)
{
  nucleus->id = self->next_id++;
  nucleus->tile = tile;
  self->area += nucleus->row.area;
  vg_contour_counts_count (&self->counts, &nucleus->row.positive);
  show (self, nucleus);
  g_ptr_array_add (self->open, nucleus);
  if (self->found != NULL)
    {
      VgContourMask *copy = g_memdup2 (&nucleus->mask, sizeof nucleus->mask);

      copy->bits = g_memdup2 (copy->bits, (gsize) copy->box.width * (gsize) copy->box.height);
      g_ptr_array_add (self->found, copy);
    }
}

/* FALSE: no memory. */
static gboolean
take_tile (Stitch *self, const VgContourRun *run, int i)
{
  g_autoptr (GPtrArray) masks = vg_contour_masks_of_scene (run->scene);
  g_autofree Candidate *candidates = masks != NULL ? g_try_new0 (Candidate, masks->len + 1) : NULL;
  g_auto (VgContourPlaces) places = { NULL };
  int x, y, width, height;

  if (candidates == NULL || !vg_contour_nuclei_place (self->open, &places))
    return FALSE;
  vg_tiling_core (&self->tiling, i, &x, &y, &width, &height);
  count_core (
      self, run,
      &(VgContourBox){ MIN (x, self->tiling.halo), MIN (y, self->tiling.halo), width, height });
  /* in parallel, because objects are only compared with those of other tiles */
#pragma omp parallel for schedule(dynamic)
  for (guint k = 0; k < masks->len; k++)
    {
      candidates[k].mask = vg_contour_mask_at (masks, k);
      judge (self, &places, run, i, &candidates[k]);
    }
  for (guint k = 0; k < masks->len; k++)
    {
      self->doubles += candidates[k].known;
      if (candidates[k].nucleus != NULL)
        take (self, candidates[k].nucleus, i);
    }
  return TRUE;
}

/* ---- Files ---- */

static gboolean
write_block (Stitch *self, const VgContourPlaces *places, int x, int y, GError **error)
{
  vg_contour_nuclei_draw (self->open, places, x, y, self->samples[0], self->samples[1],
                          self->deepest);
  return self->sink.block (self->sink.data, VG_CONTOUR_OUTPUT_LABELS, x, y, self->samples[0],
                           error) &&
         self->sink.block (self->sink.data, VG_CONTOUR_OUTPUT_OVERLAP, x, y, self->samples[1],
                           error);
}

/* Writes the blocks that no tile after I affects. */
static gboolean
write_blocks (Stitch *self, const VgContourPlaces *places, int i, GError **error)
{
  const VgTiling *tiling = &self->tiling;
  int x, y, width, height, reach = tiling->halo + VG_TILE_BLOCK;

  vg_tiling_core (tiling, i, &x, &y, &width, &height);
  for (int by = MAX (y - reach, 0) / VG_TILE_BLOCK * VG_TILE_BLOCK; by < y + height;
       by += VG_TILE_BLOCK)
    for (int bx = MAX (x - reach, 0) / VG_TILE_BLOCK * VG_TILE_BLOCK; bx < x + width;
         bx += VG_TILE_BLOCK)
      {
        VgContourBox block = { bx, by, VG_TILE_BLOCK, VG_TILE_BLOCK };

        if (last_tile (self, &block, tiling->halo) == i &&
            !write_block (self, places, bx, by, error))
          return FALSE;
      }
  return TRUE;
}

/* Writes the blocks of the map of artefacts in the core of tile I, which no other tile affects. */
static gboolean
write_artefacts (Stitch *self, const VgContourRun *run, int i, GError **error)
{
  const VgContourArtefacts *artefacts = run->artefacts;
  int x, y, width, height, x0, y0;

  if (artefacts->matters == NULL)
    return TRUE;
  vg_tiling_core (&self->tiling, i, &x, &y, &width, &height);
  x0 = MIN (x, self->tiling.halo);
  y0 = MIN (y, self->tiling.halo);
  vg_contour_artefacts_count (artefacts, x0, y0, width, height, self->matters);
  for (int v = 0; v < height; v += VG_TILE_BLOCK)
    for (int u = 0; u < width; u += VG_TILE_BLOCK)
      {
        memset (self->samples[0], 0, sizeof (float) * VG_TILE_BLOCK * VG_TILE_BLOCK);
        vg_contour_artefacts_draw (artefacts, x0 + u, y0 + v, MIN (width - u, VG_TILE_BLOCK),
                                   MIN (height - v, VG_TILE_BLOCK), self->samples[0],
                                   VG_TILE_BLOCK);
        if (!self->sink.block (self->sink.data, VG_CONTOUR_OUTPUT_ARTEFACTS, x + u, y + v,
                               self->samples[0], error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
flush (Stitch *self, GError **error)
{
  gboolean good = self->sink.text (self->sink.data, VG_CONTOUR_OUTPUT_OBJECTS, ".csv",
                                   self->table->str, self->table->len, error) &&
                  self->sink.text (self->sink.data, VG_CONTOUR_OUTPUT_CONTOURS, ".geojson",
                                   self->json->str, self->json->len, error);

  g_string_truncate (self->table, 0);
  g_string_truncate (self->json, 0);
  return good;
}

/* TRUE if no tile after I meets the nucleus or one that overlaps it. */
static gboolean
is_complete (const Stitch *self, const VgContourNucleus *nucleus, int i)
{
  VgContourBox box = nucleus->mask.box;
  int x1 = (box.x + box.width + VG_TILE_BLOCK - 1) / VG_TILE_BLOCK * VG_TILE_BLOCK;
  int y1 = (box.y + box.height + VG_TILE_BLOCK - 1) / VG_TILE_BLOCK * VG_TILE_BLOCK;

  box.width = x1 - box.x;
  box.height = y1 - box.y;
  return nucleus->written && last_tile (self, &box, 2 * self->tiling.halo) <= i;
}

/* Compares the nuclei with the truth.  Nuclei that may match the same true nucleus are close
 * together, so all of them are here.  FALSE: no memory. */
static gboolean
judge_open (Stitch *self)
{
  g_autoptr (GPtrArray) masks = g_ptr_array_new ();
  g_autofree VgContourVerdict *verdicts = g_try_new (VgContourVerdict, self->open->len + 1);

  if (self->calibration->truth == NULL)
    return TRUE;
  for (guint k = 0; k < self->open->len; k++)
    g_ptr_array_add (masks, &((VgContourNucleus *) self->open->pdata[k])->mask);
  if (verdicts == NULL ||
      !vg_contour_metrics (masks, self->calibration->truth, 1, NULL, verdicts, NULL))
    return FALSE;
  for (guint k = 0; k < self->open->len; k++)
    ((VgContourNucleus *) self->open->pdata[k])->row.verdict = verdicts[k];
  return TRUE;
}

static gboolean
merge (gpointer data, gconstpointer tile, int i, GError **error)
{
  Stitch *self = data;
  const VgContourRun *run = tile;
  g_autoptr (GPtrArray) ready = g_ptr_array_new ();
  g_auto (VgContourPlaces) places = { NULL };
  gint64 came = g_get_monotonic_time ();

  self->seeds_s += (double) (run->seeded_us - run->began_us) * 1e-6;
  self->evolution_s += (double) (run->ended_us - run->seeded_us) * 1e-6;
  if (!take_tile (self, run, i) || !vg_contour_nuclei_place (self->open, &places))
    return vg_contour_no_memory (run->info.width, run->info.height, error);
  self->iterations = MAX (self->iterations, run->scene->iteration);
  if (!write_blocks (self, &places, i, error) || !write_artefacts (self, run, i, error))
    return FALSE;
  for (guint k = 0; k < self->open->len; k++)
    {
      VgContourNucleus *nucleus = self->open->pdata[k];

      if (!nucleus->written && last_tile (self, &nucleus->mask.box, self->tiling.halo) <= i)
        g_ptr_array_add (ready, nucleus);
    }
  if (!judge_open (self))
    return vg_contour_no_memory (run->info.width, run->info.height, error);
  vg_contour_nuclei_write (self->open, &places, ready, &self->place, self->written == 0,
                           self->table, self->json);
  for (guint k = 0; k < ready->len; k++)
    {
      VgContourNucleus *nucleus = ready->pdata[k];

      g_clear_pointer (&nucleus->outline, vg_contour_shape_free);
      nucleus->written = TRUE;
    }
  self->written += ready->len;
  for (guint k = self->open->len; k-- > 0;)
    if (is_complete (self, self->open->pdata[k], i))
      g_ptr_array_remove_index (self->open, k);
  if (!flush (self, error))
    return FALSE;
  self->merging_s += (double) (g_get_monotonic_time () - came) * 1e-6;
  return TRUE;
}

/* The times of all tiles are added up, although several are computed at once.  The time for seeds
 * includes the calibration. */
static void
add_times (const Stitch *self, VgMetrics *metrics)
{
  vg_metrics_add (metrics, "seeds_s", "Time for seed detection", "s",
                  self->calibration->seconds + self->seeds_s, NULL);
  vg_metrics_add (metrics, "after_seeds_s", "Time after seed detection", "s",
                  self->evolution_s + self->merging_s, NULL);
  vg_metrics_add (metrics, "evolution_s", "Time for evolution", "s", self->evolution_s, NULL);
  vg_metrics_add (metrics, "merging_s", "Time for outlines, tables and stitching", "s",
                  self->merging_s, NULL);
}

static gboolean
finish (gpointer data, VgMetrics *metrics, GError **error)
{
  Stitch *self = data;
  guint outside;

  vg_contour_json_end (self->json);
  if (!flush (self, error))
    return FALSE;
  vg_metrics_add (
      metrics, "objects", "Nuclei", "", self->written,
      self->written > 0 ? NULL : "No nucleus was found. Raise Sensitivity, or choose a seed file.");
  vg_metrics_add (metrics, "iterations", "Iterations", "", (double) self->iterations, NULL);
  vg_contour_add_moving (metrics, self->moving,
                         self->iterations > 0 ? self->far_from_convergence : 0, self->written);
  vg_contour_add_sizes (metrics, self->written > 0 ? self->area / self->written : NAN,
                        self->calibration->foreground->radius, &self->place);
  if (self->place.classed)
    vg_contour_counts_add (&self->counts, metrics);
  vg_contour_add_colourless (metrics, self->colourless);
  vg_metrics_add (metrics, "seeds", "Seeds", "", self->seeds, NULL);
  outside = count_outside (self);
  vg_metrics_add (metrics, "seeds_outside", "Seeds outside the image", "", outside,
                  outside > 0 ? "Seeds outside the image were ignored. Check that the positions in "
                                "the seed file are in pixels of this image."
                              : NULL);
  vg_metrics_mark (metrics, VG_NUMBER_QUIET);
  vg_metrics_add_quiet (metrics, "seeds_without_area", "Seed polygons without area", "",
                        self->calibration->without_area, NULL);
  vg_contour_add_losses (metrics, &self->losses, self->seeds, self->calibration->foreground->radius,
                         self->calibration->measured);
  vg_contour_add_matters (metrics, self->matters, self->written, &self->place);
  vg_contour_add_stain (metrics, &self->calibration->scale);
  vg_metrics_add (metrics, "tiles", "Tiles", "", self->tiling.columns * self->tiling.rows, NULL);
  vg_metrics_add (metrics, "seam_doubles", "Duplicates at tile edges", "", self->doubles, NULL);
  add_times (self, metrics);
  if (self->found != NULL)
    {
      const VgContourTruth *truth = self->calibration->truth;
      VgContourMetrics scores;

      if (!vg_contour_metrics (self->found, truth, omp_get_max_threads (), &scores, NULL, NULL))
        return vg_contour_no_memory (self->tiling.whole.width, self->tiling.whole.height, error);
      vg_contour_metrics_add (&scores, truth->masks->len, 0, metrics);
    }
  return TRUE;
}

const VgTiled vg_contour_tiled = {
  .calibrate = vg_contour_calibration_new,
  .calibration_free = vg_contour_calibration_free,
  .halo = halo,
  .merge_new = merge_new,
  .merge = merge,
  .finish = finish,
  .merge_free = merge_free,
  .sum = vg_contour_sum,
};
