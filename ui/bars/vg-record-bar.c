/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-record-bar.h"
#include "ui/words/vg-translation.h"
#include <glib/gstdio.h>
#include "app/record/vg-part-mark.h"
#include "io/source/vg-source.h"
#include "ui/common/vg-banner.h"
#include "ui/common/vg-widgets.h"

struct _VgRecordBar
{
  VgBin parent_instance;
  GtkWidget *box, *label;
  VgPipeline *pipeline; /* NULL: the window is closing */
  gboolean recording;
  GtkWidget *finished;    /* banner about the recording that has ended */
  GtkWidget *interrupted; /* banner about one that a crash has interrupted */
  char *failure;          /* why no recording could begin; NULL: it could */
  GPtrArray *marks;       /* of VgPartMark: interrupted, and not decided on */
};

G_DEFINE_FINAL_TYPE (VgRecordBar, vg_record_bar, VG_TYPE_BIN)

static void
show (VgRecordBar *self, const VgRecording *now)
{
  g_autofree char *english = now ? vg_recording_to_line (now) : NULL;
  const char *line = vg_translate (english);
  gboolean missing = now && now->missed + now->dropped > 0;

  gtk_widget_set_visible (GTK_WIDGET (self), now != NULL);
  if (!line || g_str_equal (line, gtk_label_get_text (GTK_LABEL (self->label))))
    return;
  gtk_label_set_text (GTK_LABEL (self->label), line);
  if (missing)
    gtk_widget_add_css_class (self->label, "warning");
  else
    gtk_widget_remove_css_class (self->label, "warning");
}

void
vg_record_bar_update (VgRecordBar *self)
{
  g_auto (VgRecording) now = { 0 };

  show (self,
        self->recording && vg_pipeline_record_get_status (self->pipeline, &now) ? &now : NULL);
}

char *
vg_record_bar_describe (VgRecordBar *self, gboolean *is_missing)
{
  g_auto (VgRecording) now = { 0 };
  gulong missing;
  int seconds;

  *is_missing = FALSE;
  if (!self->recording || !vg_pipeline_record_get_status (self->pipeline, &now))
    return NULL;
  missing = (gulong) (now.missed + now.dropped);
  seconds = (int) MIN (now.seconds, G_MAXINT);
  *is_missing = missing > 0;
  if (missing == 0)
    return g_strdup_printf (_ ("Recording %d:%02d"), seconds / 60, seconds % 60);
  return g_strdup_printf (ngettext ("Recording %d:%02d, %lu frame missing",
                                    "Recording %d:%02d, %lu frames missing", missing),
                          seconds / 60, seconds % 60, missing);
}

void
vg_record_bar_start (VgRecordBar *self, const char *path, gint64 from_us)
{
  g_autoptr (GError) error = NULL;

  self->recording = vg_pipeline_record_start (self->pipeline, path, from_us, &error);
  vg_banner_hide (VG_BANNER (self->finished));
  if (error)
    g_signal_emit_by_name (self, "message", TRUE, error->message);
  else if (self->failure != NULL)
    g_signal_emit_by_name (self, "withdraw", self->failure);
  g_free (self->failure);
  self->failure = error != NULL ? g_strdup (error->message) : NULL;
  vg_record_bar_update (self);
  g_signal_emit_by_name (self, "changed");
}

void
vg_record_bar_stop (VgRecordBar *self)
{
  vg_pipeline_record_end (self->pipeline);
  vg_record_bar_update (self);
}

/* The report has a banner of its own: opening another input clears the window's banner.  It goes by
 * itself unless frames are missing or the connection was lost. */
void
vg_record_bar_finish (VgRecordBar *self)
{
  g_auto (VgRecording) report = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gboolean written;

  if (!self->recording)
    return;
  written = vg_pipeline_record_stop (self->pipeline, &report, &error);
  self->recording = FALSE;
  text = vg_recording_to_text (&report);
  if (written)
    vg_banner_show (VG_BANNER (self->finished),
                    report.dropped + report.missed + report.outages > 0 ? VG_BANNER_WARNING
                                                                        : VG_BANNER_NOTICE,
                    vg_translate (text));
  else
    vg_banner_show (VG_BANNER (self->finished), VG_BANNER_ERROR, vg_translate (error->message));
  vg_record_bar_update (self);
  g_signal_emit_by_name (self, "changed");
}

gboolean
vg_record_bar_is_recording (VgRecordBar *self)
{
  return self->recording;
}

/* ---- interrupted recordings ---- */

static void
offer (VgRecordBar *self)
{
  g_autofree char *shown = NULL, *date = NULL, *text = NULL;
  g_autoptr (VgSource) source = NULL;
  long n;
  g_autoptr (GDateTime) time = NULL;
  GStatBuf status = { 0 };
  const char *part;

  if (self->marks->len == 0)
    {
      vg_banner_hide (VG_BANNER (self->interrupted));
      return;
    }
  part = vg_part_mark_get_part (self->marks->pdata[0]);
  source = vg_source_open (part, &(VgSourceOptions){ .colour = TRUE, .own = TRUE }, NULL);
  g_stat (part, &status);
  time = g_date_time_new_from_unix_local (status.st_mtime);
  date = g_date_time_format (time, "%-d %B %Y, %H:%M");
  shown = g_filename_display_name (part);
  n = source != NULL ? (long) source->info.frames : 0;
  text = g_strdup_printf (
      ngettext ("A recording was interrupted on %s. \"%s\" contains %ld whole frame.",
                "A recording was interrupted on %s. \"%s\" contains %ld whole frames.", (gulong) n),
      date, shown, n);
  vg_banner_show (VG_BANNER (self->interrupted), VG_BANNER_WARNING, text);
  vg_banner_set_more (VG_BANNER (self->interrupted), _ ("Keep Recording"));
  vg_banner_set_second (VG_BANNER (self->interrupted), _ ("Discard Recording"));
}

static void
decide (VgRecordBar *self, gboolean keep)
{
  VgPartMark *mark = self->marks->len > 0 ? g_ptr_array_steal_index (self->marks, 0) : NULL;
  g_autofree char *path = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!mark)
    return;
  if (keep)
    path = vg_part_mark_keep (mark, &error);
  else
    vg_part_mark_discard (mark, &error);
  text = error  ? g_strdup (error->message)
         : keep ? g_strdup_printf (_ ("Saved the recording as \"%s\""), path)
                : g_strdup_printf (_ ("Moved \"%s\" to the trash"), vg_part_mark_get_part (mark));
  g_signal_emit_by_name (self, "message", error != NULL, text);
  /* what could not be done is offered again at the next start */
  (error ? vg_part_mark_leave : vg_part_mark_free) (mark);
  offer (self);
}

static void
on_keep (VgRecordBar *self)
{
  decide (self, TRUE);
}

static void
on_discard (VgRecordBar *self)
{
  decide (self, FALSE);
}

/* ---- the widget ---- */

void
vg_record_bar_set_pipeline (VgRecordBar *self, VgPipeline *pipeline)
{
  g_set_object (&self->pipeline, pipeline);
}

GtkWidget *
vg_record_bar_get_finished (VgRecordBar *self)
{
  return self->finished;
}

GtkWidget *
vg_record_bar_get_interrupted (VgRecordBar *self)
{
  return self->interrupted;
}

static void
vg_record_bar_dispose (GObject *object)
{
  VgRecordBar *self = VG_RECORD_BAR (object);

  g_clear_pointer (&self->marks, g_ptr_array_unref);
  g_clear_pointer (&self->failure, g_free);
  g_clear_object (&self->finished);
  g_clear_object (&self->interrupted);
  g_clear_object (&self->pipeline);
  G_OBJECT_CLASS (vg_record_bar_parent_class)->dispose (object);
}

static void
vg_record_bar_class_init (VgRecordBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_record_bar_dispose;
  vg_signal_new (VG_TYPE_RECORD_BAR, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
  vg_signal_new (VG_TYPE_RECORD_BAR, "withdraw", 1, G_TYPE_STRING);
  vg_signal_new (VG_TYPE_RECORD_BAR, "changed", 0);
}

static void
vg_record_bar_init (VgRecordBar *self)
{
  GtkWidget *dot = gtk_image_new_from_icon_name ("media-record-symbolic"),
            *stop = gtk_button_new_with_label (_ ("Stop Recording"));

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class (self->box, "vg-status");
  gtk_widget_add_css_class (dot, "vg-live");
  self->label = vg_label_new (NULL, "numeric");
  gtk_widget_set_hexpand (self->label, TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE); /* two lines are as high as the button */
  gtk_label_set_lines (GTK_LABEL (self->label), 2);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (stop), "win.record");
  vg_widget_set_tooltip (stop,
                         _ ("Stop and complete the file with the frames received so far (Ctrl+R)"));
  gtk_box_append (GTK_BOX (self->box), dot);
  gtk_box_append (GTK_BOX (self->box), self->label);
  gtk_box_append (GTK_BOX (self->box), stop);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  self->finished = g_object_ref_sink (vg_banner_new ());
  self->interrupted = g_object_ref_sink (vg_banner_new ());
  self->marks = vg_part_mark_find_left ();
  g_signal_connect_swapped (self->interrupted, "more", G_CALLBACK (on_keep), self);
  g_signal_connect_swapped (self->interrupted, "second", G_CALLBACK (on_discard), self);
  offer (self);
}

GtkWidget *
vg_record_bar_new (void)
{
  return g_object_new (VG_TYPE_RECORD_BAR, NULL);
}
