/* SPDX-License-Identifier: MIT */
/* A session as text: random edits undone and read again, and what is refused. */
#include <glib/gstdio.h>
#include <string.h>
#include "tests/support/app/fake-operation.h"
#include "app/session/vg-checkpoint-text.h"
#include "app/session/vg-document.h"
#include "kernels/base/vg-error.h"

static const VgParam *
param (const char *id)
{
  const VgParam *found = vg_params_find (&fake_stream.params, id);

  g_assert_nonnull (found);
  return found;
}

static VgRegion
rectangle (double x0, double y0, double x1, double y1)
{
  return (VgRegion){ .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { x0, x1 }, .y = { y0, y1 } };
}

static void
edit_region (VgSession *session, GRand *rand)
{
  VgRegion region = rectangle (g_rand_double_range (rand, 0, 50), g_rand_double_range (rand, 0, 50),
                               g_rand_double_range (rand, 51, 99),
                               g_rand_double_range (rand, 51, 99));
  guint n = vg_session_get_n_regions (session);
  guint i = n > 0 ? (guint) g_rand_int_range (rand, 0, (gint32) n) : 0;

  switch (g_rand_int_range (rand, 0, 4))
    {
    case 0:
      vg_session_add_region (session, &region);
      break;
    case 1:
      vg_session_set_region (session, i, &region);
      break;
    case 2:
      if (n > 0)
        vg_session_rename_region (session, i, g_rand_boolean (rand) ? "Vène; #1 = [x]" : "\\n");
      break;
    default:
      vg_session_remove_region (session, i);
    }
}

static void
edit (VgSession *session, GRand *rand)
{
  static const char *const inputs[][3] = {
    { "/data/a;b.tif" }, { "rel/ä.tif", "-" }, { "/x/\xff\xfe.tif" }, { NULL }
  };
  VgDisplay display = *vg_session_get_display (session);
  VgView view = *vg_session_get_view (session);

  switch (g_rand_int_range (rand, 0, 9))
    {
    case 0:
    case 1:
      vg_session_set_number (session, param ("gain"), g_rand_double_range (rand, -1000, 1000));
      break;
    case 2:
      vg_session_set_number (session, param ("step_ms"), g_rand_double (rand) / 3);
      break;
    case 3:
      vg_session_set_inputs (session, inputs[g_rand_int_range (rand, 0, G_N_ELEMENTS (inputs))]);
      break;
    case 4:
      vg_session_set_operation (session, g_rand_boolean (rand) ? &fake_stream : &fake_steps);
      break;
    case 5:
      display.low = g_rand_double_range (rand, -1, 1) / 7;
      display.reversed = g_rand_boolean (rand);
      vg_session_set_display (session, &display);
      break;
    case 6:
      view.output = g_rand_int_range (rand, 0, 2);
      view.center_x = g_rand_double (rand);
      vg_session_set_view (session, &view);
      break;
    case 7:
      g_assert_true (vg_session_set_text (session, param ("file"),
                                          g_rand_boolean (rand) ? "/a b/c;d.txt" : "", NULL));
      break;
    default:
      edit_region (session, rand);
    }
}

/* The text without the view, which undo does not turn back. */
static char *
lasting_text (VgSession *session)
{
  g_autofree char *text = vg_session_to_text (session);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = NULL;

  g_assert_true (g_key_file_load_from_data (file, text, strlen (text), G_KEY_FILE_NONE, NULL));
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i]; i++)
    {
      if (g_str_has_suffix (groups[i], " view"))
        g_key_file_remove_group (file, groups[i], NULL);
      else
        g_key_file_remove_key (file, groups[i], "selected", NULL);
    }
  return g_key_file_to_data (file, NULL, NULL);
}

static void
test_undo_all (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);

  for (int round = 0; round < 20; round++)
    {
      g_autoptr (VgSession) session = vg_session_new (&fake_stream);
      g_autofree char *start = lasting_text (session), *end = NULL, *undone = NULL, *redone = NULL;
      int undos = 0, redos = 0;

      for (int i = 0; i < 60; i++)
        {
          edit (session, rand);
          if (g_rand_boolean (rand))
            vg_session_commit (session, "Edit");
        }
      end = lasting_text (session);
      for (; vg_session_can_undo (session); undos++)
        vg_session_undo (session);
      undone = lasting_text (session);
      g_assert_cmpstr (undone, ==, start);
      for (; vg_session_can_redo (session); redos++)
        vg_session_redo (session);
      redone = lasting_text (session);
      g_assert_cmpstr (redone, ==, end);
      g_assert_cmpint (undos, ==, redos);
      g_assert_cmpint (undos, >, 5);
    }
}

static void
test_history_is_bounded (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  int undos = 0;

  for (int i = 0; i < 1000; i++)
    {
      vg_session_set_number (session, param ("gain"), i);
      vg_session_commit (session, "Gain");
    }
  for (; vg_session_can_undo (session); undos++)
    vg_session_undo (session);
  g_assert_cmpint (undos, ==, 200);
  g_assert_cmpfloat (((const FakeParams *) vg_session_get_params (session))->gain, ==, 799);
}

static void
test_exact (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (99);

  for (int round = 0; round < 30; round++)
    {
      g_autoptr (VgSession) session = vg_session_new (&fake_stream),
                            other = vg_session_new (&fake_steps);
      g_autofree char *text = NULL, *again = NULL;
      g_autoptr (GError) error = NULL;
      const FakeParams *a, *b;

      for (int i = 0; i < 40; i++)
        edit (session, rand);
      vg_session_set_operation (session, &fake_stream);
      vg_session_set_operation (other, &fake_stream);
      text = vg_session_to_text (session);
      g_assert_true (vg_session_from_text (other, text, strlen (text), &error));
      g_assert_no_error (error);
      again = vg_session_to_text (other);
      g_assert_cmpstr (again, ==, text);
      a = vg_session_get_params (session);
      b = vg_session_get_params (other);
      g_assert_true (a->gain == b->gain && a->step_ms == b->step_ms);
      g_assert_true (vg_session_get_view (session)->center_x ==
                     vg_session_get_view (other)->center_x);
      g_assert_true (g_strv_equal (vg_session_get_inputs (session), vg_session_get_inputs (other)));
    }
}

static void
refuse (const char *body, const char *named)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  g_autofree char *before = NULL, *after = NULL;
  g_autofree char *text = g_strconcat (
      "[session]\nversion=1\noperation=fake\n[fake parameters]\ngain=3\n", body, NULL);
  g_autoptr (GError) error = NULL;

  vg_session_set_number (session, param ("gain"), 17);
  before = vg_session_to_text (session);
  g_assert_false (vg_session_from_text (session, text, strlen (text), &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  if (!strstr (error->message, named))
    g_error ("\"%s\" does not name %s", error->message, named);
  g_assert_null (strchr (error->message, '\n'));
  after = vg_session_to_text (session);
  g_assert_cmpstr (before, ==, after);
}

static void
test_renamed (void)
{
  static const char text[] = "[session]\nversion=1\noperation=perfusion\n"
                             "[perfusion parameters]\nflip_angle_file=/a.nii\n";
  const VgOperation *operation = vg_operation_find ("perfusion");
  g_autoptr (VgSession) session = vg_session_new (operation);
  g_autofree char *written = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_session_from_text (session, text, strlen (text), &error));
  g_assert_no_error (error);
  written = vg_session_to_text (session);
  g_assert_nonnull (strstr (written, "\nt1_series=/a.nii\n"));
}

static void
test_refusals (void)
{
  refuse ("gains=3\n", "key gains: there is no such parameter; did you mean gain?");
  refuse ("press=3\n", "key press");
  refuse ("gain=1e9\n", "[fake parameters], key gain");
  refuse ("gain=nan\n", "key gain");
  refuse ("history=2.5\n", "key history");
  refuse ("gain[de]=2\n", "key gain[de]");
  refuse ("[fake view]\nzoom=-1\n", "[fake view], key zoom");
  refuse ("[fake view]\noutput=nowhere\n", "key output");
  refuse ("[fake view]\nframe=-2\n", "key frame");
  refuse ("[fake view]\nfram=2\n", "key fram");
  refuse ("[fake display value]\ncolormap=mud\n", "key colormap");
  refuse ("[fake display value]\ninvalid_color=#12345g\n", "key invalid_color");
  refuse ("[fake display value]\nisolines=1 two\n", "key isolines");
  refuse ("[fake view]\nlength_unit=inch\n", "key length_unit");
  refuse ("[fake display nothing]\nlow=1\n", "[fake display nothing]");
  refuse ("[fake region 1]\nname=a\n", "key shape: is missing");
  refuse ("[fake region 2]\nshape=rect:1,1,2,2\n", "[fake region 2]");
  refuse ("[fake region 1]\nshape=rect:1,1\n", "key shape");
  refuse ("[fake region 1]\nshape=rect:1,1,2,2\nselected=maybe\n", "key selected");
  refuse ("[fake region 1]\nshape=rect:1,1,2,2\nid=4294967296\n", "key id");
  refuse ("[other parameters]\nx=1\n", "[other parameters]");
  refuse ("[fake]\ninput=a\n", "key input");
  refuse ("[fake]\ninputs=file:broken\n", "key inputs");
  refuse ("[session]\nversion=2\n", "key version");
  refuse ("[session]\nauthor=me\n", "key author");
  refuse ("[session]\noperation=other\n", "key operation");
  refuse ("no key\n", "not a session file");
  refuse ("\xff=1\n", "not a session file");
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-session-XXXXXX", NULL);
  g_autofree char *moved = g_strconcat (folder, "-moved", NULL);
  g_autofree char *path = g_build_filename (folder, "a.vgs", NULL);
  g_autofree char *there = g_build_filename (moved, "a.vgs", NULL);
  g_autofree char *inside = g_build_filename (folder, "data", "x.tif", NULL);
  g_autofree char *found = g_build_filename (moved, "data", "x.tif", NULL);
  g_autofree char *dark = g_build_filename (folder, "dark.txt", NULL);
  g_autofree char *list = g_strdup_printf ("%s; /elsewhere/z\\;1.txt;%s", dark, inside);
  g_autofree char *list_found = g_strdup_printf ("%s/dark.txt;/elsewhere/z\\;1.txt;%s/data/x.tif",
                                                 moved, moved);
  g_autofree char *dark_found = g_build_filename (moved, "dark.txt", NULL);
  g_autoptr (VgSession) session = vg_session_new (&fake_stream),
                        other = vg_session_new (&fake_stream);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  vg_session_set_inputs (session, (const char *const[]){ inside, "/elsewhere/y.tif", "-", NULL });
  g_assert_true (vg_session_set_text (session, param ("file"), dark, NULL));
  g_assert_true (vg_session_set_text (session, param ("files"), list, NULL));
  g_assert_true (vg_session_save (session, path, NULL, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "inputs=data/x.tif;/elsewhere/y.tif;-;"));
  g_assert_nonnull (strstr (text, "file=dark.txt"));
  g_assert_nonnull (strstr (text, "files=dark.txt;/elsewhere/z\\\\;1.txt;data/x.tif"));
  g_assert_cmpint (g_rename (folder, moved), ==, 0);
  g_assert_true (vg_session_load (other, there, &error));
  g_assert_cmpstr (vg_session_get_inputs (other)[0], ==, found);
  g_assert_cmpstr (vg_session_get_inputs (other)[1], ==, "/elsewhere/y.tif");
  g_assert_cmpstr (vg_session_get_inputs (other)[2], ==, "-");
  g_assert_cmpstr (((const FakeParams *) vg_session_get_params (other))->file, ==, dark_found);
  g_assert_cmpstr (((const FakeParams *) vg_session_get_params (other))->files, ==, list_found);
  /* opening a session can be undone */
  vg_session_undo (other);
  g_assert_null (vg_session_get_inputs (other)[0]);

  /* a file has no ids of regions */
  g_free (text);
  text = g_strdup ("[session]\nversion=1\noperation=fake\n"
                   "[fake region 1]\nshape=rect:1,1,2,2\nid=5\n");
  g_assert_true (g_file_set_contents (there, text, -1, NULL));
  g_assert_false (vg_session_load (other, there, &error));
  g_assert_nonnull (strstr (error->message, "[fake region 1], key id: there is no such key"));
  g_clear_error (&error);

  g_assert_false (vg_session_load (other, folder, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_false (vg_session_load (other, moved, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_false (vg_session_save (other, "/nowhere/at/all.vgs", NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_unlink (there);
  g_rmdir (moved);
}

static void
test_checkpoint (void)
{
  g_autoptr (GBytes) none = g_bytes_new ("", 0);
  g_autofree char *empty = vg_checkpoint_format (none, NULL);
  g_autoptr (GBytes) back = vg_checkpoint_parse (empty, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_bytes_get_size (back), ==, 0);
  g_assert_null (vg_checkpoint_parse ("", NULL));
  g_assert_true (vg_checkpoint_check ("nonsense"));
  g_assert_false (vg_checkpoint_check ("no sense"));
  g_assert_null (vg_checkpoint_parse ("nonsense", &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  empty[strlen (empty) / 2] = '\0';
  g_assert_null (vg_checkpoint_parse (empty, NULL));
}

/* What may not be what it says, or be a thousand times its size, is not unpacked before its view is
 * opened. */
static void
test_unopened (void)
{
  static const char text[] = "[session]\nversion=1\noperation=flow\n[contour]\noutcome=nonsense\n";
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("flow"));
  g_autoptr (GError) error = NULL;
  g_autofree char *packed = NULL;

  g_assert_true (vg_session_from_text (session, text, strlen (text), &error));
  g_assert_no_error (error);
  vg_session_set_operation (session, vg_operation_find ("contour"));
  packed = vg_session_take_checkpoint (session);
  g_assert_cmpstr (packed, ==, "nonsense");
}

/* A region keeps the mark that its name is that of a file until it is renamed. */
static void
test_named_after_file (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream),
                        again = vg_session_new (&fake_stream);
  g_autoptr (GPtrArray) regions = g_ptr_array_new ();
  VgNamedRegion named = { .name = (char *) "Doe_Jane",
                          .region = rectangle (1, 2, 5, 6),
                          .named_after_file = TRUE };
  g_autofree char *text = NULL;

  g_ptr_array_add (regions, &named);
  g_assert_cmpint (vg_session_add_regions (session, regions), ==, 1);
  named.named_after_file = FALSE;
  g_assert_cmpint (vg_session_add_regions (session, regions), ==, 1);
  text = vg_session_to_text (session);
  g_assert_true (vg_session_from_text (again, text, strlen (text), NULL));
  g_assert_true (vg_session_get_region (again, 0)->named_after_file);
  g_assert_false (vg_session_get_region (again, 1)->named_after_file);
  vg_session_rename_region (again, 0, "Liver");
  g_assert_false (vg_session_get_region (again, 0)->named_after_file);
}

/* A region that was found is so until the user changes it, also in a text. */
static void
test_origin (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream),
                        again = vg_session_new (&fake_stream);
  g_autoptr (GPtrArray) regions = g_ptr_array_new ();
  VgNamedRegion named = { .name = (char *) "Liver", .region = rectangle (1, 2, 5, 6) };
  VgRegion moved = rectangle (2, 2, 6, 6);
  g_autofree char *text = NULL;

  for (int origin = VG_REGION_DRAWN; origin <= VG_REGION_ADAPTED; origin++)
    {
      named.origin = (VgRegionOrigin) origin;
      g_ptr_array_set_size (regions, 0);
      g_ptr_array_add (regions, &named);
      g_assert_cmpint (vg_session_add_regions (session, regions), ==, 1);
    }
  text = vg_session_to_text (session);
  g_assert_true (vg_session_from_text (again, text, strlen (text), NULL));
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpint (vg_session_get_region (again, i)->origin, ==, i);
      vg_session_rename_region (again, i, "Other");
      g_assert_cmpint (vg_session_get_region (again, i)->origin, ==, i);
      vg_session_set_region (again, i, &moved);
    }
  g_assert_cmpint (vg_session_get_region (again, 0)->origin, ==, VG_REGION_DRAWN);
  g_assert_cmpint (vg_session_get_region (again, 1)->origin, ==, VG_REGION_ADAPTED);
  g_assert_cmpint (vg_session_get_region (again, 2)->origin, ==, VG_REGION_ADAPTED);
  /* another search replaces what was found alone */
  vg_session_remove_found (session, "Spleen");
  g_assert_cmpint (vg_session_get_n_regions (session), ==, 3);
  vg_session_remove_found (session, "Liver");
  g_assert_cmpint (vg_session_get_n_regions (session), ==, 2);
  g_assert_cmpint (vg_session_get_region (session, 1)->origin, ==, VG_REGION_ADAPTED);
  vg_session_remove_found (again, "Other");
  g_assert_cmpint (vg_session_get_n_regions (again), ==, 3);
}

/* A region keeps its id when it is renamed, when that is undone, and in a text that does not leave
 * the program.  No other region gets it.  Regions from a file get new ids. */
static void
test_identity (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream),
                        again = vg_session_new (&fake_stream);
  const VgRegion region = rectangle (1, 2, 5, 6);
  g_autofree char *text = NULL, *file = NULL;
  guint id;

  vg_session_add_region (session, &region);
  vg_session_add_region (session, &region);
  vg_session_commit (session, "Regions");
  id = vg_session_get_region (session, 0)->id;
  g_assert_cmpuint (vg_session_get_region (session, 1)->id, !=, id);
  vg_session_rename_region (session, 0, "Liver");
  g_assert_cmpuint (vg_session_get_region (session, 0)->id, ==, id);
  vg_session_commit (session, "Name");
  vg_session_undo (session);
  g_assert_cmpstr (vg_session_get_region (session, 0)->name, ==, "Region 1");
  g_assert_cmpuint (vg_session_get_region (session, 0)->id, ==, id);
  text = vg_session_to_text (session);
  g_assert_true (vg_session_from_text (again, text, strlen (text), NULL));
  g_assert_cmpuint (vg_session_get_region (again, 0)->id, ==, id);
  g_clear_pointer (&text, g_free);
  text = g_strdup_printf ("[session]\nversion=1\noperation=fake\n"
                          "[fake region 1]\nshape=rect:1,1,2,2\nid=%u\n"
                          "[fake region 2]\nshape=rect:3,3,2,2\nid=%u\n",
                          id, id);
  g_assert_true (vg_session_from_text (again, text, strlen (text), NULL));
  g_assert_cmpuint (vg_session_get_region (again, 0)->id, ==, id);
  g_assert_cmpuint (vg_session_get_region (again, 1)->id, !=, id);
  file = vg_session_to_text_in (session, "/there");
  g_assert_true (vg_session_from_text (again, file, strlen (file), NULL));
  g_assert_cmpuint (vg_session_get_region (again, 0)->id, !=, id);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/undo-all", test_undo_all);
  g_test_add_func ("/session/history-is-bounded", test_history_is_bounded);
  g_test_add_func ("/session/exact", test_exact);
  g_test_add_func ("/session/renamed", test_renamed);
  g_test_add_func ("/session/refusals", test_refusals);
  g_test_add_func ("/session/file", test_file);
  g_test_add_func ("/session/checkpoint", test_checkpoint);
  g_test_add_func ("/session/unopened-checkpoint", test_unopened);
  g_test_add_func ("/session/named-after-file", test_named_after_file);
  g_test_add_func ("/session/origin", test_origin);
  g_test_add_func ("/session/identity", test_identity);
  return g_test_run ();
}
