/* SPDX-License-Identifier: MIT */
/* What the preferences do to the window. */
#include "kernels/base/vg-length.h"
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"
#include "ui/window/vg-window-private.h"

/* In the order in which the preferences list them. */
static const int figures[] = { 4, 3, 5, 6 };
static const double grounds[] = { 0.107, 0, 0.35 };
static const char *const colormaps[] = { NULL, "viridis", "magma", "inferno", "cividis", "gray" };

static guint
get (VgWindow *self, const char *key, guint n)
{
  return (guint) vg_settings_get_int (self->settings, key, 0, 0, (int) n - 1);
}

VgBackend
vg_window_choose_backend (VgSettings *settings, const VgApplicationOptions *options)
{
  return options->backend != VG_BACKEND_AUTO
             ? options->backend
             : (VgBackend) vg_settings_get_int (settings, "backend", VG_BACKEND_AUTO,
                                                VG_BACKEND_AUTO, VG_BACKEND_CUDA);
}

int
vg_window_choose_display (VgSettings *settings, const VgApplicationOptions *options)
{
  return options->display_path != 0 ? options->display_path
                                    : vg_settings_get_int (settings, "display", 0, 0, 2);
}

static void
set_session (VgWindow *self)
{
  vg_session_prefer (self->session, colormaps[get (self, "colormap", G_N_ELEMENTS (colormaps))],
                     (int) get (self, "length-unit", VG_LENGTH_CM + 1));
}

static void
set_figures (VgWindow *self)
{
  vg_format_set_figures (figures[get (self, "figures", G_N_ELEMENTS (figures))]);
  self->fresh = TRUE; /* the numbers in sight are written again */
}

void
vg_window_set_ground (VgWindow *self)
{
  vg_viewer_set_ground (self->viewer, grounds[get (self, "ground", G_N_ELEMENTS (grounds))]);
}

void
vg_window_apply_preferences (VgWindow *self)
{
  set_figures (self);
  set_session (self);
  vg_session_forget_history (self->session); /* it begins with them */
}

gboolean
vg_window_follow_preference (VgWindow *self, const char *key)
{
  if (g_str_equal (key, "ground"))
    vg_window_set_ground (self);
  else if (g_str_equal (key, "figures"))
    set_figures (self);
  else if (g_str_equal (key, "colormap") || g_str_equal (key, "length-unit"))
    {
      vg_session_commit_waiting (self->session);
      set_session (self);
      vg_session_commit (self->session, N_ ("Preferences"));
    }
  else if (g_str_equal (key, "autosave"))
    vg_window_autosave_later (self);
  else
    return FALSE;
  return TRUE;
}

gboolean
vg_window_stays_empty (VgWindow *self, const VgOperation *operation)
{
  return get (self, "start", VG_N_STARTS) == VG_START_EMPTY && self->result == NULL &&
         vg_pipeline_get_state (self->pipeline) == VG_PIPELINE_IDLE &&
         operation->input.kind != VG_INPUT_NONE && vg_session_get_inputs (self->session)[0] == NULL;
}

VgOpening *
vg_window_prepare (VgSettings *settings, const VgApplicationOptions *options)
{
  guint n;
  const VgOperation *operation = options->operation ? vg_operation_find (options->operation) : NULL;
  g_autoptr (VgSession) session = vg_session_new (operation ? operation : vg_operations (&n)[0]);
  g_autoptr (VgPipeline) pipeline = vg_pipeline_new (vg_window_choose_backend (settings, options));
  VgOpening *opening = vg_opening_new (session, operation == NULL);

  vg_opening_set_pipeline (opening, pipeline);
  if (options->session == NULL && options->files[0] == NULL && options->operation == NULL &&
      vg_settings_get_int (settings, "start", 0, 0, VG_N_STARTS - 1) == VG_START_SAMPLE)
    vg_opening_open (opening, NULL, NULL);
  return opening;
}

void
vg_window_begin (VgWindow *self)
{
  VgStart start = (VgStart) get (self, "start", VG_N_STARTS);

  if (vg_opening_is_active (self->opening)) /* since before there was a window */
    {
      vg_window_show_title (self);
      vg_window_show_state (self);
    }
  else if (start == VG_START_LAST &&
           g_action_group_get_action_enabled (G_ACTION_GROUP (self), "last-session"))
    vg_window_open_last_session (self);
  else if (start != VG_START_EMPTY)
    vg_window_open_files (self, NULL, NULL);
  if (start != VG_START_EMPTY)
    vg_window_offer_tour (self);
}
