/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
/* A small card over the picture: a title, a note and lines of a name and a value.  It can be copied
 * and closed, and offers choices. */
G_BEGIN_DECLS

#define VG_TYPE_CARD (vg_card_get_type ())
G_DECLARE_FINAL_TYPE (VgCard, vg_card, VG, CARD, VgBin)
/* signals:
 *   "closed" ()
 *   "chosen" (int choice)   an index into those of vg_card_set_choices
 *   "message" (gboolean failed, const char *text)   for the banner */

GtkWidget *vg_card_new (void);
/* CELLS: a name and a value for each line, of char *; NOTE NULL: none. */
void vg_card_set (VgCard *self, const char *title, const char *note, GPtrArray *cells);
/* Buttons under the heading TITLE, named TEXTS (NULL-terminated); NULL: none. */
void vg_card_set_choices (VgCard *self, const char *title, const char *const *texts);
/* FALSE: it follows the pointer, and has no buttons. */
void vg_card_set_pinned (VgCard *self, gboolean pinned);

G_END_DECLS
