/* SPDX-License-Identifier: MIT */
#include "ui/annotate/vg-annotation-popover.h"
#include <string.h>
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

/* Told apart by every kind of eye, on dark and on light images. */
static const struct
{
  const char *name;
  guint8 rgb[3];
} colors[] = {
  { N_ ("Yellow"), { 0xff, 0xd9, 0x1a } },     { N_ ("White"), { 0xff, 0xff, 0xff } },
  { N_ ("Black"), { 0x00, 0x00, 0x00 } },      { N_ ("Orange"), { 0xe6, 0x9f, 0x00 } },
  { N_ ("Light Blue"), { 0x56, 0xb4, 0xe9 } }, { N_ ("Green"), { 0x00, 0x9e, 0x73 } },
  { N_ ("Blue"), { 0x00, 0x72, 0xb2 } },       { N_ ("Red"), { 0xd5, 0x5e, 0x00 } },
  { N_ ("Pink"), { 0xcc, 0x79, 0xa7 } },
};

struct _VgAnnotationPopover
{
  GtkPopover parent_instance;
  GtkWidget *words, *words_line, *color, *size;
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgAnnotationPopover, vg_annotation_popover, GTK_TYPE_POPOVER)

/* G_N_ELEMENTS: another colour, which stays. */
static guint
find_color (const guint8 rgb[3])
{
  guint i = 0;

  while (i < G_N_ELEMENTS (colors) && memcmp (colors[i].rgb, rgb, 3) != 0)
    i++;
  return i;
}

void
vg_annotation_popover_set (VgAnnotationPopover *self, const VgAnnotation *annotation)
{
  gboolean has_words = annotation->kind == VG_ANNOTATION_TEXT;
  guint color = find_color (annotation->rgb);

  self->syncing = TRUE;
  gtk_widget_set_visible (self->words_line, has_words);
  gtk_editable_set_text (GTK_EDITABLE (self->words),
                         annotation->text != NULL ? annotation->text : "");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->color),
                              color < G_N_ELEMENTS (colors) ? color : GTK_INVALID_LIST_POSITION);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->size), annotation->size);
  self->syncing = FALSE;
}

void
vg_annotation_popover_apply (VgAnnotationPopover *self, VgAnnotation *annotation)
{
  guint color = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->color));

  if (annotation->kind == VG_ANNOTATION_TEXT)
    vg_annotation_set_text (annotation, gtk_editable_get_text (GTK_EDITABLE (self->words)));
  if (color < G_N_ELEMENTS (colors))
    memcpy (annotation->rgb, colors[color].rgb, 3);
  annotation->size = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->size));
}

static void
on_changed (VgAnnotationPopover *self)
{
  if (!self->syncing)
    g_signal_emit_by_name (self, "changed");
}

static void
on_remove (VgAnnotationPopover *self)
{
  g_signal_emit_by_name (self, "remove");
}

static void
vg_annotation_popover_class_init (VgAnnotationPopoverClass *class)
{
  vg_signal_new (G_TYPE_FROM_CLASS (class), "changed", 0);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "remove", 0);
}

static void
add_words (VgAnnotationPopover *self, GtkWidget *box)
{
  self->words = gtk_entry_new ();
  self->words_line = vg_line_new (_ ("_Text"), self->words, _ ("Text of the annotation"), NULL);
  gtk_entry_set_max_length (GTK_ENTRY (self->words), VG_ANNOTATION_BYTES);
  gtk_box_append (GTK_BOX (box), self->words_line);
  vg_connect (self->words, "changed", on_changed, self);
  g_signal_connect_swapped (self->words, "activate", G_CALLBACK (gtk_popover_popdown), self);
}

static void
vg_annotation_popover_init (VgAnnotationPopover *self)
{
  const char *names[G_N_ELEMENTS (colors) + 1] = { NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6),
            *remove = gtk_button_new_with_mnemonic (_ ("_Remove"));

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    names[i] = colors[i].name;
  add_words (self, box);
  self->color = vg_choice_new (names);
  vg_box_add_line (box, _ ("_Colour"), self->color, _ ("Colour of the annotation"), NULL);
  self->size = vg_number_entry_new (0.1, VG_ANNOTATION_MOST_SIZE, 1, FALSE);
  vg_box_add_line (box, _ ("_Size, px"), self->size, _ ("Size of the annotation, px"),
                   _ ("Height of the letters in pixels of the image"));
  vg_widget_describe (remove, _ ("Remove Annotation"), NULL);
  gtk_widget_set_halign (remove, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (box), remove);
  gtk_popover_set_child (GTK_POPOVER (self), box);
  vg_connect (self->color, "notify::selected", on_changed, self);
  vg_connect (self->size, "value-changed", on_changed, self);
  vg_connect (remove, "clicked", on_remove, self);
}

GtkWidget *
vg_annotation_popover_new (void)
{
  return g_object_new (VG_TYPE_ANNOTATION_POPOVER, NULL);
}
