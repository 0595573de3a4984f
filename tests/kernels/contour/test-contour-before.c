/* SPDX-License-Identifier: MIT */
/* What a session kept of contours before each counted its own iterations
 * ("contours 2"): it is opened as it was, at rest and under way. */
#include <string.h>
#include "tests/kernels/contour/support/contour-fixture.h"
#include "kernels/contour/engine/contour-checkpoint.h"
#include "app/compute/vg-work.h"
#include "kernels/contour/synthetic/contour-synthetic.h"

enum { ITERATIONS = 60, HALF = 30 };

/* The file's layout then. */
typedef struct
{
  char format[16], digest[72];
  guint32 n_objects, n_dropped, n_moments, n_wanted, next_id;
  float u_in, u_out;
  guint64 iteration;
  VgContourStanding standing;
} Head;

typedef struct
{
  VgContourBox tile;
  double seed_x, seed_y;
  guint32 id;
  gint32 fate;
  struct
  {
    VgContourBox box;
    float u_in, u_out;
    VgContourPose pose;
    float shape[VG_CONTOUR_MODES];
    gint64 area;
    float moved_px;
    gint32 still, moving, outgrown;
    gint64 energy[VG_CONTOUR_TERMS];
  } state;
} Item;

/* Of settings, seeds and picture: what is of others is left aside. */
static char *
digest (const VgContourRun *run)
{
  /* the settings that there were; new ones may not change it */
  static const char *const ids[] = {
    "stain",        "polarity",  "smoothing_px",    "radius_px",     "seeding",    "sensitivity",
    "added",        "removed",   "force",           "region_weight", "lambda_in",  "lambda_out",
    "prior_weight", "curvature", "overlap_penalty", "means",         "iterations", "tolerance_px",
    "step_rule",    "step_px",   "time_step",       "reinit_period", "grid",       "smallest",
    "contrast",     "largest",   "solidity",
  };
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const gsize shape[] = { sizeof (Head), sizeof (Item), (gsize) run->info.width,
                          (gsize) run->info.height, run->base->len };

  g_checksum_update (sum, (const guchar *) shape, sizeof shape);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const VgParam *param = vg_params_find (&vg_contour_operation.params, ids[i]);
      g_autofree char *text = vg_param_format (param, &run->params);

      g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
    }
  g_checksum_update (sum, (const guchar *) run->base->data,
                     (gssize) (run->base->len * sizeof (VgContourPoint)));
  g_checksum_update (sum, (const guchar *) run->grey,
                     (gssize) sizeof *run->grey * run->info.width * run->info.height);
  return g_strdup (g_checksum_get_string (sum));
}

static void
append_objects (GByteArray *bytes, const GPtrArray *objects)
{
  for (guint i = 0; i < objects->len; i++)
    {
      const VgContourObject *object = objects->pdata[i];
      const VgContourState *state = &object->state;
      guint n = (guint) (object->tile.width * object->tile.height);
      Item item;

      memset (&item, 0, sizeof item);
      item.tile = object->tile;
      item.seed_x = object->seed_x;
      item.seed_y = object->seed_y;
      item.id = object->id;
      item.fate = object->loss;
      item.state.box = state->box;
      item.state.u_in = state->u_in;
      item.state.u_out = state->u_out;
      item.state.pose = state->pose;
      memcpy (item.state.shape, state->shape, sizeof state->shape);
      item.state.area = state->area;
      item.state.moved_px = state->moved_px;
      item.state.still = state->still;
      item.state.moving = state->moving;
      item.state.outgrown = state->outgrown;
      memcpy (item.state.energy, state->energy, sizeof state->energy);
      g_byte_array_append (bytes, (const guint8 *) &item, sizeof item);
      g_byte_array_append (bytes, (const guint8 *) object->phi, 4 * n);
      g_byte_array_append (bytes, (const guint8 *) object->h, 2 * n);
      g_byte_array_append (bytes, (const guint8 *) object->mark, 2 * n);
    }
}

static GBytes *
write_before (const VgContourRun *run)
{
  const VgContourScene *scene = run->scene;
  GByteArray *bytes = g_byte_array_new ();
  g_autofree char *is = digest (run);
  Head head;

  memset (&head, 0, sizeof head);
  g_strlcpy (head.format, "contours 2", sizeof head.format);
  g_strlcpy (head.digest, is, sizeof head.digest);
  head.n_objects = scene->objects->len;
  head.n_dropped = scene->dropped->len;
  head.n_moments = scene->history->len;
  head.n_wanted = run->wanted->len;
  head.next_id = scene->next_id;
  head.u_in = scene->u_in;
  head.u_out = scene->u_out;
  head.iteration = scene->iteration;
  head.standing = run->standing;
  g_byte_array_append (bytes, (const guint8 *) &head, sizeof head);
  g_byte_array_append (bytes, (const guint8 *) scene->history->data,
                       (guint) (scene->history->len * sizeof (VgContourMoment)));
  g_byte_array_append (bytes, (const guint8 *) run->wanted->data,
                       (guint) (run->wanted->len * sizeof (VgContourPoint)));
  append_objects (bytes, scene->objects);
  append_objects (bytes, scene->dropped);
  return g_byte_array_free_to_bytes (bytes);
}

typedef struct
{
  VgContourParams *params;
  VgImage *image;
} Fixture;

static VgContourRun *
open_with (const Fixture *f, GBytes *checkpoint)
{
  g_autoptr (GError) error = NULL;
  VgContourRun *run = vg_contour_run_new (&(VgContext){ .params = f->params,
                                                        .info = &f->image->info,
                                                        .image = f->image,
                                                        .checkpoint = checkpoint },
                                          &error);

  g_assert_no_error (error);
  return run;
}

static void
assert_same (VgContourRun *a, VgContourRun *b)
{
  g_autofree char *p = vg_contour_run_text (a, VG_CONTOUR_OUTPUT_OBJECTS, NULL, NULL);
  g_autofree char *q = vg_contour_run_text (b, VG_CONTOUR_OUTPUT_OBJECTS, NULL, NULL);
  g_autofree char *r = vg_contour_run_text (a, VG_CONTOUR_OUTPUT_CONTOURS, NULL, NULL);
  g_autofree char *s = vg_contour_run_text (b, VG_CONTOUR_OUTPUT_CONTOURS, NULL, NULL);

  g_assert_cmpuint (a->scene->iteration, ==, b->scene->iteration);
  g_assert_cmpuint (a->scene->dropped->len, ==, b->scene->dropped->len);
  g_assert_cmpstr (p, ==, q);
  g_assert_cmpstr (r, ==, s);
}

/* DONE iterations, in one go: what comes of it is not what the settings alone give. */
static void
check (gconstpointer data)
{
  const int done = GPOINTER_TO_INT (data);
  const VgSyntheticSize size = { 160, 128, 1, 7, VG_CONTOUR_SAMPLE_LATTICE };
  Fixture f = { vg_params_new (&vg_contour_operation.params), NULL };
  g_autoptr (GBytes) checkpoint = NULL, other = NULL;
  VgContourRun *run, *again;

  f.image = vg_work_load_dataset (&vg_contour_operation, f.params, NULL, NULL, &size, NULL);
  f.params->iterations = ITERATIONS;
  f.params->tolerance_px = 0.001f;
  run = open_with (&f, NULL);
  g_assert_true (vg_contour_run_advance (run, done, NULL));
  g_assert_cmpuint (run->scene->objects->len, >, 5);
  g_assert_true (run->standing.finished == (done == ITERATIONS));
  /* a mark that nothing computes */
  vg_contour_scene_object (run->scene, 2)->loss = VG_CONTOUR_SPLIT;
  checkpoint = write_before (run);
  again = open_with (&f, checkpoint);
  assert_same (run, again);
  g_assert_cmpint (vg_contour_scene_object (again->scene, 2)->loss, ==, VG_CONTOUR_SPLIT);
  for (guint i = 0; i < again->scene->objects->len; i++)
    g_assert_cmpint (vg_contour_scene_object (again->scene, i)->state.age, ==, done);
  /* it goes on to the same end */
  g_assert_true (contour_run_to_end (run));
  g_assert_true (contour_run_to_end (again));
  g_assert_cmpuint (again->scene->iteration, ==, ITERATIONS);
  assert_same (run, again);
  vg_contour_run_free (again);
  /* of other settings, or cut short: left aside */
  other = g_bytes_new_from_bytes (checkpoint, 0, g_bytes_get_size (checkpoint) - 1);
  again = open_with (&f, other);
  g_assert_cmpuint (again->scene->iteration, ==, 0);
  vg_contour_run_free (again);
  f.params->curvature += 0.01f;
  again = open_with (&f, checkpoint);
  g_assert_cmpuint (again->scene->iteration, ==, 0);
  vg_contour_run_free (again);
  vg_contour_run_free (run);
  vg_image_unref (f.image);
  vg_params_free (&vg_contour_operation.params, f.params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/contour-before/at-rest", GINT_TO_POINTER (ITERATIONS), check);
  g_test_add_data_func ("/contour-before/under-way", GINT_TO_POINTER (HALF), check);
  return g_test_run ();
}
