/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "ui/common/vg-settings.h"
/* How a live source is recorded: what a recording begins with, and the format of its file.  The
 * choices are kept in the settings. */
G_BEGIN_DECLS

#define VG_TYPE_RECORD_PANEL (vg_record_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgRecordPanel, vg_record_panel, VG, RECORD_PANEL, VgBin)

GtkWidget *vg_record_panel_new (VgSettings *settings);
/* The seconds before the start that a recording begins with. */
int vg_record_seconds_before (VgSettings *settings);
/* The end of the name that is proposed for a recording, such as "-recording.tif". */
const char *vg_record_suffix (VgSettings *settings);

G_END_DECLS
