/* SPDX-License-Identifier: MIT */
#include "contour-areas.h"
#include "contour-mask.h"
#include "contour-metrics.h"
#include "contour-outline.h"
#include "contour-report.h"
#include "contour-run.h"
#include "contour-survey.h"
#include "vg-error.h"
#include <math.h>
#include <string.h>
/* Nuclei of tiles become those of the whole picture.  A nucleus belongs to the
 * tile whose core holds its centroid; as two tiles may place it on either side
 * of a seam, a core takes a little more than its own, and what lies over a
 * nucleus of a tile before it is that nucleus again.
 *
 * Kept in memory are only nuclei that something may still come to: blocks of
 * the maps are drawn, and rows written, as soon as all tiles are through that
 * have a say in them. */

#define MARGIN 0.25          /* radii beyond a core in which its tile takes nuclei */
#define SAME_SHARE 0.75      /* of the smaller of two that are one, as in contour-settle.c */
/* About a core, in radii: what a nucleus and its neighbours feel; areas reach
 * further, and so far they and those they touch are whole. */
#define HALO_RADII 8.0
#define AREA_HALO_RADII (VG_CONTOUR_AREA_REACH + 2.0)
enum { LEAST_HALO = 64, GRAIN = 16 };

typedef struct
{
  guint id;
  int tile;
  VgContourMask mask;        /* of the whole */
  float *depth;              /* phi inside, else 0, of the mask's box */
  VgContourRow row;
  VgContourShape *outline;   /* of the tile's picture */
  VgContourPlace place;      /* that picture's */
  gboolean written;
} Nucleus;

typedef struct
{
  const VgContourSurvey *survey;
  VgTiling tiling;
  VgTileSink sink;
  VgContourPlace place;
  GPtrArray *open;           /* of Nucleus, in order of their numbers */
  GPtrArray *found;          /* of VgContourMask, with a truth only */
  guint next_id, written, doubles, seeds;
  VgContourSettled settled;
  double area;
  guint64 iterations;
  GString *table, *json;
  float *samples[2];         /* a block of labels, and of how many overlap */
  float *deepest;
} Merge;

static void
nucleus_free (gpointer data)
{
  Nucleus *self = data;

  g_free (self->mask.bits);
  g_free (self->depth);
  if (self->outline != NULL)
    vg_contour_shape_free (self->outline);
  g_free (self);
}

static void
mask_free (gpointer data)
{
  VgContourMask *self = data;

  g_free (self->bits);
  g_free (self);
}

static int
halo (gconstpointer survey)
{
  const VgContourSurvey *self = survey;
  int wanted = (int) ceil ((self->areas ? AREA_HALO_RADII : HALO_RADII) * self->foreground->radius);

  return MAX (LEAST_HALO, (wanted + GRAIN - 1) / GRAIN * GRAIN);
}

static void
merge_free (gpointer data)
{
  Merge *self = data;

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
merge_new (gconstpointer survey, const VgContext *context, const VgTiling *tiling, const VgTileSink *sink, GError **error)
{
  Merge *self = g_new0 (Merge, 1);

  (void) context;
  (void) error;
  self->survey = survey;
  self->tiling = *tiling;
  self->sink = *sink;
  self->place = vg_contour_place_of (&tiling->whole);
  self->open = g_ptr_array_new_with_free_func (nucleus_free);
  if (self->survey->truth != NULL)
    self->found = g_ptr_array_new_with_free_func (mask_free);
  self->table = g_string_new (NULL);
  self->json = g_string_new (NULL);
  vg_contour_table_head (self->table, &self->place);
  vg_contour_json_head (self->json);
  for (int i = 0; i < 2; i++)
    self->samples[i] = g_new (float, VG_TILE_BLOCK * VG_TILE_BLOCK);
  self->deepest = g_new (float, VG_TILE_BLOCK * VG_TILE_BLOCK);
  self->next_id = 1;
  return self;
}

/* The last tile that has a say in a box of the whole with BY pixels about it. */
static int
last_tile (const Merge *self, const VgContourBox *box, int by)
{
  return vg_tiling_last (&self->tiling, (gint64) box->x + box->width + by, (gint64) box->y + box->height + by);
}

static gboolean
meet (const VgContourBox *a, const VgContourBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* ---- A tile's nuclei ---- */

static gboolean
is_known (const Merge *self, const VgContourMask *mask, int tile)
{
  for (guint i = 0; i < self->open->len; i++)
    {
      const Nucleus *other = self->open->pdata[i];

      if (other->tile != tile && meet (&mask->box, &other->mask.box)
          && (double) vg_contour_mask_common (mask, &other->mask) >= SAME_SHARE * (double) MIN (mask->area, other->mask.area))
        return TRUE;
    }
  return FALSE;
}

static void
take (Merge *self, const VgContourRun *run, const VgContourObject *object, const VgContourMask *mask, int x0, int y0, int tile)
{
  const VgContourBox *box = &object->state.box;
  gsize n = (gsize) box->width * (gsize) box->height;
  VgContourShape *outline = vg_contour_outline (object, run->info.width, run->info.height);
  Nucleus *nucleus;

  if (outline == NULL)
    return;
  nucleus = g_new0 (Nucleus, 1);
  nucleus->id = self->next_id++;
  nucleus->tile = tile;
  nucleus->mask = *mask;
  nucleus->mask.bits = g_memdup2 (mask->bits, n);
  nucleus->mask.box.x += x0;
  nucleus->mask.box.y += y0;
  nucleus->depth = g_new (float, n);
  for (int y = 0; y < box->height; y++)
    for (int x = 0; x < box->width; x++)
      nucleus->depth[(gsize) y * (gsize) box->width + (gsize) x]
        = MAX (object->phi[(gsize) (box->y + y) * (gsize) object->tile.width + (gsize) (box->x + x)], 0.0f);
  nucleus->outline = outline;
  nucleus->place = vg_contour_place_of (&run->info);
  nucleus->place.x = self->place.x + self->place.scale * x0;
  nucleus->place.y = self->place.y + self->place.scale * y0;
  vg_contour_row_measure (&nucleus->row, object, mask, outline, run->stain, run->info.width, &nucleus->place);
  self->area += nucleus->row.area;
  g_ptr_array_add (self->open, nucleus);
  if (self->found != NULL)
    {
      VgContourMask *copy = g_memdup2 (&nucleus->mask, sizeof nucleus->mask);

      copy->bits = g_memdup2 (copy->bits, n);
      g_ptr_array_add (self->found, copy);
    }
}

/* The fates of contours, and the seeds, that are the core's by place: those about it are another's. */
static void
count_core (Merge *self, const VgContourRun *run, const VgContourBox *core)
{
  const GPtrArray *const lists[] = { run->scene->objects, run->scene->dropped };

  for (int k = 0; k < 2; k++)
    for (guint i = 0; i < lists[k]->len; i++)
      {
        const VgContourObject *object = lists[k]->pdata[i];

        if (object->seed_x >= core->x && object->seed_y >= core->y && object->seed_x < core->x + core->width && object->seed_y < core->y + core->height)
          vg_contour_settled_add (&self->settled, object);
      }
  for (guint i = 0; i < run->wanted->len; i++)
    {
      const VgContourPoint *p = &g_array_index (run->wanted, VgContourPoint, i);

      self->seeds += p->x >= core->x && p->y >= core->y && p->x < core->x + core->width && p->y < core->y + core->height;
    }
}

/* Of the seed file. */
static guint
count_outside (const Merge *self)
{
  guint n = 0;

  for (guint i = 0; self->survey->seeds != NULL && i < self->survey->seeds->len; i++)
    {
      const VgContourPoint *p = &g_array_index (self->survey->seeds, VgContourPoint, i);

      n += !(p->x >= 0.0 && p->y >= 0.0 && p->x < self->tiling.whole.width && p->y < self->tiling.whole.height);
    }
  return n;
}

static void
take_tile (Merge *self, const VgContourRun *run, int i)
{
  const VgContourScene *scene = run->scene;
  g_autoptr (GPtrArray) masks = vg_contour_masks_of_scene (scene);
  double margin = MARGIN * scene->radius;
  int x, y, width, height, x0, y0;

  vg_tiling_core (&self->tiling, i, &x, &y, &width, &height);
  x0 = MAX (x - self->tiling.halo, 0);
  y0 = MAX (y - self->tiling.halo, 0);
  count_core (self, run, &(VgContourBox) { x - x0, y - y0, width, height });
  for (guint k = 0, m = 0; k < scene->objects->len && m < masks->len; k++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, k);
      const VgContourMask *mask = vg_contour_mask_at (masks, m);
      VgContourMask moved;
      double cx = 0.0, cy = 0.0;

      /* masks leave out objects without a pixel */
      if (mask->box.x != object->tile.x + object->state.box.x || mask->box.y != object->tile.y + object->state.box.y)
        continue;
      m++;
      for (int v = 0; v < mask->box.height; v++)
        for (int u = 0; u < mask->box.width; u++)
          if (mask->bits[v * mask->box.width + u])
            {
              cx += u + 0.5;
              cy += v + 0.5;
            }
      moved = *mask;
      moved.box.x += x0;
      moved.box.y += y0;
      cx = moved.box.x + cx / (double) mask->area;
      cy = moved.box.y + cy / (double) mask->area;
      if (cx < x - margin || cy < y - margin || cx >= x + width + margin || cy >= y + height + margin)
        continue;
      if (is_known (self, &moved, i))
        self->doubles++;
      else
        take (self, run, object, mask, x0, y0, i);
    }
}

/* ---- Maps ---- */

static void
draw (Merge *self, const Nucleus *nucleus, int bx, int by)
{
  const VgContourBox *box = &nucleus->mask.box;
  int x0 = MAX (box->x, bx), x1 = MIN (box->x + box->width, bx + VG_TILE_BLOCK);
  int y0 = MAX (box->y, by), y1 = MIN (box->y + box->height, by + VG_TILE_BLOCK);

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      {
        float depth = nucleus->depth[(gsize) (y - box->y) * (gsize) box->width + (gsize) (x - box->x)];
        int at = (y - by) * VG_TILE_BLOCK + (x - bx);

        if (depth <= 0.0f)
          continue;
        self->samples[1][at] += 1.0f;
        if (depth <= self->deepest[at])
          continue;
        self->deepest[at] = depth;
        self->samples[0][at] = (float) nucleus->id;
      }
}

static gboolean
write_block (Merge *self, int bx, int by, GError **error)
{
  VgContourBox block = { bx, by, VG_TILE_BLOCK, VG_TILE_BLOCK };
  gsize bytes = sizeof (float) * VG_TILE_BLOCK * VG_TILE_BLOCK;

  memset (self->samples[0], 0, bytes);
  memset (self->samples[1], 0, bytes);
  memset (self->deepest, 0, bytes);
  for (guint i = 0; i < self->open->len; i++)
    {
      const Nucleus *nucleus = self->open->pdata[i];

      if (meet (&nucleus->mask.box, &block))
        draw (self, nucleus, bx, by);
    }
  return self->sink.block (self->sink.data, VG_CONTOUR_OUTPUT_LABELS, bx, by, self->samples[0], error)
         && self->sink.block (self->sink.data, VG_CONTOUR_OUTPUT_OVERLAP, bx, by, self->samples[1], error);
}

/* The blocks for which tile I was the last to wait for. */
static gboolean
write_blocks (Merge *self, int i, GError **error)
{
  const VgTiling *tiling = &self->tiling;
  int x, y, width, height, reach = tiling->halo + VG_TILE_BLOCK;

  vg_tiling_core (tiling, i, &x, &y, &width, &height);
  for (int by = MAX (y - reach, 0) / VG_TILE_BLOCK * VG_TILE_BLOCK; by < y + height; by += VG_TILE_BLOCK)
    for (int bx = MAX (x - reach, 0) / VG_TILE_BLOCK * VG_TILE_BLOCK; bx < x + width; bx += VG_TILE_BLOCK)
      {
        VgContourBox block = { bx, by, VG_TILE_BLOCK, VG_TILE_BLOCK };

        if (last_tile (self, &block, tiling->halo) == i && !write_block (self, bx, by, error))
          return FALSE;
      }
  return TRUE;
}

/* ---- Texts ---- */

static void
write_nucleus (Merge *self, Nucleus *nucleus)
{
  g_autoptr (GString) partners = g_string_new (NULL);
  double scale = self->place.scale, overlap = 0.0;

  for (guint i = 0; i < self->open->len; i++)
    {
      const Nucleus *other = self->open->pdata[i];
      gint64 common = other == nucleus || !meet (&nucleus->mask.box, &other->mask.box) ? 0 : vg_contour_mask_common (&nucleus->mask, &other->mask);

      if (common == 0)
        continue;
      overlap += (double) common * scale * scale;
      g_string_append_printf (partners, "%s%u", partners->len > 0 ? " " : "", other->id);
    }
  vg_contour_table_row (self->table, nucleus->id, &nucleus->row, overlap, partners->str, &self->place);
  vg_contour_json_row (self->json, nucleus->id, &nucleus->row, overlap, nucleus->outline, &nucleus->place, self->written == 0);
  g_clear_pointer (&nucleus->outline, vg_contour_shape_free);
  nucleus->written = TRUE;
  self->written++;
}

static gboolean
flush (Merge *self, GError **error)
{
  gboolean good = self->sink.text (self->sink.data, VG_CONTOUR_OUTPUT_OBJECTS, ".csv", self->table->str, self->table->len, error)
                  && self->sink.text (self->sink.data, VG_CONTOUR_OUTPUT_CONTOURS, ".geojson", self->json->str, self->json->len, error);

  g_string_truncate (self->table, 0);
  g_string_truncate (self->json, 0);
  return good;
}

/* Nothing of the tiles to come meets it, nor what it is a partner of. */
static gboolean
is_settled (const Merge *self, const Nucleus *nucleus, int i)
{
  VgContourBox box = nucleus->mask.box;
  int x1 = (box.x + box.width + VG_TILE_BLOCK - 1) / VG_TILE_BLOCK * VG_TILE_BLOCK;
  int y1 = (box.y + box.height + VG_TILE_BLOCK - 1) / VG_TILE_BLOCK * VG_TILE_BLOCK;

  box.width = x1 - box.x;
  box.height = y1 - box.y;
  return nucleus->written && last_tile (self, &box, 2 * self->tiling.halo) <= i;
}

static gboolean
merge (gpointer data, gconstpointer tile, int i, GError **error)
{
  Merge *self = data;
  const VgContourRun *run = tile;

  take_tile (self, run, i);
  self->iterations = MAX (self->iterations, run->scene->iteration);
  if (!write_blocks (self, i, error))
    return FALSE;
  for (guint k = 0; k < self->open->len; k++)
    {
      Nucleus *nucleus = self->open->pdata[k];

      if (!nucleus->written && last_tile (self, &nucleus->mask.box, self->tiling.halo) <= i)
        write_nucleus (self, nucleus);
    }
  for (guint k = self->open->len; k-- > 0;)
    if (is_settled (self, self->open->pdata[k], i))
      g_ptr_array_remove_index (self->open, k);
  return flush (self, error);
}

static gboolean
finish (gpointer data, VgNumbers *numbers, GError **error)
{
  Merge *self = data;
  guint outside;

  vg_contour_json_end (self->json);
  if (!flush (self, error))
    return FALSE;
  vg_numbers_add (numbers, "objects", "Nuclei", "", self->written, self->written > 0 ? NULL : "no nucleus was found; raise the sensitivity, or give a seed file");
  vg_numbers_add (numbers, "iterations", "Iterations", "", (double) self->iterations, NULL);
  vg_contour_add_sizes (numbers, self->written > 0 ? self->area / self->written : NAN, self->survey->foreground->radius, &self->place);
  vg_numbers_add (numbers, "seeds", "Seeds", "", self->seeds, NULL);
  outside = count_outside (self);
  vg_numbers_add (numbers, "seeds_outside", "Seeds outside the picture", "", outside,
                  outside > 0 ? "seeds outside the picture were left out; give their places in its pixels" : NULL);
  vg_numbers_add (numbers, "seeds_without_area", "Seed polygons without an area", "", self->survey->without_area, NULL);
  vg_contour_add_fates (numbers, &self->settled, self->seeds, self->survey->foreground->radius);
  vg_contour_add_stain (numbers, &self->survey->scale);
  vg_numbers_add (numbers, "tiles", "Tiles", "", self->tiling.columns * self->tiling.rows, NULL);
  vg_numbers_add (numbers, "seam_doubles", "Found again over a seam", "", self->doubles, NULL);
  if (self->found != NULL)
    {
      VgContourMetrics metrics;

      vg_contour_metrics (self->found, self->survey->truth, self->tiling.whole.width, self->tiling.whole.height, &metrics);
      vg_contour_metrics_add (&metrics, self->survey->truth->len, numbers);
    }
  return TRUE;
}

const VgTiled vg_contour_tiled = {
  .survey = vg_contour_survey_new,
  .survey_free = vg_contour_survey_free,
  .halo = halo,
  .merge_new = merge_new,
  .merge = merge,
  .finish = finish,
  .merge_free = merge_free,
};
