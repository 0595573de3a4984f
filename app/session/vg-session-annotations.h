/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/annotation/vg-annotation.h"
#include "app/session/vg-session.h"
/* The annotations of the shown view: saved and undone as its regions are. */
G_BEGIN_DECLS

guint vg_session_get_n_annotations (VgSession *self);
/* NULL: there is none. */
const VgAnnotation *vg_session_get_annotation (VgSession *self, guint i);
/* Adds a copy and returns its index.  G_MAXUINT: there are 256 already, or it is not valid. */
guint vg_session_add_annotation (VgSession *self, const VgAnnotation *annotation);
/* What is not valid changes nothing. */
void vg_session_set_annotation (VgSession *self, guint i, const VgAnnotation *annotation);
void vg_session_remove_annotation (VgSession *self, guint i);
/* Copies of all (VgAnnotation), owned. */
GPtrArray *vg_session_copy_annotations (VgSession *self);

G_END_DECLS
