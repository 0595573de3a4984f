/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
G_BEGIN_DECLS

/* A drop-down of the units of length, which sets and follows the session's. */
GtkWidget *vg_length_chooser_new (VgSession *session);

G_END_DECLS
