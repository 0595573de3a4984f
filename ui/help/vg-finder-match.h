/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* How well a text answers the words that a user types. */
G_BEGIN_DECLS

/* TEXT in small letters without accents, with a single space between its words; owned. */
char *vg_finder_fold (const char *text);
/* How well TITLE and MORE answer all of WORDS, in any order; 0: they do not.  A word may be the
 * start or a part of one in the text, and have one wrong letter if it has at least four.  HERE:
 * they belong to the view that is shown, and come before others.  All texts are folded. */
int vg_finder_match (const char *const *words, const char *title, const char *more, gboolean here);

G_END_DECLS
