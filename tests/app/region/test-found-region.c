/* SPDX-License-Identifier: MIT */
/* Regions that an operation finds: which are used, what is said, and how a search ends. */
#include "app/compute/vg-work.h"
#include "app/region/vg-found-region.h"
#include "app/region/vg-found-session.h"
#include "app/region/vg-region-settings.h"
#include "app/volume/vg-mask-store.h"
#include "kernels/base/vg-statistics.h"
#include <math.h>
#include "tests/support/app/pipeline-answer.h"
#include <string.h>

enum { SIZE = 200 };

static gboolean
set_param (gpointer params, const VgParam *param, const char *text, GPtrArray *outlines,
           GError **error)
{
  return vg_param_parse (param, params, text, error);
}

/* A doubtful region is only proposed. */
static gboolean
note_proposal (gpointer params, const VgParam *param, const char *text, GPtrArray *outlines,
               GError **error)
{
  g_assert_cmpstr (param->id, ==, "mask");
  g_assert_true (g_str_has_prefix (text, "polygon:") && g_str_has_suffix (text, "@2"));
  return TRUE;
}

static guint8 *
add_finding (GPtrArray *findings, const char *param, gboolean found)
{
  VgImageInfo info = {
    .type = VG_U8, .width = SIZE, .height = SIZE, .channels = 1, .bins = 1, .slices = 1, .frames = 1
  };
  VgFinding *finding = g_new0 (VgFinding, 1);

  finding->param = param;
  finding->note = g_strdup ("One.\nTwo.");
  finding->mask = found ? vg_image_new (&info, "mask", NULL) : NULL;
  finding->slice = 2;
  g_ptr_array_add (findings, finding);
  return found ? finding->mask->data : NULL;
}

static const char *
shout (const char *sentence)
{
  return strcmp (sentence, "One.") == 0 ? "ONE." : sentence;
}

/* A parameter that was set meanwhile stays; a region without an exact outline says so. */
static void
test_use (void)
{
  const VgParamTable *table = &vg_operation_find ("perfusion")->params;
  void *params = vg_params_new (table);
  const VgFoundRegionUser user = { set_param, note_proposal, NULL, params };
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (vg_finding_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *mine = NULL, *artery = NULL, *liver = NULL, *first = NULL, *second = NULL;
  guint8 *mask = add_finding (findings, "artery", TRUE);
  guint n;

  /* a comb has more corners than a region */
  for (int i = 0; i < SIZE * SIZE; i++)
    mask[i] = i / SIZE % 2 == 0 || i % SIZE == 0;
  memset (add_finding (findings, "portal", TRUE), 1, SIZE * SIZE);
  memset (add_finding (findings, "mask", TRUE), 1, SIZE * SIZE);
  ((VgFinding *) findings->pdata[2])->doubtful = TRUE;
  g_assert_true (vg_param_parse (vg_params_find (table, "portal"), params, "rect:1,2,3,4", NULL));
  g_assert_true (vg_found_regions_use (table, findings, params, &user, &n, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (findings->len, ==, 2);
  mine = vg_param_format (vg_params_find (table, "portal"), params);
  g_assert_cmpstr (mine, ==, "rect:1,2,3,4");
  artery = vg_param_format (vg_params_find (table, "artery"), params);
  g_assert_true (g_str_has_prefix (artery, "polygon:") && g_str_has_suffix (artery, "@2"));
  liver = vg_param_format (vg_params_find (table, "mask"), params);
  g_assert_cmpstr (liver, ==, "");
  first = vg_found_region_describe (findings->pdata[0], "Look.", shout);
  g_assert_cmpstr (first, ==,
                   "ONE. Two. Its outline was simplified, so some pixels at its border are "
                   "assigned wrongly.");
  second = vg_found_region_describe (findings->pdata[1], "Look.", NULL);
  g_assert_cmpstr (second, ==, "One. Two. Look.");
  vg_params_free (table, params);
}

/* Only what was found, and not changed since, is searched again. */
static void
test_forget (void)
{
  const VgParamTable *table = &vg_operation_find ("perfusion")->params;
  static const char *const ids[] = { "artery", "portal", "mask" };
  static const VgRegionOrigin origins[] = { VG_REGION_FOUND, VG_REGION_ADAPTED, VG_REGION_FOUND };
  void *params = vg_params_new (table), *copy;
  VgNamedRegion named[3] = { 0 };
  const VgNamedRegion *regions[4] = { &named[0], &named[1], &named[2], NULL };

  for (int i = 0; i < 3; i++)
    {
      g_autofree char *text = g_strdup_printf ("rect:%d,2,3,4", i);

      g_assert_true (vg_param_parse (vg_params_find (table, ids[i]), params, text, NULL));
      g_assert_true (vg_region_parse (&named[i].region, text, NULL));
      named[i].origin = origins[i];
    }
  named[2].region.slice = 1; /* the setting was changed, but not with the region */
  copy = vg_found_regions_forget (table, params, regions);
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *text = vg_param_format (vg_params_find (table, ids[i]), copy);

      g_assert_cmpint (*text != '\0', ==, i > 0);
    }
  vg_params_free (table, copy);
  vg_params_free (table, params);
}

/* ---- A mask of all slices ---- */

enum { SLICES = 3 };

typedef struct
{
  void *params;
  GPtrArray *outlines;
} Target;

static gboolean
set_mask (gpointer data, const VgParam *param, const char *text, GPtrArray *outlines,
          GError **error)
{
  Target *target = data;

  target->outlines = g_ptr_array_ref (outlines);
  return vg_param_parse (param, target->params, text, error);
}

/* A disc with a ragged border, whose outline has too many corners; none in the first slice. */
static GPtrArray *
make_liver (void)
{
  GPtrArray *findings = g_ptr_array_new_with_free_func (vg_finding_free);
  VgFinding *finding = g_new0 (VgFinding, 1);
  VgImageInfo info = vg_image_info_grey (VG_U8, SIZE, SIZE);

  info.slices = SLICES;
  finding->param = "mask";
  finding->note = g_strdup ("Liver.");
  finding->mask = vg_image_new (&info, "mask", NULL);
  for (int i = 0; i < SLICES * SIZE * SIZE; i++)
    {
      double x = i % SIZE - 100, y = i / SIZE % SIZE - 100;

      ((guint8 *) finding->mask->data)[i] = i >= SIZE * SIZE &&
                                            hypot (x, y) < 60 + 10 * (i / (SIZE * SIZE)) +
                                                               4 * sin (60 * atan2 (y, x));
    }
  g_ptr_array_add (findings, finding);
  return findings;
}

/* The number of voxels of the regions named NAME. */
static gsize
count_voxels (const VgNamedRegion *const *regions, const VgPlane *plane)
{
  gsize n = 0;

  for (guint i = 0; regions[i] != NULL; i++)
    {
      VgRegionCover cover;

      g_assert_true (regions[i]->origin == VG_REGION_FOUND);
      g_assert_true (g_str_has_prefix (regions[i]->name, "Liver (slice "));
      g_assert_true (vg_region_cover (&regions[i]->region, plane, &cover));
      for (int k = 0; k < (cover.x1 - cover.x0) * (cover.y1 - cover.y0); k++)
        n += cover.mask[k];
      g_free (cover.mask);
    }
  return n;
}

/* The mask that is stored, its outlines and the regions of tables are the same voxels, also where
 * the outlines were simplified.  A new search forgets the mask, unless an outline was moved. */
static void
test_mask (void)
{
  const VgOperation *operation = vg_operation_find ("perfusion");
  const VgParamTable *table = &operation->params;
  const VgPlane plane = { .width = SIZE, .height = SIZE, .slices = SLICES };
  Target target = { vg_params_new (table), NULL };
  const VgFoundRegionUser user = { .set = set_mask, .data = &target };
  g_autoptr (GPtrArray) findings = make_liver (), own = NULL,
                        notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 1, NULL);
  g_autoptr (VgImage) series = NULL;
  const VgFinding *finding = findings->pdata[0];
  VgImageInfo info = vg_image_info_grey (VG_F32, SIZE, SIZE);
  g_autofree const VgNamedRegion **joined = NULL;
  g_autofree char *path = NULL, *again = NULL, *key = NULL;
  g_autoptr (GError) error = NULL;
  void *copy;
  gsize voxels = 0;
  guint n;

  info.slices = SLICES;
  info.frames = 8;
  info.frame_interval_s = 2.5;
  g_assert_true (vg_found_regions_use (table, findings, target.params, &user, &n, &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (finding->note, "outline was simplified"));
  g_assert_cmpuint (target.outlines->len, ==, 2);
  path = vg_param_format (vg_params_find (table, "mask"), target.params);
  key = vg_mask_store_key (path);
  g_assert_nonnull (key);
  for (int i = 0; i < SLICES * SIZE * SIZE; i++)
    voxels += ((const guint8 *) finding->mask->data)[i];
  g_assert_cmpuint (voxels, >, 24000);
  g_ptr_array_add (target.outlines, NULL);
  const VgNamedRegion *const *outlines = (const VgNamedRegion *const *) target.outlines->pdata;
  g_assert_cmpuint (count_voxels (outlines, &plane), ==, voxels);

  series = vg_image_new (&info, "series", NULL);
  for (int i = 0; i < 8 * SLICES * SIZE * SIZE; i++)
    ((float *) series->data)[i] = (float) (i / (SLICES * SIZE * SIZE));
  g_assert_true (vg_work_prepare (work, target.params, &series->info, series, &error));
  g_assert_no_error (error);
  joined = vg_region_settings_join (work, outlines, NULL, &own, notes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (own->len, ==, 2);
  g_assert_cmpuint (count_voxels (joined, &plane), ==, voxels);
  g_assert_cmpuint (notes->len, ==, 0);

  copy = vg_found_regions_forget (table, target.params, outlines);
  again = vg_param_format (vg_params_find (table, "mask"), copy);
  g_assert_cmpstr (again, ==, "");
  vg_params_free (table, copy);
  ((VgNamedRegion *) target.outlines->pdata[1])->origin = VG_REGION_ADAPTED;
  copy = vg_found_regions_forget (table, target.params, outlines);
  g_free (again);
  again = vg_param_format (vg_params_find (table, "mask"), copy);
  g_assert_cmpstr (again, ==, path);
  vg_params_free (table, copy);
  g_ptr_array_steal_index (target.outlines, 2);
  g_ptr_array_unref (target.outlines);
  vg_params_free (table, target.params);
}

/* ---- The same in a session ---- */

static char *
get_mask (VgSession *session)
{
  const VgParamTable *table = &vg_session_get_operation (session)->params;

  return vg_param_format (vg_params_find (table, "mask"), vg_session_get_params (session));
}

/* Searches; N: of the findings that are used. */
static void
find_liver (VgSession *session, guint n)
{
  g_autoptr (GPtrArray) findings = make_liver ();
  g_autoptr (GError) error = NULL;
  const char *full;
  guint used;

  g_assert_true (vg_found_session_use (session, findings, &used, &full, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (used, ==, n);
  g_assert_cmpstr (full, ==, n > 0 && vg_session_get_n_regions (session) > 250 ? "Liver" : NULL);
}

/* Stores another mask of NAME, such as an edited one; its path. */
static char *
store_edited (const char *name)
{
  VgImageInfo info = vg_image_info_grey (VG_U8, SIZE, SIZE);
  g_autoptr (VgImage) image = NULL;
  g_autoptr (VgMask) mask = NULL;
  char *path;

  info.slices = SLICES;
  image = vg_image_new (&info, "mask", NULL);
  ((guint8 *) image->data)[SIZE] = 1;
  mask = vg_mask_new_from_image (image, NULL);
  path = vg_mask_store_add (mask, &image->info, name, NULL);
  g_assert_nonnull (path);
  return path;
}

static void
count (guint *n)
{
  ++*n;
}

/* An outline of a found mask is not changed, as the mask would not follow.  Without the outlines
 * the mask is not forgotten; with another mask they are gone. */
static void
test_session (void)
{
  const VgOperation *operation = vg_operation_find ("perfusion");
  const VgParam *param = vg_params_find (&operation->params, "mask");
  g_autoptr (VgSession) session = vg_session_new (operation);
  g_autofree char *found = NULL, *again = NULL, *edited = store_edited ("Liver"), *kept = NULL,
                  *none = NULL;
  VgRegion region;
  guint refused = 0;

  g_signal_connect_swapped (session, "kept", G_CALLBACK (count), &refused);
  find_liver (session, 1);
  found = get_mask (session);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, SLICES - 1);
  g_assert_cmpstr (vg_session_get_mask (session), ==, found);
  region = vg_session_get_region (session, 0)->region;
  region.x[0] += 9;
  vg_session_set_region (session, 0, &region);
  vg_session_remove_region (session, 0);
  g_assert_cmpuint (refused, ==, 2);
  g_assert_false (vg_region_equal (&vg_session_get_region (session, 0)->region, &region));
  find_liver (session, 1);
  again = get_mask (session);
  g_assert_cmpstr (again, ==, found);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, SLICES - 1);

  g_assert_true (vg_session_set_text (session, param, edited, NULL));
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 0);
  find_liver (session, 0);
  kept = get_mask (session);
  g_assert_cmpstr (kept, ==, edited);
  g_assert_cmpuint (refused, ==, 2);

  /* no room: all outlines or none */
  g_assert_true (vg_session_set_text (session, param, "", NULL));
  for (int i = 0; i < 255; i++)
    {
      g_assert_true (vg_region_parse (&region, "rect:1,2,3,4", NULL));
      region.slice = i;
      vg_session_add_region (session, &region);
    }
  find_liver (session, 1);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 255);
  find_liver (session, 0);

  /* with all regions the mask goes too */
  g_assert_true (vg_session_set_text (session, param, "", NULL));
  for (int i = 0; i < 9; i++)
    vg_session_remove_region (session, 0);
  find_liver (session, 1);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 246 + SLICES - 1);
  vg_session_drop_regions (session, FALSE);
  none = get_mask (session);
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpuint (refused, ==, 2);
}

/* A mask that was edited and has other voxels than its outlines is not searched again. */
static void
test_edited (void)
{
  const VgParamTable *table = &vg_operation_find ("perfusion")->params;
  g_autofree char *edited = store_edited ("Liver"), *after = NULL;
  VgNamedRegion named = { .name = (char *) "Liver (slice 1)", .origin = VG_REGION_FOUND };
  const VgNamedRegion *regions[] = { &named, NULL };
  void *params = vg_params_new (table), *copy;

  g_assert_true (vg_region_parse (&named.region, "rect:20,20,30,30", NULL));
  g_assert_true (vg_param_parse (vg_params_find (table, "mask"), params, edited, NULL));
  copy = vg_found_regions_forget (table, params, regions);
  after = vg_param_format (vg_params_find (table, "mask"), copy);
  g_assert_cmpstr (after, ==, edited);
  vg_params_free (table, copy);
  vg_params_free (table, params);
}

/* ---- A search that lasts until it is stopped ---- */

static gint running;

static GPtrArray *
search (const VgContext *context, GError **error)
{
  g_atomic_int_set (&running, 1);
  for (int i = 0; i < 50000 && !vg_context_is_stopped (context); i++)
    g_usleep (1000);
  g_atomic_int_set (&running, 0);
  return vg_context_is_stopped (context) ? NULL : g_ptr_array_new ();
}

static const VgFind find = { search, "Find", "Finds." };

/* Perfusion of few voxels with this search. */
static const VgOperation *
make_operation (VgOperation *operation, VgSynthetic *synthetic)
{
  *operation = *vg_operation_find ("perfusion");
  *synthetic = *operation->synthetic;
  synthetic->live.width = 24;
  synthetic->live.height = 20;
  operation->synthetic = synthetic;
  operation->find = &find;
  return operation;
}

static void
test_work (void)
{
  VgOperation operation;
  VgSynthetic synthetic;
  g_autoptr (VgWork)
      work = vg_work_new (make_operation (&operation, &synthetic), VG_BACKEND_CPU, 1, NULL);
  void *params = vg_params_new (&operation.params);
  gint stop = 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = NULL;

  g_assert_null (vg_work_find (work, params, NULL, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_clear_error (&error);
  synthetic.settings (&synthetic.live, params);
  image = vg_work_load_dataset (&operation, params, NULL, NULL, &synthetic.live, &error);
  g_assert_no_error (error);
  vg_work_set_stop (work, &stop);
  g_assert_null (vg_work_find (work, params, image, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  operation.find = NULL;
  g_assert_null (vg_work_find (work, params, image, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  vg_params_free (&operation.params, params);
}

/* Asks until there is a state, and the search has begun. */
static void
begin_search (VgPipeline *pipeline, GCancellable *cancellable, Answer *answer)
{
  while (!g_atomic_int_get (&running))
    {
      g_clear_error (&answer->error);
      answer_begin (answer, pipeline, &(VgQuery){ .kind = VG_QUERY_FINDINGS }, cancellable);
      while (!answer->done && !g_atomic_int_get (&running))
        {
          g_main_context_iteration (NULL, FALSE);
          g_usleep (1000);
        }
    }
}

/* Cancelling ends the search, and so does closing the data. */
static void
test_pipeline (void)
{
  VgOperation operation;
  VgSynthetic synthetic;
  VgPipeline *pipeline = vg_pipeline_new (VG_BACKEND_CPU);
  void *params = vg_params_new (&make_operation (&operation, &synthetic)->params);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Answer answer = { 0 };

  synthetic.settings (&synthetic.live, params);
  vg_pipeline_open (pipeline, &operation, params, NULL, NULL);
  begin_search (pipeline, cancellable, &answer);
  g_cancellable_cancel (cancellable);
  g_assert_null (answer_wait (&answer));
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_atomic_int_get (&running));
  begin_search (pipeline, NULL, &answer);
  vg_pipeline_close (pipeline);
  g_assert_false (g_atomic_int_get (&running));
  g_assert_null (answer_wait (&answer));
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&answer.error);
  g_object_unref (pipeline);
  vg_params_free (&operation.params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/found-region/use", test_use);
  g_test_add_func ("/found-region/forget", test_forget);
  g_test_add_func ("/found-region/mask", test_mask);
  g_test_add_func ("/found-region/session", test_session);
  g_test_add_func ("/found-region/edited", test_edited);
  g_test_add_func ("/found-region/work", test_work);
  g_test_add_func ("/found-region/pipeline", test_pipeline);
  return g_test_run ();
}
