/* SPDX-License-Identifier: MIT */
/* The settings of every operation at the pane's width: no name and no choice is cut, and a number
 * takes one line.  With "long" as the argument all texts of the tables are 30 % longer. */
#include <glib/gstdio.h>
#include <locale.h>
#include "tests/support/ui/window-fixture.h"
#include "kernels/core/vg-operation.h"
#include "ui/words/vg-translation.h"
#include "ui/params/vg-param-panel.h"
#include "ui/params/vg-param-row.h"

GResource *vg_resources_get_resource (void); /* of the file that is made of them */

enum { PANE_PX = 330, MARGINS_PX = 28, MOST_PX = 36 };

static gboolean longer; /* texts are longer than in English, as in other languages */

/* "Minnimuum", as many letters more as translations have. */
static char *
lengthen (const char *text)
{
  GString *result = g_string_new (NULL);
  int surplus = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      g_string_append_unichar (result, letter);
      surplus += 3;
      if (surplus < 10 || !g_unichar_isalpha (letter))
        continue;
      surplus -= 10;
      g_string_append_unichar (result, letter);
    }
  return g_string_free (result, FALSE);
}

static void
add_text (GHashTable *texts, const char *text)
{
  if (text != NULL && *text != '\0')
    g_hash_table_add (texts, (gpointer) text);
}

static char *
make_catalogue (void)
{
  g_autoptr (GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);
  GString *catalogue = g_string_new ("msgid \"\"\n"
                                     "msgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n");
  GHashTableIter iter;
  gpointer text;
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  add_text (texts, "Automatic");
  for (guint i = 0; i < n; i++)
    for (guint p = 0; p < operations[i]->params.n_items; p++)
      {
        const VgParam *param = &operations[i]->params.items[p];
        const char *const *choices = param->choice_labels ? param->choice_labels : param->choices;

        add_text (texts, param->label);
        add_text (texts, param->zero);
        for (; choices != NULL && *choices != NULL; choices++)
          add_text (texts, *choices);
      }
  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    {
      g_autofree char *more = lengthen (text);

      g_string_append_printf (catalogue, "msgid \"%s\"\nmsgstr \"%s\"\n", (char *) text, more);
    }
  return g_string_free (catalogue, FALSE);
}

static void
use_longer_texts (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vivograph-XXXXXX", NULL);
  g_autofree char *language = g_build_filename (folder, "en@long", NULL);
  g_autofree char *messages = g_build_filename (language, "LC_MESSAGES", NULL);
  g_autofree char *source = g_build_filename (folder, "long.po", NULL);
  g_autofree char *compiled = g_build_filename (messages, "vivograph.mo", NULL);
  g_autofree char *catalogue = make_catalogue ();
  const char *const command[] = { "msgfmt", "-o", compiled, source, NULL };
  int status = -1;

  g_assert_cmpint (g_mkdir_with_parents (messages, 0700), ==, 0);
  g_assert_true (g_file_set_contents (source, catalogue, -1, NULL));
  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status,
                NULL);
  g_assert_cmpint (status, ==, 0);
  g_setenv ("VIVOGRAPH_LOCALE_DIR", folder, TRUE);
  vg_translation_init ();
  g_assert_cmpstr (vg_translate ("Exposure time"), ==, "Expoosurre ttime");
  g_unlink (compiled);
  g_unlink (source);
  g_rmdir (messages);
  g_rmdir (language);
  g_rmdir (folder);
}

static void
check_labels (GtkWidget *widget, const char *of)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
      pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    g_error ("%s is cut: \"%s\"", of, gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_labels (child, of);
}

static void
show_all_rows (GtkWidget *widget)
{
  if (VG_IS_PARAM_ROW (widget) || GTK_IS_EXPANDER (widget))
    gtk_widget_set_visible (widget, TRUE);
  if (GTK_IS_EXPANDER (widget))
    gtk_expander_set_expanded (GTK_EXPANDER (widget), TRUE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    show_all_rows (child);
}

static double
middle (GtkWidget *widget, GtkWidget *row)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, row, &bounds));
  g_assert_cmpfloat (bounds.origin.x, >=, 0);
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (row));
  return bounds.origin.y + bounds.size.height / 2;
}

/* Sets SEEN, by the number of the parameter, of each number that was looked at. */
static void
check_rows (GtkWidget *widget, const VgOperation *operation, gboolean *seen)
{
  if (VG_IS_PARAM_ROW (widget) && gtk_widget_get_mapped (widget))
    {
      const VgParam *param = vg_param_row_get_param (VG_PARAM_ROW (widget));
      g_autofree char *of = g_strdup_printf ("%s, %s", operation->id, param->label);

      check_labels (widget, of);
      if (param->kind > VG_PARAM_DOUBLE)
        return;
      /* a longer word in the place of 0 may take a line of its own */
      if (gtk_widget_get_height (widget) > (longer && param->zero != NULL ? MOST_PX + 16 : MOST_PX))
        g_error ("%s takes %d px", of, gtk_widget_get_height (widget));
      g_assert_cmpfloat_with_epsilon (middle (window_find (widget, GTK_TYPE_SCALE), widget),
                                      middle (window_find (widget, GTK_TYPE_SPIN_BUTTON), widget),
                                      2);
      seen[param - operation->params.items] = TRUE;
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_rows (child, operation, seen);
}

/* Sets the file, region or table PARAM to something. */
static void
set_any (VgSession *session, const VgParam *param)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (param->kind == VG_PARAM_TABLE)
    for (const VgColumn *column = param->table.columns; column->id != NULL; column++)
      g_string_append_printf (text, "%s%g", text->len > 0 ? "," : "", MAX (column->min, 1));
  else
    g_string_assign (text, param->kind == VG_PARAM_REGION ? "rect:1,1,5,5" : "a.tif");
  g_assert_true (vg_session_set_text (session, param, text->str, NULL));
}

/* Sets what PARAM needs to be shown: a row is made when it is shown first. */
static void
reveal (VgSession *session, const VgParamTable *table, const VgParam *param)
{
  for (const VgCondition *needs = &param->shown_when; needs != NULL && needs->id != NULL;
       needs = needs->also)
    {
      const VgParam *of = vg_params_find (table, needs->id);

      reveal (session, table, of);
      if (of->kind == VG_PARAM_CHOICE || of->kind == VG_PARAM_BOOL)
        vg_session_set_number (session, of, g_bit_nth_lsf (needs->values, -1));
      else if ((needs->values & 1) == 0)
        set_any (session, of);
    }
}

static void
settle (GtkWidget *panel)
{
  show_all_rows (panel);
  for (int frames = 0; frames < 3; frames++)
    {
      gint64 before = gdk_frame_clock_get_frame_counter (gtk_widget_get_frame_clock (panel));

      gtk_widget_queue_resize (panel);
      while (gdk_frame_clock_get_frame_counter (gtk_widget_get_frame_clock (panel)) == before)
        g_main_context_iteration (NULL, TRUE);
    }
}

/* No row asks for more than there is. */
static void
check_widths (GtkWidget *widget)
{
  int least;

  if (VG_IS_PARAM_ROW (widget))
    {
      gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      if (least > PANE_PX - MARGINS_PX)
        g_error ("%s wants %d px", vg_param_row_get_param (VG_PARAM_ROW (widget))->label, least);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_widths (child);
}

static void
test_rows (gconstpointer data)
{
  const VgOperation *operation = data;
  g_autoptr (VgSession) session = vg_session_new (operation);
  GtkWidget *panel = vg_param_panel_new (session), *window = gtk_window_new ();
  g_autofree gboolean *seen = g_new0 (gboolean, operation->params.n_items);

  gtk_widget_set_size_request (panel, PANE_PX, 500);
  gtk_window_set_default_size (GTK_WINDOW (window), PANE_PX, 500);
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_child (GTK_WINDOW (window), panel);
  show_all_rows (panel);
  gtk_window_present (GTK_WINDOW (window));
  while (gtk_widget_get_width (panel) == 0 || g_main_context_pending (NULL))
    g_main_context_iteration (NULL, TRUE);
  for (guint p = 0; p < operation->params.n_items; p++)
    {
      const VgParam *param = &operation->params.items[p];

      if (p > 0 && (seen[p] || param->kind > VG_PARAM_DOUBLE))
        continue;
      reveal (session, &operation->params, param);
      settle (panel);
      check_widths (panel);
      g_assert_cmpint (gtk_widget_get_width (panel), ==, PANE_PX);
      check_rows (panel, operation, seen);
      if (param->kind <= VG_PARAM_DOUBLE && !seen[p])
        g_error ("%s, %s has no row", operation->id, param->label);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *msgfmt = g_find_program_in_path ("msgfmt");
  g_autoptr (GtkCssProvider) css = NULL;
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  longer = argc > 1 && g_str_equal (argv[1], "long");
  if (longer && msgfmt == NULL)
    return 77;
  g_setenv ("LANGUAGE", longer ? "en@long" : "en", TRUE);
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;
  g_resources_register (vg_resources_get_resource ());
  css = gtk_css_provider_new ();
  if (longer)
    use_longer_texts ();
  gtk_css_provider_load_from_resource (css, "/org/vivograph/Vivograph/vivograph.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("/rows/%s", operations[i]->id);

      g_test_add_data_func (name, operations[i], test_rows);
    }
  return g_test_run ();
}
