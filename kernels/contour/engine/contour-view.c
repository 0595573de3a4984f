/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/shapes/contour-outline.h"
#include "kernels/contour/engine/contour-report.h"
#include "kernels/contour/engine/contour-run.h"
#include <math.h>
#include <string.h>
/* Planes and numbers of a run. */

/* Of a typical nucleus. */
#define WATERSHED_LEAST 0.1

enum { MORE_ITERATIONS = 150 }; /* that are proposed where contours have not settled */

/* ---- Planes ---- */

static float
phi_at (const VgContourObject *object, int x, int y)
{
  return object->phi[(gsize) (y - object->tile.y) * (gsize) object->tile.width +
                     (gsize) (x - object->tile.x)];
}

/* Draws object numbers; where objects overlap, that of the one whose outline is farther away. */
static void
draw_labels (const VgContourRun *self, float *plane)
{
  const VgContourScene *scene = self->scene;
  gsize n = (gsize) scene->width * (gsize) scene->height;

  memset (plane, 0, n * sizeof *plane);
  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);
      const VgContourBox *box = &object->state.box;

      for (int y = object->tile.y + box->y; y < object->tile.y + box->y + box->height; y++)
        for (int x = object->tile.x + box->x; x < object->tile.x + box->x + box->width; x++)
          {
            float *there = &plane[(gsize) y * (gsize) scene->width + (gsize) x],
                  phi = phi_at (object, x, y);

            if (phi > 0.0f &&
                (*there <= 0.0f ||
                 phi > phi_at (vg_contour_scene_object (scene, (guint) *there - 1), x, y)))
              *there = (float) (i + 1);
          }
    }
  for (gsize k = 0; k < n; k++)
    if (plane[k] > 0.0f)
      plane[k] = (float) vg_contour_scene_object (scene, (guint) plane[k] - 1)->id;
}

static void
draw_overlap (const VgContourRun *self, float *plane)
{
  const VgContourScene *scene = self->scene;

  memset (plane, 0, sizeof (float) * (gsize) scene->width * (gsize) scene->height);
  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);
      const VgContourBox *box = &object->state.box;

      for (int y = object->tile.y + box->y; y < object->tile.y + box->y + box->height; y++)
        for (int x = object->tile.x + box->x; x < object->tile.x + box->x + box->width; x++)
          plane[(gsize) y * (gsize) scene->width + (gsize) x] += phi_at (object, x, y) > 0.0f;
    }
}

/* Seeds beside the stained area own slivers only; these are left to their neighbours by a second
 * watershed.  FALSE: no memory. */
static gboolean
draw_watershed (const VgContourRun *self, float *plane)
{
  const gsize n = (gsize) self->info.width * (gsize) self->info.height;
  const double least = WATERSHED_LEAST * G_PI * self->foreground->radius * self->foreground->radius;
  g_autoptr (GArray) seeds = g_array_copy (self->wanted);
  VgContourPoint *points = (VgContourPoint *) (void *) seeds->data;
  g_autofree gint32 *labels = vg_contour_watershed (self->foreground, points, seeds->len),
                    *again = NULL;
  g_autofree guint *areas = g_new0 (guint, seeds->len + 1);

  if (labels == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    areas[MAX (labels[i], 0)]++;
  for (guint k = 0; k < seeds->len; k++)
    if (areas[k + 1] < least)
      points[k].x = -1.0; /* no pixel's */
  g_clear_pointer (&labels, g_free);
  again = vg_contour_watershed (self->foreground, points, seeds->len);
  for (gsize i = 0; i < n && again != NULL; i++)
    plane[i] = MAX (again[i], 0);
  return again != NULL;
}

static gboolean
has_output (const VgContourRun *self, guint i)
{
  switch (i)
    {
    case VG_CONTOUR_OUTPUT_ARTEFACTS:
      return self->artefacts->matters != NULL;
    case VG_CONTOUR_OUTPUT_HAEMATOXYLIN:
    case VG_CONTOUR_OUTPUT_DAB:
      return vg_contour_positive_is_on (&self->params, &self->info);
    default:
      return i < VG_CONTOUR_OUTPUT_CONTOURS;
    }
}

/* Draws output I; FALSE: the device failed, or memory is short. */
static gboolean
draw_plane (VgContourRun *self, guint i, float *plane, GError **error)
{
  switch (i)
    {
    case VG_CONTOUR_OUTPUT_LABELS:
      draw_labels (self, plane);
      return TRUE;
    case VG_CONTOUR_OUTPUT_OVERLAP:
      draw_overlap (self, plane);
      return TRUE;
    case VG_CONTOUR_OUTPUT_STAIN:
      return TRUE;
    case VG_CONTOUR_OUTPUT_WATERSHED:
      return draw_watershed (self, plane) ||
             vg_contour_no_memory (self->info.width, self->info.height, error);
    case VG_CONTOUR_OUTPUT_ARTEFACTS:
      vg_contour_artefacts_draw (self->artefacts, 0, 0, self->info.width, self->info.height, plane,
                                 (gsize) self->info.width);
      return TRUE;
    default:
      if (!vg_contour_run_fetch (self, error))
        return FALSE;
      draw_labels (self, plane);
      self->measure = i;
      return vg_contour_run_draw_measure (self, i, plane, error);
    }
}

gboolean
vg_contour_run_plane (gpointer data, guint i, VgPlane *plane, GError **error)
{
  VgContourRun *self = data;
  gboolean valid;
  guint at = vg_contour_run_plane_of (self, i, &valid);

  if (!has_output (self, i))
    return FALSE;
  if (!valid)
    self->plane_valid[at] = draw_plane (self, i, self->planes[at], error);
  if (!self->plane_valid[at])
    return FALSE;
  *plane = (VgPlane){ .place = VG_HOST,
                      .data = i == VG_CONTOUR_OUTPUT_STAIN ? self->stain : self->planes[at],
                      .width = self->info.width,
                      .height = self->info.height,
                      .slices = 1,
                      .pixel_size = { self->info.pixel_size[0], self->info.pixel_size[1] } };
  memcpy (plane->unit, self->info.pixel_unit, sizeof plane->unit);
  return TRUE;
}

/* ---- Classes ---- */

gboolean
vg_contour_run_classes (VgContourRun *self, const VgContourCounts **counts, GError **error)
{
  g_autoptr (GPtrArray) masks = NULL;
  g_autofree VgContourPositive *positives = NULL;
  const VgContourCounts *unused;

  counts = counts != NULL ? counts : &unused;
  *counts = NULL;
  if (!vg_contour_positive_is_on (&self->params, &self->info) || !self->standing.finished)
    return TRUE;
  if (!self->counted)
    {
      if (!vg_contour_run_fetch (self, error))
        return FALSE;
      masks = vg_contour_masks_of_scene (self->scene);
      if (masks == NULL)
        return TRUE;
      positives = g_new (VgContourPositive, masks->len + 1);
#pragma omp parallel for schedule(dynamic) num_threads(self->scene->threads)
      for (guint k = 0; k < masks->len; k++)
        positives[k] = vg_contour_positive_measure (vg_contour_mask_at (masks, k), self->picture,
                                                    &self->scale, &self->params);
      memset (&self->counts, 0, sizeof self->counts);
      if (self->grades == NULL)
        self->grades = g_array_new (FALSE, TRUE, sizeof (guint8));
      g_array_set_size (self->grades, 0); /* so that what follows is cleared */
      for (guint k = 0; k < masks->len; k++)
        {
          guint id = vg_contour_mask_at (masks, k)->object->id;

          if (id >= self->grades->len)
            g_array_set_size (self->grades, id + 1);
          g_array_index (self->grades, guint8, id) = (guint8) positives[k].grade;
          vg_contour_counts_count (&self->counts, &positives[k]);
        }
      self->counted = TRUE;
    }
  *counts = &self->counts;
  return TRUE;
}

/* The class of object ID, if it is known. */
static VgOutlineLook
look_of_class (const VgContourRun *self, guint id)
{
  return self->counted && id < self->grades->len
             ? vg_contour_class_look (g_array_index (self->grades, guint8, id))
             : VG_OUTLINE_NUMBERED;
}

/* ---- Outlines ---- */

VgOutline
vg_contour_outline_of (const VgContourRun *self, const VgContourScore *score,
                       const VgContourObject *object, gsize offset)
{
  const VgContourBox *tile = &object->tile, *box = &object->state.box;

  return (VgOutline){ tile->x + box->x,
                      tile->y + box->y,
                      box->width,
                      box->height,
                      (guint32) (offset + (gsize) box->y * (gsize) tile->width + (gsize) box->x),
                      (guint32) tile->width,
                      object->id,
                      self->standing.finished ||
                          !vg_contour_is_moving (&self->scene->weights, object->state.moving,
                                                 object->state.age),
                      score != NULL ? vg_contour_score_find (score, object->id).look
                                    : look_of_class (self, object->id) };
}

gboolean
vg_contour_run_outlines (gpointer data, VgOutlines *outlines, GError **error)
{
  VgContourRun *self = data;
  const VgContourScene *scene = self->scene;
  const VgContourScore *score;
  gsize n = 0;

  if (!vg_contour_run_score (self, FALSE, &score, error) ||
      !vg_contour_run_classes (self, NULL, error))
    return FALSE;
  for (guint i = 0; i < scene->objects->len; i++)
    n += (gsize) vg_contour_scene_object (scene, i)->state.box.width *
         (gsize) vg_contour_scene_object (scene, i)->state.box.height;
  if (n > G_MAXINT / sizeof (float))
    return FALSE;
  if (n > self->outline_room)
    {
      g_free (self->outline_values);
      self->outline_values = g_try_new (float, n);
      self->outline_room = self->outline_values != NULL ? n : 0;
      if (self->outline_values == NULL)
        return vg_contour_no_memory (self->info.width, self->info.height, error);
    }
  if (self->outlines == NULL)
    self->outlines = g_array_new (FALSE, FALSE, sizeof (VgOutline));
  g_array_set_size (self->outlines, 0);
  n = 0;
  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);
      const VgContourBox *box = &object->state.box;
      VgOutline outline = vg_contour_outline_of (self, score, object, 0);
      const float *first = object->phi + outline.offset;

      if (box->width < 1 || box->height < 1)
        continue;
      outline.offset = (guint32) n;
      outline.stride = (guint32) box->width;
      for (int y = 0; y < box->height; y++, n += (gsize) box->width)
        memcpy (self->outline_values + n, first + (gsize) y * (gsize) object->tile.width,
                sizeof *first * (gsize) box->width);
      g_array_append_val (self->outlines, outline);
    }
  *outlines = (VgOutlines){
    (const VgOutline *) (const void *) self->outlines->data,
    self->outlines->len,
    { .place = VG_HOST, .data = self->outline_values, .width = (int) n, .height = 1, .slices = 1 },
    scene->width,
    scene->height
  };
  return self->outlines->len > 0;
}

/* ---- Numbers ---- */

static const char *
advice_on_seeds (const VgContourRun *self)
{
  if (self->wanted->len == 0 && self->without_area > 0)
    return "No polygon in the seed file has an area; a polygon that crosses itself has none. Use "
           "simple polygons or points.";
  if (self->wanted->len == 0)
    return "No seed was found. Raise Sensitivity, add seeds by hand, or choose a seed file.";
  if (self->standing.left_out > 0)
    return "The whole image as a grid allows 16 nuclei; the others were ignored. Set Grid to A "
           "tile per nucleus.";
  if (self->without_area > 0)
    return "Polygons without area in the seed file were ignored. Use simple polygons or points.";
  return self->standing.outside > 0 ? "Seeds outside the image were ignored. Check that the "
                                      "positions in the seed file are in pixels of this image."
                                    : NULL;
}

/* Counts the seeds set by hand whose contours were lost. */
static void
add_lost_seeds (const VgContourRun *self, VgMetrics *metrics)
{
  const VgTable *added = self->params.added;
  const VgContourObject *first = NULL;
  g_autofree char *advice = NULL;
  guint n = 0;

  for (guint i = 0; i < self->scene->dropped->len && added != NULL; i++)
    {
      const VgContourObject *object = self->scene->dropped->pdata[i];

      for (int r = 0; r < added->rows; r++)
        if (added->values[2 * r] == object->seed_x && added->values[2 * r + 1] == object->seed_y)
          {
            first = first == NULL ? object : first;
            n++;
            break;
          }
    }
  if (n == 0)
    return;
  advice = g_strdup_printf (
      "The contour of the seed added at %.0f, %.0f was removed: it %s.", first->seed_x,
      first->seed_y,
      first->loss & VG_CONTOUR_FAINT
          ? "hardly differs from its surroundings. Lower Minimum contrast, or move the seed"
      : first->loss & VG_CONTOUR_MERGED ? "lies within another contour. Move the seed"
      : first->loss & VG_CONTOUR_LARGE  ? "is too large. Raise Maximum size, or move the seed"
      : first->loss & VG_CONTOUR_RAGGED
          ? "is not solid enough. Lower Minimum solidity, or move the seed"
          : "dissolved. Move the seed, or lower Minimum size");
  vg_metrics_add (metrics, "seeds_lost", "Added seeds without a nucleus", "", n, advice);
}

/* Mean area in pixels: of the outlines at the end; while contours move, of H, which differs by some
 * thousandths and needs no samples. */
static double
mean_area (VgContourRun *self)
{
  const VgContourScene *scene = self->scene;
  g_autofree double *areas = g_new (double, scene->objects->len + 1);
  double sum = 0.0;
  guint n = 0;

  if (self->standing.finished && self->measured)
    return self->mean_area;
#pragma omp parallel for schedule(dynamic) num_threads(scene->threads) if (self->standing.finished)
  for (guint i = 0; i < scene->objects->len; i++)
    areas[i] = self->standing.finished
                   ? vg_contour_outline_area (vg_contour_scene_object (scene, i), self->info.width,
                                              self->info.height)
                   : (double) vg_contour_scene_object (scene, i)->state.area / VG_CONTOUR_UNIT;
  for (guint i = 0; i < scene->objects->len; i++)
    {
      sum += areas[i];
      n += areas[i] > 0.0;
    }
  self->measured = TRUE;
  return self->mean_area = n > 0 ? sum / n : NAN;
}

gboolean
vg_contour_run_results (gpointer data, VgMetrics *metrics, GError **error)
{
  VgContourRun *self = data;
  const VgContourScene *scene = self->scene;
  VgContourPosition place = vg_contour_position_of (&self->info, &self->scale);
  const VgContourCounts *counts = NULL;
  const VgContourScore *score;

  vg_metrics_add (metrics, "objects", "Nuclei", "", scene->objects->len, NULL);
  /* after an edit contours may do as many iterations again */
  vg_metrics_add (metrics, "iterations",
                  scene->iteration > (guint64) self->params.iterations ? "Total iterations"
                                                                       : "Iterations",
                  "", (double) scene->iteration, NULL);
  vg_contour_add_moving (
      metrics,
      self->standing.finished ? self->standing.cut_off : vg_contour_scene_count_moving (scene),
      self->standing.finished && self->params.iterations > 0 ? vg_contour_scene_count_far (scene)
                                                             : 0,
      scene->objects->len);
  vg_metrics_propose (metrics, "iterations", self->params.iterations + MORE_ITERATIONS);
  vg_contour_add_sizes (metrics, mean_area (self) * place.scale * place.scale, scene->radius,
                        &place);
  if (!vg_contour_run_classes (self, &counts, error))
    return FALSE;
  if (counts != NULL)
    vg_contour_counts_add (counts, metrics);
  vg_contour_add_colourless (metrics, self->params.positivity && self->picture == NULL);
  vg_metrics_add (metrics, "seeds", "Seeds", "", self->wanted->len, advice_on_seeds (self));
  if (self->wanted->len == 0)
    vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  vg_metrics_add_quiet (metrics, "seeds_outside", "Seeds outside the image", "",
                        self->standing.outside, NULL);
  vg_metrics_add_quiet (metrics, "seeds_left_out", "Ignored seeds", "", self->standing.left_out,
                        NULL);
  vg_metrics_add_quiet (metrics, "seeds_double", "Seeds inside another nucleus", "",
                        self->standing.double_seeds, NULL);
  vg_metrics_add_quiet (metrics, "seeds_without_area", "Seed polygons without area", "",
                        self->without_area, NULL);
  vg_contour_add_losses (metrics, &self->standing.losses, self->wanted->len, scene->radius,
                         self->params.radius_px <= 0.0f);
  add_lost_seeds (self, metrics);
  vg_contour_add_matters (metrics, self->matters, scene->objects->len, &place);
  vg_contour_add_stain (metrics, &self->scale);
  vg_contour_add_force (metrics, self->without_net);
  if (self->truth == NULL)
    return TRUE;
  if (!vg_contour_run_score (self, FALSE, &score, error))
    return FALSE;
  if (score != NULL)
    vg_contour_metrics_add (&score->metrics, self->truth->masks->len,
                            self->info.downsample > 0.0 ? 0 : self->truth->beyond, metrics);
  else
    vg_metrics_add (metrics, "true_objects", "Objects in the ground truth", "",
                    self->truth->masks->len,
                    "There is not enough memory to compare the contours with the ground truth. "
                    "Close other programs.");
  return TRUE;
}
