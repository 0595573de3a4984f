/* SPDX-License-Identifier: MIT */
/* Metadata that dcm2niix and BIDS write beside a NIfTI file (NAME.json): frame
 * times, which the header cannot hold (BIDS 1.9, "VolumeTiming",
 * "FrameTimesStart", "RepetitionTime"; dcm2niix, "AcquisitionTime"), and the
 * pulses' repetition time, flip angle, echo and inversion time ("RepetitionTimeExcitation",
 * "FlipAngle", "EchoTime", "InversionTime"), and "Modality" CT.  Impossible values are ignored with
 * a note.  MADYM writes a few values beside each Analyze volume (NAME.xtr: TimeStamp as hhmmss, TR
 * in ms, FlipAngle; or "timestamp:", "TR:", "flip angle:"). */
#include "io/nifti/vg-nifti-sidecar.h"
#include "io/source/vg-json.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_BYTES = 4 << 20 };

/* PATH with ENDING in place of its own, owned; NULL: there is no such file. */
static char *
find_beside (const char *path, const char *ending)
{
  static const char *const ends[] = { ".nii.gz", ".nii", ".hdr", ".hdr.gz", ".HDR", ".HDR.GZ" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (path, ends[i]))
      {
        g_autofree char *stem = g_strndup (path, strlen (path) - strlen (ends[i]));
        g_autofree char *beside = g_strconcat (stem, ending, NULL);

        return g_file_test (beside, G_FILE_TEST_EXISTS) ? g_steal_pointer (&beside) : NULL;
      }
  return NULL;
}

/* Sets the frame times from the array NAME; FALSE: there is none, or it is ignored, with a note. */
static gboolean
set_times (VgSource *self, JsonObject *object, const char *name, const char *file, GString *notes)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node)
                                                                  : NULL;
  gint64 n = self->info.frames;
  g_autofree double *times = NULL;

  if (node == NULL)
    return FALSE;
  if (array == NULL || json_array_get_length (array) != n)
    {
      g_string_append_printf (
          notes, "%s in %s has %u times for %" G_GINT64_FORMAT " frames, so it is not used.\n",
          name, file, array != NULL ? json_array_get_length (array) : 0, n);
      return FALSE;
    }
  times = g_new (double, n);
  for (gint64 i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, (guint) i);
      GType type = JSON_NODE_HOLDS_VALUE (element) ? json_node_get_value_type (element)
                                                   : G_TYPE_INVALID;

      times[i] = type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (element)
                                                               : NAN;
      if (!isfinite (times[i]) || (i > 0 && !(times[i] > times[i - 1])))
        {
          g_string_append_printf (notes,
                                  "%s in %s does not increase at frame %" G_GINT64_FORMAT
                                  ", so it is not used.\n",
                                  name, file, i + 1);
          return FALSE;
        }
    }
  g_string_append_printf (notes, "Frame times: %g to %g s, from %s in %s.\n", times[0],
                          times[n - 1], name, file);
  vg_source_set_times (self, g_steal_pointer (&times));
  return TRUE;
}

static void
set_repetition (VgSource *self, JsonObject *object, const char *file, double shortest_s,
                double longest_s, GString *notes)
{
  double interval = vg_json_get_number (object, "RepetitionTime");

  if (isnan (interval))
    return;
  if (!(interval >= shortest_s && interval <= longest_s))
    g_string_append_printf (
        notes, "RepetitionTime in %s, %g s, is that of the pulses, not the frame interval.\n", file,
        interval);
  else if (self->info.frame_interval_s == 0)
    {
      self->info.frame_interval_s = interval;
      self->info.frame_interval_claimed_s = 0;
      g_string_append_printf (notes, "Frame interval: %g s, from RepetitionTime in %s.\n", interval,
                              file);
    }
  else if (fabs (interval - self->info.frame_interval_s) > 1e-3 * interval)
    g_string_append_printf (notes, "RepetitionTime in %s is %g s. Check the frame interval.\n",
                            file, interval);
}

/* The time of day "HH:MM:SS.ffffff" in seconds, 86400 for midnight; or 0. */
static double
time_of_day (JsonObject *object)
{
  const char *text = vg_json_get_text (object, "AcquisitionTime");
  char *end;
  guint64 hours, minutes;
  double seconds, time;

  if (text == NULL || !g_ascii_isdigit (*text))
    return 0;
  hours = g_ascii_strtoull (text, &end, 10);
  if (*end != ':' || !g_ascii_isdigit (end[1]))
    return 0;
  minutes = g_ascii_strtoull (end + 1, &end, 10);
  if (*end != ':' || !g_ascii_isdigit (end[1]))
    return 0;
  seconds = g_ascii_strtod (end + 1, &end);
  if (*end != '\0' || hours >= 24 || minutes >= 60 || !(seconds < 61))
    return 0;
  time = (double) (hours * 3600 + minutes * 60) + seconds;
  return time > 0 ? time : 86400;
}

/* Sets repetition time and flip angle of the pulses; impossible values become 0. */
static void
set_pulse (VgSource *self, double repetition_ms, double flip_deg, const char *file, GString *notes)
{
  VgImageInfo *info = &self->info;

  info->repetition_ms = repetition_ms >= 0.01 && repetition_ms <= 1e4 ? repetition_ms : 0;
  info->flip_deg = flip_deg >= 0.1 && flip_deg <= 179 ? flip_deg : 0;
  if (info->repetition_ms > 0)
    g_string_append_printf (notes, "Repetition time: %g ms, from %s.\n", info->repetition_ms, file);
  if (info->flip_deg > 0)
    g_string_append_printf (notes, "Flip angle: %g\302\260, from %s.\n", info->flip_deg, file);
}

/* The array NAME times FACTOR, one number above 0 and at most MOST for each frame, owned; or NULL.
 */
static double *
get_per_frame (const VgSource *self, JsonObject *object, const char *name, double factor,
               double most)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node)
                                                                  : NULL;
  g_autofree double *values = NULL;

  if (array == NULL || json_array_get_length (array) != self->info.frames)
    return NULL;
  values = g_new (double, self->info.frames);
  for (gint64 i = 0; i < self->info.frames; i++)
    {
      JsonNode *element = json_array_get_element (array, (guint) i);
      GType type = JSON_NODE_HOLDS_VALUE (element) ? json_node_get_value_type (element)
                                                   : G_TYPE_INVALID;

      values[i] = type == G_TYPE_INT64 || type == G_TYPE_DOUBLE
                      ? factor * json_node_get_double (element)
                      : NAN;
      if (!(values[i] > 0 && values[i] <= most))
        return NULL;
    }
  return g_steal_pointer (&values);
}

/* Sets echo time and inversion time, which are in s in the file, and what differs from frame to
 * frame. */
static void
set_preparation (VgSource *self, JsonObject *object, const char *file, GString *notes)
{
  double echo_ms = 1e3 * vg_json_get_number (object, "EchoTime"),
         inversion_ms = 1e3 * vg_json_get_number (object, "InversionTime");

  self->info.echo_ms = echo_ms > 0 && echo_ms <= 1e4 ? echo_ms : 0;
  self->info.inversion_ms = inversion_ms > 0 && inversion_ms <= 1e5 ? inversion_ms : 0;
  self->flips_deg = get_per_frame (self, object, "FlipAngle", 1, 180);
  self->inversions_ms = get_per_frame (self, object, "InversionTime", 1e3, 1e5);
  if (self->info.inversion_ms > 0)
    g_string_append_printf (notes, "Inversion time: %g ms, from %s.\n", self->info.inversion_ms,
                            file);
  else if (self->inversions_ms != NULL)
    g_string_append_printf (notes, "Inversion times: one for each frame, from %s.\n", file);
}

static void
read_json (VgSource *self, const char *path, double shortest_s, double longest_s, GString *notes)
{
  g_autofree char *file = g_filename_display_basename (path);
  g_autoptr (JsonNode) root = vg_json_load (path, MAX_BYTES);
  JsonObject *object = root != NULL ? json_node_get_object (root) : NULL;
  double repetition;

  if (object == NULL)
    {
      g_string_append_printf (
          notes, "%s beside the file cannot be read as JSON, so it is ignored.\n", file);
      if (self->caution == NULL)
        self->caution = g_strdup_printf (
            "\"%s\" beside \"%s\" is damaged, so its frame times and pulse settings are not used. "
            "Convert the scan again, or set them by hand.",
            file, self->name);
      return;
    }
  if (self->info.frames == 1)
    self->acquired_s = time_of_day (object);
  else if (!set_times (self, object, "FrameTimesStart", file, notes) &&
           !set_times (self, object, "VolumeTiming", file, notes))
    set_repetition (self, object, file, shortest_s, longest_s, notes);
  self->info.ct = g_strcmp0 (vg_json_get_text (object, "Modality"), "CT") == 0;
  if (self->info.ct)
    g_string_append_printf (notes, "Values are CT numbers, according to Modality in %s.\n", file);
  repetition = vg_json_get_number (object, "RepetitionTimeExcitation");
  if (isnan (repetition))
    repetition = vg_json_get_number (object, "RepetitionTime");
  /* a long one is from volume to volume */
  set_pulse (self, repetition < shortest_s ? 1e3 * repetition : 0,
             vg_json_get_number (object, "FlipAngle"), file, notes);
  set_preparation (self, object, file, notes);
}

static char *
read_text (const char *path)
{
  char *text = NULL;
  struct stat status;

  if (stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size <= MAX_BYTES)
    g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static void
read_xtr (VgSource *self, const char *path, GString *notes)
{
  g_autofree char *file = g_filename_display_basename (path), *text = read_text (path);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", 16);
  double repetition_ms = 0, flip_deg = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      /* the last word: "timestamp: 12 32 40.25 123240.25" */
      const char *line = g_strchomp (lines[i]), *value = line + strlen (line);
      double number;

      while (value > line && !strchr (" \t:", value[-1]))
        value--;
      number = g_ascii_strtod (value, NULL);
      if (g_str_has_prefix (line, "TR"))
        repetition_ms = number;
      else if (g_str_has_prefix (line, "FlipAngle") || g_str_has_prefix (line, "flip angle"))
        flip_deg = number;
      else if (g_ascii_strncasecmp (line, "timestamp", 9) == 0 && number > 0 && number < 240000 &&
               self->info.frames == 1)
        self->acquired_s = floor (number / 1e4) * 3600 + floor (fmod (number, 1e4) / 100) * 60 +
                           fmod (number, 100);
    }
  set_pulse (self, repetition_ms, flip_deg, file, notes);
}

void
vg_nifti_read_sidecar (VgSource *self, const char *path, double shortest_s, double longest_s)
{
  g_autofree char *json = find_beside (path, ".json"), *xtr = find_beside (path, ".xtr"),
                  *details = NULL;
  g_autoptr (GString) notes = g_string_new (NULL);

  if (json != NULL)
    read_json (self, json, shortest_s, longest_s, notes);
  else if (xtr != NULL)
    read_xtr (self, xtr, notes);
  if (notes->len == 0)
    return;
  g_string_truncate (notes, notes->len - 1);
  details = g_steal_pointer (&self->details);
  self->details = details != NULL ? g_strdup_printf ("%s\n%s", details, notes->str)
                                  : g_strdup (notes->str);
}
