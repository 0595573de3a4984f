/* SPDX-License-Identifier: MIT */
#include "app/movie/vg-movie-moment.h"
#include <string.h>
#include "app/session/vg-display.h"

static gsize
count (const VgPlane *plane)
{
  return (gsize) plane->width * (gsize) plane->height * (gsize) MAX (plane->slices, 1);
}

/* The map that dims that of INDEX. */
static gboolean
read_brightness (VgMovieMoment *self, VgWork *work, const VgWorkViewSpec *spec, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const char *id = spec->display->brightness
                       ? vg_operation_get_role (operation, VG_ROLE_BRIGHTNESS, spec->output->id)
                       : NULL;
  GError *local = NULL;
  gsize capacity = 0;

  for (guint i = 0; id != NULL && i < operation->n_outputs; i++)
    if (g_str_equal (operation->outputs[i].id, id) &&
        vg_work_read_output (work, i, &self->brightness, &self->brightness_values, &capacity,
                             &local))
      self->view.map.brightness = &self->brightness;
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* Copies outlines I, whose samples may be ours already. */
static gboolean
keep_outlines (VgMovieMoment *self, guint i, VgOutlines *outlines, GError **error)
{
  gsize n = (gsize) outlines->values.width;

  if (outlines->n == 0)
    return TRUE;
  self->outline_items[i] = g_memdup2 (outlines->items, sizeof *outlines->items * outlines->n);
  outlines->items = self->outline_items[i];
  if (outlines->values.data == self->view.samples || n == 0)
    return TRUE;
  self->outline_values[i] = g_try_new (float, n);
  if (self->outline_values[i] == NULL)
    return vg_map_picture_set_no_memory (error);
  memcpy (self->outline_values[i], outlines->values.data, n * sizeof (float));
  outlines->values.data = self->outline_values[i];
  return TRUE;
}

/* Copies what the work has lent. */
static gboolean
keep (VgMovieMoment *self, GError **error)
{
  VgWorkView *view = &self->view;

  if (!keep_outlines (self, 0, &view->outlines, error) ||
      !keep_outlines (self, 1, &view->compared, error))
    return FALSE;
  if (view->map.limits_mask != NULL && view->marks == NULL)
    {
      gsize n = count (&view->labels);

      self->label_values = g_try_new (float, n);
      if (self->label_values == NULL)
        return vg_map_picture_set_no_memory (error);
      memcpy (self->label_values, view->labels.data, n * sizeof (float));
      view->labels.data = self->label_values;
    }
  return TRUE;
}

VgMovieMoment *
vg_movie_moment_new (VgWork *work, const VgWorkViewSpec *spec, GError **error)
{
  VgMovieMoment *self = g_new0 (VgMovieMoment, 1);
  guint generation = vg_work_get_generation (work);
  GError *local = NULL;
  gsize capacity = 0;

  if (vg_work_read_output (work, spec->index, &self->plane, &self->values, &capacity, &local) &&
      vg_work_view_fill (&self->view, work, spec, &self->plane, &local) &&
      read_brightness (self, work, spec, &local) && keep (self, &local) &&
      vg_work_get_generation (work) == generation)
    return self;
  if (local != NULL)
    vg_work_recover (work, local, error);
  vg_movie_moment_free (self);
  return NULL;
}

void
vg_movie_moment_free (VgMovieMoment *self)
{
  if (self == NULL)
    return;
  vg_work_view_clear (&self->view);
  g_free (self->values);
  g_free (self->brightness_values);
  for (guint i = 0; i < G_N_ELEMENTS (self->outline_items); i++)
    {
      g_free (self->outline_values[i]);
      g_free (self->outline_items[i]);
    }
  g_free (self->label_values);
  g_free (self->label);
  g_free (self);
}

gsize
vg_movie_moment_bytes (const VgMovieMoment *self)
{
  gsize n = count (&self->plane) * sizeof (float);

  return n + (self->brightness_values != NULL ? n : 0) +
         (self->view.underlay != NULL ? 2 * count (&self->plane) * 4 : 0);
}

/* The samples of all MOMENTS, or of what dims them, one after the other. */
static float *
join (GPtrArray *moments, gboolean brightness_values)
{
  const VgMovieMoment *first = moments->pdata[0];
  gsize n = count (&first->plane);
  float *joined = g_try_new (float, n * moments->len);

  for (guint i = 0; joined != NULL && i < moments->len; i++)
    {
      const VgMovieMoment *moment = moments->pdata[i];

      memcpy (joined + n * i, brightness_values ? moment->brightness_values : moment->values,
              n * sizeof (float));
    }
  return joined;
}

gboolean
vg_movie_moments_fix_limits (GPtrArray *moments, const VgOutput *output, VgDisplay *display,
                             GError **error)
{
  const VgMovieMoment *first = moments->pdata[0];
  gboolean alone = moments->len == 1, dimmed = TRUE;
  g_autofree float *values = NULL, *brightness_values = NULL;
  VgPlane plane = first->plane, brightness = first->brightness;
  VgStatistics statistics;
  VgColoring coloring;
  double limits[2];

  for (guint i = 0; i < moments->len; i++)
    dimmed = dimmed && ((const VgMovieMoment *) moments->pdata[i])->brightness_values != NULL;
  if (!alone)
    {
      values = join (moments, FALSE);
      brightness_values = dimmed ? join (moments, TRUE) : NULL;
      if (values == NULL || (dimmed && brightness_values == NULL))
        return vg_map_picture_set_no_memory (error);
      plane.data = values;
      brightness.data = brightness_values;
      plane.slices = brightness.slices = MAX (plane.slices, 1) * (int) moments->len;
    }
  vg_map_picture_measure (&plane, output, dimmed ? &brightness : NULL,
                          alone ? first->view.map.limits_mask : NULL, &statistics, limits);
  vg_display_get_coloring (display, output, &statistics, &coloring);
  display->auto_limits = FALSE;
  display->low = coloring.low;
  display->high = coloring.high;
  return TRUE;
}
