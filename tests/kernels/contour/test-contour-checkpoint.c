/* SPDX-License-Identifier: MIT */
/* What edits made of contours goes through a session file to the bit: clicks
 * on contours at rest and on moving ones, a removal, a slider. */
#include <glib/gstdio.h>
#include "app/session/vg-checkpoint-text.h"
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
} Fixture;

static VgWork *
work_with (Fixture *self, GBytes *checkpoint)
{
  g_autoptr (GError) error = NULL;
  VgWork *work = vg_work_new (self->operation, VG_BACKEND_CPU, 2, &error);

  vg_work_set_checkpoint (work, checkpoint);
  g_assert_true (vg_work_prepare (work, vg_session_get_params (self->session), &self->image->info,
                                  self->image, &error));
  g_assert_no_error (error);
  return work;
}

static void
set (Fixture *self, const char *id, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_session_set_text (self->session, vg_params_find (&self->operation->params, id),
                                      text, &error));
  g_assert_no_error (error);
  if (self->work != NULL)
    g_assert_cmpint (vg_work_set_params (self->work, vg_session_get_params (self->session), &error),
                     ==, VG_WORK_UPDATED);
}

static void
finish (VgWork *work)
{
  while (vg_work_step (work, 1, NULL) == VG_STEP_MORE)
    continue;
}

static void
begin (Fixture *self)
{
  *self = (Fixture){ .operation = vg_operation_find ("contour") };
  self->session = vg_session_new (self->operation);
  self->image = vg_work_load_dataset (self->operation, vg_session_get_params (self->session), NULL,
                                      NULL, &size, NULL);
  self->work = work_with (self, NULL);
  finish (self->work);
  set (self, "added", "30.25,40.5;90,100");
  vg_work_step (self->work, 0, NULL);
  set (self, "prior_weight", "0.1");
  vg_work_step (self->work, 0, NULL);
  set (self, "prior_weight", "0.004");
  set (self, "added", "30.25,40.5;90,100;120,20");
  set (self, "removed", "80,64");
}

static void
end (Fixture *self)
{
  vg_work_free (self->work);
  vg_image_unref (self->image);
  g_object_unref (self->session);
}

static char *
table_of (VgWork *work)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;

  return vg_work_text (work,
                       (guint) vg_operation_find_output (vg_work_get_operation (work), "objects"),
                       &name, &error);
}

static void
assert_same (VgWork *a, VgWork *b)
{
  g_autofree char *p = table_of (a), *q = table_of (b);

  g_assert_cmpstr (p, ==, q);
  for (guint i = 0; i < 4; i++)
    {
      VgPlane one, other;

      g_assert_true (vg_work_output (a, i, &one, NULL) && vg_work_output (b, i, &other, NULL));
      g_assert_cmpmem (one.data, (gsize) one.width * (gsize) one.height * sizeof (float),
                       other.data, (gsize) other.width * (gsize) other.height * sizeof (float));
    }
}

/* Saved, closed and opened again. */
static void
reopen (Fixture *self)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-outcome-XXXXXX", NULL),
                  *path = g_build_filename (folder, "x.vivograph", NULL);
  g_autoptr (GBytes) checkpoint = vg_work_checkpoint (self->work);
  g_autoptr (GHashTable) outcomes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (checkpoint);
  g_hash_table_insert (outcomes, (gpointer) self->operation,
                       vg_checkpoint_format (checkpoint, &error));
  g_assert_true (vg_session_save (self->session, path, outcomes, &error));
  g_object_unref (self->session);
  self->session = vg_session_new (self->operation);
  g_assert_true (vg_session_load (self->session, path, &error));
  g_assert_no_error (error);
  g_unlink (path);
  g_rmdir (folder);
}

static GBytes *
take_checkpoint (Fixture *self)
{
  g_autofree char *packed = vg_session_take_checkpoint (self->session);

  return vg_checkpoint_parse (packed, NULL);
}

static void
test_session (void)
{
  g_autoptr (GBytes) checkpoint = NULL;
  g_autoptr (VgWork) fresh = NULL, again = NULL, half = NULL;
  g_autofree char *edited = NULL, *from_settings = NULL;
  Fixture self;

  begin (&self);
  finish (self.work);
  reopen (&self);
  /* undo is of the settings */
  vg_session_set_number (self.session, vg_params_find (&self.operation->params, "curvature"), 0.04);
  vg_session_commit (self.session, "Curvature");
  vg_session_undo (self.session);
  checkpoint = take_checkpoint (&self);
  g_assert_nonnull (checkpoint);
  g_assert_null (vg_session_take_checkpoint (self.session));
  again = work_with (&self, checkpoint);
  g_assert_cmpint (vg_work_step (again, 1, NULL), ==, VG_STEP_DONE);
  assert_same (self.work, again);
  /* the settings alone give another picture: what was kept is what counts */
  fresh = work_with (&self, NULL);
  finish (fresh);
  edited = table_of (again);
  from_settings = table_of (fresh);
  g_assert_cmpstr (edited, !=, from_settings);
  /* and both go on alike */
  set (&self, "curvature", "0.05");
  g_assert_cmpint (vg_work_set_params (again, vg_session_get_params (self.session), NULL), ==,
                   VG_WORK_UPDATED);
  finish (self.work);
  finish (again);
  assert_same (self.work, again);
  end (&self);
}

/* Saved while contours move: they go on where they were. */
static void
test_moving (void)
{
  g_autoptr (GBytes) checkpoint = NULL;
  g_autoptr (VgWork) again = NULL;
  Fixture self;

  begin (&self);
  reopen (&self);
  checkpoint = take_checkpoint (&self);
  again = work_with (&self, checkpoint);
  g_assert_cmpint (vg_work_step (again, 0, NULL), ==, VG_STEP_MORE);
  finish (self.work);
  finish (again);
  assert_same (self.work, again);
  end (&self);
}

static double
number_of (VgWork *work, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_work_results (work, NULL);

  return vg_metrics_find (numbers, id)->value;
}

/* As a pause takes an edit, or its undoing: with one step. */
static char *
edit (Fixture *self, const char *id, const char *text)
{
  set (self, id, text);
  vg_work_step (self->work, 0, NULL);
  return table_of (self->work);
}

/* While contours move, too, what is undone and done again is as it was; what moves nothing takes no
 * iteration. */
static void
test_undo_moving (void)
{
  static const struct
  {
    const char *id, *before, *after;
    gboolean moves;
  } edits[] = { { "prior_weight", "0.004", "0.1", TRUE },
                { "curvature", "0.01", "0.1", TRUE },
                { "smallest", "0.05", "0.9", FALSE },
                { "smallest", "0.9", "0.2", FALSE },
                { "contrast", "0.1", "0.6", FALSE } };
  char *tables[G_N_ELEMENTS (edits) + 1];
  double iterations[G_N_ELEMENTS (edits) + 1];
  const guint n = G_N_ELEMENTS (edits);
  Fixture self;

  begin (&self);
  set (&self, "tolerance_px", "0");
  set (&self, "iterations", "2000");
  for (int i = 0; i < 20; i++)
    g_assert_cmpint (vg_work_step (self.work, 0, NULL), ==, VG_STEP_MORE);
  tables[0] = table_of (self.work);
  iterations[0] = number_of (self.work, "iterations");
  for (guint i = 0; i < n; i++)
    {
      tables[i + 1] = edit (&self, edits[i].id, edits[i].after);
      iterations[i + 1] = number_of (self.work, "iterations");
      if (edits[i].moves)
        g_assert_cmpfloat (iterations[i + 1], >, iterations[i]);
      else
        g_assert_cmpfloat (iterations[i + 1], ==, iterations[i]);
    }
  /* all are undone, then done again */
  for (guint k = 1; k <= 2 * n; k++)
    {
      guint i = k <= n ? n - k : k - n;
      g_autofree char *table = k <= n ? edit (&self, edits[i].id, edits[i].before)
                                      : edit (&self, edits[i - 1].id, edits[i - 1].after);

      g_assert_cmpstr (table, ==, tables[i]);
      g_assert_cmpfloat (number_of (self.work, "iterations"), ==, iterations[i]);
    }
  /* and it goes on */
  g_assert_cmpint (vg_work_step (self.work, 0, NULL), ==, VG_STEP_MORE);
  g_assert_cmpfloat (number_of (self.work, "iterations"), >, iterations[n]);
  for (guint i = 0; i <= n; i++)
    g_free (tables[i]);
  end (&self);
}

static VgWork *
work_of (Fixture *self, const char *iterations, const char *smallest)
{
  VgWork *work;

  *self = (Fixture){ .operation = vg_operation_find ("contour") };
  self->session = vg_session_new (self->operation);
  self->image = vg_work_load_dataset (self->operation, vg_session_get_params (self->session), NULL,
                                      NULL, &size, NULL);
  set (self, "iterations", iterations);
  set (self, "smallest", smallest);
  work = work_with (self, NULL);
  finish (work);
  return work;
}

static gboolean
is_remarked_on (VgWork *work)
{
  g_autoptr (VgMetrics) numbers = vg_work_results (work, NULL);

  return vg_metrics_find (numbers, "moving")->advice != NULL;
}

/* What moved where the iterations ended is counted then, and remarked on where it moved much, also
 * when it has come to a stop; what came to rest is not. */
static void
test_cut_off (void)
{
  static const char *const ends[] = { "0", "5", "20", "2000" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      Fixture self;

      self.work = work_of (&self, ends[i], "0.2");
      g_assert_cmpint (number_of (self.work, "moving") > 0.0, ==, i < 3);
      /* at 20 those that move are nearly at rest */
      g_assert_cmpint (is_remarked_on (self.work), ==, i == 1);
      if (i == 1)
        {
          double moving = number_of (self.work, "moving");

          set (&self, "smallest", "0.3");
          finish (self.work);
          g_assert_cmpfloat (number_of (self.work, "moving"), ==, moving);
        }
      if (i == 3)
        g_assert_cmpfloat (number_of (self.work, "iterations"), <, 2000.0);
      end (&self);
    }
}

/* More iterations are those of a run with as many, whatever was dropped on the way; fewer than were
 * done move nothing. */
static void
test_further (void)
{
  static const char *const ends[] = { "45", "15", "20", "60", "2000" };
  static const char *const as[] = { "45", "45", "45", "60", "2000" };
  Fixture self;

  self.work = work_of (&self, "25", "0.9");
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      Fixture other;

      if (i == 3) /* what is kept in the end is not of the way */
        set (&self, "smallest", "0.2");
      finish (self.work);
      set (&self, "iterations", ends[i]);
      finish (self.work);
      other.work = work_of (&other, as[i], i < 3 ? "0.9" : "0.2");
      /* come to rest at 60, these ask for no more: a run is looked at for rest now and then only */
      if (i < 4)
        g_assert_cmpfloat (number_of (self.work, "iterations"), ==,
                           number_of (other.work, "iterations"));
      else
        g_assert_cmpfloat (number_of (self.work, "iterations"), <=,
                           number_of (other.work, "iterations"));
      g_assert_cmpfloat (number_of (self.work, "moving"), ==, number_of (other.work, "moving"));
      g_assert_cmpfloat (number_of (self.work, "objects"), ==, number_of (other.work, "objects"));
      assert_same (self.work, other.work);
      end (&other);
    }
  end (&self);
}

/* A slider that is dragged seventy values far, each for some steps, leaves what was there before
 * it. */
static void
drag (int steps)
{
  g_autofree char *before = NULL, *after = NULL;
  Fixture self;

  begin (&self);
  set (&self, "tolerance_px", "0");
  set (&self, "iterations", "2000");
  for (int i = 0; i < 20; i++)
    vg_work_step (self.work, 0, NULL);
  before = table_of (self.work);
  for (int i = 1; i <= 70; i++)
    {
      g_autofree char *text = g_strdup_printf ("%g", 0.004 + 0.001 * i);

      set (&self, "prior_weight", text);
      for (int k = 0; k < steps; k++)
        vg_work_step (self.work, 0, NULL);
    }
  after = edit (&self, "prior_weight", "0.004");
  g_assert_cmpstr (after, ==, before);
  end (&self);
}

static void
test_drag (void)
{
  drag (1);
  drag (2);
}

/* The first N bytes, the byte at PLACE another. */
static GBytes *
change (GBytes *checkpoint, gsize n, gsize place, guint8 value)
{
  guint8 *bytes = g_memdup2 (g_bytes_get_data (checkpoint, NULL), n);

  bytes[place] = value;
  return g_bytes_new_take (bytes, n);
}

/* Of another format or digest, cut short, longer, of more objects or iterations than can be: as if
 * there were none. */
static void
assert_refused (Fixture *self, GBytes *checkpoint)
{
  /* of the head: the highest byte of a number */
  static const gsize places[] = { 0, 20, 91, 95, 103, 111, 127, 135, 143 };
  const gsize n = g_bytes_get_size (checkpoint);
  g_autoptr (VgWork) plain = work_with (self, NULL), whole = work_with (self, checkpoint);
  g_autofree char *expected = table_of (plain), *edited = table_of (whole);

  g_assert_cmpstr (expected, !=, edited);
  for (guint i = 0; i < G_N_ELEMENTS (places) + 3; i++)
    {
      g_autoptr (GBytes) broken = i < G_N_ELEMENTS (places)
                                      ? change (checkpoint, n, places[i], 0x7f)
                                      : change (checkpoint,
                                                i == G_N_ELEMENTS (places)       ? 60
                                                : i == G_N_ELEMENTS (places) + 1 ? n / 2
                                                                                 : n - 1,
                                                0, 'c');
      g_autoptr (VgWork) work = work_with (self, broken);
      g_autofree char *table = table_of (work);

      g_assert_cmpstr (table, ==, expected);
    }
}

/* Damaged anywhere: as if there were none, or contours that can be; of other settings: as if there
 * were none. */
static void
test_foreign (void)
{
  g_autoptr (GBytes) checkpoint = NULL;
  g_autoptr (VgWork) plain = NULL, other = NULL;
  Fixture self;

  begin (&self);
  finish (self.work);
  checkpoint = vg_work_checkpoint (self.work);
  assert_refused (&self, checkpoint);
  for (int i = 0; i < 6; i++)
    {
      gsize n = g_bytes_get_size (checkpoint),
            at = (gsize) g_test_rand_int_range (144, (gint32) MIN (n, 40000));
      g_autofree guint8 *bytes = g_memdup2 (g_bytes_get_data (checkpoint, NULL), n);
      g_autoptr (GBytes) broken = NULL;
      g_autoptr (VgWork) work = NULL;

      bytes[at] ^= (guint8) (1 << i % 8);
      broken = g_bytes_new (bytes, i % 3 == 0 ? at : n);
      work = work_with (&self, broken);
      vg_work_step (work, 0.001, NULL);
    }
  g_clear_pointer (&self.work, vg_work_free);
  set (&self, "sensitivity", "0.4");
  plain = work_with (&self, NULL);
  other = work_with (&self, checkpoint);
  finish (plain);
  finish (other);
  assert_same (plain, other);
  end (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/outcome/session", test_session);
  g_test_add_func ("/contour/outcome/moving", test_moving);
  g_test_add_func ("/contour/outcome/undo-moving", test_undo_moving);
  g_test_add_func ("/contour/outcome/cut-off", test_cut_off);
  g_test_add_func ("/contour/outcome/further", test_further);
  g_test_add_func ("/contour/outcome/drag", test_drag);
  g_test_add_func ("/contour/outcome/foreign", test_foreign);
  return g_test_run ();
}
