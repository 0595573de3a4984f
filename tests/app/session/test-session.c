/* SPDX-License-Identifier: MIT */
/* The session: setters and their signal, undo, the text form, files. */
#include <math.h>
#include <string.h>
#include "tests/support/app/fake-operation.h"
#include "app/session/vg-document.h"
#include "app/session/vg-session-annotations.h"
#include "kernels/base/vg-error.h"

static const VgParam *
param (const char *id)
{
  const VgParam *found = vg_params_find (&fake_stream.params, id);

  g_assert_nonnull (found);
  return found;
}

static void
on_changed (VgSession *session, guint flags, guint *all)
{
  *all |= flags;
}

static guint
take (guint *flags)
{
  guint taken = *flags;

  *flags = 0;
  return taken;
}

static VgRegion
rectangle (double x0, double y0, double x1, double y1)
{
  return (VgRegion){ .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { x0, x1 }, .y = { y0, y1 } };
}

static void
test_flags (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  VgRegion region = rectangle (1, 2, 3, 4);
  VgDisplay display = *vg_session_get_display (session);
  VgView view = *vg_session_get_view (session);
  guint flags = 0;

  g_signal_connect (session, "changed", G_CALLBACK (on_changed), &flags);
  vg_session_set_number (session, param ("gain"), 1);
  g_assert_cmpuint (take (&flags), ==, 0);
  vg_session_set_number (session, param ("gain"), 2);
  g_assert_cmpuint (take (&flags), ==, VG_CHANGED_PARAMS | VG_CHANGED_HISTORY);
  vg_session_set_number (session, param ("gain"), 1e9);
  g_assert_cmpuint (take (&flags), ==, VG_CHANGED_PARAMS);
  g_assert_cmpfloat (((const FakeParams *) vg_session_get_params (session))->gain, ==, 1000);
  g_assert_true (vg_session_can_undo (session));
  vg_session_commit (session, "Gain");
  g_assert_cmpuint (take (&flags), ==, VG_CHANGED_HISTORY);
  g_assert_cmpstr (vg_session_undo_label (session), ==, "Gain");

  g_assert_cmpuint (vg_session_add_region (session, &region), ==, 0);
  g_assert_cmpuint (take (&flags), ==, VG_CHANGED_REGIONS | VG_CHANGED_HISTORY);
  vg_session_select_region (session, 0);
  g_assert_cmpuint (take (&flags), ==, VG_CHANGED_REGIONS);
  view.zoom = 3;
  vg_session_set_view (session, &view);
  g_assert_cmpuint (take (&flags), ==, VG_CHANGED_VIEW);
  display.gamma = 2;
  vg_session_set_display (session, &display);
  g_assert_cmpuint (take (&flags), ==, VG_CHANGED_VIEW);
  vg_session_set_inputs (session, (const char *const[]){ "a.tif", NULL });
  g_assert_cmpuint (take (&flags) & VG_CHANGED_INPUTS, !=, 0);
  vg_session_set_operation (session, &fake_steps);
  g_assert_cmpuint (take (&flags) & VG_CHANGED_OPERATION, !=, 0);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 0);
  vg_session_set_operation (session, &fake_stream);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 1);
}

/* A drag is many changes and one step; one that comes back is none. */
static void
test_coalesced_step (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  const FakeParams *params;

  for (int i = 2; i < 50; i++)
    vg_session_set_number (session, param ("gain"), i);
  vg_session_commit (session, "Gain");
  vg_session_set_number (session, param ("gain"), 7);
  vg_session_set_number (session, param ("gain"), 49);
  vg_session_commit (session, "Nothing");
  g_assert_cmpstr (vg_session_undo_label (session), ==, "Gain");
  vg_session_undo (session);
  params = vg_session_get_params (session);
  g_assert_cmpfloat (params->gain, ==, 1);
  g_assert_false (vg_session_can_undo (session));
  g_assert_cmpstr (vg_session_redo_label (session), ==, "Gain");
  vg_session_redo (session);
  params = vg_session_get_params (session);
  g_assert_cmpfloat (params->gain, ==, 49);

  /* what was not committed is a step of its own, and ends what could be redone */
  vg_session_undo (session);
  vg_session_set_number (session, param ("gain"), 5);
  g_assert_false (vg_session_can_redo (session));
  vg_session_undo (session);
  params = vg_session_get_params (session);
  g_assert_cmpfloat (params->gain, ==, 1);
}

/* An engine takes another count for a press of the button. */
static void
test_undo_keeps (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  VgRegion region = rectangle (1, 2, 3, 4);
  VgView view = { .zoom = 4, .center_x = 1.5, .output = 1, .frame = 12 };
  const FakeParams *params;

  vg_session_add_region (session, &region);
  vg_session_commit (session, "Region");
  vg_session_set_number (session, param ("gain"), 3);
  vg_session_commit (session, "Gain");
  vg_session_set_number (session, param ("press"), 2);
  vg_session_set_view (session, &view);
  vg_session_select_region (session, 0);
  vg_session_undo (session);
  params = vg_session_get_params (session);
  g_assert_cmpfloat (params->gain, ==, 1);
  g_assert_cmpint (params->press, ==, 2);
  g_assert_cmpfloat (vg_session_get_view (session)->zoom, ==, 4);
  g_assert_cmpint (vg_session_get_view (session)->output, ==, 1);
  g_assert_true (vg_session_get_region (session, 0)->selected);
  vg_session_reset_params (session);
  params = vg_session_get_params (session);
  g_assert_cmpint (params->press, ==, 2);
}

static void
test_regions (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  VgRegion region = rectangle (1, 2, 3, 4), none = { .kind = VG_REGION_NONE };
  VgRegion thin = { .kind = VG_REGION_POLYGON, .n_points = 2, .x = { 1, 2 }, .y = { 1, 2 } };
  VgRegion nowhere = rectangle (NAN, 2, 3, 4);

  g_assert_cmpuint (vg_session_add_region (session, &none), ==, G_MAXUINT);
  g_assert_cmpuint (vg_session_add_region (session, &thin), ==, G_MAXUINT);
  g_assert_cmpuint (vg_session_add_region (session, &nowhere), ==, G_MAXUINT);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (vg_session_add_region (session, &region), ==, i);
  g_assert_cmpstr (vg_session_get_region (session, 2)->name, ==, "Region 3");
  g_assert_cmpint (
      memcmp (vg_session_get_region (session, 0)->rgb, vg_session_get_region (session, 1)->rgb, 3),
      !=, 0);
  vg_session_rename_region (session, 1, "  Vein\nleft");
  g_assert_cmpstr (vg_session_get_region (session, 1)->name, ==, "Vein");
  vg_session_rename_region (session, 1, "\t");
  g_assert_cmpstr (vg_session_get_region (session, 1)->name, ==, "Vein");
  vg_session_remove_region (session, 0);
  g_assert_cmpstr (vg_session_get_region (session, 0)->name, ==, "Vein");
  vg_session_add_region (session, &region);
  g_assert_cmpstr (vg_session_get_region (session, 2)->name, ==, "Region 1");
  vg_session_remove_region (session, 99);
  vg_session_set_region (session, 99, &region);
  g_assert_null (vg_session_get_region (session, 99));
  for (guint i = 3; i < VG_DOCUMENT_MAX_REGIONS; i++)
    g_assert_cmpuint (vg_session_add_region (session, &region), ==, i);
  g_assert_cmpuint (vg_session_add_region (session, &region), ==, G_MAXUINT);
}

static const char *
file_of (VgSession *session)
{
  return ((const FakeParams *) vg_session_get_params (session))->file;
}

static void
on_cleared (char **cleared, const char *label)
{
  g_assert_null (*cleared);
  *cleared = g_strdup (label);
}

/* A setting that uses a region moves with it, goes with it, and both come back. */
static void
test_used_region (void)
{
  g_autofree char *cleared = NULL;
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  const VgParam *param = vg_params_find (&fake_stream.params, "file");
  VgRegion region = rectangle (1, 2, 3, 4), moved = rectangle (5.25, 2, 8, 4),
           other = rectangle (1, 2, 9, 9);

  vg_session_add_region (session, &other);
  vg_session_add_region (session, &region);
  vg_session_commit (session, "Regions");
  vg_session_set_region (session, 1, &region);
  g_assert_null (file_of (session));
  vg_session_use_region (session, param, 1);
  vg_session_use_region (session, param, 99);
  vg_session_commit (session, "File");
  g_assert_cmpstr (file_of (session), ==, "rect:1,2,2,2");
  g_assert_cmpstr (vg_session_get_region (session, 1)->name, ==, "File");
  g_assert_true (vg_session_param_is_region (param, vg_session_get_params (session), &region));
  g_assert_false (vg_session_param_is_region (param, vg_session_get_params (session), &other));
  vg_session_set_region (session, 1, &moved);
  vg_session_commit (session, "Move region");
  g_assert_cmpstr (file_of (session), ==, "rect:5.25,2,2.75,2");
  vg_session_set_region (session, 0, &region);
  g_assert_cmpstr (file_of (session), ==, "rect:5.25,2,2.75,2");
  vg_session_commit (session, "Move another");
  g_signal_connect_swapped (session, "cleared", G_CALLBACK (on_cleared), &cleared);
  vg_session_remove_region (session, 1);
  vg_session_commit (session, "Remove region");
  g_assert_null (file_of (session));
  g_assert_cmpstr (cleared, ==, "File");
  vg_session_undo (session);
  g_assert_cmpstr (file_of (session), ==, "rect:5.25,2,2.75,2");
  vg_session_undo (session);
  vg_session_undo (session);
  g_assert_cmpstr (file_of (session), ==, "rect:1,2,2,2");
  g_assert_true (vg_region_equal (&vg_session_get_region (session, 1)->region, &region));
  /* typed: its region goes there; typed without one: there is one */
  g_assert_true (vg_session_set_text (session, param, "rect:5,6,7,8", NULL));
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 2);
  g_assert_cmpfloat (vg_session_get_region (session, 1)->region.x[0], ==, 5);
  g_assert_true (vg_session_set_text (session, param, "curve.csv", NULL));
  g_assert_true (vg_session_set_text (session, param, "ellipse:5,6,7,8", NULL));
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 3);
  g_assert_cmpstr (vg_session_get_region (session, 2)->name, ==, "File");
}

static void
zoom_to (VgSession *session, double zoom)
{
  VgView view = *vg_session_get_view (session);

  view.zoom = zoom;
  view.center_x = 10 * zoom;
  vg_session_set_view (session, &view);
}

static void
assert_zoom (VgSession *session, double zoom)
{
  g_assert_cmpfloat (vg_session_get_view (session)->zoom, ==, zoom);
  if (zoom > 0)
    g_assert_cmpfloat (vg_session_get_view (session)->center_x, ==, 10 * zoom);
}

/* The zoom that SESSION saves. */
static void
assert_saved_zoom (VgSession *session, double zoom)
{
  g_autofree char *text = vg_session_to_text (session);
  g_autoptr (VgSession) other = vg_session_new (&fake_stream);

  vg_session_set_operation (other, &fake_steps); /* an operation that it knows */
  g_assert_true (vg_session_from_text (other, text, strlen (text), NULL));
  assert_zoom (other, zoom);
}

/* A temporary zoom is not saved, also after undo, in another view and in a session that is opened
 * meanwhile. */
static void
test_temporary_zoom (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream), other = NULL;
  g_autofree char *text = NULL;
  VgView view;

  zoom_to (session, 3);
  vg_session_set_zoom_temporary (session, TRUE);
  assert_zoom (session, 0);
  assert_saved_zoom (session, 3);
  zoom_to (session, 5);
  assert_saved_zoom (session, 3);
  vg_session_set_number (session, param ("gain"), 7);
  vg_session_commit (session, "Gain");
  vg_session_undo (session);
  assert_zoom (session, 5);
  assert_saved_zoom (session, 3);
  vg_session_set_operation (session, &fake_steps);
  assert_zoom (session, 0);
  zoom_to (session, 2);
  assert_saved_zoom (session, 0);
  vg_session_set_operation (session, &fake_stream);
  vg_session_set_zoom_temporary (session, FALSE);
  assert_zoom (session, 3);
  vg_session_set_operation (session, &fake_steps);
  assert_zoom (session, 0);

  other = vg_session_new (&fake_stream);
  zoom_to (other, 4);
  text = vg_session_to_text (other);
  vg_session_set_zoom_temporary (session, TRUE);
  g_assert_true (vg_session_from_text (session, text, strlen (text), NULL));
  assert_zoom (session, 0);
  assert_saved_zoom (session, 4);
  vg_session_set_zoom_temporary (session, FALSE);
  assert_zoom (session, 4);

  vg_session_set_zoom_temporary (session, TRUE);
  view = *vg_session_get_view (session);
  view.mosaic = TRUE;
  vg_session_set_view (session, &view);
  assert_saved_zoom (session, 0);
  vg_session_set_zoom_temporary (session, FALSE);
  assert_zoom (session, 0);
}

/* Marks over the picture: the isolines are undone, the rest is view; all is saved. */
/* The artery is red and the portal vein blue wherever they are drawn; a region that is neither any
 * more is neither's colour. */
static void
test_vessel_colors (void)
{
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("perfusion"));
  const VgParamTable *table = &vg_session_get_operation (session)->params;
  const VgParam *artery = vg_params_find (table, "artery"),
                *portal = vg_params_find (table, "portal");
  const VgRegion boxes[] = { rectangle (0, 0, 4, 4), rectangle (5, 5, 9, 9),
                             rectangle (10, 10, 14, 14) };
  const guint8 *rgb;

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    vg_session_add_region (session, &boxes[i]);
  vg_session_use_region (session, artery, 0);
  vg_session_use_region (session, portal, 1);
  rgb = vg_session_get_region (session, 0)->rgb;
  g_assert_true (rgb[0] > 200 && rgb[1] < 100 && rgb[2] < 100);
  rgb = vg_session_get_region (session, 1)->rgb;
  g_assert_true (rgb[2] > 200 && rgb[0] < 100);
  vg_session_use_region (session, artery, 2);
  g_assert_null (vg_session_find_region_param (session, 0));
  g_assert_true (vg_session_find_region_param (session, 1) == portal);
  g_assert_true (vg_session_find_region_param (session, 2) == artery);
  g_assert_cmphex ((guint32) rgb[0] << 16 | (guint32) rgb[1] << 8 | rgb[2], ==, portal->file.rgb);
  rgb = vg_session_get_region (session, 2)->rgb;
  g_assert_cmphex ((guint32) rgb[0] << 16 | (guint32) rgb[1] << 8 | rgb[2], ==, artery->file.rgb);
  rgb = vg_session_get_region (session, 0)->rgb;
  g_assert_cmphex ((guint32) rgb[0] << 16 | (guint32) rgb[1] << 8 | rgb[2], !=, artery->file.rgb);
}

static void
test_marks (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream),
                        other = vg_session_new (&fake_stream);
  VgDisplay display = *vg_session_get_display (session);
  VgView view = *vg_session_get_view (session);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (view.proportions && view.axes && view.overlay &&
                 view.length_unit == VG_LENGTH_OWN);
  g_assert_true (!display.decades && display.n_isolines == 0);
  display.decades = TRUE;
  display.n_isolines = 4;
  memcpy (display.isolines, (double[]){ 30, 1. / 3, NAN, 30 }, 4 * sizeof (double));
  vg_session_set_display (session, &display);
  vg_session_commit (session, "Isolines");
  /* in order, none twice, none invalid */
  g_assert_cmpint (vg_session_get_display (session)->n_isolines, ==, 2);
  view.proportions = view.axes = view.overlay = FALSE;
  view.length_unit = VG_LENGTH_MM;
  view.as_stored = TRUE;
  vg_session_set_view (session, &view);
  text = vg_session_to_text (session);
  g_assert_true (vg_session_from_text (other, text, strlen (text), &error));
  g_assert_no_error (error);
  g_assert_true (
      vg_display_equal (vg_session_get_display (session), vg_session_get_display (other)));
  g_assert_cmpfloat (vg_session_get_display (other)->isolines[0], ==, 1. / 3);
  g_assert_true (vg_view_equal (vg_session_get_view (session), vg_session_get_view (other)));
  g_assert_cmpint (vg_session_get_view (other)->length_unit, ==, VG_LENGTH_MM);
  g_assert_true (vg_session_get_view (other)->as_stored);

  vg_session_undo (session);
  g_assert_true (!vg_session_get_display (session)->decades &&
                 vg_session_get_display (session)->n_isolines == 0);
  g_assert_cmpint (vg_session_get_view (session)->length_unit, ==, VG_LENGTH_MM);
  vg_session_redo (session);
  g_assert_cmpint (vg_session_get_display (session)->n_isolines, ==, 2);
  view.length_unit = 77;
  vg_session_set_view (session, &view);
  g_assert_cmpint (vg_session_get_view (session)->length_unit, ==, VG_LENGTH_CM);
}

/* Whether the input lies under a map is each output's own; how much is seen of
 * the maps over it is one for all, differences too, and all of it is undone and
 * saved.  The time point is part of the view. */
static void
test_underlay (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream),
                        other = vg_session_new (&fake_stream);
  VgDisplay display = *vg_session_get_display (session);
  VgView view = *vg_session_get_view (session);
  g_autofree char *text = NULL;

  g_assert_false (display.underlay);
  display.underlay = TRUE;
  display.opacity = 7;
  vg_session_set_display (session, &display);
  g_assert_cmpfloat (vg_session_get_display (session)->opacity, ==, 1);
  vg_session_commit (session, "Underlay");
  display.opacity = 0.25;
  vg_session_set_display (session, &display);
  vg_session_commit (session, "Opacity");
  for (int compare = 0; compare <= VG_COMPARE_RATIO; compare += VG_COMPARE_RATIO)
    {
      view.output = 1;
      view.compare = compare;
      vg_session_set_view (session, &view);
      g_assert_false (vg_session_get_display (session)->underlay);
      g_assert_cmpfloat (vg_session_get_display (session)->opacity, ==, 0.25);
      /* where there is one to dim by */
      g_assert_true (compare == VG_COMPARE_OFF || vg_session_get_display (session)->brightness);
    }
  vg_session_undo (session);
  g_assert_cmpfloat (vg_session_get_display (session)->opacity, ==, 1);
  vg_session_redo (session);
  g_assert_cmpfloat (vg_session_get_display (session)->opacity, ==, 0.25);
  view.output = view.compare = 0;
  view.underlay_frame = 12;
  view.pages[0] = "regions";
  view.pages[1] = "pixel";
  vg_session_set_view (session, &view);
  text = vg_session_to_text (session);
  g_assert_true (vg_session_from_text (other, text, strlen (text), NULL));
  g_assert_true (vg_session_get_display (other)->underlay);
  g_assert_cmpfloat (vg_session_get_display (other)->opacity, ==, 0.25);
  g_assert_cmpint (vg_session_get_view (other)->underlay_frame, ==, 12);
  g_assert_cmpstr (vg_session_get_view (other)->pages[0], ==, "regions");
  g_assert_cmpstr (vg_session_get_view (other)->pages[1], ==, "pixel");
  view.pages[0] = "no such page";
  vg_session_set_view (session, &view);
  g_assert_null (vg_session_get_view (session)->pages[0]);
  vg_session_set_inputs (other, (const char *const[]){ "another.nii", NULL });
  g_assert_cmpint (vg_session_get_view (other)->underlay_frame, ==, 0);
}

/* Regions and annotations keep their place in the tissue when the bins become larger, and return
 * with undo. */
static void
test_grid (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  const VgParam *layers = vg_params_find (&fluence->params, "layers"),
                *dr = vg_params_find (&fluence->params, "dr_cm"),
                *nz = vg_params_find (&fluence->params, "nz");
  g_autoptr (VgSession) session = vg_session_new (fluence);
  g_autoptr (VgAnnotation) arrow = vg_annotation_parse ("arrow:10,20,30,40 10 #ffffff", NULL);
  VgRegion region = rectangle (-10, 0, 10, 4);
  double before[2], now[2];
  g_autoptr (GError) error = NULL;
  guint flags = 0;

  vg_session_add_region (session, &region);
  g_assert_cmpuint (vg_session_add_annotation (session, arrow), ==, 0);
  fluence->plane->pixel_size (vg_session_get_params (session), before);
  vg_session_commit (session, "Region");
  g_signal_connect (session, "changed", G_CALLBACK (on_changed), &flags);
  g_assert_true (vg_session_set_text (session, layers, "liver_635nm_marchesini_1989", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (take (&flags) & VG_CHANGED_REGIONS, !=, 0);
  vg_session_commit (session, "Layers");
  fluence->plane->pixel_size (vg_session_get_params (session), now);
  g_assert_cmpfloat (now[0], !=, before[0]);
  region = vg_session_get_region (session, 0)->region;
  g_assert_cmpfloat_with_epsilon (region.x[0] * now[0], -10 * before[0], 1e-9);
  g_assert_cmpfloat_with_epsilon (region.y[1] * now[1], 4 * before[1], 1e-9);
  g_assert_cmpfloat_with_epsilon (vg_session_get_annotation (session, 0)->y[1] * now[1],
                                  40 * before[1], 1e-9);
  vg_session_set_number (session, dr, 2 * now[0]);
  g_assert_cmpfloat_with_epsilon (vg_session_get_region (session, 0)->region.x[1] * 2 * now[0],
                                  10 * before[0], 1e-9);
  take (&flags);
  vg_session_set_number (session, nz, 33); /* more of the same bins */
  g_assert_cmpuint (take (&flags) & VG_CHANGED_REGIONS, ==, 0);
  vg_session_commit (session, "Bins");
  vg_session_undo (session);
  vg_session_undo (session);
  region = vg_session_get_region (session, 0)->region;
  g_assert_cmpfloat (region.x[0], ==, -10);
  g_assert_cmpfloat (region.y[1], ==, 4);
  g_assert_cmpfloat (vg_session_get_annotation (session, 0)->x[0], ==, 10);
}

/* Numbers of objects have no difference: the map itself is shown. */
static void
test_labels_are_not_compared (void)
{
  const VgOperation *contour = vg_operation_find ("contour");
  g_autoptr (VgSession) session = vg_session_new (contour);
  VgView view = *vg_session_get_view (session);

  for (guint i = 0; i < contour->n_outputs; i++)
    for (VgCompare mode = VG_COMPARE_OFF; mode <= VG_COMPARE_RATIO; mode++)
      {
        gboolean labels = contour->outputs[i].kind == VG_OUTPUT_LABELS;

        view.output = (int) i;
        view.compare = (int) mode;
        vg_session_set_view (session, &view);
        g_assert_cmpint (vg_session_get_view (session)->compare, ==,
                         labels && mode >= VG_COMPARE_DIFFERENCE ? VG_COMPARE_OFF : (int) mode);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/flags", test_flags);
  g_test_add_func ("/session/coalesced-step", test_coalesced_step);
  g_test_add_func ("/session/undo-keeps", test_undo_keeps);
  g_test_add_func ("/session/regions", test_regions);
  g_test_add_func ("/session/used-region", test_used_region);
  g_test_add_func ("/session/vessel-colors", test_vessel_colors);
  g_test_add_func ("/session/marks", test_marks);
  g_test_add_func ("/session/underlay", test_underlay);
  g_test_add_func ("/session/temporary-zoom", test_temporary_zoom);
  g_test_add_func ("/session/grid", test_grid);
  g_test_add_func ("/session/labels-are-not-compared", test_labels_are_not_compared);
  return g_test_run ();
}
