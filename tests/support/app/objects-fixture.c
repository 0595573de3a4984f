/* SPDX-License-Identifier: MIT */
#include "tests/support/app/objects-fixture.h"
#include "app/compute/vg-work.h"
#include <json-glib/json-glib.h>
#include <math.h>

/* In the order of a row's values; the last is the number of partners. */
static const char *const row_names[] = { "id",       "seed_x",       "seed_y",        "x",
                                         "y",        "area_px2",     "perimeter_px",  "major_px",
                                         "minor_px", "eccentricity", "angle_degrees", "mean_stain",
                                         "mean_od",  "overlap_px2",  "partners" };
static const char *const um_names[] = { "area_um2", "perimeter_um", "major_um", "minor_um",
                                        "overlap_um2" };
static const int um_of[] = { 5, 6, 7, 8, 13 };

VgImage *
objects_picture (int width, int height)
{
  const VgOperation *operation = vg_operation_find ("contour");
  void *params = vg_params_new (&operation->params);
  VgSyntheticSize size = { width, height, 1, 3 };
  g_autoptr (GError) error = NULL;
  VgImage *image = vg_work_load_dataset (operation, params, NULL, NULL, &size, &error);

  g_assert_no_error (error);
  vg_params_free (&operation->params, params);
  return image;
}

static const char *
find_word (char **head, char **words, const char *name)
{
  for (int i = 0; head[i] != NULL; i++)
    if (g_str_equal (head[i], name))
      return words[i];
  g_error ("there is no column %s", name);
}

/* What is in pixels is there in micrometres too, where the input says how large a pixel is. */
static void
check_um (char **head, char **words, const ObjectRow *row)
{
  if (!g_strv_contains ((const char *const *) head, um_names[0]))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (um_names); i++)
    {
      double factor = i == 0 || i == 4 ? OBJECTS_PIXEL_UM * OBJECTS_PIXEL_UM : OBJECTS_PIXEL_UM;

      /* either has four digits behind the point */
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (find_word (head, words, um_names[i]), NULL),
                                      factor * row->values[um_of[i]], 1e-4);
    }
}

gboolean
objects_has_column (const char *out, const char *name)
{
  g_autofree char *path = g_build_filename (out, "objects.csv", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL, head = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", 2);
  head = g_strsplit (lines[0], ",", -1);
  return g_strv_contains ((const char *const *) head, name);
}

GArray *
objects_rows (const char *out)
{
  g_autofree char *path = g_build_filename (out, "objects.csv", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL, head = NULL;
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (ObjectRow));

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  head = g_strsplit (lines[0], ",", -1);
  for (char **line = lines + 1; *line && **line; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, ",", -1);
      const char *partners;
      ObjectRow row = { { 0 } };

      g_assert_cmpuint (g_strv_length (words), ==, g_strv_length (head));
      partners = find_word (head, words, row_names[14]);
      for (int i = 0; i < 14; i++)
        row.values[i] = g_ascii_strtod (find_word (head, words, row_names[i]), NULL);
      for (const char *at = partners; *at; at++)
        row.values[14] += at == partners || *at == ' '; /* how many partners */
      check_um (head, words, &row);
      g_array_append_val (rows, row);
    }
  return rows;
}

/* The outer ring of each nucleus, in the order of the rows. */
static GPtrArray *
read_outlines (const char *out)
{
  g_autofree char *path = g_build_filename (out, "contours.geojson", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  GPtrArray *outlines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  JsonArray *features;

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  features = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)),
                                           "features");
  for (guint i = 0; i < json_array_get_length (features); i++)
    {
      JsonObject *geometry = json_object_get_object_member (
          json_array_get_object_element (features, i), "geometry");
      JsonArray *ring = json_array_get_array_element (
          json_object_get_array_member (geometry, "coordinates"), 0);
      GArray *points = g_array_new (FALSE, FALSE, 2 * sizeof (double));

      g_assert_cmpuint (json_array_get_length (ring), >, 3);
      for (guint k = 0; k < json_array_get_length (ring); k++)
        {
          JsonArray *at = json_array_get_array_element (ring, k);
          double point[2] = { json_array_get_double_element (at, 0),
                              json_array_get_double_element (at, 1) };

          g_array_append_val (points, point);
        }
      g_ptr_array_add (outlines, points);
    }
  return outlines;
}

/* From the point of A that is farthest from the closed line B. */
static double
farthest (const GArray *a, const GArray *b)
{
  double most = 0;

  for (guint i = 0; i < a->len; i++)
    {
      const double *p = (const double *) a->data + 2 * i;
      double least = INFINITY;

      for (guint k = 0; k + 1 < b->len; k++)
        {
          const double *q = (const double *) b->data + 2 * k;
          double dx = q[2] - q[0], dy = q[3] - q[1], length = dx * dx + dy * dy;
          double t = length > 0 ? CLAMP (((p[0] - q[0]) * dx + (p[1] - q[1]) * dy) / length, 0, 1)
                                : 0;

          least = MIN (least, hypot (p[0] - q[0] - t * dx, p[1] - q[1] - t * dy));
        }
      most = MAX (most, least);
    }
  return most;
}

void
objects_compare (const char *of_a, const char *of_b, gboolean exact)
{
  g_autoptr (GArray) a = objects_rows (of_a), b = objects_rows (of_b);
  g_autoptr (GPtrArray) lines_a = read_outlines (of_a), lines_b = read_outlines (of_b);
  g_autofree gboolean *taken = g_new0 (gboolean, b->len);
  double most = 0;
  guint same = 0, near = 0;

  g_assert_cmpuint (a->len, ==, b->len);
  g_assert_cmpuint (lines_a->len, ==, a->len);
  g_assert_cmpuint (lines_b->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    {
      const ObjectRow *p = &g_array_index (a, ObjectRow, i), *q;
      double least = INFINITY, apart;
      guint best = 0;

      for (guint k = 0; k < b->len; k++)
        {
          double distance;

          q = &g_array_index (b, ObjectRow, k);
          distance = hypot (p->values[3] - q->values[3], p->values[4] - q->values[4]);
          if (distance < least)
            {
              least = distance;
              best = k;
            }
        }
      g_assert_false (taken[best]);
      taken[best] = TRUE;
      q = &g_array_index (b, ObjectRow, best);
      apart = MAX (farthest (lines_a->pdata[i], lines_b->pdata[best]),
                   farthest (lines_b->pdata[best], lines_a->pdata[i]));
      same += apart <= 2e-3 && p->values[5] == q->values[5] && p->values[13] == q->values[13] &&
              p->values[14] == q->values[14];
      near += apart <= 0.1;
      most = MAX (most, apart);
    }
  g_test_message ("%u of %u nuclei the same, %u outlines within 0.1 px, all within %g px", same,
                  a->len, near, most);
  g_assert_cmpuint (exact ? same : near, >=, exact ? a->len : a->len - a->len / 200);
  g_assert_cmpfloat (most, <, 1);
}

double
objects_different (const char *a, const char *b, const char *name)
{
  g_autofree char *path_a = g_build_filename (a, name, NULL),
                  *path_b = g_build_filename (b, name, NULL);
  g_autoptr (VgImage) p = vg_image_load (path_a, VG_FILE_IMAGE, NULL, NULL),
                      q = vg_image_load (path_b, VG_FILE_IMAGE, NULL, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new (NULL, NULL);
  gsize n = (gsize) p->info.width * (gsize) p->info.height, wrong = 0;

  g_assert_cmpint (p->info.type, ==, VG_U16);
  g_assert_cmpint (q->info.type, ==, VG_U16);
  g_assert_cmpint (p->info.width, ==, q->info.width);
  g_assert_cmpint (p->info.height, ==, q->info.height);
  for (gsize i = 0; i < n; i++)
    {
      int u = (int) vg_image_sample (p, i), v = (int) vg_image_sample (q, i);

      /* numbers differ, what they stand for does not */
      if (u != 0 && v != 0 && !g_hash_table_contains (names, GINT_TO_POINTER (u)))
        g_hash_table_insert (names, GINT_TO_POINTER (u), GINT_TO_POINTER (v));
      wrong += (u == 0) != (v == 0) ||
               (u != 0 && g_hash_table_lookup (names, GINT_TO_POINTER (u)) != GINT_TO_POINTER (v));
    }
  return (double) wrong / (double) n;
}

double
objects_result (const char *out, const char *id)
{
  g_autofree char *path = g_build_filename (out, "summary.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  return json_object_get_double_member (
      json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)),
                                     "results"),
      id);
}
