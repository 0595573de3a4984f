/* SPDX-License-Identifier: MIT */
#include "ui/help/vg-help-view.h"
#include "ui/common/vg-object.h"
#include "ui/help/vg-markdown.h"
#include <string.h>

enum { MARGIN_PX = 16, INDENT_PX = 18, PICTURE_PX = 380, GAP_PX = 18, WIDEST_PX = 380 };

struct _VgHelpView
{
  GtkTextView parent_instance;
  char *folder;
};

G_DEFINE_FINAL_TYPE (VgHelpView, vg_help_view, GTK_TYPE_TEXT_VIEW)

static const char target_key[] = "vg-target";

static GtkTextBuffer *
buffer_of (VgHelpView *self)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self));
}

static void
append (VgHelpView *self, const char *text, const char *tag, const char *span_tag)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer_of (self), &end);
  gtk_text_buffer_insert_with_tags_by_name (buffer_of (self), &end, text, -1, tag, span_tag, NULL);
}

/* ---- spans ---- */

static void
append_link (VgHelpView *self, const VgSpan *span, const char *tag)
{
  GtkTextBuffer *buffer = buffer_of (self);
  GtkTextTag *target = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  GtkTextIter start, end;
  int offset;

  g_object_set_data_full (G_OBJECT (target), target_key, g_strdup (span->target), g_free);
  gtk_text_buffer_get_end_iter (buffer, &end);
  offset = gtk_text_iter_get_offset (&end);
  append (self, span->text, tag, "link");
  gtk_text_buffer_get_iter_at_offset (buffer, &start, offset);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_apply_tag (buffer, target, &start, &end);
}

static void
append_spans (VgHelpView *self, const char *text, const char *tag)
{
  static const char *const tags[] = { [VG_SPAN_PLAIN] = "plain",
                                      [VG_SPAN_BOLD] = "bold",
                                      [VG_SPAN_ITALIC] = "italic",
                                      [VG_SPAN_CODE] = "code" };
  g_autoptr (GPtrArray) spans = vg_markdown_spans (text);

  for (guint i = 0; i < spans->len; i++)
    {
      const VgSpan *span = spans->pdata[i];

      if (span->kind == VG_SPAN_LINK)
        append_link (self, span, tag);
      else
        append (self, span->text, tag, tags[span->kind]);
    }
}

static void
mark_place (VgHelpView *self, const char *anchor)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer_of (self), &end);
  if (*anchor != '\0' && gtk_text_buffer_get_mark (buffer_of (self), anchor) == NULL)
    gtk_text_buffer_create_mark (buffer_of (self), anchor, &end, TRUE);
}

/* ---- tables ---- */

static int
measure (VgHelpView *self, const char *text)
{
  g_autofree char *plain = vg_markdown_plain (text);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), plain);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* The column stops of a table that is narrow enough, owned; NULL: it is not. */
static PangoTabArray *
place_columns (VgHelpView *self, const GPtrArray *rows)
{
  guint n = g_strv_length (rows->pdata[0]);
  PangoTabArray *tabs = pango_tab_array_new ((int) n, TRUE);
  int at = 0;

  for (guint column = 0; column < n; column++)
    {
      int width = 0;

      for (guint i = 0; i < rows->len; i++)
        {
          char **cells = rows->pdata[i];

          if (column < g_strv_length (cells))
            width = MAX (width, measure (self, cells[column]));
        }
      at += width + GAP_PX;
      pango_tab_array_set_tab (tabs, (int) column, PANGO_TAB_LEFT, at);
    }
  if (at <= WIDEST_PX)
    return tabs;
  pango_tab_array_free (tabs);
  return NULL;
}

static void
append_narrow (VgHelpView *self, const GPtrArray *rows, PangoTabArray *tabs)
{
  GtkTextBuffer *buffer = buffer_of (self);
  GtkTextTag *columns = gtk_text_buffer_create_tag (buffer, NULL, "tabs", tabs, "wrap-mode",
                                                    GTK_WRAP_NONE, NULL);
  GtkTextIter start, end;
  int offset;

  gtk_text_buffer_get_end_iter (buffer, &end);
  offset = gtk_text_iter_get_offset (&end);
  for (guint i = 0; i < rows->len; i++)
    {
      char **cells = rows->pdata[i];

      for (guint j = 0; cells[j] != NULL; j++)
        {
          append_spans (self, cells[j], i == 0 ? "head" : "row");
          append (self, cells[j + 1] != NULL ? "\t" : "\n", "row", "plain");
        }
    }
  gtk_text_buffer_get_iter_at_offset (buffer, &start, offset);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_apply_tag (buffer, columns, &start, &end);
  append (self, "\n", "gap", "plain");
}

/* "--exposure-ms" is the entry of exposure_ms. */
static void
mark_entry (VgHelpView *self, const char *cell)
{
  g_autofree char *name = vg_markdown_plain (cell);

  if (g_str_has_prefix (name, "--"))
    mark_place (self, g_strdelimit (name + 2, "-", '_'));
}

/* The head of a row: its first cell, or of an option the name in the window and then the option.
 * Returns the first cell that is left. */
static guint
append_entry (VgHelpView *self, char **head, char **cells)
{
  gboolean option = g_str_equal (head[0], "option") && cells[1] != NULL;

  mark_entry (self, cells[0]);
  append_spans (self, cells[option ? 1 : 0], "entry");
  if (option)
    {
      append (self, "   ", "entry", "plain");
      append_spans (self, cells[0], "option");
    }
  append (self, "\n", "entry", "plain");
  return option ? 2 : 1;
}

/* Each row below its head, with the names of the columns before what they hold. */
static void
append_wide (VgHelpView *self, const GPtrArray *rows)
{
  char **head = rows->pdata[0];
  guint n = g_strv_length (head);

  for (guint i = 1; i < rows->len; i++)
    {
      char **cells = rows->pdata[i];

      for (guint j = *cells != NULL ? append_entry (self, head, cells) : n;
           j < n && cells[j] != NULL; j++)
        {
          if (*cells[j] == '\0')
            continue;
          if (n > 2 && !g_str_equal (head[j], "meaning"))
            {
              g_autofree char *name = g_strdup_printf ("%s: ", head[j]);

              append (self, name, "cell", "dim");
            }
          append_spans (self, cells[j], "cell");
          append (self, "\n", "cell", "plain");
        }
    }
  append (self, "\n", "gap", "plain");
}

static void
append_table (VgHelpView *self, const GPtrArray *rows)
{
  PangoTabArray *tabs = rows->len > 0 ? place_columns (self, rows) : NULL;

  if (tabs != NULL)
    append_narrow (self, rows, tabs);
  else if (rows->len > 0)
    append_wide (self, rows);
  g_clear_pointer (&tabs, pango_tab_array_free);
}

/* ---- blocks ---- */

static void
append_picture (VgHelpView *self, const VgMarkdownBlock *block)
{
  g_autofree char *path = g_strconcat (self->folder, block->target, NULL);
  g_autoptr (GdkPixbuf)
      pixbuf = gdk_pixbuf_new_from_resource_at_scale (path, PICTURE_PX, -1, TRUE, NULL);
  GtkTextChildAnchor *anchor;
  GtkWidget *picture;
  GtkTextIter end;

  if (pixbuf == NULL)
    return;
  picture = gtk_picture_new_for_pixbuf (pixbuf);
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), block->text);
  gtk_widget_set_size_request (picture, gdk_pixbuf_get_width (pixbuf),
                               gdk_pixbuf_get_height (pixbuf));
  gtk_text_buffer_get_end_iter (buffer_of (self), &end);
  anchor = gtk_text_buffer_create_child_anchor (buffer_of (self), &end);
  gtk_text_view_add_child_at_anchor (GTK_TEXT_VIEW (self), picture, anchor);
  append (self, "\n", "paragraph", "plain");
}

static void
append_block (VgHelpView *self, const VgMarkdownBlock *block)
{
  static const char *const headings[] = { "h1", "h1", "h2", "h3", "h3", "h3", "h3" };
  g_autofree char *anchor = NULL, *mark = NULL;

  switch (block->kind)
    {
    case VG_MARKDOWN_HEADING:
      anchor = vg_markdown_anchor (block->text);
      mark_place (self, anchor);
      append_spans (self, block->text, headings[MIN (block->level, 6)]);
      append (self, "\n", headings[MIN (block->level, 6)], "plain");
      break;
    case VG_MARKDOWN_PARAGRAPH:
      append_spans (self, block->text, "paragraph");
      append (self, "\n", "paragraph", "plain");
      break;
    case VG_MARKDOWN_ITEM:
      mark = block->level > 0 ? g_strdup_printf ("%d. ", block->level) : g_strdup ("• ");
      append (self, mark, "item", "plain");
      append_spans (self, block->text, "item");
      append (self, "\n", "item", "plain");
      break;
    case VG_MARKDOWN_CODE:
      append (self, block->text, "block", "code");
      append (self, "\n", "block", "code");
      break;
    case VG_MARKDOWN_TABLE:
      append_table (self, block->rows);
      break;
    case VG_MARKDOWN_PICTURE:
      append_picture (self, block);
      break;
    }
}

static void
add_tags (GtkTextBuffer *buffer)
{
#define TAG(...) gtk_text_buffer_create_tag (buffer, __VA_ARGS__, NULL)
  TAG ("paragraph", "pixels-below-lines", 8);
  TAG ("gap", "scale", 0.5);
  TAG ("h1", "weight", PANGO_WEIGHT_BOLD, "scale", 1.4, "pixels-below-lines", 8);
  TAG ("h2", "weight", PANGO_WEIGHT_BOLD, "scale", 1.2, "pixels-above-lines", 10,
       "pixels-below-lines", 6);
  TAG ("h3", "weight", PANGO_WEIGHT_BOLD, "pixels-above-lines", 6, "pixels-below-lines", 4);
  TAG ("item", "left-margin", MARGIN_PX + INDENT_PX, "indent", -INDENT_PX / 2, "pixels-below-lines",
       4);
  TAG ("block", "left-margin", MARGIN_PX + INDENT_PX, "pixels-below-lines", 4);
  TAG ("row", "pixels-below-lines", 2);
  TAG ("head", "weight", PANGO_WEIGHT_BOLD, "pixels-below-lines", 2);
  TAG ("entry", "weight", PANGO_WEIGHT_BOLD, "pixels-above-lines", 6);
  TAG ("cell", "left-margin", MARGIN_PX + INDENT_PX, "pixels-below-lines", 1);
  TAG ("option", "scale", 0.9);
  TAG ("plain", "weight-set", FALSE);
  TAG ("dim", "scale", 0.9, "style", PANGO_STYLE_ITALIC);
  TAG ("bold", "weight", PANGO_WEIGHT_BOLD);
  TAG ("italic", "style", PANGO_STYLE_ITALIC);
  TAG ("code", "family", "monospace", "scale", 0.92);
  TAG ("link", "underline", PANGO_UNDERLINE_SINGLE, "foreground", "#2a7fde");
  TAG ("found", "background", "#f6d32d", "foreground", "#000000");
#undef TAG
}

void
vg_help_view_set (VgHelpView *self, const char *text, const char *folder)
{
  g_autoptr (GPtrArray) blocks = vg_markdown_parse (text);
  g_autoptr (GtkTextBuffer) buffer = gtk_text_buffer_new (NULL);
  GtkTextIter start;

  g_free (self->folder);
  self->folder = g_strdup (folder);
  add_tags (buffer);
  gtk_text_view_set_buffer (GTK_TEXT_VIEW (self), buffer);
  for (guint i = 0; i < blocks->len; i++)
    append_block (self, blocks->pdata[i]);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
}

static void
show_place (VgHelpView *self, GtkTextIter *place)
{
  GtkTextMark *cursor = gtk_text_buffer_get_insert (buffer_of (self));

  gtk_text_buffer_place_cursor (buffer_of (self), place);
  /* lines that have no height yet are laid out first */
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self), cursor, 0, TRUE, 0, 0.05);
}

gboolean
vg_help_view_go_to (VgHelpView *self, const char *anchor)
{
  GtkTextMark *mark = gtk_text_buffer_get_mark (buffer_of (self), anchor);
  GtkTextIter place;

  if (mark == NULL)
    return FALSE;
  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &place, mark);
  show_place (self, &place);
  return TRUE;
}

/* ---- search ---- */

/* Marks all places; returns their number. */
static guint
mark_found (VgHelpView *self, const char *text)
{
  GtkTextIter start, end, from, to;
  guint n = 0;

  gtk_text_buffer_get_bounds (buffer_of (self), &start, &end);
  gtk_text_buffer_remove_tag_by_name (buffer_of (self), "found", &start, &end);
  if (*text == '\0')
    return 0;
  for (; gtk_text_iter_forward_search (&start, text, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &from, &to,
                                       NULL);
       start = to, n++)
    gtk_text_buffer_apply_tag_by_name (buffer_of (self), "found", &from, &to);
  return n;
}

guint
vg_help_view_search (VgHelpView *self, const char *text, gboolean forward)
{
  guint n = mark_found (self, text);
  GtkTextIter at, from, to;
  gboolean found;

  if (n == 0)
    return 0;
  gtk_text_buffer_get_iter_at_mark (buffer_of (self), &at,
                                    gtk_text_buffer_get_insert (buffer_of (self)));
  if (forward)
    gtk_text_iter_forward_char (&at);
  found = gtk_text_iter_forward_search (&at, text, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &from, &to,
                                        NULL);
  if (!found)
    {
      gtk_text_buffer_get_start_iter (buffer_of (self), &at);
      found = gtk_text_iter_forward_search (&at, text, GTK_TEXT_SEARCH_CASE_INSENSITIVE, &from, &to,
                                            NULL);
    }
  if (found)
    show_place (self, &from);
  return n;
}

/* ---- links ---- */

/* The target of the link at X, Y of the widget; NULL: there is none. */
static const char *
find_target (VgHelpView *self, double x, double y)
{
  int place_x, place_y;
  GtkTextIter place;
  g_autoptr (GSList) tags = NULL;

  gtk_text_view_window_to_buffer_coords (GTK_TEXT_VIEW (self), GTK_TEXT_WINDOW_WIDGET, (int) x,
                                         (int) y, &place_x, &place_y);
  if (!gtk_text_view_get_iter_at_location (GTK_TEXT_VIEW (self), &place, place_x, place_y))
    return NULL;
  tags = gtk_text_iter_get_tags (&place);
  for (GSList *tag = tags; tag != NULL; tag = tag->next)
    if (g_object_get_data (tag->data, target_key) != NULL)
      return g_object_get_data (tag->data, target_key);
  return NULL;
}

static void
on_released (GtkGestureClick *gesture, int n, double x, double y, VgHelpView *self)
{
  g_autofree char *target = g_strdup (find_target (self, x, y));

  if (target != NULL && !gtk_text_buffer_get_has_selection (buffer_of (self)))
    g_signal_emit_by_name (self, "link", target);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, VgHelpView *self)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                   find_target (self, x, y) != NULL ? "pointer" : "text");
}

static void
vg_help_view_finalize (GObject *object)
{
  g_free (VG_HELP_VIEW (object)->folder);
  G_OBJECT_CLASS (vg_help_view_parent_class)->finalize (object);
}

static void
vg_help_view_class_init (VgHelpViewClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_help_view_finalize;
  vg_signal_new (VG_TYPE_HELP_VIEW, "link", 1, G_TYPE_STRING);
}

static void
vg_help_view_init (VgHelpView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_object_set (self, "editable", FALSE, "cursor-visible", FALSE, "wrap-mode", GTK_WRAP_WORD_CHAR,
                "left-margin", MARGIN_PX, "right-margin", MARGIN_PX, "top-margin", MARGIN_PX,
                "bottom-margin", MARGIN_PX, NULL);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
}

GtkWidget *
vg_help_view_new (void)
{
  return g_object_new (VG_TYPE_HELP_VIEW, NULL);
}
