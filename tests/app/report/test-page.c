/* SPDX-License-Identifier: MIT */
/* A page of HTML from texts of any kind. */
#include "app/report/vg-page.h"
#include <string.h>

static void
test_hostile (void)
{
  static const char name[] = "<b>&\"ü.tif\x01\xff</td><script>alert(1)</script>";
  static const char *const cells[] = { name, NULL };
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  VgPage *page = vg_page_new (name);
  g_autofree char *html = NULL;

  g_ptr_array_add (texts, (gpointer) name);
  vg_page_add_heading (page, name);
  vg_page_add_text (page, name);
  vg_page_add_list (page, texts, TRUE);
  vg_page_begin_table (page, cells, 2);
  vg_page_add_row (page, cells, 2);
  vg_page_end_table (page);
  vg_page_add_code (page, name);
  vg_page_add_figure (page, "<svg></svg>", name);
  html = vg_page_finish (page);
  g_assert_true (g_utf8_validate (html, -1, NULL));
  g_assert_null (strstr (html, "<b>"));
  g_assert_null (strstr (html, "<script>"));
  g_assert_null (strchr (html, 1));
  g_assert_nonnull (strstr (html, "<li>&lt;b&gt;&amp;&quot;ü.tif"));
  g_assert_nonnull (strstr (html, "<svg></svg><figcaption>&lt;b&gt;"));
}

/* Each element that begins ends, whatever follows a row of figures. */
static void
test_nesting (void)
{
  VgPage *page = vg_page_new ("A");
  g_autofree char *html = NULL;
  int open = 0;

  vg_page_add_figure (page, "<svg></svg>", NULL);
  vg_page_add_figure (page, "<svg></svg>", "b");
  vg_page_add_heading (page, "Next");
  vg_page_begin_appendix (page);
  vg_page_begin_folded (page, "More");
  vg_page_add_figure (page, "<svg></svg>", NULL);
  vg_page_end_folded (page);
  html = vg_page_finish (page);
  g_assert_nonnull (strstr (html, "<details>\n<summary>More</summary>\n"));
  g_assert_nonnull (strstr (html, "</figure>\n</div>\n</details>\n</section>\n</body>"));
  for (const char *at = html; (at = strstr (at, "div")) != NULL; at++)
    open += at[-1] == '/' ? -1 : 1;
  g_assert_cmpint (open, ==, 0);
  g_assert_true (g_str_has_suffix (html, "</body>\n</html>\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/page/hostile", test_hostile);
  g_test_add_func ("/page/nesting", test_nesting);
  return g_test_run ();
}
