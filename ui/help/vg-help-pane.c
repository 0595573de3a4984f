/* SPDX-License-Identifier: MIT */
#include "ui/help/vg-help-pane.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/help/vg-help-view.h"
#include <string.h>

enum { WIDTH_PX = 400, MARGIN_PX = 6 };
static const char ROOT[] = "/org/vivograph/Vivograph/docs/";

struct _VgHelpPane
{
  GtkBox parent_instance;
  GtkWidget *view, *back, *search, *found;
  GPtrArray *pages; /* shown before, the present one last */
};

G_DEFINE_FINAL_TYPE (VgHelpPane, vg_help_pane, GTK_TYPE_BOX)

/* Shows PAGE without keeping it for the way back. */
static gboolean
show_page (VgHelpPane *self, const char *page)
{
  g_auto (GStrv) parts = g_strsplit (page, "#", 2);
  g_autofree char *path = g_strconcat (ROOT, parts[0], NULL), *folder = g_path_get_dirname (path),
                  *within = g_strconcat (folder, "/", NULL);
  g_autoptr (GBytes) text = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  if (text == NULL)
    return FALSE;
  /* data of a resource end with a zero */
  vg_help_view_set (VG_HELP_VIEW (self->view), g_bytes_get_data (text, NULL), within);
  if (parts[1] != NULL)
    vg_help_view_go_to (VG_HELP_VIEW (self->view), parts[1]);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_widget_set_sensitive (self->back, self->pages->len > 1);
  return TRUE;
}

gboolean
vg_help_pane_show (VgHelpPane *self, const char *page)
{
  g_ptr_array_add (self->pages, g_strdup (page));
  if (show_page (self, page))
    return TRUE;
  g_ptr_array_set_size (self->pages, (int) self->pages->len - 1);
  return FALSE;
}

void
vg_help_pane_close (VgHelpPane *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_ptr_array_set_size (self->pages, 0);
}

static void
on_back (VgHelpPane *self)
{
  if (self->pages->len < 2)
    return;
  g_ptr_array_set_size (self->pages, (int) self->pages->len - 1);
  show_page (self, self->pages->pdata[self->pages->len - 1]);
}

/* TARGET from the page shown: its folder counts. */
static char *
resolve (VgHelpPane *self, const char *target)
{
  const char *page = self->pages->pdata[self->pages->len - 1];
  g_autofree char *folder = g_path_get_dirname (page), *joined = NULL, *whole = NULL;

  if (*target == '#')
    return g_strdup_printf ("%.*s%s", (int) strcspn (page, "#"), page, target);
  joined = g_build_filename ("/", folder, target, NULL);
  whole = g_canonicalize_filename (joined, "/");
  return g_strdup (whole + 1);
}

static void
on_link (VgHelpPane *self, const char *target)
{
  g_autofree char *page = NULL;

  if (strstr (target, "://") != NULL)
    {
      gtk_show_uri (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), target, GDK_CURRENT_TIME);
      return;
    }
  page = resolve (self, target);
  vg_help_pane_show (self, page);
}

static void
search (VgHelpPane *self, gboolean forward)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));
  guint n = vg_help_view_search (VG_HELP_VIEW (self->view), text, forward);
  g_autofree char *count = g_strdup_printf (ngettext ("%u place", "%u places", n), n);

  gtk_label_set_text (GTK_LABEL (self->found), *text != '\0' ? count : "");
}

static void
on_search_changed (VgHelpPane *self)
{
  search (self, FALSE);
}

static void
on_search_next (VgHelpPane *self)
{
  search (self, TRUE);
}

static GtkWidget *
button_new (VgHelpPane *self, const char *icon, const char *name, GCallback callback)
{
  GtkWidget *button = vg_icon_button_new (icon, name);

  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
bar_new (VgHelpPane *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN_PX);

  self->back = button_new (self, "go-previous-symbolic", _ ("Previous page of the help"),
                           G_CALLBACK (on_back));
  self->search = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->search, TRUE);
  vg_widget_describe (self->search, _ ("Search in the help"), NULL);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (on_search_changed), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (on_search_next), self);
  g_signal_connect_swapped (self->search, "next-match", G_CALLBACK (on_search_next), self);
  self->found = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->found, "dim-label");
  gtk_box_append (GTK_BOX (bar), self->back);
  gtk_box_append (GTK_BOX (bar), self->search);
  gtk_box_append (GTK_BOX (bar), self->found);
  gtk_box_append (GTK_BOX (bar), button_new (self, "window-close-symbolic", _ ("Close Help"),
                                             G_CALLBACK (vg_help_pane_close)));
  g_object_set (bar, "margin-top", MARGIN_PX, "margin-bottom", MARGIN_PX, "margin-start", MARGIN_PX,
                "margin-end", MARGIN_PX, NULL);
  return bar;
}

static void
vg_help_pane_finalize (GObject *object)
{
  g_ptr_array_unref (VG_HELP_PANE (object)->pages);
  G_OBJECT_CLASS (vg_help_pane_parent_class)->finalize (object);
}

static void
vg_help_pane_class_init (VgHelpPaneClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_help_pane_finalize;
}

static void
vg_help_pane_init (VgHelpPane *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->pages = g_ptr_array_new_with_free_func (g_free);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request (GTK_WIDGET (self), WIDTH_PX, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-side");
  self->view = vg_help_view_new ();
  vg_widget_describe (self->view, _ ("Help"), NULL);
  g_signal_connect_swapped (self->view, "link", G_CALLBACK (on_link), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->view);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self), bar_new (self));
  gtk_box_append (GTK_BOX (self), scroller);
}

GtkWidget *
vg_help_pane_new (void)
{
  return g_object_new (VG_TYPE_HELP_PANE, NULL);
}
