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

enum { LEVELS = 32, MOST_THREADS = 16 };
/* Middles of the parts are this far apart, in radii. */
static const double apart[] = { 1.0, 0.7 };
#define SMOOTH_DISTANCE 0.15   /* radii */
#define LEAST_DEPTH 0.25       /* radii: of the middle of a part */
/* Typical nuclei in an area that is looked at, whole or in parts, at most; and
 * VG_CONTOUR_AREA_REACH: what is chosen at a place does not hang on what lies
 * far away, so that tiles agree. */
#define MOST_PARTS 8.0
#define LEAST_ADMITTED 2.0     /* at a sensitivity of one half */
#define SHARED_BYTES ((gsize) 3 << 30)

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
  gint32 *labels;                             /* borrowed; NULL: no area */
  int n;
  GArray *boxes;                              /* of VgContourPart */
  VgContourArea **whole;                      /* n; NULL: too large or too long to be looked at, or too large for a nucleus */
  int n_parts[G_N_ELEMENTS (apart)];
  VgContourArea **part[G_N_ELEMENTS (apart)];
  gint32 *owner[G_N_ELEMENTS (apart)];        /* of each part; 0: it is all of its area */
} Level;

/* The planes of one thread: 14 bytes per pixel; areas, runs and heaps take some more. */
typedef struct
{
  gint32 *labels, *parts;
  float *distance;
  guint8 *mask, *cut;
} Planes;

static void
planes_init (Planes *self, gsize n)
{
  *self = (Planes) { g_new (gint32, n), g_new0 (gint32, n), g_new (float, n), g_malloc (n), g_malloc (n) };
}

static void
planes_clear (Planes *self)
{
  g_free (self->labels);
  g_free (self->parts);
  g_free (self->distance);
  g_free (self->mask);
  g_free (self->cut);
}

/* ---- One level ---- */

static const VgContourPart *
box_of (const Level *level, int i)
{
  return &g_array_index (level->boxes, VgContourPart, i);
}

static void
mark (const VgContourLook *look, const Level *level, int i, guint8 *mask)
{
  const VgContourPart *box = box_of (level, i);

  for (int y = box->top; y < box->bottom; y++)
    for (int x = box->left; x < box->right; x++)
      {
        gsize k = (gsize) y * (gsize) look->width + (gsize) x;

        if (level->labels[k] == i + 1)
          mask[k] = 1;
      }
}

/* The boxes of the parts that lie in the areas with more than one. */
static VgContourPart *
measure_parts (const VgContourLook *look, const Level *level, const Planes *planes, const int *middles, int n)
{
  VgContourPart *boxes = g_new0 (VgContourPart, n + 1);

  for (int i = 0; i < level->n; i++)
    for (int y = box_of (level, i)->top; y < box_of (level, i)->bottom && middles[i] > 1; y++)
      for (int x = box_of (level, i)->left; x < box_of (level, i)->right; x++)
        {
          gsize k = (gsize) y * (gsize) look->width + (gsize) x;
          VgContourPart *part = planes->parts[k] > 0 && level->labels[k] == i + 1 ? &boxes[planes->parts[k] - 1] : NULL;

          if (part == NULL)
            continue;
          if (part->size == 0)
            *part = (VgContourPart) { x, y, x, y, 0, k };
          part->left = MIN (part->left, x);
          part->right = MAX (part->right, x + 1);
          part->bottom = y + 1;
          part->size++;
        }
  return boxes;
}

/* Cuts at the watersheds of the distance between middles that far apart. */
static void
cut_apart (const VgContourLook *look, Level *level, const Planes *planes, guint k)
{
  int width = look->width, height = look->height;
  g_autoptr (GArray) peaks = vg_contour_peaks (planes->distance, width, height, (float) LEAST_DEPTH * look->radius, apart[k] * look->radius);
  g_autofree int *middles = g_new0 (int, level->n + 1);
  g_autofree VgContourPart *boxes = NULL;

  level->n_parts[k] = (int) peaks->len;
  level->owner[k] = g_new0 (gint32, peaks->len + 1);
  memset (planes->cut, 0, (gsize) width * (gsize) height);
  for (guint p = 0; p < peaks->len; p++)
    {
      const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, p);

      level->owner[k][p] = level->labels[(gsize) peak->y * (gsize) width + (gsize) peak->x];
      if (level->owner[k][p] > 0)
        middles[level->owner[k][p] - 1]++;
    }
  for (int i = 0; i < level->n; i++)
    if (middles[i] > 1)
      mark (look, level, i, planes->cut);
  for (guint p = 0; p < peaks->len; p++)
    {
      const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, p);

      if (level->owner[k][p] > 0 && middles[level->owner[k][p] - 1] > 1)
        planes->parts[(gsize) peak->y * (gsize) width + (gsize) peak->x] = (gint32) p + 1;
      else
        level->owner[k][p] = 0;   /* one part is no part */
    }
  vg_contour_flood (planes->distance, planes->cut, planes->parts, width, height);
  boxes = measure_parts (look, level, planes, middles, level->n_parts[k]);
  level->part[k] = vg_contour_areas_measure (look, planes->parts, boxes, level->n_parts[k], level->owner[k]);
  for (int i = 0; i < level->n; i++)
    for (int y = box_of (level, i)->top; y < box_of (level, i)->bottom && middles[i] > 1; y++)
      memset (planes->parts + (gsize) y * (gsize) width + box_of (level, i)->left, 0,
              sizeof *planes->parts * (gsize) (box_of (level, i)->right - box_of (level, i)->left));
}

/* The areas that may be better in parts, cut at the watersheds of the distance inside. */
static void
cut_level (const VgContourLook *look, Level *level, const Planes *planes, const gint32 *local)
{
  int any = 0;

  memset (planes->mask, 0, (gsize) look->width * (gsize) look->height);
  for (int i = 0; i < level->n; i++)
    if (local[i] && (level->whole[i] == NULL || !vg_contour_area_is_whole (level->whole[i])))
      {
        mark (look, level, i, planes->mask);
        any++;
      }
  if (any == 0)
    return;
  vg_contour_distance (planes->mask, planes->distance, look->width, look->height);
  vg_contour_gaussian (planes->distance, look->width, look->height, SMOOTH_DISTANCE * look->radius);
  for (guint k = 0; k < G_N_ELEMENTS (apart); k++)
    cut_apart (look, level, planes, k);
}

static Level *
level_new (const VgContourLook *look, const Planes *planes, float grey)
{
  Level *self = g_new0 (Level, 1);
  gsize n = (gsize) look->width * (gsize) look->height, above = 0;
  g_autofree gint32 *local = NULL;

#pragma omp simd reduction(+ : above)
  for (gsize i = 0; i < n; i++)
    above += planes->mask[i] = look->grey[i] > grey;
  if (above == 0)   /* glass: a slide has much of it */
    return self;
  vg_contour_clean (planes->mask, look->width, look->height, (int) look->typical, (int) (VG_CONTOUR_LEAST_AREA * look->typical));
  self->labels = planes->labels;
  self->boxes = vg_contour_components (planes->mask, planes->labels, look->width, look->height);
  self->n = (int) self->boxes->len;
  local = g_new0 (gint32, self->n + 1);
  for (int i = 0; i < self->n; i++)
    {
      const VgContourPart *box = box_of (self, i);

      local[i] = (double) box->size <= MOST_PARTS * look->typical
                 && MAX (box->right - box->left, box->bottom - box->top) - 1 < VG_CONTOUR_AREA_REACH * look->radius;
    }
  self->whole = vg_contour_areas_measure (look, self->labels, box_of (self, 0), self->n, local);
  cut_level (look, self, planes, local);
  return self;
}

static void
free_areas (VgContourArea **areas, int n)
{
  for (int i = 0; i < n && areas != NULL; i++)
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
      g_free (self->owner[k]);
    }
  g_clear_pointer (&self->boxes, g_array_unref);
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
gather (const Level *level, GArray *above)
{
  GArray *choices = g_array_sized_new (FALSE, TRUE, sizeof (Choice), (guint) level->n);

  g_array_set_clear_func (choices, choice_clear);
  g_array_set_size (choices, (guint) level->n);
  for (guint c = 0; c < choices->len; c++)
    {
      g_array_index (choices, Choice, c).pixel = box_of (level, (int) c)->first;
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

/* Takes the level's areas, or their parts, where they look better. */
static GArray *
descend (Level *level, GArray *above)
{
  GArray *choices = gather (level, above);
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
  return (int) CLAMP (SHARED_BYTES / VG_CONTOUR_AREA_BYTES / MAX (pixels, 1), 1, MIN (g_get_num_processors (), MOST_THREADS));
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
#pragma omp parallel num_threads(vg_contour_areas_threads (pixels))
      {
        Planes planes;

        planes_init (&planes, pixels);
#pragma omp for ordered schedule(dynamic)
        for (int k = LEVELS; k >= 1; k--)
          {
            Level *level = level_new (&look, &planes, (float) k / (LEVELS + 1));

#pragma omp ordered
            choices = descend (level, choices);
            level_free (level);
          }
        planes_clear (&planes);
      }
    }
  seeds = collect (&look, choices, LEAST_ADMITTED * 4.0f * (1.0f - sensitivity) * (1.0f - sensitivity), *labels);
  g_array_unref (choices);
  vg_contour_look_clear (&look);
  return seeds;
}
