/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-nucleus.h"
#include "kernels/contour/shapes/contour-outline.h"
#include "kernels/core/vg-tiles.h"
#include <string.h>

#define SAME_SHARE 0.75 /* of the smaller of two that are one, as in contour-finalise.c */

/* TRUE if the boxes share a pixel. */
static gboolean
boxes_meet (const VgContourBox *a, const VgContourBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

void
vg_contour_nucleus_free (gpointer data)
{
  VgContourNucleus *self = data;

  g_free (self->mask.bits);
  g_free (self->depth);
  if (self->outline != NULL)
    vg_contour_shape_free (self->outline);
  g_free (self);
}

VgContourNucleus *
vg_contour_nucleus_new (const VgContourRun *run, const VgContourObject *object,
                        const VgContourMask *mask, int x0, int y0, const VgContourPosition *whole)
{
  const VgContourBox *box = &object->state.box;
  gsize n = (gsize) box->width * (gsize) box->height;
  VgContourShape *outline = vg_contour_outline (object, run->info.width, run->info.height);
  VgContourNucleus *self;

  if (outline == NULL)
    return NULL;
  self = g_new0 (VgContourNucleus, 1);
  self->mask = *mask;
  self->mask.bits = g_memdup2 (mask->bits, n);
  self->mask.box.x += x0;
  self->mask.box.y += y0;
  self->depth = g_new (float, n);
  for (int y = 0; y < box->height; y++)
    for (int x = 0; x < box->width; x++)
      self->depth[(gsize) y * (gsize) box->width + (gsize) x] = MAX (
          object->phi[(gsize) (box->y + y) * (gsize) object->tile.width + (gsize) (box->x + x)],
          0.0f);
  self->outline = outline;
  self->place = vg_contour_position_of (&run->info, &run->scale);
  self->place.x = whole->x + whole->scale * x0;
  self->place.y = whole->y + whole->scale * y0;
  vg_contour_row_measure (&self->row, object, mask, outline, run->stain, run->density,
                          run->info.width, &self->place);
  return self;
}

gboolean
vg_contour_nuclei_has (const GPtrArray *self, const VgContourMask *mask, int tile)
{
  for (guint i = 0; i < self->len; i++)
    {
      const VgContourNucleus *other = self->pdata[i];

      if (other->tile != tile && boxes_meet (&mask->box, &other->mask.box) &&
          (double) vg_contour_mask_common (mask, &other->mask) >=
              SAME_SHARE * (double) MIN (mask->area, other->mask.area))
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
vg_contour_nuclei_draw (const GPtrArray *self, int x, int y, float *labels, float *overlap,
                        float *deepest)
{
  VgContourBox block = { x, y, VG_TILE_BLOCK, VG_TILE_BLOCK };
  gsize bytes = sizeof (float) * VG_TILE_BLOCK * VG_TILE_BLOCK;

  memset (labels, 0, bytes);
  memset (overlap, 0, bytes);
  memset (deepest, 0, bytes);
  for (guint i = 0; i < self->len; i++)
    {
      const VgContourNucleus *nucleus = self->pdata[i];

      if (boxes_meet (&nucleus->mask.box, &block))
        draw (nucleus, x, y, labels, overlap, deepest);
    }
}

/* ---- Texts ---- */

static void
write_nucleus (const GPtrArray *self, VgContourNucleus *nucleus, const VgContourPosition *whole,
               gboolean first, GString *table, GString *json)
{
  g_autoptr (GString) partners = g_string_new (NULL);
  double overlap = 0.0;

  for (guint i = 0; i < self->len; i++)
    {
      const VgContourNucleus *other = self->pdata[i];
      gint64 common = other == nucleus || !boxes_meet (&nucleus->mask.box, &other->mask.box)
                          ? 0
                          : vg_contour_mask_common (&nucleus->mask, &other->mask);

      if (common == 0)
        continue;
      overlap += (double) common * whole->scale * whole->scale;
      g_string_append_printf (partners, "%s%u", partners->len > 0 ? " " : "", other->id);
    }
  vg_contour_table_row (table, nucleus->id, &nucleus->row, overlap, partners->str, whole);
  vg_contour_json_row (json, nucleus->id, &nucleus->row, overlap, nucleus->outline, &nucleus->place,
                       first);
  g_clear_pointer (&nucleus->outline, vg_contour_shape_free);
  nucleus->written = TRUE;
}

void
vg_contour_nuclei_write (const GPtrArray *self, const GPtrArray *nuclei,
                         const VgContourPosition *whole, gboolean first, GString *table,
                         GString *json)
{
  g_autofree GString **texts = g_new (GString *, 2 * nuclei->len + 1);

#pragma omp parallel for schedule(dynamic)
  for (guint i = 0; i < nuclei->len; i++)
    {
      texts[2 * i] = g_string_new (NULL);
      texts[2 * i + 1] = g_string_new (NULL);
      write_nucleus (self, nuclei->pdata[i], whole, first && i == 0, texts[2 * i],
                     texts[2 * i + 1]);
    }
  for (guint i = 0; i < nuclei->len; i++)
    {
      g_string_append_len (table, texts[2 * i]->str, (gssize) texts[2 * i]->len);
      g_string_append_len (json, texts[2 * i + 1]->str, (gssize) texts[2 * i + 1]->len);
      g_string_free (texts[2 * i], TRUE);
      g_string_free (texts[2 * i + 1], TRUE);
    }
}
