/* SPDX-License-Identifier: MIT */
#include "app/opening/vg-opening.h"
#include <string.h>
#include "app/opening/vg-suitable.h"
#include "app/session/vg-settings-file.h"
#include "io/live/vg-live.h"
#include "io/source/vg-source.h"
#include <glib/gi18n.h>

struct _VgOpening
{
  GObject parent_instance;
  VgSession *session;
  VgPipeline *pipeline; /* NULL: none */

  /* the opening under way */
  char **inputs; /* NULL: there is none */
  char *read_options;
  VgSettingsRun *settings; /* of a settings file, or NULL */
  int run;                 /* of that file */
  char **asked;            /* settings to set when it has opened, "id=value"; NULL: none */
  gboolean choose_view;    /* if it fails, another view is searched for the file */
  const char *label;       /* of its undo step */
  guint number;            /* the pipeline's number of the opening */
  GCancellable *search;    /* of a search for a view; NULL: none */

  VgSessionMark *before; /* to restore if it fails; NULL: the session has not changed */
  guint marked_at;       /* number at the time of `before` */
  guint opened;          /* number of the opening that the session shows; 0: none */
  gboolean any_view, completed, adopting;
  VgKnownSizes *sizes;
  gboolean dropped; /* the adoption removed the regions */
  VgDataSize left;  /* of the data that they were drawn on; width 0: not known */
};

G_DEFINE_FINAL_TYPE (VgOpening, vg_opening, G_TYPE_OBJECT)

enum { STARTED, CHANGING_VIEW, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- begin ---- */

static void
clear (VgOpening *self)
{
  g_clear_pointer (&self->inputs, g_strfreev);
  g_clear_pointer (&self->read_options, g_free);
  g_clear_pointer (&self->before, vg_session_mark_free);
  g_clear_pointer (&self->settings, vg_settings_run_free);
  g_clear_pointer (&self->asked, g_strfreev);
  g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
  self->choose_view = FALSE;
}

/* Opens INPUTS with PARAMS, which stay the caller's. */
static void
start (VgOpening *self, const char *const *inputs, const char *read_options, const void *params,
       gboolean resume)
{
  VgSessionMark *before = g_steal_pointer (&self->before);
  g_auto (GStrv) copy = inputs != NULL ? g_strdupv ((char **) inputs) : g_new0 (char *, 1);
  g_autofree char *options = g_strdup (read_options),
                  *checkpoint = vg_session_take_checkpoint (self->session);

  vg_pipeline_set_checkpoint (self->pipeline, checkpoint, resume);
  clear (self);
  self->before = before;
  self->inputs = g_steal_pointer (&copy);
  self->read_options = g_steal_pointer (&options);
  self->number = vg_pipeline_open (self->pipeline, vg_session_get_operation (self->session), params,
                                   (const char *const *) self->inputs, self->read_options);
  g_signal_emit (self, signals[STARTED], 0);
}

static void
open_inputs (VgOpening *self, const char *const *inputs, const char *read_options, gboolean resume)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *params = vg_session_params_for (self->session, inputs, read_options);

  start (self, inputs, read_options, params, resume);
  vg_params_free (&operation->params, params);
}

void
vg_opening_open (VgOpening *self, const char *const *inputs, const char *read_options)
{
  open_inputs (self, inputs, read_options, FALSE);
}

void
vg_opening_open_current (VgOpening *self, gboolean resume)
{
  open_inputs (self, vg_session_get_inputs (self->session),
               vg_session_get_read_options (self->session), resume);
}

static void
open_here (VgOpening *self, const char *const *inputs, const char *read_options)
{
  vg_opening_open (self, inputs, read_options);
  self->choose_view = inputs != NULL && inputs[0] != NULL;
}

/* ---- the session before an opening ---- */

static void
mark (VgOpening *self)
{
  vg_session_commit_waiting (self->session);
  if (self->before != NULL)
    return;
  self->before = vg_session_mark (self->session);
  self->marked_at = self->number;
}

/* Unless an opening has begun since. */
static void
drop_mark (VgOpening *self)
{
  if (self->marked_at == self->number)
    g_clear_pointer (&self->before, vg_session_mark_free);
}

static void
restore (VgOpening *self)
{
  if (self->before == NULL)
    return;
  self->adopting = TRUE;
  vg_session_go_back (self->session, g_steal_pointer (&self->before));
  self->adopting = FALSE;
}

void
vg_opening_go_to (VgOpening *self, const VgOperation *operation)
{
  g_return_if_fail (VG_IS_OPENING (self));

  mark (self);
  g_signal_emit (self, signals[CHANGING_VIEW], 0);
  self->adopting = TRUE;
  vg_session_set_operation (self->session, operation);
  self->adopting = FALSE;
}

void
vg_opening_show_view (VgOpening *self, const VgOperation *operation)
{
  g_return_if_fail (VG_IS_OPENING (self));

  g_signal_emit (self, signals[CHANGING_VIEW], 0);
  self->adopting = TRUE;
  vg_session_set_operation (self->session, operation);
  self->adopting = FALSE;
  vg_session_commit (self->session, operation->title);
}

void
vg_opening_switch_view (VgOpening *self, const VgOperation *operation)
{
  vg_opening_go_to (self, operation);
  self->adopting = TRUE;
  if (vg_session_get_inputs (self->session)[0] == NULL) /* the sample, in the same undo step */
    vg_session_adopt (self->session, NULL, FALSE);
  self->adopting = FALSE;
  vg_session_commit (self->session, operation->title);
  vg_opening_open_current (self, TRUE);
}

gboolean
vg_opening_load_session (VgOpening *self, const char *path, const char *saved_as, GError **error)
{
  g_autofree char *name = g_strdup (saved_as);
  gboolean loaded;

  mark (self);
  self->adopting = TRUE;
  loaded = vg_session_load (self->session, path, error);
  if (loaded)
    vg_session_set_path (self->session, name);
  self->adopting = FALSE;
  if (!loaded)
    drop_mark (self);
  return loaded;
}

void
vg_opening_step (VgOpening *self, void (*step) (VgSession *session))
{
  mark (self);
  step (self->session);
  drop_mark (self);
}

/* ---- the view that files belong to ---- */

static void
on_found (GObject *source, GAsyncResult *result, gpointer data)
{
  VgOpening *self = VG_OPENING (source);
  const char *const *inputs;
  const char *read_options;
  g_autoptr (GError) error = NULL;
  const VgOperation *found = vg_suitable_operation_finish (result, &inputs, &read_options, &error);

  if (self->pipeline == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error != NULL)
    {
      g_signal_emit (self, signals[FAILED], 0, error);
      return;
    }
  if (found != NULL)
    {
      vg_opening_go_to (self, found);
      vg_opening_open (self, inputs, read_options);
    }
  else
    open_here (self, inputs, read_options);
}

/* FAILURE: why the session's operation cannot open the files; NULL: that was not tried. */
static void
search_view (VgOpening *self, const char *const *inputs, const char *read_options,
             const GError *failure)
{
  g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
  self->search = g_cancellable_new ();
  vg_suitable_operation_async (self, inputs, read_options, vg_session_get_operation (self->session),
                               failure, self->search, on_found);
}

gboolean
vg_opening_retry (VgOpening *self, const GError *error)
{
  if (!self->choose_view || self->search != NULL)
    return FALSE;
  search_view (self, (const char *const *) self->inputs, self->read_options, error);
  return TRUE;
}

/* ---- files ---- */

/* SEARCH: if the files are not settings files, the view that they belong to is searched for. */
static gboolean
open_run (VgOpening *self, const char *const *inputs, int run, gboolean search, GError **error)
{
  g_auto (GStrv) copy = g_strdupv ((char **) inputs); /* the session's may be replaced below */
  const char *const *files = (const char *const *) copy;
  g_autoptr (GError) local = NULL;
  VgSettingsRun *settings;
  const VgOperation *operation;

  if (vg_session_get_operation (self->session)->import == NULL)
    {
      operation = vg_settings_file_find (files[0]);
      if (operation != NULL)
        vg_opening_go_to (self, operation);
    }
  operation = vg_session_get_operation (self->session);
  if (operation->import == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "%s reads no settings files, so there is no run to choose", operation->title);
      return FALSE;
    }
  settings = vg_settings_file_load_run (operation, files, run, NULL, &local);
  if (settings != NULL)
    {
      start (self, files, NULL, settings->params, FALSE);
      self->settings = settings;
      self->run = run;
      return TRUE;
    }
  restore (self);
  if (!search)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (vg_settings_file_claimed (files[0]) != NULL)
    g_signal_emit (self, signals[FAILED], 0, local);
  else
    search_view (self, files, NULL, local);
  return TRUE;
}

gboolean
vg_opening_open_run (VgOpening *self, const char *const *inputs, int run, GError **error)
{
  g_return_val_if_fail (VG_IS_OPENING (self) && inputs != NULL && inputs[0] != NULL, FALSE);

  return open_run (self, inputs, run, run == 0, error);
}

gboolean
vg_opening_open_files (VgOpening *self, const char *const *files, const char *read_options,
                       GError **error)
{
  gboolean any = files != NULL && files[0] != NULL;

  g_return_val_if_fail (VG_IS_OPENING (self), FALSE);

  if (any && !vg_live_is_address (files[0]) &&
      (vg_session_get_operation (self->session)->import != NULL ||
       vg_settings_file_find (files[0]) != NULL))
    return vg_opening_open_run (self, files, 0, error);
  /* a pipe can be read only once */
  if (any && (vg_live_sends_images (files[0]) || (self->any_view && !self->completed &&
                                                  g_file_test (files[0], G_FILE_TEST_IS_REGULAR))))
    search_view (self, files, read_options, NULL);
  else
    open_here (self, files, read_options);
  return TRUE;
}

gboolean
vg_opening_open_in (VgOpening *self, const VgOperation *operation, const char *const *files,
                    const char *read_options, const char *const *settings, GError **error)
{
  gboolean any = files != NULL && files[0] != NULL;

  g_return_val_if_fail (VG_IS_OPENING (self), FALSE);

  if (operation != vg_session_get_operation (self->session))
    vg_opening_go_to (self, operation);
  if (!any || operation->import == NULL)
    vg_opening_open (self, files, read_options);
  else if (!open_run (self, files, 0, FALSE, error))
    return FALSE;
  g_strfreev (self->asked);
  self->asked = g_strdupv ((char **) settings);
  return TRUE;
}

/* ---- end ---- */

gboolean
vg_opening_note_opened (VgOpening *self)
{
  guint opened = vg_pipeline_get_opened (self->pipeline);

  if (self->inputs != NULL && opened != self->number)
    return FALSE;
  self->opened = opened;
  return TRUE;
}

/* Fits the view to other data if their size differs or if either of them is a slide, because zoom
 * and centre of one mean nothing for the other. */
static void
fit_view (VgOpening *self, const VgImageInfo *info, gboolean resized)
{
  VgView view = *vg_session_get_view (self->session);

  if (!resized && !(info != NULL && info->downsample > 0) && !(view.part_scale > 0))
    return;
  view.zoom = view.part_x = view.part_y = view.part_scale = 0;
  vg_session_forget_zoom (self->session);
  vg_session_set_view (self->session, &view);
}

/* Adopts the parameters of the settings file, and shows its precomputed output if it has one. */
static void
adopt_run (VgOpening *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgView view = *vg_session_get_view (self->session);

  vg_session_adopt_run (self->session, self->run, self->settings->params);
  for (guint i = operation->n_outputs; i-- > 0;)
    if (vg_operation_get_role (operation, VG_ROLE_FILE, operation->outputs[i].id) != NULL &&
        vg_operation_output_is_shown (operation, i, vg_session_get_params (self->session)))
      view.output = (int) i;
  vg_session_set_view (self->session, &view);
}

/* Sets what was asked for with the files.  The values were checked when they were given. */
static void
set_asked (VgOpening *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  for (guint i = 0; self->asked != NULL && self->asked[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (self->asked[i], "=", 2);
      const VgParam *param = vg_params_find (&operation->params, parts[0]);

      if (param != NULL && parts[1] != NULL)
        vg_session_set_text (self->session, param, parts[1], NULL);
    }
}

gboolean
vg_opening_adopt (VgOpening *self, const VgImageInfo *info, gboolean same_slide)
{
  const char *const *inputs = (const char *const *) self->inputs;
  gboolean reads = g_strcmp0 (vg_session_get_read_options (self->session), self->read_options) != 0;
  /* sample data of another name are other data */
  const char *before = vg_session_get_inputs (self->session)[0];
  gboolean again = inputs[0] != NULL && before != NULL &&
                   vg_live_is_same_device (before, inputs[0]);
  gboolean other = (!g_strv_equal (vg_session_get_inputs (self->session), inputs) && !again) ||
                   (inputs[0] == NULL && reads);
  gboolean reread = !other && reads;
  VgDataSize earlier = vg_known_sizes_find (self->sizes, self->session);
  VgDataSize now = info != NULL ? (VgDataSize){ info->width, info->height, info->slices }
                                : (VgDataSize){ 0 };
  gboolean resized = info != NULL && memcmp (&earlier, &now, sizeof now) != 0;
  /* the regions of a slide are moved to the part of it that is read now */
  gboolean slide = same_slide || (reread && info != NULL && info->downsample > 0);

  self->adopting = TRUE;
  self->label = inputs[0] == NULL                 ? N_ ("Sample data")
                : reread                          ? N_ ("File Options")
                : other || self->settings == NULL ? N_ ("Open")
                                                  : N_ ("Run");
  if (other && !same_slide)
    fit_view (self, info, resized && earlier.width > 0);
  vg_session_set_inputs (self->session, inputs);
  vg_session_set_read_options (self->session, self->read_options);
  if (info != NULL)
    vg_known_sizes_note (self->sizes, self->session, &now);
  self->left = earlier;
  /* where no size is known, the regions of a session that has just been read belong to its inputs
   */
  self->dropped = resized && !slide && (other || earlier.width > 0) &&
                  vg_session_drop_regions (self->session, other);
  if (self->settings != NULL)
    adopt_run (self);
  else
    vg_session_adopt (self->session, info, other);
  set_asked (self);
  return reread;
}

gboolean
vg_opening_dropped_regions (VgOpening *self, VgDataSize *size)
{
  *size = self->left;
  return self->dropped;
}

void
vg_opening_commit (VgOpening *self, const VgImageInfo *info)
{
  gint64 frame = vg_session_get_view (self->session)->frame;

  vg_session_commit (self->session, self->label);
  self->adopting = FALSE;
  if (info != NULL && info->frames > 0 && frame > 0)
    {
      /* a session that was saved at a frame is shown at it */
      vg_pipeline_pause (self->pipeline);
      vg_pipeline_seek (self->pipeline, MIN (frame, info->frames - 1));
    }
  if (!self->completed)
    vg_session_forget_history (self->session);
  self->completed = TRUE;
  clear (self);
}

/* For these names the cause of a failure is that the size of the frames is unknown. */
static gboolean
has_bare_name (const char *path)
{
  static const char *const suffixes[] = { ".raw", ".bin", ".dat", ".img" };
  g_autofree char *name = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i]))
      return TRUE;
  return FALSE;
}

gboolean
vg_opening_may_be_raw (VgOpening *self, gint64 *size)
{
  return self->choose_view && self->read_options == NULL &&
         vg_session_get_operation (self->session)->input.kind != VG_INPUT_NONE &&
         vg_file_is_raw (self->inputs[0], size);
}

gboolean
vg_opening_needs_geometry (VgOpening *self, gint64 *size)
{
  return vg_opening_may_be_raw (self, size) && has_bare_name (self->inputs[0]);
}

gboolean
vg_opening_abort (VgOpening *self)
{
  guint opened;

  restore (self);
  clear (self);
  opened = vg_pipeline_get_opened (self->pipeline);
  if (opened == self->opened)
    return TRUE;
  /* this opening, or the one before it, has opened meanwhile */
  self->opened = opened;
  vg_opening_open_current (self, TRUE);
  return FALSE;
}

/* ---- state ---- */

gboolean
vg_opening_is_active (VgOpening *self)
{
  return self->inputs != NULL;
}

gboolean
vg_opening_is_number (VgOpening *self, guint number)
{
  return self->inputs != NULL && self->number == number;
}

gboolean
vg_opening_has_completed (VgOpening *self)
{
  return self->completed;
}

gboolean
vg_opening_is_adopting (VgOpening *self)
{
  return self->adopting;
}

const char *const *
vg_opening_get_inputs (VgOpening *self)
{
  return (const char *const *) self->inputs;
}

const char *
vg_opening_get_read_options (VgOpening *self)
{
  return self->read_options;
}

void
vg_opening_note_frame (VgOpening *self, gint64 frame)
{
  VgView view = *vg_session_get_view (self->session);

  view.frame = frame;
  self->adopting = TRUE;
  vg_session_set_view (self->session, &view);
  self->adopting = FALSE;
}

void
vg_opening_set_pipeline (VgOpening *self, VgPipeline *pipeline)
{
  g_return_if_fail (VG_IS_OPENING (self));

  clear (self);
  g_set_object (&self->pipeline, pipeline);
  self->opened = 0;
}

VgPipeline *
vg_opening_get_pipeline (VgOpening *self)
{
  return self->pipeline;
}

VgSession *
vg_opening_get_session (VgOpening *self)
{
  return self->session;
}

static void
vg_opening_finalize (GObject *object)
{
  VgOpening *self = VG_OPENING (object);

  clear (self);
  vg_known_sizes_free (self->sizes);
  g_clear_object (&self->pipeline);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (vg_opening_parent_class)->finalize (object);
}

static void
vg_opening_class_init (VgOpeningClass *class)
{
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = vg_opening_finalize;
  signals[STARTED] = g_signal_new ("started", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[CHANGING_VIEW] = g_signal_new ("changing-view", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
vg_opening_init (VgOpening *self)
{
  self->sizes = vg_known_sizes_new ();
}

VgOpening *
vg_opening_new (VgSession *session, gboolean any_view)
{
  VgOpening *self = g_object_new (VG_TYPE_OPENING, NULL);

  self->session = g_object_ref (session);
  self->any_view = any_view;
  return self;
}
