/* SPDX-License-Identifier: MIT */
#include "ui/welcome/vg-welcome.h"
#include "app/opening/vg-example.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-recent.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/gallery/vg-sample-card.h"

enum { WIDTH_CHARS = 64, SPACING_PX = 12, MOST_RECENT = 3, MOST_SAMPLES = 4 };

struct _VgWelcome
{
  GtkWidget parent_instance;
  VgSession *session;
  GtkWidget *scrolled, *title, *summary, *formats, *start, *open, *recent, *samples;
  const VgOperation *shown; /* whose samples are listed; NULL: none yet */
};

G_DEFINE_FINAL_TYPE (VgWelcome, vg_welcome, GTK_TYPE_WIDGET)

static void
remove_children (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    if (GTK_IS_FLOW_BOX (box))
      gtk_flow_box_remove (GTK_FLOW_BOX (box), child);
    else
      gtk_box_remove (GTK_BOX (box), child);
}

/* ---- recent files ---- */

static void
on_recent (VgWelcome *self, GtkButton *button)
{
  g_signal_emit_by_name (self, "recent", g_object_get_data (G_OBJECT (button), "vg-path"));
}

static GtkWidget *
recent_new (VgWelcome *self, const char *path)
{
  g_autofree char *base = g_filename_display_basename (path), *folder = g_path_get_dirname (path),
                  *where = g_filename_display_name (folder);
  GtkWidget *button = gtk_button_new (),
            *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING_PX),
            *name = gtk_label_new (base), *place = vg_label_new (where, "caption");

  gtk_widget_add_css_class (place, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (GTK_LABEL (place), PANGO_ELLIPSIZE_START);
  gtk_widget_set_hexpand (place, TRUE);
  gtk_box_append (GTK_BOX (row), name);
  gtk_box_append (GTK_BOX (row), place);
  gtk_button_set_child (GTK_BUTTON (button), row);
  gtk_widget_add_css_class (button, "flat");
  vg_widget_describe (button, base, NULL);
  vg_widget_set_tooltip (button, path);
  g_object_set_data_full (G_OBJECT (button), "vg-path", g_strdup (path), g_free);
  vg_connect (button, "clicked", on_recent, self);
  return button;
}

/* The newest that are likely to be of the view. */
static void
show_recent (VgWelcome *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  g_auto (GStrv) paths = vg_recent_list ();
  int n = 0;

  remove_children (self->recent);
  for (guint i = 0; paths[i] != NULL && n < MOST_RECENT; i++)
    if (vg_input_spec_has_suffix (&operation->input, paths[i]))
      {
        if (n++ == 0)
          gtk_box_append (GTK_BOX (self->recent), vg_label_new (_ ("Recent Files"), "heading"));
        gtk_box_append (GTK_BOX (self->recent), recent_new (self, paths[i]));
      }
  gtk_widget_set_visible (self->recent, n > 0);
}

/* ---- samples ---- */

static void
on_card (VgWelcome *self, GtkButton *button)
{
  VgSampleCard *card = VG_SAMPLE_CARD (button);

  g_signal_emit_by_name (self, "sample", vg_sample_card_get_operation (card)->id,
                         vg_sample_card_get_path (card), vg_sample_card_get_read_options (card));
}

static void
add_card (VgWelcome *self, GtkWidget *card)
{
  GtkWidget *child = gtk_flow_box_child_new ();

  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), card);
  gtk_widget_set_focusable (child, FALSE); /* the card takes the focus */
  gtk_flow_box_append (GTK_FLOW_BOX (self->samples), child);
  vg_connect (card, "clicked", on_card, self);
}

static void
show_samples (VgWelcome *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgSynthetic *synthetic = operation->synthetic;
  int n = 0;

  remove_children (self->samples);
  for (const VgSample *it = synthetic != NULL ? synthetic->samples : NULL;
       it != NULL && it->id != NULL && n < MOST_SAMPLES; it++, n++)
    add_card (self, vg_sample_card_new_made (operation, it));
  for (const VgExample *it = operation->examples;
       it != NULL && it->path != NULL && n < MOST_SAMPLES; it++)
    {
      g_autofree char *path = vg_example_find (it);

      if (path == NULL)
        continue;
      add_card (self, vg_sample_card_new_real (operation, it, path));
      n++;
    }
  gtk_widget_set_visible (self->samples, n > 0);
}

/* ---- the view ---- */

static void
on_start (VgWelcome *self)
{
  g_signal_emit_by_name (self, "sample", vg_session_get_operation (self->session)->id, NULL, NULL);
}

static void
show_view (VgWelcome *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  gboolean simulates = operation->input.kind == VG_INPUT_NONE;
  g_autofree char *formats = g_strdup_printf (_ ("Opens %s"),
                                              vg_translate (operation->input.formats));

  gtk_label_set_text (GTK_LABEL (self->title), vg_translate (operation->title));
  gtk_label_set_text (GTK_LABEL (self->summary), vg_translate (operation->summary));
  gtk_label_set_text (GTK_LABEL (self->formats), formats);
  gtk_widget_set_visible (self->formats, operation->input.formats != NULL);
  gtk_widget_set_visible (self->start, simulates); /* it needs no file */
  if (simulates)
    gtk_widget_remove_css_class (self->open, "suggested-action");
  else
    gtk_widget_add_css_class (self->open, "suggested-action");
}

void
vg_welcome_refresh (VgWelcome *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || operation == self->shown)
    return;
  self->shown = operation;
  show_view (self);
  show_recent (self);
  show_samples (self);
}

static void
on_changed (VgSession *session, guint flags, VgWelcome *self)
{
  if (flags & VG_CHANGED_OPERATION)
    vg_welcome_refresh (self);
}

/* ---- the widget ---- */

static GtkWidget *
paragraph_new (const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "justify", GTK_JUSTIFY_CENTER,
                                   "max-width-chars", WIDTH_CHARS, NULL);

  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static GtkWidget *
button_new (const char *label, const char *css_class)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_add_css_class (button, "pill");
  if (css_class != NULL)
    gtk_widget_add_css_class (button, css_class);
  return button;
}

static GtkWidget *
buttons_new (VgWelcome *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING_PX),
            *sample = button_new (_ ("Sample Data…"), NULL);

  self->start = button_new (_ ("Run Simulation"), "suggested-action");
  self->open = button_new (_ ("Open…"), NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->open), "win.open");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (sample), "win.sample");
  vg_connect (self->start, "clicked", on_start, self);
  gtk_widget_set_halign (row, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (row), self->start);
  gtk_box_append (GTK_BOX (row), self->open);
  gtk_box_append (GTK_BOX (row), sample);
  return row;
}

static void
vg_welcome_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (vg_welcome_parent_class)->map (widget);
  VG_WELCOME (widget)->shown = NULL; /* files were opened meanwhile */
  vg_welcome_refresh (VG_WELCOME (widget));
}

static void
vg_welcome_dispose (GObject *object)
{
  VgWelcome *self = VG_WELCOME (object);

  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (vg_welcome_parent_class)->dispose (object);
}

static void
vg_welcome_class_init (VgWelcomeClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_welcome_dispose;
  GTK_WIDGET_CLASS (class)->map = vg_welcome_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "sample", 3, G_TYPE_STRING, G_TYPE_STRING,
                 G_TYPE_STRING);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "recent", 1, G_TYPE_STRING);
}

static void
vg_welcome_init (VgWelcome *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING_PX);

  self->title = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->title, "title-2");
  self->summary = paragraph_new (NULL);
  self->formats = paragraph_new ("dim-label");
  self->recent = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_halign (self->recent, GTK_ALIGN_CENTER);
  self->samples = g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE,
                                "homogeneous", TRUE, "min-children-per-line", 1,
                                "max-children-per-line", MOST_SAMPLES, "halign", GTK_ALIGN_CENTER,
                                NULL);
  gtk_box_append (GTK_BOX (box), self->title);
  gtk_box_append (GTK_BOX (box), self->summary);
  gtk_box_append (GTK_BOX (box), self->formats);
  gtk_box_append (GTK_BOX (box), buttons_new (self));
  gtk_box_append (GTK_BOX (box), self->recent);
  gtk_box_append (GTK_BOX (box), self->samples);
  g_object_set (box, "valign", GTK_ALIGN_CENTER, "margin-top", SPACING_PX, "margin-bottom",
                SPACING_PX, "margin-start", SPACING_PX, "margin-end", SPACING_PX, NULL);
  self->scrolled = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER,
                                 "child", box, NULL);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

GtkWidget *
vg_welcome_new (VgSession *session)
{
  VgWelcome *self = g_object_new (VG_TYPE_WELCOME, NULL);

  self->session = vg_hold (self, session);
  g_signal_connect_object (session, "changed", G_CALLBACK (on_changed), self, 0);
  return GTK_WIDGET (self);
}
