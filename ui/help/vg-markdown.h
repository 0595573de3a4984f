/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Reads the part of Markdown in which the documents are written: headings, paragraphs, lists,
 * tables, code, pictures; bold, italics, code and links within a line. */
G_BEGIN_DECLS

typedef enum {
  VG_MARKDOWN_HEADING, /* level: 1 to 6 */
  VG_MARKDOWN_PARAGRAPH,
  VG_MARKDOWN_ITEM,    /* level: its number, 0 for a bullet */
  VG_MARKDOWN_CODE,    /* lines as they are */
  VG_MARKDOWN_TABLE,   /* rows; the first is the head */
  VG_MARKDOWN_PICTURE, /* text: what it shows; target: its file */
} VgMarkdownKind;

typedef struct
{
  VgMarkdownKind kind;
  int level;
  char *text;      /* with the marks of its spans */
  char *target;    /* NULL: none */
  GPtrArray *rows; /* of GStrv; NULL: no table */
} VgMarkdownBlock;

typedef enum {
  VG_SPAN_PLAIN,
  VG_SPAN_BOLD,
  VG_SPAN_ITALIC,
  VG_SPAN_CODE,
  VG_SPAN_LINK,
} VgSpanKind;

typedef struct
{
  VgSpanKind kind;
  char *text;
  char *target; /* of a link; NULL: none */
} VgSpan;

/* The blocks of TEXT (VgMarkdownBlock), owned. */
GPtrArray *vg_markdown_parse (const char *text);
/* The spans of a block's text or of a cell (VgSpan), owned. */
GPtrArray *vg_markdown_spans (const char *text);
/* TEXT without the marks of its spans, owned. */
char *vg_markdown_plain (const char *text);
/* The name that links give the heading TEXT: "First run" is "first-run"; owned. */
char *vg_markdown_anchor (const char *text);

G_END_DECLS
