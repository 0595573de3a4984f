/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A page of HTML in one file, for light and dark screens, telephones, and A4 paper.  All texts
 * are escaped: they may come from files. */
G_BEGIN_DECLS

typedef struct _VgPage VgPage;

VgPage *vg_page_new (const char *title);
void vg_page_add_heading (VgPage *self, const char *text);
void vg_page_add_text (VgPage *self, const char *text);
/* What follows is the appendix, which begins on a new sheet of paper; its figures are smaller. */
void vg_page_begin_appendix (VgPage *self);
/* WARNING: in a box that stands out. */
void vg_page_add_list (VgPage *self, const GPtrArray *texts, gboolean warning);
/* A table with headings, N of each row, and rows of as many cells, which may be NULL. */
void vg_page_begin_table (VgPage *self, const char *const *headings, guint n);
void vg_page_add_row (VgPage *self, const char *const *cells, guint n);
void vg_page_end_table (VgPage *self);
/* Between these a reader sees only TITLE until it is clicked; it is not printed. */
void vg_page_begin_folded (VgPage *self, const char *title);
void vg_page_end_folded (VgPage *self);
/* Text that a program reads, as it is. */
void vg_page_add_code (VgPage *self, const char *text);
/* SVG is markup of this program, which is not escaped; CAPTION is. */
void vg_page_add_figure (VgPage *self, const char *svg, const char *caption);
/* The complete page, owned; SELF is freed. */
char *vg_page_finish (VgPage *self);
void vg_page_free (VgPage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPage, vg_page_free)

G_END_DECLS
