/* SPDX-License-Identifier: MIT */
/* The document as a GObject: getters, setters, one signal. */
#include "app/session/vg-session-private.h"

#include <glib/gi18n.h>
#include <string.h>
#include "app/session/vg-session-text.h"

G_DEFINE_FINAL_TYPE (VgSession, vg_session, G_TYPE_OBJECT)

enum { CHANGED, CLEARED, KEPT, N_SIGNALS };
static guint signals[N_SIGNALS];

void
vg_session_changed (VgSession *self, guint flags, gboolean undoable)
{
  if (undoable && !self->pending)
    {
      self->pending = TRUE;
      flags |= VG_CHANGED_HISTORY;
    }
  if (flags)
    g_signal_emit (self, signals[CHANGED], 0, flags);
}

void
vg_session_cleared (VgSession *self, const VgParam *param)
{
  g_signal_emit (self, signals[CLEARED], 0, param->label);
}

void
vg_session_kept (VgSession *self, const VgParam *param)
{
  g_signal_emit (self, signals[KEPT], 0, param->label);
}

static void
vg_session_finalize (GObject *object)
{
  VgSession *self = VG_SESSION (object);

  g_clear_handle_id (&self->waiting_id, g_source_remove);
  g_clear_pointer (&self->waiting, g_free);
  g_clear_pointer (&self->history, vg_history_free);
  g_clear_pointer (&self->documents, g_ptr_array_unref);
  g_clear_pointer (&self->operations, g_ptr_array_unref);
  g_clear_pointer (&self->compared_label, g_free);
  g_clear_pointer (&self->compared_help, g_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->live, g_free);
  G_OBJECT_CLASS (vg_session_parent_class)->finalize (object);
}

static void
vg_session_class_init (VgSessionClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_session_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[CLEARED] = g_signal_new ("cleared", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[KEPT] = g_signal_new ("kept", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
vg_session_init (VgSession *self)
{
  self->documents = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_document_free);
  self->operations = g_ptr_array_new ();
}

static VgDocument *
take_document (VgSession *self, const VgOperation *operation)
{
  VgDocument *document = vg_documents_find (self->documents, operation);

  if (!document)
    {
      g_ptr_array_add (self->documents, document = vg_document_new (operation));
      vg_document_prefer (document, NULL, self->colormap);
      document->view.length_unit = self->length_unit;
      if (self->zoom_temporary)
        vg_document_hide_zoom (document);
    }
  if (!g_ptr_array_find (self->operations, operation, NULL))
    g_ptr_array_add (self->operations, (gpointer) operation);
  return document;
}

VgSession *
vg_session_new (const VgOperation *operation)
{
  VgSession *self = g_object_new (VG_TYPE_SESSION, NULL);

  self->document = take_document (self, operation);
  self->history = vg_history_new (
      vg_session_text_write (self->documents, operation, NULL, FALSE, NULL, NULL));
  return self;
}

void
vg_session_prefer (VgSession *self, const char *colormap, int length_unit)
{
  gboolean other = length_unit != self->length_unit;

  for (guint i = 0; i < self->documents->len; i++)
    {
      VgDocument *document = self->documents->pdata[i];

      vg_document_prefer (document, self->colormap, colormap);
      if (other)
        document->view.length_unit = length_unit;
    }
  self->colormap = colormap != NULL ? g_intern_string (colormap) : NULL;
  self->length_unit = length_unit;
  vg_session_changed (self, VG_CHANGED_VIEW, TRUE);
}

const VgOperation *
vg_session_get_operation (VgSession *self)
{
  return self->document->operation;
}

void
vg_session_set_operation (VgSession *self, const VgOperation *operation)
{
  if (operation == self->document->operation)
    return;
  self->document = take_document (self, operation);
  vg_session_changed (self,
                      VG_CHANGED_OPERATION | VG_CHANGED_INPUTS | VG_CHANGED_PARAMS |
                          VG_CHANGED_REGIONS | VG_CHANGED_VIEW | VG_CHANGED_ANNOTATIONS,
                      TRUE);
}

const char *const *
vg_session_get_inputs (VgSession *self)
{
  return (const char *const *) self->document->inputs;
}

static GStrv
copy_names (const char *const *paths)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; paths && paths[i]; i++)
    if (*paths[i])
      g_strv_builder_add (names, paths[i]);
  return g_strv_builder_end (names);
}

void
vg_session_set_path (VgSession *self, const char *path)
{
  char *copy = path ? g_canonicalize_filename (path, NULL) : NULL;

  g_free (self->path);
  self->path = copy;
}

void
vg_session_note_live (VgSession *self, const char *address)
{
  g_free (self->live);
  self->live = g_strdup (address);
}

/* Another input starts at its first frame. */
void
vg_session_set_inputs (VgSession *self, const char *const *paths)
{
  VgDocument *document = self->document;
  g_auto (GStrv) copy = copy_names (paths);

  vg_session_note_live (self, NULL);
  if (g_strv_equal ((const char *const *) copy, (const char *const *) document->inputs))
    return;
  if (document->inputs[0] != NULL)
    vg_session_set_path (self, NULL); /* the file is not written over by work on other data */
  g_strfreev (document->inputs);
  document->inputs = g_steal_pointer (&copy);
  g_clear_pointer (&document->mask, g_free);
  document->run = 0;
  document->view.frame = 0;
  document->view.slice = 0;
  document->view.underlay_frame = 0;
  vg_session_changed (self, VG_CHANGED_INPUTS | VG_CHANGED_VIEW, TRUE);
}

int
vg_session_get_run (VgSession *self)
{
  return self->document->run;
}

void
vg_session_set_run (VgSession *self, int run)
{
  if (run < 0 || run == self->document->run)
    return;
  self->document->run = run;
  vg_session_changed (self, VG_CHANGED_INPUTS, TRUE);
}

const char *
vg_session_get_read_options (VgSession *self)
{
  return self->document->read_options;
}

void
vg_session_set_read_options (VgSession *self, const char *read_options)
{
  char *copy;

  if (g_strcmp0 (read_options, self->document->read_options) == 0)
    return;
  copy = read_options ? g_utf8_make_valid (read_options, -1) : NULL;
  g_free (self->document->read_options);
  self->document->read_options = copy;
  vg_session_changed (self, VG_CHANGED_INPUTS, TRUE);
}

const void *
vg_session_get_params (VgSession *self)
{
  return self->document->params;
}

void
vg_session_derive (VgDocument *document, const VgParam *param, gboolean how)
{
  const VgOperation *operation = document->operation;
  const VgParamTable *table = &operation->params;
  g_autofree gboolean *changed = g_new0 (gboolean, table->n_items);
  void *before;

  document->derived[param - table->items] = FALSE;
  if (operation->on_params_changed == NULL)
    return;
  changed[param - table->items] = how;
  before = vg_params_copy (table, document->params);
  operation->on_params_changed (document->params, changed);
  for (guint i = 0; i < table->n_items; i++)
    document->derived[i] |= &table->items[i] != param &&
                            !vg_param_equal (&table->items[i], before, document->params);
  vg_params_free (table, before);
}

void
vg_session_set_number (VgSession *self, const VgParam *param, double value)
{
  void *params = self->document->params;
  double before = vg_param_get_number (param, params), grid[2];

  vg_session_get_grid (self->document, grid);
  vg_param_set_number (param, params, value);
  if (vg_param_get_number (param, params) == before)
    return;
  vg_session_derive (self->document, param, TRUE);
  vg_session_changed (self, VG_CHANGED_PARAMS | vg_session_follow_grid (self->document, grid),
                      param->kind != VG_PARAM_ACTION);
}

gboolean
vg_session_set_text (VgSession *self, const VgParam *param, const char *text, GError **error)
{
  VgDocument *document = self->document;
  const VgParamTable *table = &document->operation->params;
  void *before = vg_params_copy (table, document->params);
  double grid[2];
  gboolean parsed, changed;

  vg_session_get_grid (document, grid);
  parsed = vg_param_parse (param, document->params, text, error);
  changed = parsed && !vg_params_equal (table, before, document->params);

  if (changed)
    {
      gboolean shown = vg_session_drop_outlines (document, before);

      shown |= vg_session_show_param_region (document, param, before);

      vg_session_derive (document, param,
                         vg_param_is_preset (param, text) ? VG_CHANGED_TO_PRESET : TRUE);
      vg_session_changed (self,
                          VG_CHANGED_PARAMS | (shown ? VG_CHANGED_REGIONS : 0) |
                              vg_session_follow_grid (document, grid),
                          param->kind != VG_PARAM_ACTION);
    }
  vg_params_free (table, before);
  return parsed;
}

void
vg_session_set_params (VgSession *self, const void *params)
{
  VgDocument *document = self->document;
  const VgParamTable *table = &document->operation->params;
  g_autoptr (VgDocument) old = vg_document_new (document->operation);
  void *fresh = old->params;
  double grid[2];

  vg_session_get_grid (document, grid);
  old->params = document->params;
  vg_params_free (table, fresh);
  document->params = vg_params_copy (table, params);
  vg_document_keep_actions (document, old);
  for (guint i = 0; i < table->n_items; i++)
    document->derived[i] &= vg_param_equal (&table->items[i], old->params, document->params);
  if (!vg_params_equal (table, old->params, document->params))
    vg_session_changed (
        self,
        VG_CHANGED_PARAMS |
            (vg_session_drop_outlines (document, old->params) ? VG_CHANGED_REGIONS : 0) |
            vg_session_follow_grid (document, grid),
        TRUE);
}

void
vg_session_reset_params (VgSession *self)
{
  VgSettingsRun *run = vg_document_load_settings (self->document, self->document->given);

  vg_session_set_params (self, run != NULL ? run->params : self->document->given);
  g_clear_pointer (&run, vg_settings_run_free);
}

const VgView *
vg_session_get_view (VgSession *self)
{
  return &self->document->view;
}

void
vg_session_set_view (VgSession *self, const VgView *view)
{
  VgView allowed = *view;

  vg_document_clamp_view (self->document, &allowed);
  if (vg_view_equal (&allowed, &self->document->view))
    return;
  if (allowed.mosaic != self->document->view.mosaic)
    vg_session_forget_zoom (self); /* positions in a slice and in a mosaic differ */
  self->document->view = allowed;
  vg_session_changed (self, VG_CHANGED_VIEW, FALSE);
}

void
vg_session_set_zoom_temporary (VgSession *self, gboolean temporary)
{
  self->zoom_temporary = temporary;
  for (guint i = 0; i < self->documents->len; i++)
    if (temporary)
      vg_document_hide_zoom (self->documents->pdata[i]);
    else
      vg_document_show_zoom (self->documents->pdata[i]);
  vg_session_changed (self, VG_CHANGED_VIEW, FALSE);
}

void
vg_session_forget_zoom (VgSession *self)
{
  if (self->document->before != NULL)
    vg_view_copy_zoom (self->document->before, &(VgView){ .zoom = 0 });
}

static VgDisplay *
shown_display (VgDocument *document)
{
  if (document->view.compare >= VG_COMPARE_DIFFERENCE)
    return &document->compared[document->view.compare - VG_COMPARE_DIFFERENCE];
  return &document->displays[document->view.output];
}

const VgOutput *
vg_session_get_output (VgSession *self)
{
  const VgDocument *document = self->document;
  const VgOutput *output = &document->operation->outputs[document->view.output];
  const guint i = (guint) document->view.output;
  const char *unit = vg_operation_output_unit (document->operation, i, document->params),
             *label = vg_operation_output_label (document->operation, i, document->params);
  gboolean ratio = document->view.compare == VG_COMPARE_RATIO;

  if (document->view.compare < VG_COMPARE_DIFFERENCE)
    {
      self->compared = *output;
      self->compared.unit = unit;
      self->compared.label = label;
      return &self->compared;
    }
  g_free (self->compared_label);
  g_free (self->compared_help);
  self->compared_label = g_strdup_printf (ratio ? "%s, now / kept" : "%s, now \342\210\222 kept",
                                          label);
  self->compared_help = g_strdup_printf (
      ratio ? "%s of the current result divided by that of the kept result."
            : "%s of the current result minus that of the kept result.",
      label);
  self->compared = (VgOutput){
    .id = output->id,
    .label = self->compared_label,
    .help = self->compared_help,
    .unit = ratio ? "" : unit,
    .view_only = TRUE,
    .hints = { .colormap = "coolwarm",
               .diverging = TRUE,
               .centre = ratio ? 1 : 0,
               .axes = { output->hints.axes[0], output->hints.axes[1] } },
  };
  return &self->compared;
}

/* All maps lie alike over the input. */
static void
set_input (VgDocument *document, const VgDisplay *from)
{
  for (guint i = 0; i < MAX (document->operation->n_outputs, 1); i++)
    vg_display_copy_input (&document->displays[i], from);
  for (guint i = 0; i < G_N_ELEMENTS (document->compared); i++)
    vg_display_copy_input (&document->compared[i], from);
}

const VgDisplay *
vg_session_get_display (VgSession *self)
{
  return shown_display (self->document);
}

const VgDisplay *
vg_session_get_display_of (VgSession *self, int i)
{
  return &self->document->displays[i];
}

/* SAVED: a change of MINE is an undo step, and is written to session files. */
static void
set_display (VgSession *self, VgDisplay *mine, const VgDisplay *display, gboolean saved)
{
  VgDisplay allowed = *display;
  gboolean input;

  vg_document_clamp_display (&allowed, mine);
  if (vg_display_equal (mine, &allowed))
    return;
  input = mine->opacity != allowed.opacity || mine->level != allowed.level ||
          mine->width != allowed.width;
  *mine = allowed;
  if (input)
    set_input (self->document, &allowed);
  vg_session_changed (self, VG_CHANGED_VIEW, input || saved);
}

void
vg_session_set_display (VgSession *self, const VgDisplay *display)
{
  set_display (self, shown_display (self->document), display,
               self->document->view.compare < VG_COMPARE_DIFFERENCE);
}

void
vg_session_set_display_of (VgSession *self, int i, const VgDisplay *display)
{
  set_display (self, &self->document->displays[i], display, TRUE);
}
