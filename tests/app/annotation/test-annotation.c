/* SPDX-License-Identifier: MIT */
/* Annotations: their text, their place in a session, what undo does, and how figures draw them. */
#include <math.h>
#include <string.h>
#include "app/figure/vg-map-figure.h"
#include "app/session/vg-session-annotations.h"
#include "kernels/base/vg-error.h"
#include "tests/support/app/fake-operation.h"

static VgAnnotation *
parse (const char *line)
{
  g_autoptr (GError) error = NULL;
  VgAnnotation *annotation = vg_annotation_parse (line, &error);

  g_assert_no_error (error);
  return annotation;
}

static void
test_text (void)
{
  static const char *const lines[] = { "arrow:10,20.5,30,40 14 #ffd91a",
                                       "arrow:0.1,0.2,-3,1e-07@2 0.5 #000000",
                                       "text:10,20 14 #ffd91a Vessel",
                                       "text:1,2@7 3 #0072b2 Gefäß; #1 = [x] 12,5",
                                       "text:0.33333333333333331,2 3 #0072b2 a" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (VgAnnotation) annotation = parse (lines[i]), again = NULL;
      g_autofree char *text = vg_annotation_format (annotation);

      g_assert_cmpstr (text, ==, lines[i]);
      again = parse (text);
      g_assert_true (vg_annotation_equal (annotation, again));
    }
}

static void
test_refused (void)
{
  static const char *const lines[] = {
    "",
    "arrow",
    "arrow:",
    "arrow:1,2,3 4 #ffffff",
    "arrow:1,2,1,2 4 #ffffff",
    "arrow:1,2,3,4 0 #ffffff",
    "arrow:1,2,3,4 -1 #ffffff",
    "arrow:1,2,3,4 1e9 #ffffff",
    "arrow:1,2,3,nan 4 #ffffff",
    "arrow:1,2,3,1e300 4 #ffffff",
    "arrow:1,2,3,4 4 #fffff",
    "arrow:1,2,3,4 4 #ffffff words",
    "arrow:1,2,3,4@-1 4 #ffffff",
    "arrow:1,2,3,4@9999999999 4 #ffffff",
    "text:1,2 4 #ffffff",
    "text:1,2 4 #ffffff ",
    "text:1,2 4 #ffffff \t",
    "line:1,2,3,4 4 #ffffff",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (vg_annotation_parse (lines[i], &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
    }
}

static void
test_words (void)
{
  g_autoptr (VgAnnotation) text = parse ("text:1,2 3 #ffffff a");
  g_autofree char *longer = g_strnfill (1000, 'x');

  g_assert_false (vg_annotation_set_text (text, " \n b"));
  g_assert_cmpstr (text->text, ==, "a");
  g_assert_true (vg_annotation_set_text (text, " two\nlines"));
  g_assert_cmpstr (text->text, ==, "two");
  g_assert_true (vg_annotation_set_text (text, longer));
  g_assert_cmpuint (strlen (text->text), ==, VG_ANNOTATION_BYTES);
}

static void
test_session (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream), other = NULL, old = NULL;
  g_autofree char *empty = vg_session_to_text (session), *saved = NULL, *again = NULL;
  g_autoptr (VgAnnotation) arrow = parse ("arrow:1,2,3,4 5 #ffffff"),
                           text = parse ("text:5,6@1 7 #0072b2 Vène; #1"),
                           bad = parse ("arrow:1,2,3,4 5 #ffffff");
  g_autoptr (GError) error = NULL;

  g_assert_null (strstr (empty, "annotations"));
  g_assert_cmpuint (vg_session_add_annotation (session, arrow), ==, 0);
  vg_session_commit (session, "Arrow");
  g_assert_cmpuint (vg_session_add_annotation (session, text), ==, 1);
  vg_session_commit (session, "Text");
  bad->size = NAN;
  g_assert_cmpuint (vg_session_add_annotation (session, bad), ==, G_MAXUINT);
  vg_session_set_annotation (session, 0, bad);
  g_assert_true (vg_annotation_equal (vg_session_get_annotation (session, 0), arrow));
  saved = vg_session_to_text (session);
  other = vg_session_new (&fake_stream);
  g_assert_true (vg_session_from_text (other, saved, strlen (saved), &error));
  g_assert_cmpuint (vg_session_get_n_annotations (other), ==, 2);
  g_assert_true (vg_annotation_equal (vg_session_get_annotation (other, 1), text));
  vg_session_undo (session);
  g_assert_cmpuint (vg_session_get_n_annotations (session), ==, 1);
  vg_session_redo (session);
  vg_session_remove_annotation (session, 0);
  vg_session_commit (session, "Remove");
  vg_session_undo (session);
  again = vg_session_to_text (session);
  g_assert_cmpstr (again, ==, saved);
  /* a session from before there were annotations */
  old = vg_session_new (&fake_stream);
  g_assert_true (vg_session_from_text (old, empty, strlen (empty), &error));
  g_assert_cmpuint (vg_session_get_n_annotations (old), ==, 0);
}

static void
test_damaged_session (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  g_autofree char *empty = vg_session_to_text (session);
  static const char *const lines[] = { "2=arrow:1,2,3,4 5 #ffffff", "1=arrow:1,2", "one=x" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *text = g_strdup_printf ("%s\n[%s annotations]\n%s\n", empty, fake_stream.id,
                                               lines[i]);
      g_autoptr (GError) error = NULL;

      g_assert_false (vg_session_from_text (session, text, strlen (text), &error));
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
    }
}

/* At most 256 on one image. */
static void
test_many (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  g_autoptr (VgAnnotation) arrow = parse ("arrow:1,2,3,4 5 #ffffff");
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  while (n < 300 && vg_session_add_annotation (session, arrow) != G_MAXUINT)
    n++;
  g_assert_cmpuint (n, ==, VG_ANNOTATION_MOST);
  for (guint i = 0; i < 300; i++)
    g_string_append (lines, "arrow:1,2,3,4 5 #ffffff\n");
  g_assert_null (vg_annotations_parse (lines->str, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
}

/* The head ends at the tip, is as wide as it is said to be, and never longer than the arrow. */
static void
test_outline (void)
{
  const double tail[2] = { 10, 10 }, tip[2] = { 110, 10 }, near[2] = { 11, 10 };
  double points[2 * VG_ANNOTATION_POINTS];

  vg_annotation_outline (tail, tip, 10, points);
  g_assert_cmpfloat_with_epsilon (points[6], 110, 1e-9);
  g_assert_cmpfloat_with_epsilon (points[7], 10, 1e-9);
  g_assert_cmpfloat_with_epsilon (points[9] - points[5], 7.6, 1e-9);
  g_assert_cmpfloat_with_epsilon (points[2], 101, 1e-9);
  vg_annotation_outline (tail, near, 10, points);
  for (int i = 0; i < VG_ANNOTATION_POINTS; i++)
    g_assert_true (points[2 * i] >= 10 - 1e-9 && points[2 * i] <= 11 + 1e-9);
}

static void
test_figure (void)
{
  enum { W = 40, H = 30 };
  static float samples[W * H];
  const VgOutput output = { "map", "Map", "A map.", "1/s" };
  const VgDisplay display = { .colormap = "viridis", .low = 0, .high = 1, .gamma = 1 };
  const VgPlane plane = { .data = samples, .width = W, .height = H, .slices = 1 };
  g_autoptr (GPtrArray) annotations = vg_annotations_parse (
      "text:10,15 3 #0072b2 Here\ntext:10,15@1 3 #0072b2 Elsewhere\narrow:5,5,20,15 4 #ffffff",
      NULL);
  const VgMapView view = {
    .output = &output, .plane = &plane, .display = &display, .annotations = annotations
  };
  g_autoptr (VgFigure)
      figure = vg_map_figure_new (&view, &(VgMapFigureSpec){ .width_mm = 80 }, NULL);
  const VgFigureItem *words = NULL, *image = &g_array_index (figure->items, VgFigureItem, 0);
  guint arrows = 0;

  for (guint i = 0; i < figure->items->len; i++)
    {
      const VgFigureItem *item = &g_array_index (figure->items, VgFigureItem, i);

      g_assert_cmpstr (item->text, !=, "Elsewhere");
      if (g_strcmp0 (item->text, "Here") == 0)
        words = item;
      arrows += item->kind == VG_FIGURE_PATH && item->n_points == VG_ANNOTATION_POINTS;
    }
  g_assert_nonnull (words);
  g_assert_cmpint (words->style.fill, ==, 0x0072b2);
  g_assert_cmpfloat_with_epsilon (words->size, 3 * image->height / H, 1e-6);
  g_assert_cmpfloat_with_epsilon (words->x, image->x + (10 + 0.2 * 3) * image->width / W, 1e-6);
  g_assert_cmpuint (arrows, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/annotation/text", test_text);
  g_test_add_func ("/annotation/refused", test_refused);
  g_test_add_func ("/annotation/words", test_words);
  g_test_add_func ("/annotation/session", test_session);
  g_test_add_func ("/annotation/damaged-session", test_damaged_session);
  g_test_add_func ("/annotation/many", test_many);
  g_test_add_func ("/annotation/outline", test_outline);
  g_test_add_func ("/annotation/figure", test_figure);
  return g_test_run ();
}
