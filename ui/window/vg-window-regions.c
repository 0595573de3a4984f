/* SPDX-License-Identifier: MIT */
/* Regions from a file: a list, or a label mask.  A thread reads it; the session
 * takes all of it in one step, or nothing.  Regions that the operation finds in the data. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"
#include "app/region/vg-found-region.h"
#include "app/region/vg-found-session.h"
#include "app/region/vg-region-file.h"
#include "io/source/vg-source.h"
#include <math.h>
#include <string.h>

#define MEAN_S 1.0 /* a beat of the heart averages out */

enum {
  MEAN_FRAMES = 25,  /* if their times are unknown, as for the baseline */
  MOST_REGIONS = 256 /* as many as a session has */
};

typedef struct
{
  char *path;
  VgImageInfo info; /* of the data */
  gboolean has_info;
  GPtrArray *regions;
  int size[2];
  gboolean segments; /* of a DICOM segmentation */
  char *note;
} Import;

static void
import_free (gpointer data)
{
  Import *self = data;

  g_clear_pointer (&self->regions, g_ptr_array_unref);
  g_free (self->note);
  g_free (self->path);
  g_free (self);
}

static gboolean
has_segments (const char *path)
{
  g_autoptr (VgSource) source = vg_source_open (path, NULL, NULL);

  return source != NULL && source->info.segment[0] != '\0';
}

static void
read_regions (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Import *self = data;
  GError *error = NULL;

  self->regions = vg_region_file_load (self->path, VG_REGION_FILE_MOST,
                                       self->has_info ? &self->info : NULL, self->size, &self->note,
                                       &error);
  if (self->regions == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  self->segments = has_segments (self->path);
  g_task_return_boolean (task, TRUE);
}

/* Why the regions can't be taken; NULL: they can. */
static char *
find_obstacle (VgWindow *self, const Import *import)
{
  g_autofree char *name = g_filename_display_basename (import->path);
  guint room = MOST_REGIONS - MIN (vg_session_get_n_regions (self->session), MOST_REGIONS);
  VgImageInfo info;

  if (!vg_pipeline_get_info (self->pipeline, &info))
    return g_strdup_printf (_ ("Open the recording that \"%s\" belongs to first."), name);
  if (import->size[0] > 0 && (import->size[0] != info.width || import->size[1] != info.height))
    return g_strdup_printf (
        _ ("\"%s\" is %dx%d pixels, but the image is %dx%d. Choose a label mask of the same size."),
        name, import->size[0], import->size[1], info.width, info.height);
  if (import->regions->len > room)
    return g_strdup_printf (
        _ ("\"%s\" has %u regions, but only %u more can be added. Delete regions, "
           "or import a shorter list."),
        name, import->regions->len, room);
  return NULL;
}

/* Whether REGION is of the segment with LABEL. */
static gboolean
is_of (const VgNamedRegion *region, const char *label)
{
  g_autofree char *own = vg_region_file_label (region);

  return g_str_equal (own, label);
}

/* Whether one segment has LABEL: its slices rise. */
static gboolean
has_segment (const Import *import, const char *label)
{
  int last = -1;

  for (guint i = 0; i < import->regions->len; i++)
    {
      const VgNamedRegion *named = import->regions->pdata[i];

      if (!is_of (named, label))
        continue;
      if (named->region.slice <= last)
        return FALSE; /* of another segment with the same label */
      last = named->region.slice;
    }
  return last >= 0;
}

/* The empty settings that accept a mask and have the label of a segment (const VgParam *), such as
 * Artery. */
static GPtrArray *
find_users (VgWindow *self, const Import *import)
{
  const VgParamTable *table = &vg_session_get_operation (self->session)->params;
  const void *params = vg_session_get_params (self->session);
  void *trial = vg_params_copy (table, params);
  GPtrArray *users = g_ptr_array_new ();

  for (guint i = 0; import->segments && i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      g_autofree char *text = vg_param_format (param, params);

      if (param->kind != VG_PARAM_FILE || param->file.or_region == VG_FILE_NO_REGION ||
          (text != NULL && *text != '\0') || !vg_param_is_shown (table, param, params) ||
          !has_segment (import, param->label) || !vg_param_parse (param, trial, import->path, NULL))
        continue;
      g_ptr_array_add (users, (gpointer) param);
    }
  vg_params_free (table, trial);
  return users;
}

static void
add_line (GString *text, const char *line)
{
  /* U+2028, a new line */
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\342\200\250" : "", line);
}

/* Says what happened where the picture does not show it. */
static void
tell_imported (VgWindow *self, const Import *import, guint taken, GPtrArray *users)
{
  g_autoptr (GString) text = g_string_new (NULL), labels = g_string_new (NULL);

  for (guint i = 0; i < users->len; i++)
    g_string_append_printf (labels, "%s%s", i > 0 ? ", " : "",
                            vg_translate (((const VgParam *) users->pdata[i])->label));
  if (taken < import->regions->len)
    {
      g_autofree char *line = g_strdup_printf (
          ngettext ("%u of %u regions was imported; the others have zero area.",
                    "%u of %u regions were imported; the others have zero area.", taken),
          taken, import->regions->len);

      add_line (text, line);
    }
  else if (users->len > 0 && taken > 0)
    add_line (text, _ ("Regions were imported."));
  if (users->len > 0)
    {
      g_autofree char *line = g_strdup_printf (
          _ ("Segments with the name of a setting became its value: %s."), labels->str);

      add_line (text, line);
    }
  if (import->note != NULL)
    add_line (text, import->note);
  if (text->len > 0)
    vg_window_message (self, FALSE, text->str);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  VgWindow *self = (VgWindow *) object;
  Import *import = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean read = g_task_propagate_boolean (G_TASK (result), &error);
  g_autoptr (GPtrArray) users = NULL;
  g_autofree char *obstacle = NULL;
  guint taken;

  if (self->pipeline == NULL)
    return;
  users = read ? find_users (self, import) : NULL;
  obstacle = read ? find_obstacle (self, import) : NULL;
  if (!read || obstacle != NULL)
    {
      vg_window_message (self, TRUE, read ? obstacle : error->message);
      return;
    }
  vg_session_commit_waiting (self->session);
  for (guint i = 0; i < users->len; i++)
    vg_session_set_text (self->session, users->pdata[i], import->path, NULL);
  taken = vg_session_add_regions (self->session, import->regions);
  vg_session_commit (self->session, _ ("Import Regions"));
  tell_imported (self, import, taken, users);
}

void
vg_window_import_regions (VgWindow *self, const char *path)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_read, NULL);
  Import *import = g_new0 (Import, 1);

  import->path = g_strdup (path);
  import->has_info = vg_pipeline_get_info (self->pipeline, &import->info);
  g_task_set_task_data (task, import, import_free);
  g_task_run_in_thread (task, read_regions);
}

/* ---- Regions found in the data ---- */

/* Shows the slice of the first region that was found. */
static void
show_slice (VgWindow *self, GPtrArray *findings)
{
  VgView view = *vg_session_get_view (self->session);

  for (guint i = findings->len; i-- > 0;)
    {
      const VgFinding *finding = findings->pdata[i];

      if (finding->mask != NULL)
        view.slice = finding->slice;
    }
  vg_session_set_view (self->session, &view);
}

/* What was not found may be there, if the warning about a setting that is wrong is right: says to
 * set that first. */
static void
add_cause (VgWindow *self, GPtrArray *findings, GString *text)
{
  const VgMetrics *metrics = self->result != NULL ? self->result->metrics : NULL;
  gboolean missing = FALSE;

  for (guint i = 0; i < findings->len; i++)
    missing = missing || ((const VgFinding *) findings->pdata[i])->mask == NULL;
  for (guint i = 0; missing && metrics != NULL && i < metrics->items->len; i++)
    {
      const VgMetric *metric = &g_array_index (metrics->items, VgMetric, i);
      g_autofree char *line = NULL;

      if (metric->advice == NULL || metric->setting == NULL || !(metric->flags & VG_NUMBER_GRAVE))
        continue;
      line = g_strdup_printf (_ ("%s Do this first, then search again."),
                              vg_translate (metric->advice));
      add_line (text, line);
    }
}

static GArray *
list_region_ids (VgSession *session)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < vg_session_get_n_regions (session); i++)
    g_array_append_val (ids, vg_session_get_region (session, i)->id);
  return ids;
}

static gboolean
has_id (const GArray *ids, guint id)
{
  for (guint i = 0; i < ids->len; i++)
    if (g_array_index (ids, guint, i) == id)
      return TRUE;
  return FALSE;
}

/* Remembers the regions that are not among those BEFORE, which the notice TEXT is about. */
static void
remember_found (VgWindow *self, const char *text, const GArray *before)
{
  g_autoptr (GArray) now = list_region_ids (self->session);

  vg_window_forget_found (self);
  self->cause.found = g_strdup (vg_translate (text));
  self->cause.found_ids = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < now->len; i++)
    if (!has_id (before, g_array_index (now, guint, i)))
      g_array_append_val (self->cause.found_ids, g_array_index (now, guint, i));
}

void
vg_window_forget_found (VgWindow *self)
{
  g_clear_pointer (&self->cause.found, g_free);
  g_clear_pointer (&self->cause.found_ids, g_array_unref);
}

void
vg_window_check_found (VgWindow *self)
{
  g_autoptr (GArray) now = NULL;

  if (self->cause.found == NULL)
    return;
  now = list_region_ids (self->session);
  for (guint i = 0; i < self->cause.found_ids->len; i++)
    if (!has_id (now, g_array_index (self->cause.found_ids, guint, i)))
      {
        vg_banner_withdraw (VG_BANNER (self->banner), self->cause.found);
        vg_window_forget_found (self);
        return;
      }
}

/* Sets what was found where nothing is marked, in one step. */
static void
use_findings (VgWindow *self, GPtrArray *findings)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) before = list_region_ids (self->session);
  const char *full;
  gboolean used;
  guint n;

  vg_session_commit_waiting (self->session);
  used = vg_found_session_use (self->session, findings, &n, &full, &error);
  if (n > 0)
    {
      show_slice (self, findings);
      vg_session_commit (self->session, vg_translate (operation->find->label));
    }
  add_cause (self, findings, text);
  for (guint i = 0; i < findings->len; i++)
    {
      g_autofree char *line = vg_found_region_describe (
          findings->pdata[i],
          _ ("The region is drawn, but not used yet. Click it. If it is right, choose its role "
             "under "
             "Use as. Otherwise move it or draw another one."),
          vg_translate);

      add_line (text, line);
    }
  if (full != NULL)
    {
      g_autofree char *line = g_strdup_printf (
          _ ("The outlines of %s are not drawn, because there would be more than %d regions. "
             "Delete regions, then search again."),
          vg_translate (full), MOST_REGIONS);

      add_line (text, line);
    }
  vg_window_message (self, !used || (n == 0 && findings->len > 0),
                     !used               ? error->message
                     : findings->len > 0 ? text->str
                                         : _ ("All regions are marked already."));
  if (n == 0)
    return;
  vg_banner_stay (VG_BANNER (self->banner)); /* what is doubtful is to be looked at */
  remember_found (self, text->str, before);
}

static void
on_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (VgWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) findings = vg_pipeline_query_finish (VG_PIPELINE (object), result, &error);

  if (self->finding == g_task_get_cancellable (G_TASK (result)))
    g_clear_object (&self->finding);
  if (self->pipeline == NULL)
    return;
  if (findings != NULL)
    use_findings (self, findings);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    vg_window_message (self, TRUE, error->message);
  vg_window_enable_actions (self);
}

void
vg_window_find_regions (VgWindow *self)
{
  g_autofree const VgNamedRegion **regions = vg_session_list_regions (self->session);

  self->finding = g_cancellable_new ();
  vg_pipeline_query_async (self->pipeline,
                           &(VgQuery){ .kind = VG_QUERY_FINDINGS, .regions = regions },
                           self->finding, on_found, g_object_ref (self));
  vg_window_enable_actions (self);
}

gboolean
vg_window_stop_finding (VgWindow *self)
{
  g_autoptr (GCancellable) finding = g_steal_pointer (&self->finding);

  if (finding != NULL)
    g_cancellable_cancel (finding);
  return finding != NULL;
}

/* ---- a region's mean as the value of a parameter ---- */

/* Of output I in REGION over the last second or, if frames have no times (not TIMED), over the last
 * frames; N: how many values there are. */
static double
read_mean (VgWindow *self, int i, int region, gboolean *timed, int *n)
{
  g_autoptr (VgCurves) curves = vg_pipeline_time_course (self->pipeline, i);

  *timed = curves != NULL && *curves->x_unit != '\0';
  *n = 0;
  return self->result == NULL || curves == NULL || (guint) region >= curves->series->len
             ? NAN
             : vg_series_get_mean (curves->series->pdata[region], self->result->time_s,
                                   *timed ? MEAN_S : MEAN_FRAMES, n);
}

void
vg_window_take_mean (VgWindow *self, const char *id)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgParam *param = vg_params_find (&operation->params, id);
  const int i = param != NULL && param->slider.mean_of != NULL
                    ? vg_operation_find_output (operation, param->slider.mean_of)
                    : -1,
            region = vg_theatre_get_region (VG_THEATRE (self->theatre));
  const char *name = region >= 0 ? vg_session_get_region (self->session, (guint) region)->name : "",
             *label;
  g_autofree char *number = NULL, *text = NULL;
  gboolean timed;
  double mean;
  int n;

  if (i < 0) /* the button of another view */
    return;
  mean = read_mean (self, i, region, &timed, &n);
  label = vg_translate (n == 0 ? operation->outputs[i].label : param->label);
  number = vg_format_number (mean);
  if (region < 0)
    text = g_strdup_printf (_ ("There is no mean of %s: draw a region and press Run"), label);
  else if (n == 0)
    text = g_strdup_printf (
        _ ("There is no mean of %s in %s: press Run, or move the region to where "
           "the map has values"),
        label, name);
  else if (timed)
    text = g_strdup_printf (_ ("%s is now %s %s, the mean of %s over the last second"), label,
                            number, param->unit, name);
  else
    text = g_strdup_printf (ngettext ("%s is now %s %s, the mean of %s in %d frame",
                                      "%s is now %s %s, the mean of %s over the last %d frames",
                                      (gulong) n),
                            label, number, param->unit, name, n);
  if (n > 0)
    {
      vg_session_commit_waiting (self->session);
      vg_session_set_number (self->session, param, mean);
      vg_session_commit (self->session, param->label);
    }
  vg_window_message (self, n == 0, text);
}
