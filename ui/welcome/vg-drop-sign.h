/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
/* Says over the window what dropping the files under the pointer does: "Open in Lifetime". */
G_BEGIN_DECLS

/* The view that files called NAMES are opened in, by their endings: PRESENT if it takes them, else
 * the only one that does; NULL: their content will show it. */
const VgOperation *vg_drop_sign_find (const char *const *names, const VgOperation *present);
/* A sign to be laid over what accepts drops, hidden; it is seen while files are over TARGET, whose
 * drops SESSION's view takes. */
GtkWidget *vg_drop_sign_new (GtkDropTarget *target, VgSession *session);

G_END_DECLS
