/* SPDX-License-Identifier: MIT */
/* What the window shows of openings (app/opening/vg-opening.h). */
#include "ui/window/vg-window-private.h"
#include <string.h>
#include "app/session/vg-settings-file.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-recent.h"
#include "app/opening/vg-example.h"
#include "ui/gallery/vg-gallery.h"
#include "io/source/vg-read-options.h"
#include "ui/words/vg-translation.h"
#include "ui/ruler/vg-ruler-layer.h"
#include "ui/ruler/vg-scale-dialog.h"
#include "ui/dialogs/vg-bare-dialog.h"
#include "ui/welcome/vg-welcome.h"

static void
on_started (VgWindow *self)
{
  vg_window_leave_data (self);
  vg_window_expect_slide (self);
  vg_window_show_title (self);
  vg_window_show_state (self);
}

/* The first click in another view selects. */
static void
on_changing_view (VgWindow *self)
{
  vg_image_view_set_tool (vg_viewer_get_image (self->viewer), VG_TOOL_PAN);
  vg_banner_hide (VG_BANNER (self->banner)); /* it is about the other view */
}

void
vg_window_open_run (VgWindow *self, const char *const *files, int run)
{
  g_autoptr (GError) error = NULL;

  if (vg_opening_open_run (self->opening, files, run, &error))
    return;
  vg_run_chooser_update (vg_toolbar_get_runs (VG_TOOLBAR (self->toolbar)));
  vg_window_message (self, TRUE, error->message);
}

void
vg_window_choose_read_options (VgWindow *self, const char *read_options)
{
  g_autofree char *copy = g_strdup (read_options);

  vg_session_commit_waiting (self->session);
  vg_opening_open (self->opening, vg_session_get_inputs (self->session), copy);
}

/* PIXEL_UM is the width of a pixel of the image, which a slide's level may lack. */
static void
on_scale (VgWindow *self, double pixel_um)
{
  const VgParam *param = vg_params_find (&vg_read_options_table, "pixel_um");
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *options = NULL;
  g_autoptr (GError) error = NULL;
  VgImageInfo info;

  if (vg_pipeline_get_info (self->pipeline, &info) && info.downsample > 0)
    pixel_um /= info.downsample;
  options = vg_read_options_set (vg_session_get_read_options (self->session), param,
                                 g_ascii_formatd (text, sizeof text, "%.6g", pixel_um), &error);
  if (error != NULL)
    vg_window_message (self, TRUE, error->message);
  else
    vg_window_choose_read_options (self, options);
}

void
vg_window_choose_scale (VgWindow *self)
{
  VgRulerLayer *ruler = VG_RULER_LAYER (
      vg_image_view_get_ruler (vg_viewer_get_image (self->viewer)));
  double n_pixels = vg_ruler_layer_get_pixels (ruler);
  GtkWidget *dialog;
  VgImageInfo info;

  if (!vg_pipeline_get_info (self->pipeline, &info) || !(info.readings & VG_READ_OPTIONS_PIXEL))
    {
      vg_window_message (
          self, TRUE, _ ("The scale of these data is part of them. Open a file to set its scale."));
      return;
    }
  if (!(n_pixels > 0))
    {
      vg_image_view_set_tool (vg_viewer_get_image (self->viewer), VG_TOOL_RULER);
      vg_banner_hide (VG_BANNER (self->banner)); /* a notice does not replace an error */
      vg_window_message (self, FALSE,
                         _ ("Draw a line along something whose length you know, then choose Set "
                            "Scale again."));
      return;
    }
  dialog = vg_scale_dialog_new (GTK_WINDOW (self), n_pixels);
  vg_connect (dialog, "chosen", on_scale, self);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* NULL: none. */
static const char *const *
find_settings (const VgOperation *operation, const char *path)
{
  for (const VgExample *it = operation->examples; it != NULL && it->path != NULL; it++)
    {
      g_autofree char *found = vg_example_find (it);

      if (path != NULL && g_strcmp0 (found, path) == 0)
        return it->settings;
    }
  return NULL;
}

void
vg_window_open_in (VgWindow *self, const VgOperation *operation, const char *const *files,
                   const char *read_options, const char *const *settings)
{
  g_autoptr (GError) error = NULL;

  vg_banner_hide (VG_BANNER (self->banner));
  if (!vg_opening_open_in (self->opening, operation, files, read_options, settings, &error))
    vg_window_message (self, TRUE, error->message);
}

static void
on_sample (VgWindow *self, const char *id, const char *path, const char *read_options)
{
  const VgOperation *operation = vg_operation_find (id);

  vg_window_open_in (self, operation, (const char *const[]){ path, NULL }, read_options,
                     find_settings (operation, path));
}

void
vg_window_open_sample (VgWindow *self, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", 2);
  const VgOperation *operation = vg_operation_find (parts[0]);
  const VgSynthetic *synthetic = operation != NULL ? operation->synthetic : NULL;
  const VgExample *examples = operation != NULL ? operation->examples : NULL;

  for (const VgSample *it = synthetic ? synthetic->samples : NULL; it && it->id != NULL; it++)
    if (g_strcmp0 (it->id, parts[1]) == 0)
      {
        g_autofree char *options = g_strdup_printf ("sample=%s", it->id);

        on_sample (self, operation->id, NULL, options);
      }
  for (const VgExample *it = examples; it != NULL && it->path != NULL; it++)
    if (g_strcmp0 (it->path, parts[1]) == 0)
      {
        g_autofree char *path = vg_example_find (it);

        if (path != NULL)
          on_sample (self, operation->id, path, NULL);
      }
}

void
vg_window_choose_sample (VgWindow *self)
{
  GtkWidget *gallery = vg_gallery_new (GTK_WINDOW (self), vg_session_get_operation (self->session));

  vg_connect (gallery, "chosen", on_sample, self);
  gtk_window_present (GTK_WINDOW (gallery));
}

static void
on_recent (VgWindow *self, const char *path)
{
  const char *const files[] = { path, NULL };

  vg_banner_hide (VG_BANNER (self->banner));
  vg_window_open_files (self, files, NULL);
}

void
vg_window_add_welcome (VgWindow *self)
{
  GtkWidget *welcome = vg_welcome_new (self->session);

  vg_connect (welcome, "sample", on_sample, self);
  vg_connect (welcome, "recent", on_recent, self);
  vg_viewer_set_empty (self->viewer, welcome);
}

/* ---- failures ---- */

void
vg_window_abort_opening (VgWindow *self)
{
  gboolean restored;

  if (!vg_opening_is_active (self->opening))
    return;
  restored = vg_opening_abort (self->opening);
  vg_session_journal_end_restoring (self->journal, FALSE);
  if (!restored)
    return;
  vg_window_return_to_data (self);
  vg_window_show_title (self);
  vg_window_show_slide (self);
  vg_window_send_all (self);
  vg_read_options_panel_reset (vg_window_get_read_options (self));
}

static void
on_geometry (VgBareDialog *dialog, const char *geometry, VgWindow *self)
{
  char **inputs = g_object_get_data (G_OBJECT (dialog), "vg-inputs");

  vg_banner_hide (VG_BANNER (self->banner));
  vg_opening_open (self->opening, (const char *const *) inputs, geometry);
}

void
vg_window_ask_for_geometry (VgWindow *self, const char *const *inputs, gint64 size)
{
  g_autofree char *name = g_filename_display_basename (inputs[0]);
  GtkWidget *dialog = vg_bare_dialog_new (GTK_WINDOW (self), name, size);

  g_object_set_data_full (G_OBJECT (dialog), "vg-inputs", g_strdupv ((char **) inputs),
                          (GDestroyNotify) g_strfreev);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_geometry), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* TEXT: why INPUTS (NULL: none) could not be read, with a button that opens the document on
 * formats.  SIZE: bytes of INPUTS, which may be raw frames, and a button that opens them as such;
 * -1: no. */
static void
show_unread (VgWindow *self, const char *text, const char *const *inputs, gint64 size)
{
  vg_window_show_banner (self, VG_BANNER_ERROR, text);
  if (inputs == NULL || !g_file_test (inputs[0], G_FILE_TEST_EXISTS))
    return;
  vg_banner_set_second (VG_BANNER (self->banner), _ ("Supported Formats"));
  if (size < 0)
    return;
  self->cause.bare = g_strdupv ((char **) inputs);
  self->cause.bare_size = size;
  vg_banner_set_more (VG_BANNER (self->banner), _ ("Open as Raw Frames…"));
}

static void
on_raw_frames (VgWindow *self)
{
  if (self->cause.bare != NULL)
    vg_window_ask_for_geometry (self, (const char *const *) self->cause.bare,
                                self->cause.bare_size);
}

static void
on_formats (VgWindow *self)
{
  vg_window_show_document (self, "files.md#formats-that-are-read");
}

static void
on_failed (VgWindow *self, const GError *error)
{
  const char *const *inputs = vg_opening_get_inputs (self->opening);
  gint64 size;

  if (vg_opening_needs_geometry (self->opening, &size))
    vg_window_ask_for_geometry (self, inputs, size);
  else
    show_unread (self, error->message, inputs,
                 vg_opening_may_be_raw (self->opening, &size) ? size : -1);
  vg_window_abort_opening (self);
  vg_run_chooser_update (vg_toolbar_get_runs (VG_TOOLBAR (self->toolbar)));
  vg_window_show_state (self);
}

void
vg_window_opening_failed (VgWindow *self, const GError *error, guint opening)
{
  gboolean active = vg_opening_is_active (self->opening);

  /* about the input still shown, although the next one may have opened meanwhile */
  if (active && !vg_opening_is_number (self->opening, opening))
    vg_window_show_banner (self, VG_BANNER_ERROR, error->message);
  else if (!vg_opening_retry (self->opening, error))
    {
      if (!active)
        self->cause.refused_serial = vg_pipeline_get_failed (self->pipeline);
      on_failed (self, error);
    }
}

void
vg_window_connect_opening (VgWindow *self)
{
  vg_connect (self->opening, "started", on_started, self);
  vg_connect (self->opening, "changing-view", on_changing_view, self);
  vg_connect (self->opening, "failed", on_failed, self);
  vg_connect (self->banner, "more", on_raw_frames, self);
  vg_connect (self->banner, "second", on_formats, self);
}

/* ---- what has opened ---- */

/* Joins NOTES to one line, with the names of files instead of their paths. */
static char *
join_notes (GPtrArray *notes, const char *const *inputs)
{
  GString *line = g_string_new (NULL);

  for (guint i = 0; i < notes->len; i++)
    {
      const char *note = notes->pdata[i];
      gsize folder = 0;

      for (guint k = 0; inputs[k] != NULL && folder == 0; k++)
        if (*note == '"' && g_str_has_prefix (note + 1, inputs[k]) &&
            strrchr (inputs[k], '/') != NULL)
          folder = (gsize) (strrchr (inputs[k], '/') + 1 - inputs[k]);
      g_string_append_printf (line, "%s%s%s", i > 0 ? " • " : "", folder > 0 ? "\"" : "",
                              note + (folder > 0 ? folder + 1 : 0));
    }
  return g_string_free (line, FALSE);
}

/* Shows notes about what may be mistakes in the file, until the user closes them. */
static void
show_notes (VgWindow *self)
{
  g_autoptr (GPtrArray) notes = vg_settings_file_notes (
      vg_session_get_operation (self->session), vg_session_get_inputs (self->session),
      vg_session_get_run (self->session), vg_session_get_params (self->session));
  g_autofree char *text = NULL;

  if (notes->len == 0)
    return;
  text = join_notes (notes, vg_session_get_inputs (self->session));
  vg_window_show_banner (self, VG_BANNER_WARNING, text);
}

static char *
describe_size (int width, int height, int slices)
{
  if (slices <= 1)
    return g_strdup_printf (_ ("%d x %d pixels"), width, height);
  return g_strdup_printf (
      ngettext ("%d x %d pixels in %d slice", "%d x %d pixels in %d slices", (gulong) slices),
      width, height, slices);
}

/* Regions stay when data of the same size are opened, because the images of a series share them. */
static void
tell_dropped_regions (VgWindow *self, const VgImageInfo *info)
{
  g_autofree char *text = NULL, *now = NULL, *before = NULL;
  VgDataSize size;

  if (!vg_opening_dropped_regions (self->opening, &size) || info == NULL)
    return;
  now = describe_size (info->width, info->height, (int) info->slices);
  before = size.width > 0 ? describe_size (size.width, size.height, size.slices)
                          : g_strdup (_ ("an unknown size"));
  text = g_strdup_printf (_ ("The regions were removed, because they were drawn on data of %s and "
                             "the opened data have %s. Draw them again, or choose Undo to return "
                             "to the earlier data and their regions."),
                          before, now);
  vg_window_show_banner (self, VG_BANNER_WARNING, text);
}

/* Sets the session to what has opened. */
static void
adopt (VgWindow *self, const VgImageInfo *info)
{
  const char *input = vg_opening_get_inputs (self->opening)[0];
  gboolean same_slide = input != NULL &&
                        vg_image_view_has_slide (vg_viewer_get_image (self->viewer), input);
  gboolean reread = vg_opening_adopt (self->opening, info, same_slide);

  if (reread && info != NULL)
    vg_window_move_points (self, info);
  vg_output_choice_update (self->outputs, self->session);
  vg_opening_commit (self->opening, info);
  vg_run_chooser_load (vg_toolbar_get_runs (VG_TOOLBAR (self->toolbar)));
  vg_run_chooser_update (vg_toolbar_get_runs (VG_TOOLBAR (self->toolbar)));
  vg_session_journal_end_restoring (self->journal, TRUE);
}

/* Only files that can be opened are in the list, which all programs share. */
static void
add_recent (VgWindow *self)
{
  const char *const *inputs = vg_session_get_inputs (self->session);

  for (guint i = 0; inputs[i] != NULL; i++)
    if (g_file_test (inputs[i], G_FILE_TEST_EXISTS))
      vg_recent_add (inputs[i]);
}

void
vg_window_opened (VgWindow *self)
{
  VgImageInfo read;
  const VgImageInfo *info = vg_pipeline_get_info (self->pipeline, &read) ? &read : NULL;

  gboolean adopts = vg_opening_is_active (self->opening);

  if (!vg_opening_note_opened (self->opening))
    return;
  self->left_over = self->left_over || self->result != NULL;
  vg_window_set_result (self, NULL);
  vg_cautions_set (VG_CAUTIONS (self->cautions), NULL);
  vg_window_set_cuda (self);
  if (adopts)
    adopt (self, info);
  vg_window_send_all (self);
  vg_window_show_data (self);
  vg_window_show_slide (self);
  self->cause.refused_serial = 0;
  self->cause.unprepared = FALSE;
  vg_banner_hide (VG_BANNER (self->banner));
  if (vg_run_chooser_get_n (vg_toolbar_get_runs (VG_TOOLBAR (self->toolbar))) > 0)
    show_notes (self);
  if (adopts)
    {
      add_recent (self);
      tell_dropped_regions (self, info);
    }
  vg_window_show_title (self);
  vg_window_show_state (self);
}
