/* SPDX-License-Identifier: MIT */
#include "ui/welcome/vg-drop-sign.h"
#include "ui/words/vg-translation.h"

static gboolean
accepts (const VgOperation *operation, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (!vg_input_spec_has_suffix (&operation->input, names[i]))
      return FALSE;
  return names[0] != NULL;
}

const VgOperation *
vg_drop_sign_find (const char *const *names, const VgOperation *present)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n), *found = NULL;

  if (accepts (present, names))
    return present;
  for (guint i = 0; i < n; i++)
    if (accepts (operations[i], names))
      {
        if (found != NULL)
          return NULL;
        found = operations[i];
      }
  return found;
}

/* Of the files over TARGET; they may be known only once they are dropped. */
static char **
names_of (GtkDropTarget *target)
{
  const GValue *value = gtk_drop_target_get_value (target);
  GSList *files = value != NULL && G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST)
                      ? gdk_file_list_get_files (g_value_get_boxed (value))
                      : NULL;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (GSList *it = files; it != NULL; it = it->next)
    {
      g_autofree char *name = g_file_get_basename (it->data);

      if (name != NULL)
        g_strv_builder_add (names, name);
    }
  g_slist_free (files);
  return g_strv_builder_end (names);
}

static void
follow (GtkDropTarget *target, GtkWidget *label)
{
  VgSession *session = g_object_get_data (G_OBJECT (label), "vg-session");
  g_auto (GStrv) names = names_of (target);
  const VgOperation *operation = vg_drop_sign_find ((const char *const *) names,
                                                    vg_session_get_operation (session));
  g_autofree char *text = operation != NULL
                              ? g_strdup_printf (_ ("Open in %s"), vg_translate (operation->title))
                              : g_strdup (_ ("Open"));

  gtk_label_set_text (GTK_LABEL (label), text);
}

static GdkDragAction
on_enter (GtkDropTarget *target, double x, double y, GtkWidget *label)
{
  follow (target, label);
  gtk_widget_set_visible (label, TRUE);
  return GDK_ACTION_COPY;
}

static void
on_leave (GtkDropTarget *target, GtkWidget *label)
{
  gtk_widget_set_visible (label, FALSE);
}

static void
on_value (GtkDropTarget *target, GParamSpec *property, GtkWidget *label)
{
  follow (target, label);
}

GtkWidget *
vg_drop_sign_new (GtkDropTarget *target, VgSession *session)
{
  GtkWidget *label = gtk_label_new (NULL);

  g_object_set_data_full (G_OBJECT (label), "vg-session", g_object_ref (session), g_object_unref);
  gtk_drop_target_set_preload (target, TRUE); /* the names are told before the drop */
  gtk_widget_add_css_class (label, "vg-drop-sign");
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_set_visible (label, FALSE);
  g_signal_connect_object (target, "enter", G_CALLBACK (on_enter), label, 0);
  g_signal_connect_object (target, "leave", G_CALLBACK (on_leave), label, 0);
  g_signal_connect_object (target, "notify::value", G_CALLBACK (on_value), label, 0);
  return label;
}
