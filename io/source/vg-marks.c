/* SPDX-License-Identifier: MIT */
#include "io/source/vg-marks.h"
#include <math.h>
#include <string.h>
#include "io/source/vg-json.h"
#include "kernels/base/vg-text.h"
#include "kernels/tables/vg-curves.h"

enum { TEXT_BYTES = 241 };

#define KEY "\"marks\""
#define NO_TEXT "Mark"
#define EXPOSURE "\"exposure_ms\": "

/* TEXT as one short line.  Equal texts are one, which is freed with its last mark. */
static char *
clean (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  char line[TEXT_BYTES];

  vg_text_copy (line, sizeof line, g_strstrip (vg_text_clean (valid)));
  return g_ref_string_new_intern (line[0] != '\0' ? line : NO_TEXT);
}

static void
release_text (gpointer mark)
{
  g_ref_string_release ((char *) ((VgCurveMark *) mark)->label);
}

static void
add (GArray **marks, JsonNode *node)
{
  JsonObject *mark = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const double time_s = vg_json_get_number (mark, "time_s");
  const char *text = vg_json_get_text (mark, "text");
  char *label;

  if (!isfinite (time_s) || text == NULL)
    return;
  if (*marks == NULL)
    {
      *marks = g_array_new (FALSE, FALSE, sizeof (VgCurveMark));
      g_array_set_clear_func (*marks, release_text);
    }
  label = clean (text);
  if (!vg_curve_marks_add (*marks, time_s, label))
    g_ref_string_release (label);
}

void
vg_marks_read (GArray **marks, const char *json)
{
  g_autoptr (JsonNode) root = strstr (json, KEY) != NULL ? vg_json_parse (json) : NULL;
  JsonArray *found = root != NULL ? vg_json_get_array (json_node_get_object (root), "marks") : NULL;

  /* only the last ones, if there are more than can be shown */
  for (guint n = found != NULL ? json_array_get_length (found) : 0,
             i = n > VG_CURVES_MOST_MARKS ? n - VG_CURVES_MOST_MARKS : 0;
       i < n; i++)
    add (marks, json_array_get_element (found, i));
}

void
vg_marks_finish (GArray **marks, double start_s)
{
  g_autoptr (GArray) read = *marks;

  if (read == NULL)
    return;
  *marks = g_array_new (FALSE, FALSE, sizeof (VgCurveMark));
  for (guint i = 0; i < read->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (read, VgCurveMark, i);

      vg_curve_marks_add (*marks, mark->x - start_s, g_intern_string (mark->label));
    }
}

void
vg_exposures_read (GArray **exposures, gint64 index, const char *json)
{
  const char *found = strstr (json, EXPOSURE);
  const double ms = found != NULL ? g_ascii_strtod (found + strlen (EXPOSURE), NULL) : 0,
               known = isfinite (ms) && ms > 0 ? ms : 0;

  if (*exposures == NULL && known == 0)
    return;
  if (*exposures == NULL)
    *exposures = g_array_new (FALSE, TRUE, sizeof (double));
  g_array_set_size (*exposures, (guint) index); /* 0 for frames before that have none */
  g_array_append_val (*exposures, known);
}

void
vg_outages_read (GArray **outages, gint64 index, const char *json)
{
  if (strstr (json, "\"interrupted\": true") == NULL)
    return;
  if (*outages == NULL)
    *outages = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_array_append_val (*outages, index);
}
