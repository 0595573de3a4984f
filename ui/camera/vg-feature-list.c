/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-feature-list.h"
#include <string.h>
#include "ui/camera/vg-feature-row.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { MARGIN_PX = 12, WIDTH_PX = 460, HEIGHT_PX = 560, MOST_ROWS = 60 };

struct _VgFeatureList
{
  GtkWindow parent_instance;
  GtkWidget *search, *rows, *more;
  VgFeatures *features; /* that are shown; or NULL */
};

G_DEFINE_FINAL_TYPE (VgFeatureList, vg_feature_list, GTK_TYPE_WINDOW)

/* Every word is in the name, the label or the help. */
static gboolean
has_words (const VgFeature *feature, const char *const *words)
{
  g_autofree char *all = g_strjoin (" ", feature->name, feature->label,
                                    feature->help != NULL ? feature->help : "", NULL);
  g_autofree char *folded = g_utf8_casefold (all, -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (folded, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

static void
on_set (VgFeatureList *self, const char *setting, gboolean reopens)
{
  g_signal_emit_by_name (self, "set", setting, reopens);
}

/* A camera may have hundreds: only the first of those that fit get a row. */
static void
fill (VgFeatureList *self)
{
  g_autofree char *text = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint n = self->features != NULL ? self->features->items->len : 0, shown = 0, fit = 0;
  GtkWidget *row;
  g_autofree char *rest = NULL;

  while ((row = gtk_widget_get_first_child (self->rows)) != NULL)
    gtk_box_remove (GTK_BOX (self->rows), row);
  for (guint i = 0; i < n; i++)
    {
      const VgFeature *feature = self->features->items->pdata[i];

      if (!has_words (feature, (const char *const *) words) || fit++ >= MOST_ROWS)
        continue;
      row = vg_feature_row_new (feature);
      vg_connect (row, "set", on_set, self);
      gtk_box_append (GTK_BOX (self->rows), row);
      shown++;
    }
  rest = fit == 0 ? g_strdup (_ ("No setting contains these words."))
         : fit > shown
             ? g_strdup_printf (_ ("%u more. Type words of a name to find it."), fit - shown)
             : NULL;
  gtk_label_set_text (GTK_LABEL (self->more), rest != NULL ? rest : "");
  gtk_widget_set_visible (self->more, rest != NULL);
}

/* The same names as before, in the same order. */
static gboolean
is_same (const VgFeatures *a, const VgFeatures *b)
{
  if (a == NULL || a->items->len != b->items->len)
    return FALSE;
  for (guint i = 0; i < a->items->len; i++)
    if (!g_str_equal (((const VgFeature *) a->items->pdata[i])->name,
                      ((const VgFeature *) b->items->pdata[i])->name))
      return FALSE;
  return TRUE;
}

void
vg_feature_list_update (VgFeatureList *self, VgFeatures *features)
{
  gboolean same = is_same (self->features, features);

  vg_features_ref (features);
  g_clear_pointer (&self->features, vg_features_unref);
  self->features = features;
  if (!same)
    {
      fill (self);
      return;
    }
  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    vg_feature_row_update (
        VG_FEATURE_ROW (row),
        vg_features_find (features, vg_feature_row_get_name (VG_FEATURE_ROW (row))));
}

static void
vg_feature_list_finalize (GObject *object)
{
  g_clear_pointer (&VG_FEATURE_LIST (object)->features, vg_features_unref);
  G_OBJECT_CLASS (vg_feature_list_parent_class)->finalize (object);
}

static void
vg_feature_list_class_init (VgFeatureListClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_feature_list_finalize;
  vg_signal_new (G_TYPE_FROM_CLASS (class), "set", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
}

static void
vg_feature_list_init (VgFeatureList *self)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing",
                                 MARGIN_PX, "margin-top", MARGIN_PX, "margin-bottom", MARGIN_PX,
                                 "margin-start", MARGIN_PX, "margin-end", MARGIN_PX, NULL),
            *scrolled;

  vg_dialog_set_title (GTK_WINDOW (self), _ ("Camera Settings"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH_PX, HEIGHT_PX);
  self->search = gtk_search_entry_new ();
  vg_widget_describe (self->search, _ ("Search settings"), NULL);
  self->rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->more = vg_label_new (NULL, "dim-label");
  scrolled = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER,
                           "vexpand", TRUE, "child", self->rows, NULL);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), self->more);
  gtk_window_set_child (GTK_WINDOW (self), box);
  vg_connect (self->search, "search-changed", fill, self);
}

GtkWidget *
vg_feature_list_new (GtkWindow *parent)
{
  return g_object_new (VG_TYPE_FEATURE_LIST, "transient-for", parent, "destroy-with-parent", TRUE,
                       NULL);
}
