/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Texts for a report that must not identify the patient, as names of files may. */
G_BEGIN_DECLS

/* TEXT with "…" in the place of all that is in quotation marks, which is how messages name files,
 * of absolute paths, and of the names in FILES and MORE (NULL-terminated, or NULL) that have a
 * folder; owned. */
char *vg_anonymous_text (const char *text, const char *const *files, const char *const *more);

G_END_DECLS
