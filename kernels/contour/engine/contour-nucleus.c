/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-nucleus.h"
#include "kernels/contour/measure/contour-doubt.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/shapes/contour-outline.h"
#include "kernels/core/vg-tiles.h"
#include <math.h>
#include <string.h>

void
vg_contour_nucleus_free (gpointer data)
{
  VgContourNucleus *self = data;

  if (self == NULL)
    return;
  g_free (self->mask.bits);
  g_free (self->depth);
  if (self->outline != NULL)
    vg_contour_shape_free (self->outline);
  g_free (self);
}

/* The area over that of the ellipse with the same moments. */
static double
shape_of (const VgContourMask *mask, const VgContourRow *row, const VgContourPosition *place)
{
  double ellipse = G_PI_4 * row->major * row->minor / (place->scale * place->scale);

  return ellipse > 0.0 ? MIN ((double) mask->area / ellipse, 1.0) : 0.0;
}

VgContourNucleus *
vg_contour_nucleus_new (const VgContourRun *run, const VgContourMask *mask, int x0, int y0,
                        const VgContourPosition *whole)
{
  VgContourShape *outline = vg_contour_outline (mask->object, run->info.width, run->info.height);
  VgContourNucleus *self;

  if (outline == NULL)
    return NULL;
  self = g_new0 (VgContourNucleus, 1);
  self->id = mask->object->id;
  self->mask = *mask;
  self->mask.object = NULL;
  self->mask.bits = g_memdup2 (mask->bits, (gsize) mask->box.width * (gsize) mask->box.height);
  self->mask.box.x += x0;
  self->mask.box.y += y0;
  self->outline = outline;
  self->place = vg_contour_position_of (&run->info, &run->scale);
  self->place.classed = whole->classed;
  self->place.x = whole->x + whole->scale * x0;
  self->place.y = whole->y + whole->scale * y0;
  vg_contour_row_measure (&self->row, mask->object, mask, outline, run->stain, run->density,
                          run->info.width, &self->place);
  if (whole->classed)
    self->row.positive = vg_contour_positive_measure (mask, run->picture, &run->scale,
                                                      &run->params);
  self->row.doubt = vg_contour_doubt (mask, run->grey, run->info.width, run->info.height,
                                      run->params.force == VG_CONTOUR_FORCE_LEARNED &&
                                          run->without_net == NULL,
                                      shape_of (mask, &self->row, &self->place));
  return self;
}

void
vg_contour_nucleus_keep_depth (VgContourNucleus *self, const VgContourObject *object)
{
  const VgContourBox *box = &object->state.box;

  self->depth = g_new (float, (gsize) box->width *(gsize) box->height);
  for (int y = 0; y < box->height; y++)
    for (int x = 0; x < box->width; x++)
      self->depth[(gsize) y * (gsize) box->width + (gsize) x] = MAX (
          object->phi[(gsize) (box->y + y) * (gsize) object->tile.width + (gsize) (box->x + x)],
          0.0f);
}

static const VgContourNucleus *
nucleus_at (const GPtrArray *self, guint i)
{
  return self->pdata[i];
}

gboolean
vg_contour_nuclei_place (const GPtrArray *self, VgContourPlaces *places)
{
  g_autoptr (GPtrArray) masks = g_ptr_array_sized_new (self->len);

  for (guint i = 0; i < self->len; i++)
    g_ptr_array_add (masks, (gpointer) &nucleus_at (self, i)->mask);
  return vg_contour_places_init (places, masks);
}

gboolean
vg_contour_nuclei_has (const GPtrArray *self, const VgContourPlaces *places,
                       const VgContourMask *mask, int tile)
{
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (guint));

  vg_contour_places_find (places, &mask->box, near);
  for (guint k = 0; k < near->len; k++)
    {
      const VgContourNucleus *other = nucleus_at (self, g_array_index (near, guint, k));

      if (other->tile != tile && vg_contour_mask_is_same (mask, &other->mask))
        return TRUE;
    }
  return FALSE;
}

/* ---- Maps ---- */

static void
draw (const VgContourNucleus *self, int bx, int by, float *labels, float *overlap, float *deepest)
{
  const VgContourBox *box = &self->mask.box;
  int x0 = MAX (box->x, bx), x1 = MIN (box->x + box->width, bx + VG_TILE_BLOCK);
  int y0 = MAX (box->y, by), y1 = MIN (box->y + box->height, by + VG_TILE_BLOCK);

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      {
        float depth = self->depth[(gsize) (y - box->y) * (gsize) box->width + (gsize) (x - box->x)];
        int at = (y - by) * VG_TILE_BLOCK + (x - bx);

        if (depth <= 0.0f)
          continue;
        overlap[at] += 1.0f;
        if (depth <= deepest[at])
          continue;
        deepest[at] = depth;
        labels[at] = (float) self->id;
      }
}

void
vg_contour_nuclei_draw (const GPtrArray *self, const VgContourPlaces *places, int x, int y,
                        float *labels, float *overlap, float *deepest)
{
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (guint));
  VgContourBox block = { x, y, VG_TILE_BLOCK, VG_TILE_BLOCK };
  gsize bytes = sizeof (float) * VG_TILE_BLOCK * VG_TILE_BLOCK;

  memset (labels, 0, bytes);
  memset (overlap, 0, bytes);
  memset (deepest, 0, bytes);
  vg_contour_places_find (places, &block, near);
  for (guint k = 0; k < near->len; k++)
    draw (nucleus_at (self, g_array_index (near, guint, k)), x, y, labels, overlap, deepest);
}

/* ---- Texts ---- */

static void
write_nucleus (const GPtrArray *self, const VgContourPlaces *places,
               const VgContourNucleus *nucleus, const VgContourPosition *whole, gboolean first,
               GString *table, GString *json)
{
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GString) partners = g_string_new (NULL);
  gint64 shared = 0;
  double overlap;

  vg_contour_places_find (places, &nucleus->mask.box, near);
  for (guint k = 0; k < near->len; k++)
    {
      const VgContourNucleus *other = nucleus_at (self, g_array_index (near, guint, k));
      gint64 common = other == nucleus ? 0 : vg_contour_mask_common (&nucleus->mask, &other->mask);

      if (common == 0)
        continue;
      shared += common;
      g_string_append_printf (partners, "%s%u", partners->len > 0 ? " " : "", other->id);
    }
  overlap = (double) shared * whole->scale * whole->scale;
  if (table != NULL)
    vg_contour_table_row (table, nucleus->id, &nucleus->row, overlap, partners->str, whole);
  if (json != NULL)
    vg_contour_json_row (json, nucleus->id, &nucleus->row, overlap, nucleus->outline,
                         &nucleus->place, first);
}

/* Appends the texts of N nuclei and frees them. */
static void
join (GString *to, GString **texts, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append_len (to, texts[i]->str, (gssize) texts[i]->len);
      g_string_free (texts[i], TRUE);
    }
}

void
vg_contour_nuclei_write (const GPtrArray *self, const VgContourPlaces *places,
                         const GPtrArray *nuclei, const VgContourPosition *whole, gboolean first,
                         GString *table, GString *json)
{
  g_autofree GString **rows = g_new0 (GString *, nuclei->len + 1),
                     **features = g_new0 (GString *, nuclei->len + 1);

#pragma omp parallel for schedule(dynamic)
  for (guint i = 0; i < nuclei->len; i++)
    {
      rows[i] = table != NULL ? g_string_new (NULL) : NULL;
      features[i] = json != NULL ? g_string_new (NULL) : NULL;
      write_nucleus (self, places, nuclei->pdata[i], whole, first && i == 0, rows[i], features[i]);
    }
  if (table != NULL)
    join (table, rows, nuclei->len);
  if (json != NULL)
    join (json, features, nuclei->len);
}

static VgContourPosition
place_of (const VgContourRun *run)
{
  VgContourPosition place = vg_contour_position_of (&run->info, &run->scale);

  place.classed = vg_contour_positive_is_on (&run->params, &run->info);
  return place;
}

const GPtrArray *
vg_contour_run_nuclei (VgContourRun *run, GError **error)
{
  const VgContourPosition place = place_of (run);
  g_autoptr (GPtrArray) masks = NULL;
  gboolean current;

  if (run->nuclei != NULL)
    return run->nuclei;
  current = vg_contour_run_fetch (run, error);
  masks = current ? vg_contour_masks_of_scene (run->scene) : NULL;
  if (masks == NULL)
    {
      if (current)
        vg_contour_no_memory (run->info.width, run->info.height, error);
      return NULL;
    }
  run->nuclei = g_ptr_array_new_with_free_func (vg_contour_nucleus_free);
  g_ptr_array_set_size (run->nuclei, (int) masks->len);
#pragma omp parallel for schedule(dynamic)
  for (guint k = 0; k < masks->len; k++)
    run->nuclei->pdata[k] = vg_contour_nucleus_new (run, vg_contour_mask_at (masks, k), 0, 0,
                                                    &place);
  while (g_ptr_array_remove (run->nuclei, NULL))
    ;
  return run->nuclei;
}

/* Measure I; NaN: the image has no stain. */
static double
measure_of (const VgContourRow *row, guint i, gboolean stained)
{
  switch (i)
    {
    case VG_CONTOUR_OUTPUT_AREA:
      return row->area;
    case VG_CONTOUR_OUTPUT_LONG_AXIS:
      return row->major;
    case VG_CONTOUR_OUTPUT_ECCENTRICITY:
      return row->eccentricity;
    case VG_CONTOUR_OUTPUT_MEAN_STAIN:
      return row->stain;
    case VG_CONTOUR_OUTPUT_MEAN_OD:
      return stained ? row->density : NAN;
    case VG_CONTOUR_OUTPUT_HAEMATOXYLIN:
      return row->positive.haematoxylin;
    case VG_CONTOUR_OUTPUT_DAB:
      return row->positive.dab;
    default:
      return row->doubt;
    }
}

gboolean
vg_contour_run_draw_measure (VgContourRun *self, guint i, float *labels, GError **error)
{
  const gsize n = (gsize) self->info.width * (gsize) self->info.height;
  const GPtrArray *nuclei = vg_contour_run_nuclei (self, error);
  g_autofree float *values = NULL;
  guint most = 0;

  if (nuclei == NULL)
    return FALSE;
  for (guint k = 0; k < nuclei->len; k++)
    most = MAX (most, nucleus_at (nuclei, k)->id);
  values = g_new (float, most + 1);
  for (guint k = 0; k <= most; k++)
    values[k] = NAN;
  for (guint k = 0; k < nuclei->len; k++)
    values[nucleus_at (nuclei, k)->id] = (float) measure_of (&nucleus_at (nuclei, k)->row, i,
                                                             self->density != NULL);
  for (gsize k = 0; k < n; k++)
    labels[k] = labels[k] >= 1.0f && labels[k] <= (float) most ? values[(guint) labels[k]] : NAN;
  return TRUE;
}

/* While contours evolve they wait for the table, so its rows are written in parallel. */
char *
vg_contour_run_text (gpointer data, guint i, char **file_name, GError **error)
{
  VgContourRun *run = data;
  gboolean is_table = i == VG_CONTOUR_OUTPUT_OBJECTS;
  VgContourPosition place = place_of (run);
  const GPtrArray *nuclei = vg_contour_run_nuclei (run, error);
  g_auto (VgContourPlaces) places = { NULL };
  const VgContourScore *score = NULL;
  GString *text;

  if (nuclei == NULL || (is_table && !vg_contour_run_score (run, TRUE, &score, error)))
    return NULL;
  if (!vg_contour_nuclei_place (nuclei, &places))
    {
      vg_contour_no_memory (run->info.width, run->info.height, error);
      return NULL;
    }
  place.judged = score != NULL;
  for (guint k = 0; k < nuclei->len; k++)
    {
      VgContourNucleus *nucleus = nuclei->pdata[k];

      nucleus->row.verdict = vg_contour_score_find (score, nucleus->id);
    }
  text = g_string_new (NULL);
  if (is_table)
    vg_contour_table_head (text, &place);
  else
    vg_contour_json_head (text);
  vg_contour_nuclei_write (nuclei, &places, nuclei, &place, TRUE, is_table ? text : NULL,
                           is_table ? NULL : text);
  if (!is_table)
    vg_contour_json_end (text);
  if (file_name != NULL)
    *file_name = g_strdup (is_table ? "objects.csv" : "contours.geojson");
  return g_string_free (text, FALSE);
}
