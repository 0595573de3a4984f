/* SPDX-License-Identifier: MIT */
/* The banner: a revealer with an icon, one line, a button for more, and a close button. */
#include "ui/common/vg-banner.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

/* a notice stays as long as reading it takes */
enum { NOTICE_SECONDS = 6, CHARS_PER_SECOND = 10 };

struct _VgBanner
{
  VgBin parent_instance;
  GtkWidget *revealer, *box, *icon, *label, *more, *second;
  VgBannerKind kind;
  char *text; /* as it was given */
  guint hide_id;
};

G_DEFINE_FINAL_TYPE (VgBanner, vg_banner, VG_TYPE_BIN)

static const char *const classes[] = { "notice", "warning", "error" };
static const char *const icons[] = { "dialog-information-symbolic", "dialog-warning-symbolic",
                                     "dialog-error-symbolic" };

/* A hidden banner exposes neither text nor buttons to assistive tools. */
static void
announce_hidden (VgBanner *self, gboolean hidden)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->revealer), GTK_ACCESSIBLE_STATE_HIDDEN, hidden,
                               -1);
}

void
vg_banner_hide (VgBanner *self)
{
  g_clear_handle_id (&self->hide_id, g_source_remove);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), FALSE);
  announce_hidden (self, TRUE);
}

void
vg_banner_withdraw (VgBanner *self, const char *text)
{
  if (vg_banner_is_shown (self) && g_strcmp0 (self->text, text) == 0)
    vg_banner_hide (self);
}

gboolean
vg_banner_is_shown (VgBanner *self)
{
  return gtk_revealer_get_reveal_child (GTK_REVEALER (self->revealer));
}

static void
set_button (GtkWidget *button, const char *text)
{
  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), text) != 0)
    gtk_button_set_label (GTK_BUTTON (button), text ? text : "");
  gtk_widget_set_visible (button, text != NULL);
}

void
vg_banner_set_more (VgBanner *self, const char *text)
{
  set_button (self->more, text);
}

void
vg_banner_set_second (VgBanner *self, const char *text)
{
  set_button (self->second, text);
}

static void
on_close (VgBanner *self)
{
  vg_banner_hide (self);
  g_signal_emit_by_name (self, "closed");
}

static void
on_more (VgBanner *self)
{
  g_signal_emit_by_name (self, "more");
}

static void
on_second (VgBanner *self)
{
  g_signal_emit_by_name (self, "second");
}

static gboolean
on_hide (gpointer data)
{
  VgBanner *self = data;

  self->hide_id = 0;
  vg_banner_hide (self);
  return G_SOURCE_REMOVE;
}

void
vg_banner_show (VgBanner *self, VgBannerKind kind, const char *text)
{
  g_autofree char *line = vg_sentence (text);

  /* A passing notice does not cover an error that is still to be read. */
  if (kind == VG_BANNER_NOTICE && vg_banner_is_shown (self) && self->kind == VG_BANNER_ERROR)
    return;
  if (kind != VG_BANNER_NOTICE && kind == self->kind && vg_banner_is_shown (self) &&
      g_strcmp0 (text, self->text) == 0)
    return; /* is not said again */
  vg_banner_set_more (self, NULL);
  vg_banner_set_second (self, NULL);
  g_free (self->text);
  self->text = g_strdup (text);
  g_strdelimit (line, "\r\n", ' ');
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    gtk_widget_remove_css_class (self->box, classes[i]);
  gtk_widget_add_css_class (self->box, classes[kind]);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icons[kind]);
  gtk_label_set_text (GTK_LABEL (self->label), line);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
  announce_hidden (self, FALSE);
  self->kind = kind;
  g_clear_handle_id (&self->hide_id, g_source_remove);
  if (kind == VG_BANNER_NOTICE)
    self->hide_id = g_timeout_add_seconds (
        MAX (NOTICE_SECONDS, (guint) g_utf8_strlen (line, -1) / CHARS_PER_SECOND), on_hide, self);
}

void
vg_banner_stay (VgBanner *self)
{
  g_clear_handle_id (&self->hide_id, g_source_remove);
}

static void
vg_banner_dispose (GObject *object)
{
  VgBanner *self = VG_BANNER (object);

  g_clear_handle_id (&self->hide_id, g_source_remove);
  G_OBJECT_CLASS (vg_banner_parent_class)->dispose (object);
}

static void
vg_banner_finalize (GObject *object)
{
  g_free (VG_BANNER (object)->text);
  G_OBJECT_CLASS (vg_banner_parent_class)->finalize (object);
}

static void
vg_banner_class_init (VgBannerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_banner_dispose;
  G_OBJECT_CLASS (class)->finalize = vg_banner_finalize;
  vg_signal_new (VG_TYPE_BANNER, "closed", 0);
  vg_signal_new (VG_TYPE_BANNER, "more", 0);
  vg_signal_new (VG_TYPE_BANNER, "second", 0);
}

static void
vg_banner_init (VgBanner *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic"),
            *apart = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->revealer = gtk_revealer_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  self->icon = gtk_image_new ();
  self->label = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT,
                              "xalign", 0.0, "hexpand", TRUE, "wrap", TRUE, "lines", 6, "ellipsize",
                              PANGO_ELLIPSIZE_END, NULL);
  vg_label_show_whole (self->label);
  gtk_widget_add_css_class (self->box, "vg-banner");
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_valign (close, GTK_ALIGN_CENTER);
  vg_widget_set_tooltip (close, _ ("Close this message"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Close this message"), -1);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_close), self);
  self->more = gtk_button_new ();
  gtk_widget_add_css_class (self->more, "flat");
  /* in a box of its own, as the base lines of two texts in a row make GTK give it two heights */
  gtk_widget_set_valign (apart, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (apart), self->more);
  gtk_widget_set_visible (self->more, FALSE);
  g_signal_connect_swapped (self->more, "clicked", G_CALLBACK (on_more), self);
  self->second = gtk_button_new ();
  gtk_widget_add_css_class (self->second, "flat");
  gtk_box_append (GTK_BOX (apart), self->second);
  gtk_widget_set_visible (self->second, FALSE);
  g_signal_connect_swapped (self->second, "clicked", G_CALLBACK (on_second), self);
  gtk_box_append (GTK_BOX (self->box), self->icon);
  gtk_box_append (GTK_BOX (self->box), self->label);
  gtk_box_append (GTK_BOX (self->box), apart);
  gtk_box_append (GTK_BOX (self->box), close);
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->box);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
  announce_hidden (self, TRUE);
}

GtkWidget *
vg_banner_new (void)
{
  return g_object_new (VG_TYPE_BANNER, NULL);
}
