/* SPDX-License-Identifier: MIT */
#include "kernels/contour/seeds/contour-areas.h"
#include "kernels/contour/seeds/contour-level.h"
#include <math.h>
#include <string.h>
/* The areas above a falling grey level form a tree: areas that are separate at
 * one level merge at a lower one (component trees: Jones, Comput. Vis. Image
 * Underst. 75, 215, 1999).  From the leaves to the root each area is compared
 * with the areas chosen inside it, and with its own parts, cut at the necks.
 * The likeness to a nucleus (contour-area.c), weighted by area, decides.  So
 * dark and pale nuclei need no common threshold. */

enum { LEVELS = 32, MOST_THREADS = 16 };
#define LEAST_ADMITTED 2.0 /* at a sensitivity of one half */
#define SHARED_BYTES ((gsize) 3 << 30)

/* The areas chosen inside an area of a level. */
typedef struct
{
  gsize pixel; /* of the area */
  double value;
  GPtrArray *areas; /* of VgContourArea */
} Choice;

static void
choice_clear (gpointer data)
{
  g_clear_pointer (&((Choice *) data)->areas, g_ptr_array_unref);
}

/* ---- The choice ---- */

static void
take (Choice *choice, VgContourArea **area)
{
  g_ptr_array_add (choice->areas, g_steal_pointer (area));
}

static GPtrArray *
areas_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) vg_contour_area_free);
}

/* Begins the choice of each area with the areas chosen inside it at the level above. */
static GArray *
gather (const VgContourLevel *level, GArray *above)
{
  GArray *choices = g_array_sized_new (FALSE, TRUE, sizeof (Choice), (guint) level->n);

  g_array_set_clear_func (choices, choice_clear);
  g_array_set_size (choices, (guint) level->n);
  for (guint c = 0; c < choices->len; c++)
    {
      g_array_index (choices, Choice, c).pixel = vg_contour_level_box (level, (int) c)->first;
      g_array_index (choices, Choice, c).areas = areas_new ();
    }
  for (guint c = 0; c < above->len; c++)
    {
      Choice *from = &g_array_index (above, Choice, c);
      gint32 label = level->labels != NULL ? level->labels[from->pixel] : 0;
      Choice *to;

      if (label == 0)
        continue;
      to = &g_array_index (choices, Choice, label - 1);
      to->value += from->value;
      g_ptr_array_extend_and_steal (to->areas, g_steal_pointer (&from->areas));
    }
  return choices;
}

static void
replace (Choice *choice, double value)
{
  choice->value = value;
  g_ptr_array_set_size (choice->areas, 0);
}

/* Chooses the level's areas, or their parts, if they resemble nuclei more. */
static GArray *
descend (VgContourLevel *level, GArray *above)
{
  GArray *choices = gather (level, above);
  g_autofree double *values = g_new (double, level->n + 1);

  for (int i = 0; i < level->n; i++)
    {
      Choice *choice = &g_array_index (choices, Choice, i);
      double own = level->whole[i] != NULL ? level->whole[i]->likeness * level->whole[i]->area
                                           : 0.0;

      if (own < choice->value || own <= 0.0)
        continue;
      replace (choice, own);
      take (choice, &level->whole[i]);
    }
  for (guint k = 0; k < VG_CONTOUR_CUTS; k++)
    {
      memset (values, 0, sizeof *values * (gsize) (level->n + 1));
      for (int p = 0; p < level->n_parts[k]; p++)
        if (level->part[k][p] != NULL)
          values[level->owner[k][p]] += level->part[k][p]->likeness * level->part[k][p]->area;
      for (int i = 0; i < level->n; i++)
        {
          Choice *choice = &g_array_index (choices, Choice, i);

          if (values[i + 1] > choice->value)
            replace (choice, values[i + 1]);
          else
            values[i + 1] = 0.0;
        }
      for (int p = 0; p < level->n_parts[k]; p++)
        if (level->part[k][p] != NULL && values[level->owner[k][p]] > 0.0)
          take (&g_array_index (choices, Choice, level->owner[k][p] - 1), &level->part[k][p]);
    }
  g_array_unref (above);
  return choices;
}

int
vg_contour_areas_threads (gsize pixels)
{
  return (int) CLAMP (SHARED_BYTES / VG_CONTOUR_AREA_BYTES / MAX (pixels, 1), 1,
                      MIN (g_get_num_processors (), MOST_THREADS));
}

static int
by_admission (gconstpointer a, gconstpointer b)
{
  const VgContourArea *p = *(VgContourArea *const *) a, *q = *(VgContourArea *const *) b;

  if (p->admission != q->admission)
    return p->admission > q->admission ? -1 : 1;
  return p->box.y != q->box.y ? p->box.y - q->box.y : p->box.x - q->box.x;
}

/* Seeds and labels of the chosen areas that are admitted. */
static GArray *
collect (const VgContourLook *look, GArray *choices, float least, gint32 *labels)
{
  GArray *seeds = g_array_new (FALSE, FALSE, sizeof (VgContourPeak));
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (guint c = 0; c < choices->len; c++)
    {
      const GPtrArray *areas = g_array_index (choices, Choice, c).areas;

      for (guint i = 0; i < areas->len; i++)
        if (((const VgContourArea *) areas->pdata[i])->admission >= least)
          g_ptr_array_add (all, areas->pdata[i]);
    }
  g_ptr_array_sort (all, by_admission);
  for (guint i = 0; i < all->len; i++)
    {
      const VgContourArea *area = all->pdata[i];
      VgContourPeak seed = { area->x, area->y, area->admission };

      for (int y = 0; y < area->box.height; y++)
        for (int x = 0; x < area->box.width; x++)
          if (area->bits[y * area->box.width + x])
            labels[(gsize) (area->box.y + y) * (gsize) look->width + (gsize) (area->box.x + x)] =
                (gint32) i + 1;
      g_array_append_val (seeds, seed);
    }
  return seeds;
}

GArray *
vg_contour_areas (const float *grey, const VgContourForeground *foreground, float sensitivity,
                  const VgContext *context, gint32 **labels)
{
  gsize pixels = (gsize) foreground->width * (gsize) foreground->height;
  int most = vg_contour_areas_threads (pixels),
      threads = context->threads > 0 ? MIN (context->threads, most) : most;
  VgContourLook look;
  GArray *choices = g_array_new (FALSE, FALSE, sizeof (Choice)), *seeds = NULL;
  gboolean good;

  *labels = g_try_new0 (gint32, pixels);
  g_array_set_clear_func (choices, choice_clear);
  good = vg_contour_look_init (&look, grey, foreground) && *labels != NULL;
  if (good && foreground->contrast > 1e-3f)
    {
      /* levels are measured in parallel and used in their order */
#pragma omp parallel num_threads(threads) reduction(&& : good)
      {
        VgContourPlanes planes;

        good = vg_contour_planes_init (&planes, pixels);
#pragma omp for ordered schedule(dynamic)
        for (int k = LEVELS; k >= 1; k--)
          {
            VgContourLevel *level;

            if (!good || vg_context_is_stopped (context))
              continue;
            level = vg_contour_level_new (&look, &planes, (float) k / (LEVELS + 1));
            good = level != NULL;
            if (!good)
              continue;

#pragma omp ordered
            choices = descend (level, choices);
            vg_contour_level_free (level);
          }
        vg_contour_planes_clear (&planes);
      }
    }
  if (good)
    seeds = collect (&look, choices,
                     LEAST_ADMITTED * 4.0f * (1.0f - sensitivity) * (1.0f - sensitivity), *labels);
  else
    g_clear_pointer (labels, g_free);
  g_array_unref (choices);
  vg_contour_look_clear (&look);
  return seeds;
}
