/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
/* A button that marks a moment, with a text that it asks for.  The moment is the one at which it
 * was pressed, however long the text takes. */
G_BEGIN_DECLS

#define VG_TYPE_MARK_BUTTON (vg_mark_button_get_type ())
G_DECLARE_FINAL_TYPE (VgMarkButton, vg_mark_button, VG, MARK_BUTTON, VgBin)
/* signals:
 *   "marked" (double time_s, const char *text)   TEXT may be empty
 *   "closed" ()                                  the entry for the text has closed */

GtkWidget *vg_mark_button_new (void);
/* The present moment. */
void vg_mark_button_set_time (VgMarkButton *self, double time_s);
/* As if it were pressed. */
void vg_mark_button_ask (VgMarkButton *self);

G_END_DECLS
