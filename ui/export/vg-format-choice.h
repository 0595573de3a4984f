/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A line of check boxes, one for each file format; the value is a set of bits. */
G_BEGIN_DECLS

/* A format with its bit.  NAME is not translated. */
typedef struct
{
  guint format;
  const char *name;
  const char *described; /* its name for those who do not see the line; NULL: NAME */
  const char *help;
} VgFormatItem;

#define VG_TYPE_FORMAT_CHOICE (vg_format_choice_get_type ())
G_DECLARE_FINAL_TYPE (VgFormatChoice, vg_format_choice, VG, FORMAT_CHOICE, GtkWidget)
/* signal "changed" () */

/* ITEMS, N of them, are borrowed while this is called; FORMATS are chosen at first. */
GtkWidget *vg_format_choice_new (const VgFormatItem *items, guint n, guint formats);
guint vg_format_choice_get (VgFormatChoice *self);

G_END_DECLS
