/* SPDX-License-Identifier: MIT */
/* A truth scores the contours that are there, as edits left them; neither it
 * nor one that does not fit moves them, and edits before it are still undone. */
#include <glib/gstdio.h>
#include <string.h>
#include "app/session/vg-session.h"
#include "app/compute/vg-work.h"
#include "kernels/contour/synthetic/contour-synthetic.h"

static const VgSyntheticSize size = { 160, 128, 1, 7, VG_CONTOUR_SAMPLE_LATTICE };

typedef struct
{
  const VgOperation *operation;
  VgSession *session;
  VgImage *image;
  VgWork *work;
  char *folder;
} Fixture;

static VgWorkChange
set (Fixture *self, const char *id, const char *text, GError **error)
{
  g_assert_true (vg_session_set_text (self->session, vg_params_find (&self->operation->params, id),
                                      text, NULL));
  return vg_work_set_params (self->work, vg_session_get_params (self->session), error);
}

static void
finish (Fixture *self)
{
  while (vg_work_step (self->work, 1, NULL) == VG_STEP_MORE)
    continue;
}

static void
begin (Fixture *self)
{
  *self = (Fixture){ .operation = vg_operation_find ("contour"),
                     .folder = g_dir_make_tmp ("vg-truth-XXXXXX", NULL) };
  self->session = vg_session_new (self->operation);
  self->image = vg_work_load_dataset (self->operation, vg_session_get_params (self->session), NULL,
                                      NULL, &size, NULL);
  self->work = vg_work_new (self->operation, VG_BACKEND_CPU, 2, NULL);
  g_assert_true (vg_work_prepare (self->work, vg_session_get_params (self->session),
                                  &self->image->info, self->image, NULL));
  finish (self);
  g_assert_cmpint (set (self, "added", "30.25,40.5;90,100", NULL), ==, VG_WORK_UPDATED);
  finish (self);
  g_assert_cmpint (set (self, "prior_weight", "0.1", NULL), ==, VG_WORK_UPDATED);
  for (int i = 0; i < 9; i++)
    vg_work_step (self->work, 0, NULL);
  g_assert_cmpint (set (self, "prior_weight", "0.004", NULL), ==, VG_WORK_UPDATED);
}

static void
end (Fixture *self)
{
  g_rmdir (self->folder);
  g_free (self->folder);
  vg_work_free (self->work);
  vg_image_unref (self->image);
  g_object_unref (self->session);
}

static char *
text_of (Fixture *self, const char *output)
{
  g_autofree char *name = NULL;

  return vg_work_text (self->work, (guint) vg_operation_find_output (self->operation, output),
                       &name, NULL);
}

static double
number_of (Fixture *self, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_work_results (self->work, NULL);
  const VgMetric *number = vg_metrics_find (numbers, id);

  return number != NULL ? number->value : -1.0;
}

/* The rows without the columns of the truth, which are the last two. */
static char *
strip (const char *table)
{
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);

  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    for (int k = 0; k < 2; k++)
      *strrchr (lines[i], ',') = '\0';
  return g_strjoinv ("\n", lines);
}

static char *
write_truth (Fixture *self, const char *name, const char *text)
{
  char *path = g_build_filename (self->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* MOVING: while contours move. */
static void
check (gboolean moving)
{
  g_autofree char *before = NULL, *outlines = NULL, *after = NULL, *own = NULL, *bad = NULL,
                  *undone = NULL, *stripped = NULL, *outlines_after = NULL;
  g_autoptr (GError) error = NULL;
  double iterations;
  guint generation;
  Fixture self;

  begin (&self);
  if (!moving)
    finish (&self);
  generation = vg_work_get_generation (self.work);
  before = text_of (&self, "objects");
  outlines = text_of (&self, "contours");
  iterations = number_of (&self, "iterations");
  own = write_truth (&self, "own.geojson", outlines);
  bad = write_truth (&self, "bad.geojson", "{\"type\": \"Point\", \"coordinates\": [3");
  g_assert_cmpint (set (&self, "truth", bad, &error), ==, VG_WORK_REFUSED);
  g_assert_nonnull (error);
  g_assert_cmpint (set (&self, "truth", own, NULL), ==, VG_WORK_UPDATED);
  vg_work_step (self.work, 0, NULL);
  after = text_of (&self, "objects");
  outlines_after = text_of (&self, "contours");
  stripped = strip (after);
  g_assert_true (
      g_str_has_prefix (strstr (after, ",partners"), ",partners,verdict,true_nucleus\n"));
  g_assert_cmpstr (stripped, ==, before);
  g_assert_cmpstr (outlines_after, ==, outlines);
  g_assert_cmpuint (vg_work_get_generation (self.work), ==, generation);
  g_assert_cmpfloat (number_of (&self, "iterations"), ==, iterations);
  /* while contours move too */
  g_assert_cmpfloat (number_of (&self, "aji"), >, 0.98);
  g_assert_cmpfloat (number_of (&self, "f1"), ==, 1.0);
  /* chosen away again, and the edits undone */
  g_assert_cmpint (set (&self, "truth", "", NULL), ==, VG_WORK_UPDATED);
  g_assert_cmpfloat (number_of (&self, "aji"), <, 0.0);
  g_assert_cmpint (set (&self, "prior_weight", "0.1", NULL), ==, VG_WORK_UPDATED);
  g_assert_cmpint (set (&self, "prior_weight", "0.004", NULL), ==, VG_WORK_UPDATED);
  vg_work_step (self.work, 0, NULL);
  undone = text_of (&self, "objects");
  g_assert_cmpstr (undone, ==, before);
  g_unlink (own);
  g_unlink (bad);
  end (&self);
}

static void
test_rest (void)
{
  check (FALSE);
}

static void
test_moving (void)
{
  check (TRUE);
}

/* The numbers of the looks among the outlines of the nuclei, and of the truth. */
static void
count_looks (Fixture *self, guint found[VG_OUTLINE_LOOKS], guint truth[VG_OUTLINE_LOOKS])
{
  VgOutlines outlines;

  memset (found, 0, sizeof (guint) * VG_OUTLINE_LOOKS);
  memset (truth, 0, sizeof (guint) * VG_OUTLINE_LOOKS);
  g_assert_true (vg_work_outlines (self->work, &outlines, NULL));
  for (guint i = 0; i < outlines.n; i++)
    found[outlines.items[i].look]++;
  g_assert_true (vg_work_compared (self->work, &outlines, NULL));
  g_assert_true (outlines.n == 0 || vg_outlines_fit (&outlines));
  for (guint i = 0; i < outlines.n; i++)
    truth[outlines.items[i].look]++;
}

/* Verdicts, scores and outlines follow corrections: a nucleus that is taken out is missed, one that
 * is set where there is none is false, and undo restores both. */
static void
test_live (void)
{
  g_autofree char *outlines = NULL, *own = NULL, *removed = NULL, *table = NULL;
  guint found[VG_OUTLINE_LOOKS], truth[VG_OUTLINE_LOOKS], n;
  Fixture self;

  begin (&self);
  finish (&self);
  count_looks (&self, found, truth);
  n = found[VG_OUTLINE_NUMBERED];
  g_assert_cmpuint (n, >, 10);
  g_assert_cmpuint (truth[VG_OUTLINE_TRUE], ==, 0);
  outlines = text_of (&self, "contours");
  own = write_truth (&self, "own.geojson", outlines);
  g_assert_cmpint (set (&self, "truth", own, NULL), ==, VG_WORK_UPDATED);
  count_looks (&self, found, truth);
  g_assert_cmpuint (found[VG_OUTLINE_CORRECT], ==, n);
  g_assert_cmpuint (truth[VG_OUTLINE_TRUE], ==, n);
  /* the first row of the table is a nucleus on its own */
  table = text_of (&self, "objects");
  {
    g_auto (GStrv) lines = g_strsplit (table, "\n", 3), cells = g_strsplit (lines[1], ",", 4);

    removed = g_strdup_printf ("%s,%s", cells[1], cells[2]);
  }
  g_assert_cmpint (set (&self, "removed", removed, NULL), ==, VG_WORK_UPDATED);
  finish (&self);
  count_looks (&self, found, truth);
  g_assert_cmpuint (truth[VG_OUTLINE_MISSED], ==, 1);
  g_assert_cmpuint (truth[VG_OUTLINE_TRUE], ==, n - 1);
  g_assert_cmpfloat (number_of (&self, "true_missed"), ==, 1);
  g_assert_cmpfloat (number_of (&self, "correct"), ==, n - 1);
  g_assert_cmpfloat (number_of (&self, "f1"), ==, 2.0 * (n - 1) / (2.0 * n - 1));
  g_assert_cmpint (set (&self, "removed", "", NULL), ==, VG_WORK_UPDATED);
  finish (&self);
  count_looks (&self, found, truth);
  g_assert_cmpuint (found[VG_OUTLINE_CORRECT], ==, n);
  g_assert_cmpfloat (number_of (&self, "f1"), ==, 1);
  /* without the truth the numbers give the colours again */
  g_assert_cmpint (set (&self, "truth", "", NULL), ==, VG_WORK_UPDATED);
  count_looks (&self, found, truth);
  g_assert_cmpuint (found[VG_OUTLINE_NUMBERED], ==, n);
  g_assert_cmpuint (truth[VG_OUTLINE_TRUE], ==, 0);
  g_unlink (own);
  end (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/truth/rest", test_rest);
  g_test_add_func ("/contour/truth/moving", test_moving);
  g_test_add_func ("/contour/truth/live", test_live);
  return g_test_run ();
}
