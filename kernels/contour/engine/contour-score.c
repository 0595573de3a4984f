/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-run.h"
#include <string.h>
/* The comparison of the contours with a ground truth.  It reads them, and changes nothing. */

/* While contours evolve, comparisons take at most 1 / SHARE of the time, and 1 / FETCHED_SHARE if
 * samples come from a GPU: a slider that moves just after that stores them on the host. */
enum { SHARE = 20, FETCHED_SHARE = 100 };

void
vg_contour_score_free (VgContourScore *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->verdicts);
  g_free (self);
}

VgContourVerdict
vg_contour_score_find (const VgContourScore *self, guint id)
{
  return self != NULL && id < self->verdicts->len
             ? g_array_index (self->verdicts, VgContourVerdict, id)
             : (VgContourVerdict){ VG_OUTLINE_NUMBERED, 0 };
}

/* Sets the looks of the truth's outlines. */
static void
show (const VgContourTruth *truth, const VgOutlineLook *looks)
{
  for (guint t = 0; t < truth->masks->len && truth->items != NULL; t++)
    truth->items[t].look = looks[t];
}

/* FALSE: no memory. */
static gboolean
compare (VgContourRun *self, const GPtrArray *found)
{
  g_autofree VgContourVerdict *verdicts = g_try_new (VgContourVerdict, found->len + 1);
  g_autofree VgOutlineLook *looks = g_try_new (VgOutlineLook, self->truth->masks->len + 1);
  VgContourScore *score = self->score;
  VgOutlines outlines;

  if (verdicts == NULL || looks == NULL ||
      !vg_contour_metrics (found, self->truth, self->scene->threads, &score->metrics, verdicts,
                           looks))
    return FALSE;
  g_array_set_size (score->verdicts, 0); /* so that what follows is cleared */
  for (guint f = 0; f < found->len; f++)
    {
      guint id = vg_contour_mask_at (found, f)->object->id;

      if (id >= score->verdicts->len)
        g_array_set_size (score->verdicts, id + 1);
      g_array_index (score->verdicts, VgContourVerdict, id) = verdicts[f];
    }
  if (vg_contour_truth_outlines (self->truth, &outlines))
    show (self->truth, looks);
  return TRUE;
}

gboolean
vg_contour_run_score (VgContourRun *self, gboolean exact, const VgContourScore **score,
                      GError **error)
{
  gint64 began = g_get_monotonic_time (), now;
  g_autoptr (GPtrArray) found = NULL;

  *score = self->truth != NULL ? self->score : NULL;
  if (self->truth == NULL || self->scored ||
      (self->score != NULL && !exact && !self->standing.finished && began < self->score->due_us))
    return TRUE;
  *score = NULL;
  if (!vg_contour_run_fetch (self, error))
    return FALSE;
  if (self->score == NULL)
    {
      self->score = g_new0 (VgContourScore, 1);
      self->score->verdicts = g_array_new (FALSE, TRUE, sizeof (VgContourVerdict));
    }
  found = vg_contour_masks_of_scene (self->scene);
  if (found == NULL || !compare (self, found))
    {
      g_clear_pointer (&self->score, vg_contour_score_free);
      return TRUE;
    }
  self->scored = TRUE;
  now = g_get_monotonic_time ();
  self->score->due_us = now +
                        (self->backend->fetch != NULL ? FETCHED_SHARE : SHARE) * (now - began);
  *score = self->score;
  return TRUE;
}

gboolean
vg_contour_run_compared (gpointer data, VgOutlines *outlines, GError **error)
{
  VgContourRun *self = data;
  const VgContourScore *score;

  return vg_contour_run_score (self, FALSE, &score, error) && score != NULL &&
         vg_contour_truth_outlines (self->truth, outlines);
}
