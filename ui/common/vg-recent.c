/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-recent.h"
#include <gtk/gtk.h>

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
