/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib/gi18n.h>

/* Looks texts up in the catalogue of the user's language from now on; the folder of catalogues is
 * $VIVOGRAPH_LOCALE_DIR, else that of the build folder for a program in it, else that of the
 * installation. Call it after setlocale. */
void vg_translation_init (void);
/* The translation of a text of an operation, which are written in English: TEXT itself without one,
 * NULL for NULL.  po/tables.c.in lists those of the tables for translators, vg-composed-text.c
 * those with numbers, whose translation stays valid for many further calls. */
const char *vg_translate (const char *text);

/* Texts that an operation makes from a pattern and numbers, such as "Decay of (3, 4)": operations
 * write English only, and the patterns are listed in vg-composed-text.c.
 *
 * TEXT in the user's language, which stays valid for many further calls; NULL: TEXT is made from no
 * known pattern, or the pattern has no translation. */
const char *vg_composed_text_translate (const char *text);
/* Makes TEXT, which fits the pattern FROM, with the pattern TO: each %s of FROM is what stands
 * there in TEXT, translated where it has a translation of its own.  Owned; NULL: it does not fit.
 */
char *vg_composed_text_convert (const char *text, const char *from, const char *to);
/* The patterns, ended by NULL. */
const char *const *vg_composed_text_patterns (void);
