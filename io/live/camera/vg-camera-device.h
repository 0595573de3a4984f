/* SPDX-License-Identifier: MIT */
#pragma once
#include <arv.h>
#include "io/live/vg-unpack.h"
#include "io/source/vg-source.h"
/* One GenICam camera while it is connected: its settings, its frame format and its stream. */
G_BEGIN_DECLS

typedef struct
{
  ArvPixelFormat format; /* PFNC */
  VgType type;
  int bits;
  VgPacking packing;
} VgCameraFormat;

typedef struct
{
  ArvCamera *camera;
  ArvStream *stream;
  const VgCameraFormat *format;
  char *name; /* maker and model; of the camera that was connected last, owned */
  gulong lost_handler;
  gint lost; /* set by a thread of Aravis when the camera no longer responds */
} VgCameraDevice;

/* How the samples of FORMAT are stored; NULL: the format is not supported. */
const VgCameraFormat *vg_camera_format_find (ArvPixelFormat format);
/* Connects to the camera ID, applies SETTINGS ("Name=Value Name=Value", or NULL) and starts it;
 * sets INFO to the description of its frames.  NAME is for messages until it is connected. */
gboolean vg_camera_device_open (VgCameraDevice *self, const char *id, const char *settings,
                                const char *name, VgImageInfo *info, GError **error);
/* Sets SETTING ("Name=Value") while the camera runs. */
gboolean vg_camera_device_set (VgCameraDevice *self, const char *setting, GError **error);
/* A line that describes the camera, and a line with its settings; owned. */
char *vg_camera_device_describe (VgCameraDevice *self, const VgImageInfo *info);
/* Stops and disconnects; may be called again. */
void vg_camera_device_close (VgCameraDevice *self);

G_END_DECLS
