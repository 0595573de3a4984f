/* SPDX-License-Identifier: MIT */
/* The movie of a batch run: of the map that the preview shows. */
#include "app/batch/vg-batch-private.h"

gboolean
vg_batch_open_movie (VgBatch *self, GError **error)
{
  const VgBatchJob *job = self->job;

  if (job->options == NULL || job->options->movie == NULL)
    return TRUE;
  self->scene = (VgMovieScene){ .output = job->preview_output,
                                .display = job->display,
                                .slice = job->options->slice,
                                .as_stored = job->as_stored,
                                .annotations = job->options->annotations,
                                .regions = job->regions };
  self->movie = vg_movie_new (job->options->movie, &self->scene, self->operation, job->inputs,
                              error);
  return self->movie != NULL;
}

gboolean
vg_batch_film_frame (VgBatch *self, VgFrame *frame, GError **error)
{
  return self->movie == NULL || vg_movie_add (self->movie, self->work, frame, error);
}

static gboolean
is_evolution (VgBatch *self)
{
  return self->movie != NULL && self->operation->view.step_param != NULL;
}

gboolean
vg_batch_film_step (VgBatch *self, GError **error)
{
  return !is_evolution (self) || vg_movie_add (self->movie, self->work, NULL, error);
}

gboolean
vg_batch_film_whole (VgBatch *self, GError **error)
{
  if (self->movie == NULL)
    return TRUE;
  return is_evolution (self)
             ? vg_movie_add (self->movie, self->work, NULL, error)
             : vg_movie_add_series (self->movie, self->work, self->job->cancellable, error);
}
