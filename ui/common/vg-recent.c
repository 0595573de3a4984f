/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-recent.h"
#include <gtk/gtk.h>

enum { MOST = 10 };

void
vg_recent_add (const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  GtkRecentData data = { .mime_type = (char *) "application/octet-stream",
                         .app_name = (char *) "vivograph",
                         .app_exec = (char *) "vivograph %f" };

  if (uri)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return -g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) a),
                               gtk_recent_info_get_modified ((GtkRecentInfo *) b));
}

char **
vg_recent_list (void)
{
  GList *items = g_list_sort (gtk_recent_manager_get_items (gtk_recent_manager_get_default ()),
                              compare_times);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  guint n = 0;

  for (GList *l = items; l != NULL && n < MOST; l = l->next)
    {
      g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (l->data), NULL, NULL);

      if (path == NULL || !gtk_recent_info_has_application (l->data, "vivograph") ||
          !gtk_recent_info_exists (l->data))
        continue;
      g_strv_builder_add (paths, path);
      n++;
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  return g_strv_builder_end (paths);
}
