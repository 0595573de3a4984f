/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/compute/vg-reference.h"
#include "app/pipeline/vg-pipeline.h"
#include "ui/common/vg-response.h"
/* A line at the foot of the window: the operation's first numbers, as many as fit (all of them:
 * vg-results-panel.h), those with advice before the others; the value under the pointer; and a
 * button with device and speed, which opens the details. */
G_BEGIN_DECLS

#define VG_TYPE_STATUS_BAR (vg_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgStatusBar, vg_status_bar, VG, STATUS_BAR, VgBin)

GtkWidget *vg_status_bar_new (void);
void vg_status_bar_set_probe (VgStatusBar *self, const char *text);
/* NULL: none */
void vg_status_bar_set_numbers (VgStatusBar *self, const VgMetrics *metrics);
/* Shows the numbers of KEPT, with which the present result is compared, beside the numbers that are
 * set next; NULL: nothing is compared. */
void vg_status_bar_set_kept (VgStatusBar *self, VgReference *kept);
/* the numbers are of settings that have changed since */
void vg_status_bar_set_stale (VgStatusBar *self, gboolean stale);
/* DEVICE NULL: it is not known yet (BUSY), or nothing is open. */
void vg_status_bar_set_device (VgStatusBar *self, const char *device, gboolean busy,
                               const char *display);
/* Puts LABEL before the button with device and speed. */
void vg_status_bar_add (VgStatusBar *self, GtkWidget *label);
/* RECORDING: frames are recorded, and one that is lost is a fault. */
void vg_status_bar_set_counts (VgStatusBar *self, const VgPipelineCounts *counts,
                               double images_per_s, const VgResponse *response, gboolean recording);
/* What is kept to look back; NULL: nothing. */
void vg_status_bar_set_past (VgStatusBar *self, const VgPast *past);

G_END_DECLS
