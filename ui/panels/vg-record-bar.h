/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/record/vg-recorder.h"
/* The line that stands at the foot of the window, in every view, while a
 * recording runs: how long it is, how large, what is left of the disk and
 * what is missing; and a button that ends it. */
G_BEGIN_DECLS

#define VG_TYPE_RECORD_BAR (vg_record_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgRecordBar, vg_record_bar, VG, RECORD_BAR, GtkWidget)

GtkWidget *vg_record_bar_new (void);
/* NULL: none runs. */
void vg_record_bar_set (VgRecordBar *self, const VgRecording *now);

G_END_DECLS
