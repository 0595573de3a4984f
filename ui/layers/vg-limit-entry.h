/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A number at an end of the colour bar: a spin button that looks like its text until it is used. */
G_BEGIN_DECLS

GtkWidget *vg_limit_entry_new (const char *name);
/* Shows VALUE, unless something is being typed there; an arrow key changes it by STEP.  UNIT may
 * be "". */
void vg_limit_entry_set (GtkWidget *self, double value, double step, const char *unit);

G_END_DECLS
