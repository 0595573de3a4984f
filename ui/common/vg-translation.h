/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib/gi18n.h>

/* Looks texts up in the catalogue of the user's language from now on; the folder of catalogues is
 * $VIVOGRAPH_LOCALE_DIR, else that of the build folder for a program in it, else that of the
 * installation. Call it after setlocale. */
void vg_translation_init (void);
/* The translation of a text from an operation's tables, which are written in English: TEXT itself
 * without one, NULL for NULL. po/tables.c.in lists these texts for translators. */
const char *vg_translate (const char *text);
