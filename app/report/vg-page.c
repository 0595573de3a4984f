/* SPDX-License-Identifier: MIT */
#include "app/report/vg-page.h"

struct _VgPage
{
  GString *html;
  gboolean in_appendix;
  gboolean in_figures; /* figures stand side by side where there is room */
};

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1d1d1f;--page:#fff;--line:#c8c8cc;--soft:#f2f2f4;"
    "--warn:#fff3d6;--edge:#c27c00}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e8e8ea;--page:#1b1b1d;--line:#4a4a4e;"
    "--soft:#29292c;--warn:#3d3010;--edge:#e0a030}}\n"
    "body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--page);"
    "max-width:60rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem}.facts p{margin:.2rem 0}summary{cursor:pointer;margin:.5rem "
    "0}h2{font-size:1.15rem;margin:1.6rem 0 .5rem;"
    "border-bottom:1px solid var(--line)}\n"
    ".wide{overflow-x:auto;margin-bottom:1rem}table{border-collapse:collapse;font-variant-numeric:"
    "tabular-nums}\n"
    "th,td{text-align:left;padding:.2rem .7rem .2rem 0;vertical-align:top;"
    "border-bottom:1px solid var(--line);overflow-wrap:break-word}\n"
    "ul.warning{background:var(--warn);border-left:4px solid var(--edge);"
    "padding:.6rem 1rem .6rem 2rem}\n"
    "pre{background:var(--soft);padding:.7rem;white-space:pre-wrap;overflow-wrap:anywhere}\n"
    ".figures{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;flex:0 1 27rem}\n"
    "figure svg{width:100%;height:auto}figcaption{font-size:.9rem}\n"
    /* of a table with five columns or more */
    "tr>:first-child:nth-last-child(n+5),tr>:first-child:nth-last-child(n+5)~*{font-size:.85em;"
    "padding-right:.5rem}\n"
    "@page{size:A4;margin:15mm}\n"
    "@media print{:root{--ink:#000;--page:#fff;--line:#999;--soft:#f2f2f2;--warn:#fff;"
    "color-scheme:light}body{max-width:none;padding:0;font-size:9pt}h1{font-size:15pt;margin:0 0 "
    "2mm}h2{font-size:11pt;margin:4mm 0 1.5mm}p{margin:1.5mm 0}th,td{padding:.5mm 3mm .5mm 0}"
    "ul.warning{margin:1mm 0;padding:1mm 3mm 1mm 7mm}.wide{overflow:visible;margin-bottom:2mm}"
    "figure,tr,pre,li{break-inside:avoid}h1,h2,thead,p:has(+pre){break-after:avoid}details{display:"
    "none}"
    /* rows of a flexible box do not break across sheets everywhere */
    ".figures{display:block}figure{display:inline-block;vertical-align:top;width:86mm;"
    "margin:0 2mm 2mm 0}.appendix{break-before:page}"
    /* seven or more stand three in a row */
    ".appendix figure,figure:first-child:nth-last-child(n+7),"
    "figure:first-child:nth-last-child(n+7)~figure{width:56mm}"
    "tr>:first-child:nth-last-child(n+5),tr>:first-child:nth-last-child(n+5)~*{"
    "padding-right:1.5mm}figcaption{font-size:8pt}}\n";

/* XML and HTML have no control characters, not even escaped. */
static void
add_escaped (VgPage *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1), *escaped = NULL;

  for (char *at = valid; *at != '\0'; at++)
    if (((guchar) *at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f)
      *at = ' ';
  escaped = g_markup_escape_text (valid, -1);
  g_string_append (self->html, escaped);
}

static void
add_element (VgPage *self, const char *name, const char *text)
{
  g_string_append_printf (self->html, "<%s>", name);
  add_escaped (self, text);
  g_string_append_printf (self->html, "</%s>\n", name);
}

/* Ends the row of figures. */
static void
leave_figures (VgPage *self)
{
  if (self->in_figures)
    g_string_append (self->html, "</div>\n");
  self->in_figures = FALSE;
}

VgPage *
vg_page_new (const char *title)
{
  VgPage *self = g_new0 (VgPage, 1);

  self->html = g_string_new (
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n");
  add_element (self, "title", title);
  g_string_append_printf (self->html, "<style>\n%s</style>\n</head>\n<body>\n", style);
  add_element (self, "h1", title);
  return self;
}

void
vg_page_add_heading (VgPage *self, const char *text)
{
  leave_figures (self);
  add_element (self, "h2", text);
}

void
vg_page_add_text (VgPage *self, const char *text)
{
  leave_figures (self);
  add_element (self, "p", text);
}

void
vg_page_begin_appendix (VgPage *self)
{
  leave_figures (self);
  g_string_append (self->html, "<section class=\"appendix\">\n");
  add_element (self, "h1", "Appendix");
  self->in_appendix = TRUE;
}

void
vg_page_begin_folded (VgPage *self, const char *title)
{
  leave_figures (self);
  g_string_append (self->html, "<details>\n");
  add_element (self, "summary", title);
}

void
vg_page_end_folded (VgPage *self)
{
  leave_figures (self);
  g_string_append (self->html, "</details>\n");
}

void
vg_page_add_list (VgPage *self, const GPtrArray *texts, gboolean warning)
{
  leave_figures (self);
  g_string_append (self->html, warning ? "<ul class=\"warning\">\n" : "<ul>\n");
  for (guint i = 0; i < texts->len; i++)
    add_element (self, "li", texts->pdata[i]);
  g_string_append (self->html, "</ul>\n");
}

void
vg_page_begin_table (VgPage *self, const char *const *headings, guint n)
{
  leave_figures (self);
  g_string_append (self->html, "<div class=\"wide\"><table>\n<thead><tr>");
  for (guint i = 0; i < n; i++)
    add_element (self, "th", headings[i]);
  g_string_append (self->html, "</tr></thead>\n<tbody>\n");
}

void
vg_page_add_row (VgPage *self, const char *const *cells, guint n)
{
  g_string_append (self->html, "<tr>");
  for (guint i = 0; i < n; i++)
    add_element (self, "td", cells[i]);
  g_string_append (self->html, "</tr>\n");
}

void
vg_page_end_table (VgPage *self)
{
  g_string_append (self->html, "</tbody></table></div>\n");
}

void
vg_page_add_code (VgPage *self, const char *text)
{
  leave_figures (self);
  add_element (self, "pre", text);
}

void
vg_page_add_figure (VgPage *self, const char *svg, const char *caption)
{
  if (!self->in_figures)
    g_string_append (self->html, "<div class=\"figures\">\n");
  self->in_figures = TRUE;
  g_string_append (self->html, "<figure>\n");
  g_string_append (self->html, svg);
  if (caption != NULL)
    add_element (self, "figcaption", caption);
  g_string_append (self->html, "</figure>\n");
}

char *
vg_page_finish (VgPage *self)
{
  char *html;

  leave_figures (self);
  if (self->in_appendix)
    g_string_append (self->html, "</section>\n");
  g_string_append (self->html, "</body>\n</html>\n");
  html = g_string_free (g_steal_pointer (&self->html), FALSE);
  vg_page_free (self);
  return html;
}

void
vg_page_free (VgPage *self)
{
  if (self == NULL)
    return;
  if (self->html != NULL)
    g_string_free (self->html, TRUE);
  g_free (self);
}
