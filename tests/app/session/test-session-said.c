/* SPDX-License-Identifier: MIT */
/* Where values are from: what the sample data or a file said goes with them,
 * what the user set stays, in every view and however the data come. */
#include <string.h>
#include "tests/support/app/fake-operation.h"
#include "app/session/vg-session.h"

static const VgImageInfo loud = {
  .type = VG_U16,
  .width = 8,
  .height = 8,
  .channels = 1,
  .bins = 64,
  .slices = 2,
  .frames = 9,
  .exposure_ms = 3.25,
  .frame_interval_s = 1.75,
  .repetition_ms = 6.5,
  .flip_deg = 22,
  .bin_width_ns = 0.0390625,
  .period_ns = 12.5,
};
static const VgImageInfo other = {
  .type = VG_U16,
  .width = 8,
  .height = 8,
  .channels = 1,
  .bins = 64,
  .slices = 2,
  .frames = 9,
  .exposure_ms = 8,
  .frame_interval_s = 2.5,
  .repetition_ms = 4.5,
  .flip_deg = 12,
  .bin_width_ns = 0.0625,
  .period_ns = 25,
  .ct = TRUE,
};
static const VgImageInfo silent = {
  .type = VG_U16, .width = 8, .height = 8, .channels = 1, .bins = 64, .slices = 2, .frames = 9
};

static const char *const file_a[] = { "/data/a.sdt", NULL }, *const file_b[] = { "/data/b.sdt",
                                                                                 NULL };

/* What data say: a file as in INFO; NULL: the sample. */
static void *
said_by (const VgOperation *operation, const VgImageInfo *info)
{
  void *said = vg_params_new (&operation->params);

  if (info != NULL && operation->adopt != NULL)
    operation->adopt (said, info);
  if (info == NULL && operation->input.kind != VG_INPUT_NONE && operation->synthetic != NULL &&
      operation->synthetic->settings != NULL)
    operation->synthetic->settings (&operation->synthetic->live, said);
  return said;
}

/* As the window does when data have opened. */
static void
open_data (VgSession *session, const char *const *inputs, const VgImageInfo *info)
{
  gboolean another = inputs == NULL ? vg_session_get_inputs (session)[0] != NULL
                                    : !g_strv_equal (inputs, vg_session_get_inputs (session));

  vg_session_set_inputs (session, inputs);
  vg_session_adopt (session, info, another);
  vg_session_commit (session, "Open");
}

static void
open_sample (VgSession *session)
{
  open_data (session, NULL, NULL);
}

static void
from_nothing (VgSession *session)
{
}

static void
from_another_file (VgSession *session)
{
  open_data (session, file_b, &other);
}

static void
from_sample_and_file (VgSession *session)
{
  open_sample (session);
  open_data (session, file_b, &silent);
  open_sample (session);
}

static void
through_undo (VgSession *session)
{
  open_data (session, file_b, &other);
  open_sample (session);
  vg_session_undo (session);
  vg_session_redo (session);
}

static void
through_another_view (VgSession *session)
{
  const VgOperation *operation = vg_session_get_operation (session);

  open_sample (session);
  vg_session_set_operation (session, &fake_stream);
  vg_session_commit (session, "There");
  vg_session_set_operation (session, operation);
  vg_session_commit (session, "Back");
}

/* Saved with the sample, and with another file. */
static void
through_text (VgSession *session)
{
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      if (i == 0)
        open_sample (session);
      else
        open_data (session, file_b, &other);
      text = vg_session_to_text (session);
      g_assert_true (vg_session_from_text (session, text, strlen (text), &error));
      g_assert_no_error (error);
    }
}

static const struct
{
  const char *name;
  void (*before) (VgSession *session);
} ways[] = {
  { "nothing", from_nothing },   { "sample", open_sample },
  { "file", from_another_file }, { "sample and file", from_sample_and_file },
  { "undo", through_undo },      { "view", through_another_view },
  { "session", through_text },
};

static void
check_equal (const VgOperation *operation, const char *way, const void *params, const void *wanted)
{
  for (guint i = 0; i < operation->params.n_items; i++)
    if (!vg_param_equal (&operation->params.items[i], params, wanted))
      {
        g_autofree char *is = vg_param_format (&operation->params.items[i], params),
                        *was = vg_param_format (&operation->params.items[i], wanted);

        g_error ("%s, after %s: %s is %s, not %s", operation->id, way,
                 operation->params.items[i].id, is, was);
      }
}

/* Every parameter is the file's, or at its default where the file says nothing. */
static void
test_ways (void)
{
  guint n, said_any = 0;
  const VgOperation *const *operations = vg_operations (&n);
  const VgImageInfo *const infos[] = { &loud, &silent };

  g_assert_cmpuint (n, >, 1);
  for (guint i = 0; i < n; i++)
    for (guint way = 0; way < G_N_ELEMENTS (ways); way++)
      for (guint k = 0; k < G_N_ELEMENTS (infos); k++)
        {
          g_autoptr (VgSession) session = vg_session_new (operations[i]);
          void *wanted = said_by (operations[i], infos[k]),
               *defaults = vg_params_new (&operations[i]->params);

          ways[way].before (session);
          open_data (session, file_a, infos[k]);
          check_equal (operations[i], ways[way].name, vg_session_get_params (session), wanted);
          for (guint p = 0; p < operations[i]->params.n_items; p++)
            {
              const VgParam *param = &operations[i]->params.items[p];
              gboolean is_default = vg_param_equal (param, wanted, defaults);

              g_assert_cmpint (vg_session_get_origin (session, param), ==,
                               is_default ? VG_ORIGIN_DEFAULT : VG_ORIGIN_FILE);
              said_any += !is_default;
            }
          /* none of the sample's vessels */
          g_assert_cmpuint (vg_session_get_n_regions (session), ==, 0);
          vg_params_free (&operations[i]->params, defaults);
          vg_params_free (&operations[i]->params, wanted);
        }
  g_assert_cmpuint (said_any, >, 4 * G_N_ELEMENTS (ways));
}

/* What the user set stays for other data, unless it belongs to the data. */
static void
test_user (void)
{
  guint n, kept = 0, left = 0;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    for (guint p = 0; p < operations[i]->params.n_items; p++)
      {
        const VgParam *param = &operations[i]->params.items[p];
        g_autoptr (VgSession) session = vg_session_new (operations[i]);
        g_autofree char *text = NULL;
        void *wanted;

        if (param->kind == VG_PARAM_ACTION || param->kind == VG_PARAM_TABLE)
          continue;
        wanted = said_by (operations[i], &loud);
        open_sample (session);
        open_data (session, file_b, &other);
        if (param->kind == VG_PARAM_FILE || param->kind == VG_PARAM_REGION)
          g_assert_true (vg_session_set_text (
              session, param,
              param->kind == VG_PARAM_REGION || param->file.or_region ? "rect:1,2,3,4"
                                                                      : "/data/dark.tif",
              NULL));
        else
          {
            double low = param->kind == VG_PARAM_CHOICE ? 0 : param->min,
                   now = vg_param_get_number (param, vg_session_get_params (session));

            vg_session_set_number (session, param, now == low ? low + 1 : low);
          }
        g_assert_cmpint (vg_session_get_origin (session, param), ==, VG_ORIGIN_USER);
        text = vg_param_format (param, vg_session_get_params (session));
        if (vg_param_is_per_dataset (param, vg_session_get_params (session)))
          left++;
        else
          {
            g_assert_true (vg_param_parse (param, wanted, text, NULL));
            kept++;
          }
        open_data (session, file_a, &loud);
        /* what goes along with it may do so */
        for (guint k = 0; k < operations[i]->params.n_items; k++)
          if (vg_session_get_origin (session, &operations[i]->params.items[k]) == VG_ORIGIN_DERIVED)
            vg_param_assign (&operations[i]->params.items[k], wanted,
                             vg_session_get_params (session));
        check_equal (operations[i], param->id, vg_session_get_params (session), wanted);
        vg_params_free (&operations[i]->params, wanted);
      }
  g_assert_cmpuint (kept, >, 50);
  g_assert_cmpuint (left, >, 10);
}

static double
number_of (VgSession *session, const char *id)
{
  return vg_param_get_number (vg_params_find (&vg_session_get_operation (session)->params, id),
                              vg_session_get_params (session));
}

/* A fit range that was typed is in force for the next file too; one that was put back is not. */
static void
test_followed (void)
{
  const VgOperation *operation = vg_operation_find ("lifetime");
  const VgParam *start = vg_params_find (&operation->params, "fit_start_ns"),
                *range = vg_params_find (&operation->params, "range");

  for (int put_back = 0; put_back < 2; put_back++)
    {
      g_autoptr (VgSession) session = vg_session_new (operation),
                            again = vg_session_new (operation);
      g_autofree char *text = NULL;

      open_data (session, file_b, &other);
      vg_session_set_number (session, start, 1.5);
      g_assert_cmpint (vg_session_get_origin (session, start), ==, VG_ORIGIN_USER);
      g_assert_cmpint (vg_session_get_origin (session, range), ==, VG_ORIGIN_DERIVED);
      if (put_back)
        vg_session_set_number (session, range, range->def);
      vg_session_commit (session, "Fit range");
      vg_session_undo (session);
      vg_session_redo (session);
      text = vg_session_to_text (session);
      g_assert_true (vg_session_from_text (again, text, strlen (text), NULL));
      open_data (again, file_a, &loud);
      g_assert_cmpfloat (number_of (again, "fit_start_ns"), ==, 1.5);
      g_assert_cmpint (number_of (again, "range") == range->def, ==, put_back);
      g_assert_cmpint (vg_session_get_origin (again, range), ==,
                       put_back ? VG_ORIGIN_DEFAULT : VG_ORIGIN_DERIVED);
    }
}

/* The label of a mean of several lifetimes says which mean it is. */
static void
test_exact_label (void)
{
  const VgOperation *operation = vg_operation_find ("lifetime");
  const VgParam *method = vg_params_find (&operation->params, "method");
  g_autoptr (VgSession) session = vg_session_new (operation);

  g_assert_cmpstr (vg_session_get_output (session)->id, ==, "lifetime");
  g_assert_true (vg_session_set_text (session, method, "mle", NULL));
  g_assert_cmpstr (vg_session_get_output (session)->label, ==, "Lifetime");
  g_assert_true (vg_session_set_text (session, method, "mle_bi", NULL));
  g_assert_cmpstr (vg_session_get_output (session)->label, ==, "Amplitude-weighted lifetime");
  g_assert_true (vg_session_set_text (session, method, "phasor", NULL));
  g_assert_cmpstr (vg_session_get_output (session)->label, ==, "Lifetime");
}

/* A parameter is put back to what the file says of it, and so are all. */
static void
test_reset (void)
{
  const VgOperation *operation = vg_operation_find ("lifetime");
  const VgParam *width = vg_params_find (&operation->params, "bin_width_ns");
  g_autoptr (VgSession) session = vg_session_new (operation);

  open_sample (session);
  open_data (session, file_a, &loud);
  g_assert_cmpfloat (number_of (session, "bin_width_ns"), ==, 0.0390625);
  g_assert_cmpfloat (vg_param_get_number (width, vg_session_get_given (session)), ==, 0.0390625);
  vg_session_set_number (session, width, 0.5);
  vg_session_reset_params (session);
  g_assert_cmpfloat (number_of (session, "bin_width_ns"), ==, 0.0390625);
  g_assert_cmpint (vg_session_get_origin (session, width), ==, VG_ORIGIN_FILE);
}

/* A session from before origins were kept: what is not a default was set by the user, or is what
 * its file says. */
static void
test_old_session (void)
{
  static const char old[] =
      "[session]\nversion=1\noperation=lifetime\n[lifetime]\ninputs=/data/a.sdt;\n"
      "[lifetime parameters]\nbin_width_ns=0.0390625\nperiod_ns=20\nbin=2\n";
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("flow"));
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_session_from_text (session, old, strlen (old), &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (number_of (session, "bin_width_ns"), ==, 0.0390625);
  open_data (session, file_a, &loud);
  g_assert_cmpfloat (number_of (session, "period_ns"), ==, 20); /* not the 12.5 of its file */
  open_data (session, file_b, &other);
  g_assert_cmpfloat (number_of (session, "bin_width_ns"), ==, 0.0625);
  g_assert_cmpfloat (number_of (session, "period_ns"), ==, 20);
  g_assert_cmpfloat (number_of (session, "bin"), ==, 2);
}

/* The next patient's regions are not called by the vessels of this one. */
static void
test_names (void)
{
  const VgOperation *operation = vg_operation_find ("perfusion");
  const VgParam *artery = vg_params_find (&operation->params, "artery");
  const VgRegion liver = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 1, 5 }, .y = { 1, 5 }
  };
  g_autoptr (VgSession) session = vg_session_new (operation);

  open_data (session, file_b, &other);
  vg_session_add_region (session, &liver);
  vg_session_rename_region (session, 0, "Segment VII");
  g_assert_true (vg_session_set_text (session, artery, "rect:1,2,3,4", NULL));
  g_assert_cmpstr (vg_session_get_region (session, 1)->name, ==, artery->label);
  g_assert_true (vg_session_set_text (session, artery, "", NULL));
  g_assert_true (vg_session_set_text (session, artery, "rect:5,6,7,8", NULL));
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 3);
  open_data (session, file_a, &loud);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 2);
  g_assert_cmpstr (vg_session_get_region (session, 0)->name, ==, "Segment VII");
  g_assert_cmpstr (vg_session_get_region (session, 1)->name, ==, "Region 1");
}

static guint
count_named (VgSession *session, const char *name)
{
  guint n = 0;

  for (guint i = 0; i < vg_session_get_n_regions (session); i++)
    n += strcmp (vg_session_get_region (session, i)->name, name) == 0;
  return n;
}

/* What is marked in sample data comes with them and goes with them; the user may remove it, and
 * undo brings it back. */
static void
test_sample_marks (void)
{
  static const char *const all[] = { "Artery", "Portal vein", "Liver", "Lesion" };
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("perfusion"));
  const VgRegion mine = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 1, 5 }, .y = { 1, 5 }
  };

  for (int round = 0; round < 2; round++)
    {
      open_sample (session);
      g_assert_cmpuint (vg_session_get_n_regions (session), ==, G_N_ELEMENTS (all) + (guint) round);
      for (guint i = 0; i < G_N_ELEMENTS (all); i++)
        g_assert_cmpuint (count_named (session, all[i]), ==, 1);
      if (round == 0)
        vg_session_add_region (session, &mine);
      open_data (session, file_a, &silent);
      g_assert_cmpuint (vg_session_get_n_regions (session), ==, 1);
    }
  vg_session_undo (session);
  g_assert_cmpuint (count_named (session, "Lesion"), ==, 1);
  for (guint i = 0; i < vg_session_get_n_regions (session); i++)
    if (strcmp (vg_session_get_region (session, i)->name, "Lesion") == 0)
      vg_session_remove_region (session, i);
  open_sample (session);
  g_assert_cmpuint (count_named (session, "Lesion"), ==, 0);
  g_assert_cmpuint (count_named (session, "Artery"), ==, 1);
  /* the other sample has vessels of its own and marks nothing */
  vg_session_set_read_options (session, "sample=ellipse");
  vg_session_adopt (session, NULL, TRUE);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 3);
  g_assert_cmpuint (count_named (session, "Portal vein"), ==, 1);
  g_assert_cmpuint (count_named (session, "Liver"), ==, 0);
  g_assert_cmpuint (count_named (session, "Lesion"), ==, 0);
  /* samples with vessels in the same places, one after the other */
  for (int round = 0; round < 4; round++)
    {
      vg_session_set_read_options (session, round % 2 == 0 ? "sample=abdomen" : "sample=breathing");
      vg_session_adopt (session, NULL, TRUE);
      g_assert_cmpuint (vg_session_get_n_regions (session), ==, G_N_ELEMENTS (all) + 1);
      for (guint i = 0; i < G_N_ELEMENTS (all); i++)
        g_assert_cmpuint (count_named (session, all[i]), ==, 1);
    }
}

static void
refuse (const char *body, const char *named)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  g_autofree char *text = g_strconcat ("[session]\nversion=1\noperation=fake\n", body, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (vg_session_from_text (session, text, strlen (text), &error));
  if (strstr (error->message, named) == NULL)
    g_error ("\"%s\" does not name %s", error->message, named);
}

static void
test_refusals (void)
{
  refuse ("[fake said]\ngains=3\n",
          "[fake said], key gains: there is no such parameter; did you mean gain?");
  refuse ("[fake said]\ngain=nan\n", "[fake said], key gain");
  refuse ("[fake]\nfollowed=gains;\n", "did you mean gain?");
  refuse ("[fake]\nfollowed=press;\n", "key press");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/said/ways", test_ways);
  g_test_add_func ("/said/user", test_user);
  g_test_add_func ("/said/followed", test_followed);
  g_test_add_func ("/said/reset", test_reset);
  g_test_add_func ("/session/exact-label", test_exact_label);
  g_test_add_func ("/said/old-session", test_old_session);
  g_test_add_func ("/said/names", test_names);
  g_test_add_func ("/said/sample-marks", test_sample_marks);
  g_test_add_func ("/said/refusals", test_refusals);
  return g_test_run ();
}
