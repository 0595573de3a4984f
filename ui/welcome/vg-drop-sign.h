/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
/* Says over the window what dropping the files under the pointer does: "Open in Lifetime". */
G_BEGIN_DECLS

/* The view that opens files called NAMES, by their endings: PRESENT if it accepts them, else the
 * only view that does; NULL: the content of the files decides. */
const VgOperation *vg_drop_sign_find (const char *const *names, const VgOperation *present);
/* A hidden sign to be laid over TARGET.  It is shown while files are dragged over TARGET, and
 * names the view of SESSION, or another one, that will open them. */
GtkWidget *vg_drop_sign_new (GtkDropTarget *target, VgSession *session);

G_END_DECLS
