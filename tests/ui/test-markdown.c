/* SPDX-License-Identifier: MIT */
/* What is read of the documents. */
#include "ui/help/vg-markdown.h"

static void
test_blocks (void)
{
  g_autoptr (GPtrArray)
      blocks = vg_markdown_parse ("# Title\nTwo\nlines\n\n- one\n  more\n2. two\n\n"
                                  "    K = 1\n\n| a | `b|c` |\n|---|---|\n"
                                  "| 1 | 2 |\n\n![seen](x.png)\n```\nrun\n```\n");
  const VgMarkdownKind kinds[] = { VG_MARKDOWN_HEADING, VG_MARKDOWN_PARAGRAPH, VG_MARKDOWN_ITEM,
                                   VG_MARKDOWN_ITEM,    VG_MARKDOWN_CODE,      VG_MARKDOWN_TABLE,
                                   VG_MARKDOWN_PICTURE, VG_MARKDOWN_CODE };
  const VgMarkdownBlock *table;

  g_assert_cmpuint (blocks->len, ==, G_N_ELEMENTS (kinds));
  for (guint i = 0; i < blocks->len; i++)
    g_assert_cmpint (((VgMarkdownBlock *) blocks->pdata[i])->kind, ==, kinds[i]);
  g_assert_cmpstr (((VgMarkdownBlock *) blocks->pdata[1])->text, ==, "Two lines");
  g_assert_cmpstr (((VgMarkdownBlock *) blocks->pdata[2])->text, ==, "one more");
  g_assert_cmpint (((VgMarkdownBlock *) blocks->pdata[3])->level, ==, 2);
  table = blocks->pdata[5];
  g_assert_cmpuint (table->rows->len, ==, 2);
  g_assert_cmpstr (((char **) table->rows->pdata[0])[1], ==, "`b|c`");
  g_assert_cmpstr (((VgMarkdownBlock *) blocks->pdata[6])->target, ==, "x.png");
}

static void
check_span (GPtrArray *spans, guint i, VgSpanKind kind, const char *text)
{
  const VgSpan *span = spans->pdata[i];

  g_assert_cmpint (span->kind, ==, kind);
  g_assert_cmpstr (span->text, ==, text);
}

static void
test_spans (void)
{
  g_autoptr (GPtrArray) spans = vg_markdown_spans ("a **b** `c*` *d* [e](f.md#g) 2 * 3 * 4 [h]");

  g_assert_cmpuint (spans->len, ==, 9);
  check_span (spans, 0, VG_SPAN_PLAIN, "a ");
  check_span (spans, 1, VG_SPAN_BOLD, "b");
  check_span (spans, 3, VG_SPAN_CODE, "c*");
  check_span (spans, 5, VG_SPAN_ITALIC, "d");
  check_span (spans, 7, VG_SPAN_LINK, "e");
  g_assert_cmpstr (((VgSpan *) spans->pdata[7])->target, ==, "f.md#g");
  check_span (spans, 8, VG_SPAN_PLAIN, " 2 * 3 * 4 [h]");
}

static void
test_texts (void)
{
  g_autofree char *plain = vg_markdown_plain ("`x` of [y](z)"),
                  *anchor = vg_markdown_anchor ("First run, `x`: 2");

  g_assert_cmpstr (plain, ==, "x of y");
  g_assert_cmpstr (anchor, ==, "first-run-x-2");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/markdown/blocks", test_blocks);
  g_test_add_func ("/markdown/spans", test_spans);
  g_test_add_func ("/markdown/texts", test_texts);
  return g_test_run ();
}
