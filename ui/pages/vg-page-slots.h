/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* Pages of which one is shown, or two where there is room for both, each below a drop-down that
 * chooses it.  A page that is hidden cannot be chosen. */
G_BEGIN_DECLS

#define VG_TYPE_PAGE_SLOTS (vg_page_slots_get_type ())
G_DECLARE_FINAL_TYPE (VgPageSlots, vg_page_slots, VG, PAGE_SLOTS, GtkWidget)
/* signal "changed" (guint slot)   another page is in this slot */

enum { VG_N_PAGE_SLOTS = 2 };

GtkWidget *vg_page_slots_new (void);
/* PAGE is taken, and is the last in the drop-downs. */
void vg_page_slots_add (VgPageSlots *self, GtkWidget *page, const char *title);
void vg_page_slots_remove (VgPageSlots *self, GtkWidget *page);
void vg_page_slots_set_title (VgPageSlots *self, GtkWidget *page, const char *title);
/* The page in SLOT, which may be out of sight; NULL: there are too few pages. */
GtkWidget *vg_page_slots_get (VgPageSlots *self, guint slot);
/* A page that is in the other slot changes places with the one in this. */
void vg_page_slots_set (VgPageSlots *self, guint slot, GtkWidget *page);
/* Brings PAGE in sight: in the second slot if it fits beside the page in the first. */
void vg_page_slots_show (VgPageSlots *self, GtkWidget *page);
/* How many slots there is room for: 1 or 2. */
guint vg_page_slots_count (VgPageSlots *self);

G_END_DECLS
