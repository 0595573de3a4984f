/* SPDX-License-Identifier: MIT */
#include "contour-areas.h"
#include "contour-area.h"
#include "contour-filter.h"
#include <math.h>
#include <string.h>
/* The areas above a falling grey level form a tree: two that are apart at one
 * level are one below it (component trees: Jones, Comput. Vis. Image Underst.
 * 75, 215, 1999).  From the leaves to the root each area is compared with what
 * was chosen inside it, and with its own parts cut at the necks; the likeness
 * to a nucleus decides (contour-area.c), weighted by area.  So no threshold
 * is common to dark and pale nuclei. */

enum { LEVELS = 32, MOST_THREADS = 8 };
/* Middles of the parts are this far apart, in radii. */
static const double apart[] = { 1.0, 0.7 };
#define SMOOTH_DISTANCE 0.15   /* radii */
#define LEAST_DEPTH 0.25       /* radii: of the middle of a part */
/* Typical nuclei in an area that is looked at, whole or in parts, at most; and
 * VG_CONTOUR_AREA_REACH: what is chosen at a place does not hang on what lies
 * far away, so that tiles agree. */
#define MOST_PARTS 8.0
#define LEAST_ADMITTED 2.0     /* at a sensitivity of one half */
#define SHARED_PIXELS ((gsize) 1 << 26)

/* What was chosen in an area of the level above. */
typedef struct
{
  gsize pixel;             /* of the area */
  double value;
  GPtrArray *areas;        /* of VgContourArea */
} Choice;

static void
choice_clear (gpointer data)
{
  g_clear_pointer (&((Choice *) data)->areas, g_ptr_array_unref);
}

/* A level's areas and their parts. */
typedef struct
{
  gint32 *labels;
  int n;
  gint32 *local;                              /* n; 0: too large or too long to be looked at */
  VgContourArea **whole;                      /* n; NULL: not local, or too large for a nucleus */
  gint32 *parts[G_N_ELEMENTS (apart)];
  int n_parts[G_N_ELEMENTS (apart)];
  VgContourArea **part[G_N_ELEMENTS (apart)];
  gint32 *owner[G_N_ELEMENTS (apart)];        /* of each part */
} Level;

/* ---- One level ---- */

static gint32 *
find_local (const VgContourLook *look, const gint32 *labels, int n)
{
  g_autofree VgContourBox *boxes = g_new0 (VgContourBox, n + 1);   /* the width and height are right and bottom here */
  g_autofree gsize *sizes = g_new0 (gsize, n + 1);
  gint32 *local = g_new0 (gint32, n + 1);

  for (int k = 0; k <= n; k++)
    boxes[k].x = boxes[k].y = G_MAXINT;
  for (int y = 0; y < look->height; y++)
    for (int x = 0; x < look->width; x++)
      {
        gint32 label = labels[(gsize) y * (gsize) look->width + (gsize) x];
        VgContourBox *box = &boxes[label];

        if (label == 0)
          continue;
        sizes[label]++;
        *box = (VgContourBox) { MIN (box->x, x), MIN (box->y, y), MAX (box->width, x), MAX (box->height, y) };
      }
  for (int k = 1; k <= n; k++)
    local[k - 1] = (double) sizes[k] <= MOST_PARTS * look->typical
                   && MAX (boxes[k].width - boxes[k].x, boxes[k].height - boxes[k].y) < VG_CONTOUR_AREA_REACH * look->radius;
  return local;
}

/* The areas that may be better in parts, cut at the watersheds of the distance inside. */
static void
cut_level (const VgContourLook *look, Level *level)
{
  int width = look->width, height = look->height;
  gsize n = (gsize) width * (gsize) height;
  g_autofree guint8 *mask = g_malloc (n);
  g_autofree float *distance = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    {
      gint32 label = level->labels[i];

      mask[i] = label > 0 && level->local[label - 1]
                && (level->whole[label - 1] == NULL || !vg_contour_area_is_whole (level->whole[label - 1]));
    }
  vg_contour_distance (mask, distance, width, height);
  vg_contour_gaussian (distance, width, height, SMOOTH_DISTANCE * look->radius);
  for (guint k = 0; k < G_N_ELEMENTS (apart); k++)
    {
      g_autoptr (GArray) peaks = vg_contour_peaks (distance, width, height, (float) LEAST_DEPTH * look->radius, apart[k] * look->radius);
      g_autofree int *middles = g_new0 (int, level->n + 1);

      level->parts[k] = g_new0 (gint32, n);
      level->n_parts[k] = (int) peaks->len;
      level->owner[k] = g_new0 (gint32, peaks->len + 1);
      for (guint p = 0; p < peaks->len; p++)
        {
          const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, p);
          gsize i = (gsize) peak->y * (gsize) width + (gsize) peak->x;

          level->parts[k][i] = (gint32) p + 1;
          level->owner[k][p] = level->labels[i];
          middles[level->labels[i]]++;
        }
      vg_contour_flood (distance, mask, level->parts[k], width, height);
      for (guint p = 0; p < peaks->len; p++)   /* one part is no part */
        if (middles[level->owner[k][p]] < 2)
          level->owner[k][p] = 0;
      level->part[k] = vg_contour_areas_measure (look, level->parts[k], level->n_parts[k], level->owner[k]);
    }
}

static Level *
level_new (const VgContourLook *look, float grey)
{
  Level *self = g_new0 (Level, 1);
  gsize n = (gsize) look->width * (gsize) look->height, above = 0;
  g_autofree guint8 *mask = g_malloc (n);

  for (gsize i = 0; i < n; i++)
    above += mask[i] = look->grey[i] > grey;
  if (above == 0)   /* glass: a slide has much of it */
    {
      self->labels = g_new0 (gint32, n);
      return self;
    }
  vg_contour_clean (mask, look->width, look->height, (int) look->typical, (int) (VG_CONTOUR_LEAST_AREA * look->typical));
  self->n = vg_contour_components (mask, &self->labels, look->width, look->height);
  self->local = find_local (look, self->labels, self->n);
  self->whole = vg_contour_areas_measure (look, self->labels, self->n, self->local);
  cut_level (look, self);
  return self;
}

static void
free_areas (VgContourArea **areas, int n)
{
  for (int i = 0; i < n; i++)
    vg_contour_area_free (areas[i]);
  g_free (areas);
}

static void
level_free (Level *self)
{
  free_areas (self->whole, self->n);
  for (guint k = 0; k < G_N_ELEMENTS (apart); k++)
    {
      free_areas (self->part[k], self->n_parts[k]);
      g_free (self->parts[k]);
      g_free (self->owner[k]);
    }
  g_free (self->local);
  g_free (self->labels);
  g_free (self);
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

/* Starts each area's choice with what was chosen inside it. */
static GArray *
gather (const Level *level, GArray *above, gsize pixels)
{
  GArray *choices = g_array_sized_new (FALSE, TRUE, sizeof (Choice), (guint) level->n);

  g_array_set_clear_func (choices, choice_clear);
  g_array_set_size (choices, (guint) level->n);
  for (gsize i = pixels; i-- > 0;)
    if (level->labels[i] > 0)
      g_array_index (choices, Choice, level->labels[i] - 1).pixel = i;
  for (guint c = 0; c < choices->len; c++)
    g_array_index (choices, Choice, c).areas = areas_new ();
  for (guint c = 0; c < above->len; c++)
    {
      Choice *from = &g_array_index (above, Choice, c);
      gint32 label = level->labels[from->pixel];
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

/* Takes the level's areas, or their parts, where they look better. */
static GArray *
descend (Level *level, GArray *above, gsize pixels)
{
  GArray *choices = gather (level, above, pixels);
  g_autofree double *values = g_new (double, level->n + 1);

  for (int i = 0; i < level->n; i++)
    {
      Choice *choice = &g_array_index (choices, Choice, i);
      double own = level->whole[i] != NULL ? level->whole[i]->likeness * level->whole[i]->area : 0.0;

      if (own < choice->value || own <= 0.0)
        continue;
      replace (choice, own);
      take (choice, &level->whole[i]);
    }
  for (guint k = 0; k < G_N_ELEMENTS (apart); k++)
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
  return (int) CLAMP (SHARED_PIXELS / MAX (pixels, 1), 1, MIN (g_get_num_processors (), MOST_THREADS));
}

static int
by_admission (gconstpointer a, gconstpointer b)
{
  const VgContourArea *p = *(VgContourArea *const *) a, *q = *(VgContourArea *const *) b;

  if (p->admission != q->admission)
    return p->admission > q->admission ? -1 : 1;
  return p->box.y != q->box.y ? p->box.y - q->box.y : p->box.x - q->box.x;
}

/* The sure ones of what was chosen, as seeds and labels. */
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
            labels[(gsize) (area->box.y + y) * (gsize) look->width + (gsize) (area->box.x + x)] = (gint32) i + 1;
      g_array_append_val (seeds, seed);
    }
  return seeds;
}

GArray *
vg_contour_areas (const float *grey, const VgContourForeground *foreground, float sensitivity, gint32 **labels)
{
  gsize pixels = (gsize) foreground->width * (gsize) foreground->height;
  VgContourLook look;
  GArray *choices = g_array_new (FALSE, FALSE, sizeof (Choice)), *seeds;

  *labels = g_new0 (gint32, pixels);
  g_array_set_clear_func (choices, choice_clear);
  vg_contour_look_init (&look, grey, foreground);
  if (foreground->contrast > 1e-3f)
    {
      /* levels are measured side by side and taken in their order */
#pragma omp parallel for ordered schedule(dynamic) num_threads(vg_contour_areas_threads (pixels))
      for (int k = LEVELS; k >= 1; k--)
        {
          Level *level = level_new (&look, (float) k / (LEVELS + 1));

#pragma omp ordered
          choices = descend (level, choices, pixels);
          level_free (level);
        }
    }
  seeds = collect (&look, choices, LEAST_ADMITTED * 4.0f * (1.0f - sensitivity) * (1.0f - sensitivity), *labels);
  g_array_unref (choices);
  vg_contour_look_clear (&look);
  return seeds;
}
