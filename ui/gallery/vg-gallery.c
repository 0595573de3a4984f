/* SPDX-License-Identifier: MIT */
#include "ui/gallery/vg-gallery.h"
#include "app/opening/vg-example.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/gallery/vg-sample-card.h"

struct _VgGallery
{
  GtkWindow parent_instance;
  GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (VgGallery, vg_gallery, GTK_TYPE_WINDOW)

static void
on_clicked (VgGallery *self, GtkButton *button)
{
  VgSampleCard *card = VG_SAMPLE_CARD (button);

  g_object_ref (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit_by_name (self, "chosen", vg_sample_card_get_operation (card)->id,
                         vg_sample_card_get_path (card), vg_sample_card_get_read_options (card));
  gtk_window_destroy (GTK_WINDOW (self));
  g_object_unref (self);
}

/* The arrow keys go from card to card; a flow box would keep them for its own children. */
static gboolean
on_key (VgGallery *self, guint key, guint code, GdkModifierType state)
{
  static const struct
  {
    guint key;
    GtkDirectionType direction;
  } ways[] = { { GDK_KEY_Left, GTK_DIR_LEFT },
               { GDK_KEY_Right, GTK_DIR_RIGHT },
               { GDK_KEY_Up, GTK_DIR_UP },
               { GDK_KEY_Down, GTK_DIR_DOWN } };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (ways[i].key == key)
      {
        gtk_widget_child_focus (self->box, ways[i].direction);
        return TRUE;
      }
  return FALSE;
}

/* The flow box only arranges: the buttons take the focus themselves. */
static void
add_card (VgGallery *self, GtkWidget *flow, GtkWidget *card)
{
  GtkWidget *child = gtk_flow_box_child_new ();

  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), card);
  gtk_widget_set_focusable (child, FALSE);
  gtk_flow_box_append (GTK_FLOW_BOX (flow), child);
  vg_connect (card, "clicked", on_clicked, self);
}

/* Samples of OPERATION, with a heading; the first card is returned, NULL: there is none. */
static GtkWidget *
add_view (VgGallery *self, const VgOperation *operation)
{
  GtkWidget *flow = g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE,
                                  "homogeneous", TRUE, "min-children-per-line", 1,
                                  "max-children-per-line", 8, "halign", GTK_ALIGN_START, NULL);
  GtkWidget *title = vg_label_new (_ (operation->title), "title-2"), *first;
  const VgSynthetic *synthetic = operation->synthetic;

  for (const VgSample *it = synthetic ? synthetic->samples : NULL; it && it->id != NULL; it++)
    add_card (self, flow, vg_sample_card_new_made (operation, it));
  for (const VgExample *it = operation->examples; it != NULL && it->path != NULL; it++)
    {
      g_autofree char *path = vg_example_find (it);

      if (path != NULL)
        add_card (self, flow, vg_sample_card_new_real (operation, it, path));
    }
  first = gtk_widget_get_first_child (flow);
  if (first == NULL)
    {
      g_object_unref (g_object_ref_sink (flow));
      g_object_unref (g_object_ref_sink (title));
      return NULL;
    }
  gtk_box_append (GTK_BOX (self->box), title);
  gtk_box_append (GTK_BOX (self->box), flow);
  return gtk_flow_box_child_get_child (GTK_FLOW_BOX_CHILD (first));
}

static void
vg_gallery_class_init (VgGalleryClass *class)
{
  vg_signal_new (G_TYPE_FROM_CLASS (class), "chosen", 3, G_TYPE_STRING, G_TYPE_STRING,
                 G_TYPE_STRING);
}

static void
vg_gallery_init (VgGallery *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkWidget *scrolled;

  self->box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 8,
                            "margin-top", 12, "margin-bottom", 12, "margin-start", 12, "margin-end",
                            12, NULL);
  scrolled = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER, "child",
                           self->box, NULL);
  vg_dialog_set_title (GTK_WINDOW (self), _ ("Sample Data"));
  gtk_window_set_default_size (GTK_WINDOW (self), 960, 660);
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_child (GTK_WINDOW (self), scrolled);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  vg_connect (key, "key-pressed", on_key, self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
}

GtkWidget *
vg_gallery_new (GtkWindow *parent, const VgOperation *operation)
{
  VgGallery *self = g_object_new (VG_TYPE_GALLERY, "transient-for", parent, "destroy-with-parent",
                                  TRUE, NULL);
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  GtkWidget *first = add_view (self, operation);

  for (guint i = 0; i < n; i++)
    if (operations[i] != operation)
      {
        GtkWidget *card = add_view (self, operations[i]);

        first = first != NULL ? first : card;
      }
  if (first != NULL)
    gtk_window_set_focus (GTK_WINDOW (self), first);
  return GTK_WIDGET (self);
}
