/* SPDX-License-Identifier: MIT */
/* A session carries the masks that were painted: what is stored, what its file holds, and what is
 * refused. */
#include <glib/gstdio.h>
#include <string.h>
#include "tests/support/app/fake-operation.h"
#include "app/session/vg-session.h"
#include "app/session/vg-session-files.h"
#include "app/volume/vg-mask-store.h"
#include "kernels/base/vg-error.h"

/* The path of a stored mask of 4 x 3 x 2 voxels, one of which is painted. */
static char *
store (const char *name, int column)
{
  VgImageInfo info = vg_image_info_grey (VG_F32, 4, 3);
  VgPlane plane = { .width = 4, .height = 3, .slices = 2 };
  const VgOrientation unknown = { .known = FALSE };
  const VgBrush brush = { .radius = 0 };
  g_autoptr (GError) error = NULL;
  VgVolumeGrid grid;
  VgSection section;
  VgMask *mask;
  char *path;

  info.slices = 2;
  info.frames = 7; /* a mask has one */
  vg_volume_grid_init (&grid, &plane, &info);
  vg_section_init (&section, VG_SECTION_AXIAL, &unknown, FALSE);
  mask = vg_mask_new (&grid, &error);
  g_assert_no_error (error);
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, (const int[]){ column, 1, 1 }, &brush, NULL);
  path = vg_mask_store_add (mask, &info, name, &error);
  g_assert_no_error (error);
  vg_mask_free (mask);
  return path;
}

static void
test_keys (void)
{
  g_autofree char *one = store ("Leber/links", 1), *same = store ("Leber/links", 1),
                  *other = store ("Leber/links", 2), *key = vg_mask_store_key (one),
                  *back = vg_mask_store_path (key);

  g_assert_cmpstr (one, ==, same);
  g_assert_cmpstr (one, !=, other);
  g_assert_true (g_str_has_prefix (key, "Leber_links-"));
  g_assert_cmpstr (back, ==, one);
  g_assert_null (vg_mask_store_key ("/elsewhere/Leber_links-0123456789ab.nii.gz"));
  g_assert_null (vg_mask_store_path ("../Leber-0123456789ab"));
  g_assert_null (vg_mask_store_path ("Leber-0123456789xy"));
  g_assert_null (vg_mask_store_path ("-0123456789ab"));
}

/* The session's file alone brings both masks to a computer that has none. */
static void
test_carried (void)
{
  g_autofree char *painted = store ("Painted", 1), *used = store ("Used", 2),
                  *folder = g_dir_make_tmp ("vg-masks-XXXXXX", NULL),
                  *path = g_build_filename (folder, "case.vivograph", NULL), *text = NULL,
                  *broken = NULL, *value = NULL;
  const VgOperation *operation = vg_operation_find ("perfusion"); /* its files are in the list */
  VgSession *session = vg_session_new (operation), *again = vg_session_new (operation);
  const VgParam *file = vg_params_find (&operation->params, "mask");
  g_autoptr (GPtrArray) outside = NULL;
  g_autoptr (GError) error = NULL;
  char *at;

  g_assert_nonnull (file);
  vg_session_set_mask (session, painted);
  g_assert_true (vg_session_set_text (session, file, used, &error));
  g_assert_true (vg_session_save (session, path, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (painted) | g_unlink (used), ==, 0);

  outside = vg_session_list_outside (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outside->len, ==, 0); /* the user is not asked */
  g_assert_true (vg_session_load (again, path, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (vg_session_get_mask (again), ==, painted);
  value = vg_param_format (file, vg_session_get_params (again));
  g_assert_cmpstr (value, ==, used);
  g_assert_true (g_file_test (painted, G_FILE_TEST_IS_REGULAR));
  g_assert_true (g_file_test (used, G_FILE_TEST_IS_REGULAR));

  /* what is not the content that its name says is refused, and not stored */
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  at = strstr (text, "H4sI");
  g_assert_nonnull (at);
  at[30] = at[30] == 'A' ? 'B' : 'A';
  broken = g_build_filename (folder, "broken.vivograph", NULL);
  g_assert_true (g_file_set_contents (broken, text, -1, NULL));
  g_unlink (painted);
  g_unlink (used);
  g_assert_false (vg_session_load (again, broken, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "masks]"));
  g_object_unref (session);
  g_object_unref (again);
  g_unlink (path);
  g_unlink (broken);
  g_rmdir (folder);
}

/* Undo leaves it, and other inputs drop it. */
static void
test_inputs (void)
{
  g_autofree char *painted = store ("Painted", 3);
  VgSession *session = vg_session_new (&fake_stream);
  const VgParam *gain = vg_params_find (&fake_stream.params, "gain");

  vg_session_set_inputs (session, (const char *const[]){ "/data/a.nii", NULL });
  vg_session_commit (session, "Open");
  vg_session_set_mask (session, painted);
  vg_session_set_number (session, gain, 0.25);
  vg_session_commit (session, "Gain");
  vg_session_undo (session);
  g_assert_cmpstr (vg_session_get_mask (session), ==, painted);
  vg_session_set_inputs (session, (const char *const[]){ "/data/b.nii", NULL });
  g_assert_null (vg_session_get_mask (session));
  g_object_unref (session);
}

static void
empty (const char *home)
{
  g_autofree char *program = g_build_filename (home, "vivograph", NULL),
                  *masks = g_build_filename (program, "masks", NULL);
  GDir *folder = g_dir_open (masks, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (masks, name, NULL);

      g_unlink (path);
    }
  g_clear_pointer (&folder, g_dir_close);
  g_rmdir (masks);
  g_rmdir (program);
  g_rmdir (home);
}

int
main (int argc, char *argv[])
{
  g_autofree char *home = g_dir_make_tmp ("vg-home-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-masks/keys", test_keys);
  g_test_add_func ("/session-masks/carried", test_carried);
  g_test_add_func ("/session-masks/inputs", test_inputs);
  status = g_test_run ();
  empty (home);
  return status;
}
