/* SPDX-License-Identifier: MIT */
/* What strokes mean, and what they do to the points of a session, without a window. */
#include "ui/correct/vg-correction.h"
#include <math.h>

/* Two discs that touch, and a long object that is two. */
static guint32
number_at (double x, double y)
{
  if (hypot (x - 30, y - 30) < 10)
    return 1;
  if (hypot (x - 51, y - 30) < 10)
    return 2;
  return hypot (x - 30, y - 70) < 10 || hypot (x - 46, y - 70) < 10 ? 3 : 0;
}

static void
probe (gpointer data, const VgPoint *points, guint n, guint32 *numbers)
{
  for (guint i = 0; i < n; i++)
    numbers[i] = number_at (points[i].x, points[i].y);
}

static void
expect (const VgPoint *line, guint n, VgStrokeKind kind, guint objects)
{
  VgStroke stroke;

  vg_stroke_init (&stroke, line, n, probe, NULL);
  g_assert_cmpint (stroke.kind, ==, kind);
  g_assert_cmpuint (stroke.objects->len, ==, objects);
  vg_stroke_clear (&stroke);
}

static void
test_meaning (void)
{
  const VgPoint merging[] = { { 25, 30 }, { 58, 30 } }, splitting[] = { { 38, 50 }, { 38, 90 } },
                inside[] = { { 38, 64 }, { 38, 76 } }, /* it need not leave the object */
      beside[] = { { 5, 5 }, { 5, 90 } }, grazing[] = { { 20.5, 20 }, { 20.5, 40 } },
                point[] = { { 30, 30 } }, apart[] = { { 30, 30 }, { 30, 70 } },
                three[] = { { 25, 30 }, { 51, 30 }, { 46, 70 } },
                loop[] = { { 15, 15 }, { 70, 15 }, { 70, 45 }, { 15, 45 }, { 15, 16 } };
  VgStroke stroke;

  expect (merging, 2, VG_STROKE_MERGE, 2);
  expect (inside, 2, VG_STROKE_SPLIT, 1);
  expect (beside, 2, VG_STROKE_NOTHING, 0);
  expect (grazing, 2, VG_STROKE_SLIVER, 1);
  expect (apart, 2, VG_STROKE_APART, 2);
  expect (three, 3, VG_STROKE_APART, 3); /* two of them touch */
  expect (point, 1, VG_STROKE_NOTHING, 0);
  expect (point, 0, VG_STROKE_NOTHING, 0);
  expect (loop, 5, VG_STROKE_LASSO, 0);
  vg_stroke_init (&stroke, splitting, 2, probe, NULL);
  g_assert_cmpint (stroke.kind, ==, VG_STROKE_SPLIT);
  g_assert_cmpuint (g_array_index (stroke.objects, guint32, 0), ==, 3);
  g_assert_cmpfloat (fabs (stroke.seeds[0].x - 38), >, 5); /* one on each side, as far */
  g_assert_cmpfloat_with_epsilon (stroke.seeds[0].x + stroke.seeds[1].x, 2 * 38, 1e-6);
  g_assert_cmpfloat_with_epsilon (stroke.seeds[0].y, stroke.seeds[1].y, 1e-6);
  for (int i = 0; i < 2; i++)
    g_assert_cmpuint (number_at (stroke.seeds[i].x, stroke.seeds[i].y), ==, 3);
  vg_stroke_clear (&stroke);
  g_assert_true (vg_stroke_encloses (loop, 5, (VgPoint){ 30, 30 }));
  g_assert_false (vg_stroke_encloses (loop, 5, (VgPoint){ 38, 70 }));
}

static const VgOperation *
find_operation (gboolean with_objects)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    if ((vg_operation_find_objects (operations[i]) >= 0) == with_objects)
      return operations[i];
  g_assert_not_reached ();
}

static int
count (VgSession *session, VgPoints kind)
{
  const VgParamTable *table = &vg_session_get_operation (session)->params;

  for (guint i = 0; i < table->n_items; i++)
    if (table->items[i].kind == VG_PARAM_TABLE && table->items[i].table.points == kind)
      {
        const VgTable *points = *(
            VgTable *const *) ((const char *) vg_session_get_params (session) +
                               table->items[i].offset);

        return points != NULL ? points->rows : 0;
      }
  g_assert_not_reached ();
}

static VgCorrection *
begin (VgSession *session)
{
  static const VgCorrectionObject all[] = { { 1, { 30, 30 }, { 30, 30 }, 0.2 },
                                            { 2, { 52, 30 }, { 52, 30 }, 0.7 },
                                            { 3, { 40, 70 }, { 38, 70 }, 0.9 } };
  VgCorrection *self = vg_correction_new (session);
  g_autoptr (GArray) objects = g_array_new (FALSE, FALSE, sizeof (VgCorrectionObject));

  g_array_append_vals (objects, all, 3);
  vg_correction_set_objects (self, objects);
  return self;
}

/* Found objects are taken out, set ones leave their table; each stroke is one step back. */
static void
test_edits (void)
{
  const VgPoint merging[] = { { 25, 30 }, { 58, 30 } }, splitting[] = { { 38, 50 }, { 38, 90 } },
                loop[] = { { 15, 15 }, { 70, 15 }, { 70, 45 }, { 15, 45 }, { 15, 16 } },
                apart[] = { { 30, 30 }, { 30, 70 } }, grazing[] = { { 20.5, 20 }, { 20.5, 40 } };
  g_autoptr (VgSession) session = vg_session_new (find_operation (TRUE)),
                        other = vg_session_new (find_operation (FALSE));
  g_autoptr (VgCorrection) self = begin (session);

  g_assert_true (vg_correction_is_possible (session));
  g_assert_false (vg_correction_is_possible (other));
  g_assert_cmpint (vg_correction_stroke (self, apart, 2, probe, NULL), ==, VG_STROKE_APART);
  g_assert_cmpint (vg_correction_stroke (self, grazing, 2, probe, NULL), ==, VG_STROKE_SLIVER);
  g_assert_cmpint (count (session, VG_POINTS_SET), ==, 0);
  g_assert_cmpint (count (session, VG_POINTS_TAKEN_OUT), ==, 0);
  g_assert_cmpint (vg_correction_stroke (self, merging, 2, probe, NULL), ==, VG_STROKE_MERGE);
  g_assert_cmpint (count (session, VG_POINTS_SET), ==, 1);
  g_assert_cmpint (count (session, VG_POINTS_TAKEN_OUT), ==, 2);
  g_assert_cmpint (vg_correction_stroke (self, splitting, 2, probe, NULL), ==, VG_STROKE_SPLIT);
  g_assert_cmpint (count (session, VG_POINTS_SET), ==, 3);
  g_assert_cmpint (count (session, VG_POINTS_TAKEN_OUT), ==, 3);
  vg_session_undo (session);
  vg_session_undo (session);
  g_assert_cmpint (count (session, VG_POINTS_SET), ==, 0);
  g_assert_cmpint (count (session, VG_POINTS_TAKEN_OUT), ==, 0);
  g_assert_false (vg_correction_remove_chosen (self));
  g_assert_cmpint (vg_correction_stroke (self, loop, 5, probe, NULL), ==, VG_STROKE_LASSO);
  g_assert_cmpuint (vg_correction_count_chosen (self), ==, 2);
  g_assert_true (vg_correction_remove_chosen (self));
  g_assert_cmpint (count (session, VG_POINTS_TAKEN_OUT), ==, 2);
  g_assert_cmpuint (vg_correction_count_chosen (self), ==, 0);
}

/* The most doubtful comes first, accepted ones not at all. */
static void
test_doubtful (void)
{
  g_autoptr (VgSession) session = vg_session_new (find_operation (TRUE));
  g_autoptr (VgCorrection) self = begin (session);

  g_assert_cmpuint (vg_correction_find_next (self, 0, 1), ==, 3);
  g_assert_cmpuint (vg_correction_find_next (self, 3, 1), ==, 2);
  g_assert_cmpuint (vg_correction_find_next (self, 1, 1), ==, 3);
  g_assert_cmpuint (vg_correction_find_next (self, 3, -1), ==, 1);
  g_assert_true (vg_correction_accept (self, 2));
  g_assert_cmpuint (vg_correction_find_next (self, 3, 1), ==, 1);
  g_assert_true (vg_correction_accept (self, 1));
  g_assert_true (vg_correction_accept (self, 3));
  g_assert_false (vg_correction_accept (self, 9));
  g_assert_cmpuint (vg_correction_find_next (self, 3, 1), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/correct/meaning", test_meaning);
  g_test_add_func ("/correct/edits", test_edits);
  g_test_add_func ("/correct/doubtful", test_doubtful);
  return g_test_run ();
}
