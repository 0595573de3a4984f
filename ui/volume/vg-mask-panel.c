/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-mask-panel.h"
#include <string.h>
#include "app/volume/vg-mask-store.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/volume/vg-mask-text.h"

enum { MOST_USES = 8, MOST_RADIUS = 1000 };
enum { TOOL_CROSSHAIR, TOOL_BRUSH, TOOL_ERASER, TOOL_FILL };

struct _VgMaskPanel
{
  VgBin parent_instance;
  VgSession *session;
  VgVolumeGrid grid;
  VgImageInfo info; /* width 0: not known */
  VgMask *mask;     /* NULL: none yet */
  const float *grey, *map;
  char *unit;
  char *stored;                       /* path of the mask that is the session's; NULL: none */
  int last[3];                        /* of the stroke */
  const VgParam *uses[MOST_USES + 1]; /* NULL after the last */
  gboolean syncing;
  GtkWidget *box, *tool, *size, *ball, *limited, *low, *high, *name, *use, *inside, *undo, *save,
      *limits;
};

G_DEFINE_FINAL_TYPE (VgMaskPanel, vg_mask_panel, VG_TYPE_BIN)

static void
say (VgMaskPanel *self, gboolean failed, const char *text)
{
  g_signal_emit_by_name (self, "message", failed, text);
}

/* ---- what is shown ---- */

static void
show_inside (VgMaskPanel *self)
{
  gsize n = self->mask != NULL ? vg_mask_count (self->mask) : 0;
  g_autofree char *text = vg_mask_describe (self->mask, &self->grid, self->map, self->unit);

  if (strcmp (gtk_label_get_text (GTK_LABEL (self->inside)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->inside), text);
  gtk_widget_set_sensitive (self->undo, self->mask != NULL && vg_mask_can_undo (self->mask));
  gtk_widget_set_sensitive (self->save, n > 0 && self->info.width > 0);
  gtk_widget_set_sensitive (self->use, n > 0 && self->info.width > 0);
}

/* The mask has changed: it is not what a setting uses. */
static void
changed (VgMaskPanel *self)
{
  self->syncing = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->use), 0);
  self->syncing = FALSE;
  show_inside (self);
  g_signal_emit_by_name (self, "changed");
}

/* By the user: it is not what the session holds any more. */
static void
edited (VgMaskPanel *self)
{
  g_clear_pointer (&self->stored, g_free);
  vg_session_set_mask (self->session, NULL);
  changed (self);
}

static void
list_uses (VgMaskPanel *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const void *params = vg_session_get_params (self->session);
  const char *texts[MOST_USES + 2] = { _ ("Measurement only") };
  guint n = 0;

  memset (self->uses, 0, sizeof self->uses);
  for (guint i = 0; i < operation->params.n_items && n < MOST_USES; i++)
    {
      const VgParam *param = &operation->params.items[i];

      if (param->kind != VG_PARAM_FILE || !param->file.or_region ||
          (param->file.kinds & VG_FILE_IMAGE) == 0 ||
          !vg_param_is_shown (&operation->params, param, params))
        continue;
      self->uses[n++] = param;
      texts[n] = vg_translate (param->label);
    }
  self->syncing = TRUE;
  vg_drop_down_set_texts (self->use, texts);
  self->syncing = FALSE;
}

/* ---- painting ---- */

static guint
get_tool (VgMaskPanel *self)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->tool));
}

gboolean
vg_mask_panel_is_painting (VgMaskPanel *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self)) && get_tool (self) != TOOL_CROSSHAIR;
}

static VgBrush
get_brush (VgMaskPanel *self)
{
  return (VgBrush){ .radius = 0.5 * gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->size)),
                    .ball = gtk_switch_get_active (GTK_SWITCH (self->ball)),
                    .erase = get_tool (self) == TOOL_ERASER,
                    .limited = gtk_switch_get_active (GTK_SWITCH (self->limited)),
                    .low = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->low)),
                    .high = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->high)) };
}

static gboolean
has_mask (VgMaskPanel *self)
{
  g_autoptr (GError) error = NULL;

  if (self->mask == NULL && self->grid.size[0] > 0)
    self->mask = vg_mask_new (&self->grid, &error);
  if (error != NULL)
    say (self, TRUE, error->message);
  return self->mask != NULL;
}

void
vg_mask_panel_begin (VgMaskPanel *self, const VgSection *section, const int at[3])
{
  VgBrush brush = get_brush (self);
  g_autoptr (GError) error = NULL;

  if (!has_mask (self))
    return;
  memcpy (self->last, at, sizeof self->last);
  if (get_tool (self) == TOOL_FILL)
    {
      if (!brush.limited)
        say (self, TRUE, _ ("A fill needs limits. Turn Limits on and set both values first."));
      else if (!vg_mask_fill (self->mask, section, at, &brush, self->grey, &error))
        say (self, TRUE, error->message);
    }
  else
    {
      vg_mask_begin (self->mask);
      vg_mask_paint (self->mask, section, at, &brush, self->grey);
    }
  g_signal_emit_by_name (self, "changed");
}

void
vg_mask_panel_go_on (VgMaskPanel *self, const VgSection *section, const int at[3])
{
  VgBrush brush = get_brush (self);

  if (self->mask == NULL || get_tool (self) == TOOL_FILL ||
      memcmp (self->last, at, sizeof self->last) == 0)
    return;
  vg_mask_paint_line (self->mask, section, self->last, at, &brush, self->grey);
  memcpy (self->last, at, sizeof self->last);
  g_signal_emit_by_name (self, "changed");
}

void
vg_mask_panel_end (VgMaskPanel *self)
{
  edited (self);
}

static void
on_undo (VgMaskPanel *self)
{
  if (self->mask != NULL)
    vg_mask_undo (self->mask);
  edited (self);
}

static void
on_clear (VgMaskPanel *self)
{
  if (self->mask != NULL)
    vg_mask_clear (self->mask);
  edited (self);
}

/* The limits are only in sight while they count. */
static void
on_limited (VgMaskPanel *self)
{
  gtk_widget_set_visible (self->limits, gtk_switch_get_active (GTK_SWITCH (self->limited)));
}

static void
on_tool (VgMaskPanel *self)
{
  g_signal_emit_by_name (self, "changed");
}

/* ---- files ---- */

void
vg_mask_panel_save (VgMaskPanel *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (self->mask == NULL || !vg_mask_save (self->mask, &self->info, path, &error))
    {
      say (self, TRUE,
           error != NULL ? error->message : _ ("There is no mask to save. Paint one first."));
      return;
    }
  text = g_strdup_printf (_ ("Saved the mask as \"%s\""), path);
  say (self, FALSE, text);
}

void
vg_mask_panel_open (VgMaskPanel *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *base = g_path_get_basename (path);

  if (!has_mask (self))
    return;
  if (vg_mask_load (self->mask, path, &error))
    {
      base[strcspn (base, ".")] = '\0';
      gtk_editable_set_text (GTK_EDITABLE (self->name), base);
    }
  else
    say (self, TRUE, error->message);
  edited (self);
}

static void
on_save (VgMaskPanel *self)
{
  g_signal_emit_by_name (self, "ask", TRUE);
}

static void
on_open (VgMaskPanel *self)
{
  g_signal_emit_by_name (self, "ask", FALSE);
}

/* Stores the mask for the session; its path, owned, or NULL and an error. */
static char *
store (VgMaskPanel *self, GError **error)
{
  char *path = vg_mask_store_add (self->mask, &self->info,
                                  gtk_editable_get_text (GTK_EDITABLE (self->name)), error);

  if (path != NULL)
    {
      vg_session_set_mask (self->session, path);
      g_free (self->stored);
      self->stored = g_strdup (path);
    }
  return path;
}

void
vg_mask_panel_store (VgMaskPanel *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  if (self->mask == NULL || self->info.width == 0)
    return; /* the session keeps what it had */
  if (vg_mask_count (self->mask) == 0)
    vg_session_set_mask (self->session, NULL);
  else
    path = store (self, &error);
  if (error != NULL)
    say (self, TRUE, error->message);
}

/* Takes the mask of a session that was opened. */
static void
take_stored (VgMaskPanel *self)
{
  const char *path = vg_session_get_mask (self->session);
  g_autoptr (GError) error = NULL;

  if (self->info.width == 0 || g_strcmp0 (path, self->stored) == 0)
    return;
  g_free (self->stored);
  self->stored = g_strdup (path);
  if (path == NULL || !has_mask (self))
    return;
  if (!vg_mask_load (self->mask, path, &error))
    say (self, TRUE, error->message);
  changed (self);
}

static void
on_use (VgMaskPanel *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->use));
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  if (self->syncing || i == 0 || i > MOST_USES || self->uses[i - 1] == NULL || self->mask == NULL)
    return;
  path = store (self, &error);
  if (path != NULL)
    {
      vg_session_commit_waiting (self->session);
      if (vg_session_set_text (self->session, self->uses[i - 1], path, &error))
        vg_session_commit (self->session, self->uses[i - 1]->label);
    }
  if (error != NULL)
    say (self, TRUE, error->message);
}

/* ---- what it follows ---- */

void
vg_mask_panel_set_volume (VgMaskPanel *self, const VgVolumeGrid *grid, const VgImageInfo *info)
{
  gboolean same = memcmp (self->grid.size, grid->size, sizeof grid->size) == 0;

  self->grid = *grid;
  self->info = info != NULL && info->width == grid->size[0] && info->height == grid->size[1] &&
                       info->slices == grid->size[2]
                   ? *info
                   : (VgImageInfo){ 0 };
  if (!same)
    {
      g_clear_pointer (&self->mask, vg_mask_free);
      g_clear_pointer (&self->stored, g_free);
      self->grey = self->map = NULL;
      changed (self);
    }
  take_stored (self);
}

void
vg_mask_panel_set_values (VgMaskPanel *self, const float *grey, const float *map, const char *unit)
{
  self->grey = grey;
  self->map = map;
  g_free (self->unit);
  self->unit = g_strdup (unit);
  show_inside (self);
}

const guint8 *
vg_mask_panel_get_voxels (VgMaskPanel *self)
{
  return self->mask != NULL ? vg_mask_get_voxels (self->mask) : NULL;
}

static void
on_session_changed (VgMaskPanel *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_PARAMS))
    list_uses (self);
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    {
      g_clear_pointer (&self->mask, vg_mask_free);
      g_clear_pointer (&self->stored, g_free);
      changed (self);
    }
  else if (flags & VG_CHANGED_HISTORY)
    take_stored (self);
}

/* ---- layout ---- */

static void
add_tools (VgMaskPanel *self)
{
  static const char *const tools[] = { N_ ("Move the Crosshair"), N_ ("Brush"), N_ ("Eraser"),
                                       N_ ("Fill"), NULL };

  self->tool = vg_choice_new (tools);
  self->size = vg_number_entry_new (0, MOST_RADIUS, 1, FALSE);
  self->ball = gtk_switch_new ();
  self->limited = vg_switch_new (G_CALLBACK (on_limited), self);
  self->limits = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_widget_set_visible (self->limits, FALSE);
  self->low = vg_number_entry_new (-1e30, 1e30, 1, FALSE);
  self->high = vg_number_entry_new (-1e30, 1e30, 1, FALSE);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->size), 10);
  g_signal_connect_swapped (self->tool, "notify::selected", G_CALLBACK (on_tool), self);
  vg_box_add_line (
      self->box, _ ("Tool"), self->tool, _ ("Mask tool"),
      _ ("What the pointer does in the planes; Return does the same at the crosshair"));
  vg_box_add_line (self->box, _ ("Size"), self->size, _ ("Size of the brush"),
                   _ ("Diameter of the brush in mm, or in voxels if the voxel size is not known"));
  vg_box_add_line (self->box, _ ("In 3-D"), self->ball, _ ("Several slices at once"),
                   _ ("On: the brush is a ball, and a fill spreads through all slices. Off: both "
                      "stay in one slice"));
  vg_box_add_line (self->box, _ ("Limits"), self->limited, _ ("Paint within limits"),
                   _ ("Paint only voxels whose input value lies between the limits"));
  vg_box_add_line (self->limits, _ ("From"), self->low, _ ("Lower limit of the input"),
                   _ ("Value of the input"));
  vg_box_add_line (self->limits, _ ("To"), self->high, _ ("Upper limit of the input"),
                   _ ("Value of the input"));
  gtk_box_append (GTK_BOX (self->box), self->limits);
}

static GtkWidget *
add_button (VgMaskPanel *self, GtkWidget *line, const char *text, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_label (text);

  g_signal_connect_swapped (button, "clicked", callback, self);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_box_append (GTK_BOX (line), button);
  return button;
}

static void
add_files (VgMaskPanel *self)
{
  GtkWidget *first = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *second = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->name = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->name), _ ("Mask"));
  gtk_editable_set_width_chars (GTK_EDITABLE (self->name), 8);
  self->use = vg_drop_down_new (NULL);
  self->inside = vg_label_new ("", "dim-label");
  self->undo = add_button (self, first, _ ("Undo Stroke"), G_CALLBACK (on_undo));
  vg_widget_describe (add_button (self, first, _ ("Clear"), G_CALLBACK (on_clear)),
                      _ ("Clear Mask"), _ ("Remove all voxels; Undo Stroke brings them back"));
  add_button (self, second, _ ("Open Mask…"), G_CALLBACK (on_open));
  self->save = add_button (self, second, _ ("Save Mask…"), G_CALLBACK (on_save));
  g_signal_connect_swapped (self->use, "notify::selected", G_CALLBACK (on_use), self);
  gtk_box_append (GTK_BOX (self->box), first);
  gtk_box_append (GTK_BOX (self->box), self->inside);
  vg_box_add_line (
      self->box, _ ("Use as"), self->use, _ ("Use the mask as"),
      _ ("Setting that uses the mask. If you paint more, choose it again to update the setting"));
  vg_box_add_line (self->box, _ ("Name"), self->name, _ ("Name of the mask"),
                   _ ("The name of the stored file begins with it"));
  gtk_box_append (GTK_BOX (self->box), second);
}

static void
vg_mask_panel_finalize (GObject *object)
{
  VgMaskPanel *self = VG_MASK_PANEL (object);

  g_clear_pointer (&self->mask, vg_mask_free);
  g_free (self->unit);
  g_free (self->stored);
  G_OBJECT_CLASS (vg_mask_panel_parent_class)->finalize (object);
}

static void
vg_mask_panel_class_init (VgMaskPanelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_mask_panel_finalize;
  vg_signal_new (VG_TYPE_MASK_PANEL, "changed", 0);
  vg_signal_new (VG_TYPE_MASK_PANEL, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
  vg_signal_new (VG_TYPE_MASK_PANEL, "ask", 1, G_TYPE_BOOLEAN);
}

static void
vg_mask_panel_init (VgMaskPanel *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_widget_set_margin_end (self->box, 8);
  add_tools (self);
  add_files (self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->box);
  gtk_widget_set_parent (scroller, GTK_WIDGET (self));
}

GtkWidget *
vg_mask_panel_new (VgSession *session)
{
  VgMaskPanel *self = g_object_new (VG_TYPE_MASK_PANEL, NULL);

  self->session = vg_hold (self, session);
  vg_connect (session, "changed", on_session_changed, self);
  list_uses (self);
  show_inside (self);
  return GTK_WIDGET (self);
}
