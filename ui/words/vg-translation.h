/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib/gi18n.h>

/* Looks texts up in the catalogue of the user's language from now on; the folder of catalogues is
 * $VIVOGRAPH_LOCALE_DIR, else that of the build folder for a program in it, else that of the
 * installation. Call it after setlocale. */
void vg_translation_init (void);
/* The translation of TEXT, an English text of an operation; TEXT itself if it has none, and NULL
 * for NULL.  For translators, po/tables.c.in lists the texts of the tables, and vg-composed-text.c
 * those with numbers, whose translation stays valid for many further calls. */
const char *vg_translate (const char *text);

/* Operations make some texts from a pattern and numbers, such as "Decay of (3, 4)".  They write
 * only English, and vg-composed-text.c lists the patterns.
 *
 * TEXT in the user's language, which stays valid for many further calls; NULL: TEXT fits no
 * pattern, or the pattern has no translation. */
const char *vg_composed_text_translate (const char *text);
/* Converts TEXT, which fits the pattern FROM, to the pattern TO.  Each %s of TO becomes the text
 * that TEXT has in place of that %s of FROM, translated if it has a translation.  Owned; NULL: TEXT
 * does not fit. */
char *vg_composed_text_convert (const char *text, const char *from, const char *to);
/* The patterns, NULL-terminated. */
const char *const *vg_composed_text_patterns (void);
/* Those of messages about files and sources, and of notes about files, NULL-terminated. */
extern const char *const vg_error_patterns[];
extern const char *const vg_note_patterns[];
/* Those of a recording (vg-recording.c), NULL-terminated. */
extern const char *const vg_recording_patterns[];
