/* SPDX-License-Identifier: MIT */
#include "ui/help/vg-markdown.h"
#include <string.h>

enum { CODE_INDENT = 4 };

static void
free_block (gpointer data)
{
  VgMarkdownBlock *block = data;

  g_free (block->text);
  g_free (block->target);
  g_clear_pointer (&block->rows, g_ptr_array_unref);
  g_free (block);
}

static void
free_span (gpointer data)
{
  VgSpan *span = data;

  g_free (span->text);
  g_free (span->target);
  g_free (span);
}

static VgMarkdownBlock *
add_block (GPtrArray *blocks, VgMarkdownKind kind, int level, const char *text)
{
  VgMarkdownBlock *block = g_new0 (VgMarkdownBlock, 1);

  block->kind = kind;
  block->level = level;
  block->text = g_strdup (text);
  g_ptr_array_add (blocks, block);
  return block;
}

/* ---- blocks ---- */

static gsize
count_spaces (const char *line)
{
  return strspn (line, " ");
}

/* LINE without the mark of an item, with its number in *NUMBER; NULL: it is no item. */
static const char *
skip_item (const char *line, int *number)
{
  gsize digits;

  line += count_spaces (line);
  *number = 0;
  if (g_str_has_prefix (line, "- ") || g_str_has_prefix (line, "* "))
    return line + 2;
  digits = strspn (line, "0123456789");
  if (digits == 0 || digits > 3 || !g_str_has_prefix (line + digits, ". "))
    return NULL;
  *number = (int) g_ascii_strtoll (line, NULL, 10);
  return line + digits + 2;
}

static char **
split_row (const char *line)
{
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();
  g_autoptr (GString) cell = g_string_new (NULL);
  gboolean code = FALSE;

  for (const char *c = line + 1; *c != '\0'; c++)
    if (*c == '|' && !code)
      {
        g_strv_builder_add (cells, g_strstrip (cell->str));
        g_string_truncate (cell, 0);
      }
    else if (*c == '\\' && c[1] == '|')
      g_string_append_c (cell, *++c);
    else
      {
        code ^= *c == '`';
        g_string_append_c (cell, *c);
      }
  return g_strv_builder_end (cells);
}

static gboolean
is_rule (const char *line)
{
  return strspn (line, "|-: ") == strlen (line);
}

/* Each of these reads the block at LINES[AT] and returns the line after it. */

static guint
read_table (GPtrArray *blocks, char **lines, guint at)
{
  VgMarkdownBlock *block = add_block (blocks, VG_MARKDOWN_TABLE, 0, NULL);

  block->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (; lines[at] != NULL && lines[at][0] == '|'; at++)
    if (!is_rule (lines[at]))
      g_ptr_array_add (block->rows, split_row (lines[at]));
  return at;
}

static guint
read_fence (GPtrArray *blocks, char **lines, guint at)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (at++; lines[at] != NULL && !g_str_has_prefix (lines[at], "```"); at++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", lines[at]);
  add_block (blocks, VG_MARKDOWN_CODE, 0, text->str);
  return lines[at] != NULL ? at + 1 : at;
}

static guint
read_indented (GPtrArray *blocks, char **lines, guint at)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (; lines[at] != NULL && count_spaces (lines[at]) >= CODE_INDENT; at++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", lines[at] + CODE_INDENT);
  add_block (blocks, VG_MARKDOWN_CODE, 0, text->str);
  return at;
}

static gboolean
begins_block (const char *line)
{
  int number;

  return *line == '\0' || *line == '#' || *line == '|' || g_str_has_prefix (line, "```") ||
         g_str_has_prefix (line, "![") || skip_item (line, &number) != NULL;
}

/* Lines up to an empty one or another block. */
static guint
read_lines (GPtrArray *blocks, VgMarkdownKind kind, int level, const char *first, char **lines,
            guint at)
{
  g_autoptr (GString) text = g_string_new (first);

  for (at++; lines[at] != NULL && !begins_block (lines[at]); at++)
    g_string_append_printf (text, " %s", lines[at] + count_spaces (lines[at]));
  add_block (blocks, kind, level, text->str);
  return at;
}

static guint
read_picture (GPtrArray *blocks, char **lines, guint at)
{
  g_autoptr (GPtrArray) spans = vg_markdown_spans (lines[at] + 1);
  const VgSpan *link = spans->len > 0 ? spans->pdata[0] : NULL;

  if (link == NULL || link->kind != VG_SPAN_LINK)
    return read_lines (blocks, VG_MARKDOWN_PARAGRAPH, 0, lines[at], lines, at);
  add_block (blocks, VG_MARKDOWN_PICTURE, 0, link->text)->target = g_strdup (link->target);
  return at + 1;
}

static guint
read_heading (GPtrArray *blocks, char **lines, guint at)
{
  gsize level = strspn (lines[at], "#");
  g_autofree char *text = g_strdup (lines[at] + level);

  add_block (blocks, VG_MARKDOWN_HEADING, (int) level, g_strstrip (text));
  return at + 1;
}

GPtrArray *
vg_markdown_parse (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GPtrArray *blocks = g_ptr_array_new_with_free_func (free_block);
  guint at = 0;

  while (lines[at] != NULL)
    {
      const char *line = lines[at], *item;
      int number;

      if (*line == '\0')
        at++;
      else if (*line == '#')
        at = read_heading (blocks, lines, at);
      else if (*line == '|')
        at = read_table (blocks, lines, at);
      else if (g_str_has_prefix (line, "```"))
        at = read_fence (blocks, lines, at);
      else if (g_str_has_prefix (line, "!["))
        at = read_picture (blocks, lines, at);
      else if ((item = skip_item (line, &number)) != NULL)
        at = read_lines (blocks, VG_MARKDOWN_ITEM, number, item, lines, at);
      else if (count_spaces (line) >= CODE_INDENT)
        at = read_indented (blocks, lines, at);
      else
        at = read_lines (blocks, VG_MARKDOWN_PARAGRAPH, 0, line + count_spaces (line), lines, at);
    }
  return blocks;
}

/* ---- spans ---- */

static void
add_span (GPtrArray *spans, VgSpanKind kind, const char *text, gssize length, char *target)
{
  VgSpan *span;

  if (length == 0)
    return;
  span = g_new (VgSpan, 1);
  *span = (VgSpan){ kind, g_strndup (text, (gsize) length), target };
  g_ptr_array_add (spans, span);
}

/* The end of a span that MARK closes and that begins at TEXT, after the mark; NULL: none begins. */
static const char *
find_end (const char *text, const char *mark)
{
  const char *end = *text != '\0' && *text != ' ' ? strstr (text + 1, mark) : NULL;

  return end != NULL && (end[-1] != ' ' || *mark == '`') ? end : NULL;
}

/* Adds the link at C; returns what follows it, or NULL if it is none. */
static const char *
read_link (GPtrArray *spans, const char *c)
{
  const char *middle = strstr (c, "]("), *end = middle != NULL ? strchr (middle, ')') : NULL;
  g_autofree char *label = NULL;

  if (end == NULL || memchr (c + 1, '[', (gsize) (middle - c - 1)) != NULL)
    return NULL;
  label = g_strndup (c + 1, (gsize) (middle - c - 1));
  add_span (spans, VG_SPAN_LINK, label, (gssize) strlen (label),
            g_strndup (middle + 2, (gsize) (end - middle - 2)));
  return end + 1;
}

GPtrArray *
vg_markdown_spans (const char *text)
{
  static const struct
  {
    const char *mark;
    VgSpanKind kind;
  } marks[] = { { "**", VG_SPAN_BOLD }, { "`", VG_SPAN_CODE }, { "*", VG_SPAN_ITALIC } };
  GPtrArray *spans = g_ptr_array_new_with_free_func (free_span);
  const char *plain = text, *c = text;

  while (*c != '\0')
    {
      const char *after = NULL;
      guint n = spans->len;

      for (guint i = 0; i < G_N_ELEMENTS (marks) && after == NULL; i++)
        {
          gsize length = strlen (marks[i].mark);
          const char *end = strncmp (c, marks[i].mark, length) == 0
                                ? find_end (c + length, marks[i].mark)
                                : NULL;

          if (end == NULL)
            continue;
          add_span (spans, VG_SPAN_PLAIN, plain, c - plain, NULL);
          add_span (spans, marks[i].kind, c + length, end - c - (gssize) length, NULL);
          after = end + length;
        }
      if (after == NULL && *c == '[' && (after = read_link (spans, c)) != NULL && c > plain)
        {
          VgSpan *link = g_ptr_array_steal_index (spans, spans->len - 1);

          add_span (spans, VG_SPAN_PLAIN, plain, c - plain, NULL);
          g_ptr_array_add (spans, link);
        }
      if (spans->len > n)
        plain = c = after;
      else
        c += *c == '\\' && c[1] != '\0' ? 2 : 1;
    }
  add_span (spans, VG_SPAN_PLAIN, plain, c - plain, NULL);
  return spans;
}

char *
vg_markdown_plain (const char *text)
{
  g_autoptr (GPtrArray) spans = vg_markdown_spans (text);
  GString *plain = g_string_new (NULL);

  for (guint i = 0; i < spans->len; i++)
    g_string_append (plain, ((const VgSpan *) spans->pdata[i])->text);
  return g_string_free (plain, FALSE);
}

char *
vg_markdown_anchor (const char *text)
{
  g_autofree char *plain = vg_markdown_plain (text), *small = g_utf8_strdown (plain, -1);
  GString *anchor = g_string_new (NULL);

  for (const char *c = small; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      if (letter == ' ' || letter == '-')
        g_string_append_c (anchor, '-');
      else if (g_unichar_isalnum (letter) || letter == '_')
        g_string_append_unichar (anchor, letter);
    }
  return g_string_free (anchor, FALSE);
}
