/* SPDX-License-Identifier: MIT */
#pragma once
#include <arv.h>
#include "io/source/vg-feature.h"
/* The features of a camera: the few that all makes have, under one name each, and the rest of the
 * camera's own tree.  Reading them takes many messages to the camera, so the rest is read little by
 * little between frames. */
G_BEGIN_DECLS

typedef struct _VgCameraFeatures VgCameraFeatures;

/* CAMERA is borrowed. */
VgCameraFeatures *vg_camera_features_new (ArvCamera *camera);
void vg_camera_features_free (VgCameraFeatures *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgCameraFeatures, vg_camera_features_free)
/* Reads all of them again, from now on. */
void vg_camera_features_begin (VgCameraFeatures *self);
/* Reads some; TRUE: the last one of a round has been read. */
gboolean vg_camera_features_read_some (VgCameraFeatures *self);
/* The common ones as they are now, the others as they were read last; owned by the caller. */
VgFeatures *vg_camera_features_snapshot (VgCameraFeatures *self);

/* The one of COMMON (ended by NULL) or of CAMERA's features whose name is most similar to NAME,
 * owned; NULL: none is similar. */
char *vg_camera_features_nearest (ArvCamera *camera, const char *const *common, const char *name);

G_END_DECLS
