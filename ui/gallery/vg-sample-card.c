/* SPDX-License-Identifier: MIT */
#include "ui/gallery/vg-sample-card.h"
#include <string.h>
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { WIDTH = 192, HEIGHT = 128 }; /* of a picture, as scripts/sample-pictures makes them */

struct _VgSampleCard
{
  GtkButton parent_instance;
  const VgOperation *operation;
  char *path, *read_options; /* either may be NULL */
};

G_DEFINE_FINAL_TYPE (VgSampleCard, vg_sample_card, GTK_TYPE_BUTTON)

#define RESOURCES "/org/vivograph/Vivograph/samples/"

char *
vg_sample_picture (const VgOperation *operation, const VgSample *sample)
{
  return g_strdup_printf (RESOURCES "%s-%s.png", operation->id, sample->id);
}

char *
vg_example_picture (const VgOperation *operation, const VgExample *example)
{
  g_autofree char *name = g_path_get_basename (example->path);

  name[strcspn (name, ".")] = '\0';
  return g_strdup_printf (RESOURCES "%s-%s.png", operation->id, name);
}

static GtkWidget *
line (const char *text, const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "wrap", TRUE,
                                   "max-width-chars", 20, NULL);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

/* A picture that is missing leaves its place empty. */
static GtkWidget *
build_picture (const char *resource)
{
  GtkWidget *picture = gtk_picture_new ();

  if (g_resources_get_info (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL))
    gtk_picture_set_resource (GTK_PICTURE (picture), resource);
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_set_size_request (picture, WIDTH, HEIGHT);
  gtk_widget_set_halign (picture, GTK_ALIGN_START);
  gtk_widget_set_valign (picture, GTK_ALIGN_START);
  gtk_widget_add_css_class (picture, "vg-sample-picture");
  return picture;
}

static void
build (VgSampleCard *self, const char *resource, const char *title, const char *description,
       const char *source)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *last = line (source, "caption");
  g_autofree char *name = g_strdup_printf ("%s: %s", _ (self->operation->title), title);
  g_autofree char *story = g_strdup_printf ("%s %s", description, source);

  gtk_widget_set_valign (box, GTK_ALIGN_START);
  gtk_widget_add_css_class (last, "dim-label");
  gtk_box_append (GTK_BOX (box), build_picture (resource));
  gtk_box_append (GTK_BOX (box), line (title, "heading"));
  gtk_box_append (GTK_BOX (box), line (description, "caption"));
  gtk_box_append (GTK_BOX (box), last);
  gtk_button_set_child (GTK_BUTTON (self), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, story, -1);
}

static void
vg_sample_card_finalize (GObject *object)
{
  VgSampleCard *self = VG_SAMPLE_CARD (object);

  g_free (self->path);
  g_free (self->read_options);
  G_OBJECT_CLASS (vg_sample_card_parent_class)->finalize (object);
}

static void
vg_sample_card_class_init (VgSampleCardClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_sample_card_finalize;
}

static void
vg_sample_card_init (VgSampleCard *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "flat");
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-sample");
}

GtkWidget *
vg_sample_card_new_made (const VgOperation *operation, const VgSample *sample)
{
  VgSampleCard *self = g_object_new (VG_TYPE_SAMPLE_CARD, NULL);
  g_autofree char *picture = vg_sample_picture (operation, sample);

  self->operation = operation;
  self->read_options = g_strdup_printf ("sample=%s", sample->id);
  build (self, picture, _ (sample->title), _ (sample->description),
         _ ("Computed by Vivograph, with known ground truth"));
  return GTK_WIDGET (self);
}

GtkWidget *
vg_sample_card_new_real (const VgOperation *operation, const VgExample *example, const char *path)
{
  VgSampleCard *self = g_object_new (VG_TYPE_SAMPLE_CARD, NULL);
  g_autofree char *picture = vg_example_picture (operation, example);
  /* the source of a recording and its licence */
  g_autofree char *source = g_strdup_printf (_ ("%s; licence: %s"), _ (example->source),
                                             example->licence);

  self->operation = operation;
  self->path = g_strdup (path);
  build (self, picture, _ (example->title), _ (example->description), source);
  return GTK_WIDGET (self);
}

const VgOperation *
vg_sample_card_get_operation (VgSampleCard *self)
{
  return self->operation;
}

const char *
vg_sample_card_get_path (VgSampleCard *self)
{
  return self->path;
}

const char *
vg_sample_card_get_read_options (VgSampleCard *self)
{
  return self->read_options;
}
