/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* A paragraph for the methods section of a paper. */
G_BEGIN_DECLS

/* What was computed, with which version, device and settings with their units, and the papers;
 * owned.  DEVICE NULL: it is left out. */
char *vg_methods_text_new (VgSession *session, const char *device);
/* The value of PARAM with its unit, as in "10 ms", "temporal" or "automatic"; owned. */
char *vg_methods_text_value (const VgParam *param, const void *params);
/* Whether PARAM decides the results with PARAMS: clicks of buttons and the pace of the display do
 * not, nor does a parameter whose condition does not hold. */
gboolean vg_methods_text_tells (const VgOperation *operation, const VgParam *param,
                                const void *params);
/* "Model: One compartment; Transit delays: …", all that decide the results, without names of files;
 * owned. */
char *vg_methods_text_settings (const VgOperation *operation, const void *params);
/* The papers behind the operation and its presets with PARAMS, one string each; owned. */
GPtrArray *vg_methods_text_references (const VgOperation *operation, const void *params);

G_END_DECLS
