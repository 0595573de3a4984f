/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "io/live/vg-live.h"
/* The cameras and other live sources that are there.  It looks again every few seconds, on a thread
 * of its own, because devices take long to answer. */
G_BEGIN_DECLS

typedef struct
{
  char *address; /* "camera:ID"; of what is missing, its scheme */
  char *description;
  gboolean missing; /* its devices cannot be listed; `description` says why */
} VgCameraEntry;

/* Lists devices, as vg_live_list. */
typedef void (*VgCameraLook) (VgLiveFound found, VgLiveFound missing, gpointer data);

#define VG_TYPE_CAMERA_LIST (vg_camera_list_get_type ())
G_DECLARE_FINAL_TYPE (VgCameraList, vg_camera_list, VG, CAMERA_LIST, GObject)
/* signal "changed" (): devices have come or gone; the first time also if there are none */

/* Begins to look, by LOOK, every INTERVAL_MS. */
VgCameraList *vg_camera_list_new (VgCameraLook look, guint interval_ms);
/* Does not look again; a look under way ends by itself. */
void vg_camera_list_stop (VgCameraList *self);
guint vg_camera_list_get_n (VgCameraList *self);
const VgCameraEntry *vg_camera_list_get (VgCameraList *self, guint i);

G_END_DECLS
