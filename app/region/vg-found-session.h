/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Regions that an operation found (VgFind), in a session. */
G_BEGIN_DECLS

/* Sets the parameters of SESSION that are empty, or whose regions an earlier search found, to
 * FINDINGS, and adds their regions and the outlines of their masks.  A doubtful region is added and
 * selected, but not used.  The caller ends the undo step.  *N: as of vg_found_regions_use.  *FULL:
 * the label of a parameter whose mask has no outlines, because the session has no room for them;
 * NULL: all have.  FALSE and an error: a mask cannot be stored. */
gboolean vg_found_session_use (VgSession *session, GPtrArray *findings, guint *n, const char **full,
                               GError **error);

G_END_DECLS
