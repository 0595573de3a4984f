/* SPDX-License-Identifier: MIT */
/* The parameter panel from a made-up table that has every kind of parameter:
 * what is built, what it writes into the session, what can be undone. */
#include <math.h>
#include <string.h>
#include "tests/support/ui/window-fixture.h"
#include "ui/common/vg-widgets.h"
#include "ui/params/vg-param-panel.h"
#include "io/source/vg-read-options.h"
#include "ui/panels/vg-read-options-panel.h"
#include "ui/params/vg-param-row.h"

typedef struct
{
  int mode, presses, count;
  float power, reach, size, most;
  gboolean wanted;
  char *file, *files;
  VgRegion *area;
  VgTable *layers;
} Params;

static const char *const modes[] = { "plain", "fancy", NULL };
static const char *const mode_labels[] = {
  "Plain",
  "Fancy, and with a name that is far wider than a panel at the side of a picture would ever be",
  NULL
};
static const VgColumn columns[] = { { "depth", "Depth", "mm", 1, 0, 10 },
                                    { "mua", "Absorption", "1/mm", 0.1, 0, 5 },
                                    { NULL } };
static const VgPreset presets[] = {
  { "skin", "Skin", "A book", "0.5,0.2;2,0.3" },
  { "brain", "Brain", "A paper", "3,0.4" },
  { NULL },
};

static const VgParam params[] = {
  VG_CHOICE_PARAM (Params, mode, .label = "Mode", .help = "How", .group = "One", .choices = modes,
                   .choice_labels = mode_labels),
  VG_INT_PARAM (Params, count, .label = "Count", .help = "How many", .group = "One", .def = 3,
                .min = 1, .max = 100, .slider.min = 1, .slider.max = 10),
  VG_FLOAT_PARAM (Params, power, .label = "Power", .unit = "mW", .help = "How strong",
                  .group = "One", .def = 10, .min = 0.001, .max = 1e6, .slider.min = 0.1,
                  .slider.max = 1000, .slider.log_scale = TRUE, .shown_when = { "mode", 2 }),
  VG_FLOAT_PARAM (Params, reach, .label = "Reach", .unit = "mm", .help = "How far", .group = "One",
                  .def = 5, .max = 100, .slider.step = 1),
  VG_FLOAT_PARAM (Params, size, .label = "Size", .unit = "px", .help = "How large", .group = "One",
                  .max = 100, .slider.step = 1, .auto_metric = "size_px"),
  VG_FLOAT_PARAM (Params, most, .label = "Most", .help = "How much", .group = "One", .max = 100,
                  .zero = "No limit"),
  VG_BOOL_PARAM (Params, wanted, .label = "Wanted", .help = "Whether", .group = "Two",
                 .advanced = TRUE),
  VG_ACTION_PARAM (Params, presses, .label = "Fire", .help = "Now", .group = "Two"),
  VG_FILE_PARAM (Params, file, .label = "File", .help = "From", .group = "Two",
                 .file.kinds = VG_FILE_IMAGE, .file.or_region = VG_FILE_REGION),
  VG_FILE_PARAM (Params, files, .label = "Files", .help = "From each", .group = "Two",
                 .file.kinds = VG_FILE_IMAGE, .file.multiple = TRUE),
  VG_REGION_PARAM (Params, area, .label = "Area", .help = "Where", .group = "Two"),
  VG_TABLE_PARAM (Params, layers, .label = "Layers", .help = "Tissue", .group = "Two",
                  .table.columns = columns, .table.presets = presets, .table.max_rows = 3),
};
static const VgOutput outputs[] = { { .id = "map", .label = "Map" } };
static const VgOperation operation = {
  .id = "made_up",
  .title = "Made up",
  .params = { params, G_N_ELEMENTS (params), sizeof (Params) },
  .outputs = outputs,
  .n_outputs = G_N_ELEMENTS (outputs),
};

typedef struct
{
  VgSession *session;
  GtkWidget *window, *panel;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->session = vg_session_new (&operation);
  f->panel = vg_param_panel_new (f->session);
  f->window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (f->window), f->panel);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  g_assert_finalize_object (f->session);
}

/* The widget of TYPE with that accessible name. */
static GtkWidget *
find (GtkWidget *root, GType type, const char *name)
{
  if (GTK_IS_BUTTON (root) && !gtk_widget_get_visible (root))
    return NULL;
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    {
      g_autofree char *other = gtk_test_accessible_check_property (
          GTK_ACCESSIBLE (root), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
      if (other == NULL)
        return root;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type, name);
      if (found)
        return found;
    }
  return NULL;
}

static GtkWidget *
get (Fixture *f, GType type, const char *name)
{
  GtkWidget *widget = find (f->panel, type, name);

  if (widget == NULL)
    g_error ("there is no %s \"%s\"", g_type_name (type), name);
  return widget;
}

static gboolean
row_is_shown (Fixture *f, GtkWidget *inside)
{
  return gtk_widget_get_visible (gtk_widget_get_ancestor (inside, VG_TYPE_PARAM_ROW));
}

static const Params *
now (Fixture *f)
{
  return vg_session_get_params (f->session);
}

/* What is folded away is no part of the window. */
static GtkWidget *
get_advanced (Fixture *f, GType type, const char *name)
{
  gtk_expander_set_expanded (GTK_EXPANDER (get (f, GTK_TYPE_EXPANDER, "Advanced, Two")), TRUE);
  return get (f, type, name);
}

static void
press (Fixture *f, const char *name)
{
  g_signal_emit_by_name (get (f, GTK_TYPE_BUTTON, name), "clicked");
}

static void
test_numbers (Fixture *f, gconstpointer data)
{
  GtkWidget *slider = get (f, GTK_TYPE_SCALE, "Count"),
            *entry = get (f, GTK_TYPE_SPIN_BUTTON, "Count");

  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 3);
  gtk_range_set_value (GTK_RANGE (slider), 7);
  g_assert_cmpint (now (f)->count, ==, 7);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)), ==, 7);
  /* the entry goes beyond the slider, up to the hard range */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), 55);
  g_assert_cmpint (now (f)->count, ==, 55);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 10);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), 1e9);
  g_assert_cmpint (now (f)->count, ==, 100);
  press (f, "Reset Count");
  g_assert_cmpint (now (f)->count, ==, 3);
  g_assert_null (find (entry, GTK_TYPE_BUTTON, "Reset Count")); /* nothing is left to be reset */
}

static void
on_tell (GSimpleAction *action, GVariant *text, gpointer told)
{
  g_string_assign (told, g_variant_get_string (text, NULL));
}

static void
on_focus_image (GSimpleAction *action, GVariant *none, gpointer told)
{
  g_string_append (told, " Left.");
}

/* A number beyond the range is told with its row, and Enter leaves the entry. */
static void
test_typed (Fixture *f, gconstpointer data)
{
  static const GActionEntry entries[] = {
    { .name = "tell", .activate = on_tell, .parameter_type = "s" },
    { .name = "focus-image", .activate = on_focus_image }
  };
  g_autoptr (GString) told = g_string_new (NULL);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  GtkWidget *cell;

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), told);
  gtk_widget_insert_action_group (f->window, "win", G_ACTION_GROUP (group));
  vg_session_set_text (f->session, vg_params_find (&operation.params, "layers"), "skin", NULL);
  cell = get (f, GTK_TYPE_SPIN_BUTTON, "Row 2, Absorption, 1/mm");
  gtk_editable_set_text (GTK_EDITABLE (cell), "7.5");
  g_signal_emit_by_name (gtk_editable_get_delegate (GTK_EDITABLE (cell)), "activate");
  g_assert_cmpstr (told->str, ==,
                   "Row 2, Absorption, 1/mm: 7.5 is not in the range 0 to 5, so 5 was set. Left.");
  g_assert_cmpfloat (now (f)->layers->values[3], ==, 5);
  g_string_truncate (told, 0);
  gtk_editable_set_text (GTK_EDITABLE (cell), "4.5");
  g_signal_emit_by_name (gtk_editable_get_delegate (GTK_EDITABLE (cell)), "activate");
  g_assert_cmpstr (told->str, ==, " Left.");
  vg_number_entry_set_endless (cell, 5, 5);
  gtk_editable_set_text (GTK_EDITABLE (cell), "\342\210\236");
  gtk_spin_button_update (GTK_SPIN_BUTTON (cell));
  g_assert_cmpfloat (now (f)->layers->values[3], ==, 5);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (cell)), ==, "\342\210\236");
}

static void
on_options (GtkWidget *panel, const char *options, char **chosen)
{
  g_free (*chosen);
  *chosen = g_strdup (options);
}

/* The series of a folder are chosen from a list of what they are. */
static void
test_series (Fixture *f, gconstpointer data)
{
  static const char details[] = "Series 2 of 2 in the folder; manufacturer: X.\n"
                                "Repetition time: 4 ms.";
  static const char *const series[] = { "No. 3, MR, t1_vibe, 64 x 64, 9 images",
                                        "No. 5, MR, dynamic, 64 x 64, 90 images", NULL };
  const char *many[66] = { NULL };
  const VgImageInfo info = { .width = 64,
                             .height = 64,
                             .series = 2,
                             .series_available = 2,
                             .readings = VG_READ_OPTIONS_SERIES };
  GtkWidget *panel = g_object_ref_sink (vg_read_options_panel_new ()), *list;
  g_autofree char *chosen = NULL;
  GListModel *names;

  vg_read_options_panel_set (VG_READ_OPTIONS_PANEL (panel), NULL, &info, "", details, series);
  list = find (panel, GTK_TYPE_DROP_DOWN, "Series");
  g_assert_nonnull (list);
  names = gtk_drop_down_get_model (GTK_DROP_DOWN (list));
  g_assert_cmpuint (g_list_model_get_n_items (names), ==, 2);
  g_assert_cmpstr (gtk_string_list_get_string (GTK_STRING_LIST (names), 0), ==,
                   "1: No. 3, MR, t1_vibe, 64 x 64, 9 images");
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (list)), ==, 1);
  g_signal_connect (panel, "changed", G_CALLBACK (on_options), &chosen);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (list), 0);
  g_assert_cmpstr (chosen, ==, "series=1");
  /* the list would be too long: a number is typed */
  for (guint i = 0; i < G_N_ELEMENTS (many) - 1; i++)
    many[i] = series[0];
  vg_read_options_panel_set (VG_READ_OPTIONS_PANEL (panel), NULL, &info, "", details, many);
  g_assert_null (find (panel, GTK_TYPE_DROP_DOWN, "Series"));
  g_assert_nonnull (find (panel, GTK_TYPE_SPIN_BUTTON, "Series"));
  g_object_unref (panel);
}

static void
test_drag_is_one_step (Fixture *f, gconstpointer data)
{
  GtkWidget *slider = get (f, GTK_TYPE_SCALE, "Count");

  for (int i = 2; i <= 9; i++)
    gtk_range_set_value (GTK_RANGE (slider), i);
  vg_session_commit_waiting (f->session);
  g_assert_cmpstr (vg_session_undo_label (f->session), ==, "Count");
  vg_session_undo (f->session);
  g_assert_cmpint (now (f)->count, ==, 3);
  g_assert_false (vg_session_can_undo (f->session));
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 3);
  vg_session_redo (f->session);
  g_assert_cmpint (now (f)->count, ==, 9);
}

static void
test_condition_and_decades (Fixture *f, gconstpointer data)
{
  GtkWidget *mode = get (f, GTK_TYPE_DROP_DOWN, "Mode"), *slider;

  g_assert_null (find (f->panel, GTK_TYPE_SCALE, "Power, mW")); /* made when it is shown */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (mode), 1);
  g_assert_cmpint (now (f)->mode, ==, 1);
  slider = get (f, GTK_TYPE_SCALE, "Power, mW");
  g_assert_true (row_is_shown (f, slider));
  gtk_range_set_value (GTK_RANGE (slider), 2); /* decades */
  g_assert_cmpfloat_with_epsilon (now (f)->power, 100, 1e-4);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (f, GTK_TYPE_SPIN_BUTTON, "Power, mW")), 0.5);
  g_assert_cmpfloat_with_epsilon (gtk_range_get_value (GTK_RANGE (slider)), log10 (0.5), 1e-6);
  vg_session_undo (f->session);
  g_assert_cmpint (now (f)->mode, ==, 1);
}

static void
test_switch_and_action (Fixture *f, gconstpointer data)
{
  GtkWidget *wanted = get_advanced (f, GTK_TYPE_SWITCH, "Wanted");

  gtk_switch_set_active (GTK_SWITCH (wanted), TRUE);
  g_assert_true (now (f)->wanted);
  press (f, "Fire");
  press (f, "Fire");
  g_assert_cmpint (now (f)->presses, ==, 2);
}

static void
test_region_and_file (Fixture *f, gconstpointer data)
{
  VgRegion region;
  GtkWidget *entry = get (f, GTK_TYPE_ENTRY, "Area");

  g_assert_true (vg_region_parse (&region, "rect:1,2,3,4", NULL));
  vg_session_add_region (f->session, &region);
  vg_session_commit (f->session, "Region");
  /* the first such button is the file's, which takes a region too */
  press (f, "Use the selected region");
  g_assert_cmpstr (now (f)->file, ==, "rect:1,2,3,4");
  press (f, "No file");
  g_assert_null (now (f)->file);
  g_assert_true (vg_session_set_text (f->session, vg_params_find (&operation.params, "files"),
                                      "/data/a.nii; /data/b.nii;/c.nii", NULL));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (
                       gtk_button_get_child (GTK_BUTTON (get (f, GTK_TYPE_BUTTON, "Files"))))),
                   ==, "a.nii and 2 more");
  gtk_editable_set_text (GTK_EDITABLE (entry), "ellipse:5,5,2,3");
  g_signal_emit_by_name (entry, "activate");
  g_assert_nonnull (now (f)->area);
  gtk_editable_set_text (GTK_EDITABLE (entry), "nonsense");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpint (now (f)->area->kind, ==, VG_REGION_ELLIPSE);
  press (f, "No region");
  g_assert_null (now (f)->area);
}

static void
test_table (Fixture *f, gconstpointer data)
{
  int rows = now (f)->layers ? now (f)->layers->rows : 0;

  while (rows-- > 0)
    press (f, "Remove row 1");
  press (f, "Add a row");
  g_assert_cmpint (now (f)->layers->rows, ==, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (f, GTK_TYPE_SPIN_BUTTON, "Row 1, Depth, mm")),
                             4);
  press (f, "Add a row");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (f, GTK_TYPE_SPIN_BUTTON, "Row 2, Depth, mm")),
                             6);
  press (f, "Move row 2 up");
  g_assert_cmpfloat (now (f)->layers->values[0], ==, 6);
  g_assert_cmpfloat (now (f)->layers->values[2], ==, 4);
  press (f, "Add a row");
  g_assert_false (gtk_widget_get_sensitive (get (f, GTK_TYPE_BUTTON, "Add a row")));
  press (f, "Remove row 1");
  g_assert_cmpint (now (f)->layers->rows, ==, 2);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (f, GTK_TYPE_DROP_DOWN, "Presets")), 2);
  g_assert_cmpint (now (f)->layers->rows, ==, 1);
  g_assert_cmpfloat (now (f)->layers->values[1], ==, 0.4);
  /* it stays named for as long as the table is it */
  g_assert_cmpuint (
      gtk_drop_down_get_selected (GTK_DROP_DOWN (get (f, GTK_TYPE_DROP_DOWN, "Presets"))), ==, 2);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (f, GTK_TYPE_SPIN_BUTTON, "Row 1, Depth, mm")),
                             5);
  g_assert_cmpuint (
      gtk_drop_down_get_selected (GTK_DROP_DOWN (get (f, GTK_TYPE_DROP_DOWN, "Presets"))), ==, 0);
}

/* Lengths are shown and typed in the chosen unit, and stored in their own. */
static void
test_unit_of_length (Fixture *f, gconstpointer data)
{
  VgView view = *vg_session_get_view (f->session);
  GtkWidget *cell;

  vg_session_set_text (f->session, vg_params_find (&operation.params, "layers"), "4,0.7;2,0.3",
                       NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (f, GTK_TYPE_DROP_DOWN, "Length unit")),
                              VG_LENGTH_CM);
  g_assert_cmpint (vg_session_get_view (f->session)->length_unit, ==, VG_LENGTH_CM);
  cell = get (f, GTK_TYPE_SPIN_BUTTON, "Row 1, Depth, cm");
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (cell)), 0.4, 1e-12);
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (
                                      get (f, GTK_TYPE_SPIN_BUTTON, "Row 1, Absorption, 1/cm"))),
                                  7, 1e-12);
  g_assert_cmpfloat (now (f)->layers->values[0], ==, 4); /* to be shown changes nothing */
  g_assert_cmpfloat (now (f)->layers->values[1], ==, 0.7);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (cell), 0.07);
  g_assert_cmpfloat (now (f)->layers->values[0], ==, 0.7); /* to the last bit */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (cell), 50);  /* 10 mm is the most */
  g_assert_cmpfloat (now (f)->layers->values[0], ==, 10);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (f, GTK_TYPE_SPIN_BUTTON, "Reach, cm")), 1.5);
  g_assert_cmpfloat (now (f)->reach, ==, 15);
  view.length_unit = VG_LENGTH_UM;
  vg_session_set_view (f->session, &view);
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (
                                      get (f, GTK_TYPE_SPIN_BUTTON, "Row 2, Depth, µm"))),
                                  2000, 1e-9);
  g_assert_cmpfloat_with_epsilon (
      gtk_spin_button_get_value (GTK_SPIN_BUTTON (get (f, GTK_TYPE_SPIN_BUTTON, "Reach, µm"))),
      15000, 1e-8);
  /* a slider's travel is the same in every unit */
  gtk_range_set_value (GTK_RANGE (get (f, GTK_TYPE_SCALE, "Reach, µm")), 12);
  g_assert_cmpfloat (now (f)->reach, ==, 12);
}

static void
test_reset_all (Fixture *f, gconstpointer data)
{
  gtk_range_set_value (GTK_RANGE (get (f, GTK_TYPE_SCALE, "Count")), 8);
  gtk_switch_set_active (GTK_SWITCH (get_advanced (f, GTK_TYPE_SWITCH, "Wanted")), TRUE);
  vg_session_reset_params (f->session);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (get (f, GTK_TYPE_SCALE, "Count"))), ==, 3);
  g_assert_false (gtk_switch_get_active (GTK_SWITCH (get_advanced (f, GTK_TYPE_SWITCH, "Wanted"))));
}

/* A word stands for 0, with what it came to; and micrometres where a pixel has a size. */
static void
test_measured (Fixture *f, gconstpointer data)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  VgImageInfo info = { .pixel_size = { 0.25, 0.25 }, .pixel_unit = "\302\265m" };
  VgParamPanel *panel = VG_PARAM_PANEL (f->panel);
  GtkWidget *size = get (f, GTK_TYPE_SPIN_BUTTON, "Size, px"),
            *most = get (f, GTK_TYPE_SPIN_BUTTON, "Most");

  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (size)), ==, "Automatic");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (most)), ==, "No limit");
  vg_metrics_add (numbers, "size_px", "Size", "px", 22.5, NULL);
  vg_param_panel_set_figures (panel, numbers, NULL);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (size)), ==, "Automatic (22.5 px)");
  g_assert_false (window_tells (size, "px"));
  vg_session_set_number (f->session, vg_params_find (&operation.params, "size"), 40);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (size)), ==, "40");
  g_assert_true (window_tells (size, "px") && !window_tells (size, "px (10 \302\265m)"));
  vg_param_panel_set_figures (panel, numbers, &info);
  g_assert_true (window_tells (size, "px (10 \302\265m)"));
  g_strlcpy (info.pixel_unit, "1/mm", sizeof info.pixel_unit);
  vg_param_panel_set_figures (panel, numbers, &info);
  g_assert_false (window_tells (size, "px (10 \302\265m)"));
  /* what is being typed stays; the word, or its beginning, is 0 */
  gtk_editable_set_text (GTK_EDITABLE (most), "7");
  gtk_spin_button_update (GTK_SPIN_BUTTON (most));
  g_assert_cmpfloat (now (f)->most, ==, 7);
  gtk_editable_set_text (GTK_EDITABLE (size), "auto");
  vg_param_panel_set_figures (panel, NULL, NULL);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (size)), ==, "auto");
  gtk_spin_button_update (GTK_SPIN_BUTTON (size));
  g_assert_cmpfloat (now (f)->size, ==, 0);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (size)), ==, "Automatic");
  gtk_editable_set_text (GTK_EDITABLE (most), "nothing");
  gtk_spin_button_update (GTK_SPIN_BUTTON (most));
  g_assert_cmpfloat (now (f)->most, ==, 7);
}

/* The pixel size of one view is not that of another.  What was unfolded stays so. */
static void
test_other_view (Fixture *f, gconstpointer data)
{
  static VgOperation other;
  VgImageInfo info = { .pixel_size = { 0.25, 0.25 }, .pixel_unit = "\302\265m" };
  const VgParam *size = vg_params_find (&operation.params, "size");

  other = operation;
  other.id = "other_view";
  vg_session_set_number (f->session, size, 40);
  vg_param_panel_set_figures (VG_PARAM_PANEL (f->panel), NULL, &info);
  g_assert_true (window_tells (get (f, GTK_TYPE_SPIN_BUTTON, "Size, px"), "px (10 \302\265m)"));
  get_advanced (f, GTK_TYPE_SWITCH, "Wanted");
  vg_session_set_operation (f->session, &other);
  g_assert_true (
      gtk_expander_get_expanded (GTK_EXPANDER (get (f, GTK_TYPE_EXPANDER, "Advanced, Two"))));
  gtk_expander_set_expanded (GTK_EXPANDER (get (f, GTK_TYPE_EXPANDER, "Advanced, Two")), FALSE);
  vg_session_set_operation (f->session, &operation);
  g_assert_false (
      gtk_expander_get_expanded (GTK_EXPANDER (get (f, GTK_TYPE_EXPANDER, "Advanced, Two"))));
  vg_session_set_operation (f->session, &other);
  vg_session_set_number (f->session, size, 40);
  g_assert_false (window_tells (get (f, GTK_TYPE_SPIN_BUTTON, "Size, px"), "px (10 \302\265m)"));
}

/* What a result says of a parameter stands at it, as long as it is said. */
static void
test_advice (Fixture *f, gconstpointer data)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();

  vg_metrics_add (numbers, "count", "Count", "", 5, "is shorter than what is to be reached");
  vg_metrics_add (numbers, "sum", "Sum", "", 1, "this is no parameter");
  g_assert_false (window_tells (f->panel, "is shorter"));
  vg_param_panel_set_figures (VG_PARAM_PANEL (f->panel), numbers, NULL);
  g_assert_true (window_tells (
      gtk_widget_get_ancestor (get (f, GTK_TYPE_SCALE, "Count"), VG_TYPE_PARAM_ROW), "is shorter"));
  g_assert_false (window_tells (f->panel, "no parameter"));
  vg_param_panel_set_figures (VG_PARAM_PANEL (f->panel), NULL, NULL);
  g_assert_false (window_tells (f->panel, "is shorter"));
}

/* A choice with a longer name is no reason for a wider panel. */
static void
test_width (Fixture *f, gconstpointer data)
{
  int before, after;

  gtk_widget_measure (f->panel, GTK_ORIENTATION_HORIZONTAL, -1, &before, NULL, NULL, NULL);
  g_assert_cmpint (before, <, 400);
  vg_session_set_number (f->session, &params[0], 1);
  gtk_widget_measure (f->panel, GTK_ORIENTATION_HORIZONTAL, -1, &after, NULL, NULL, NULL);
  g_assert_cmpint (after, ==, before);
}

/* Also a setting that is folded away is shown, has the focus and is marked for a moment. */
static void
test_go_to (Fixture *f, gconstpointer data)
{
  GtkWidget *wanted, *row;

  gtk_window_present (GTK_WINDOW (f->window));
  g_assert_null (find (f->panel, GTK_TYPE_SWITCH, "Wanted"));
  vg_param_panel_go_to (VG_PARAM_PANEL (f->panel), vg_params_find (&operation.params, "wanted"));
  wanted = get (f, GTK_TYPE_SWITCH, "Wanted");
  row = gtk_widget_get_ancestor (wanted, VG_TYPE_PARAM_ROW);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (f->window)) == wanted);
  g_assert_true (gtk_widget_has_css_class (row, "vg-pulse"));
  while (gtk_widget_has_css_class (row, "vg-pulse"))
    g_main_context_iteration (NULL, TRUE);
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE); /* names are looked up, whatever the session has */
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;
#define ADD(name) g_test_add ("/panel/" #name, Fixture, NULL, set_up, test_##name, tear_down)
  ADD (go_to); /* which handles events, so before windows that are destroyed without them */
  ADD (numbers);
  ADD (typed);
  ADD (series);
  ADD (advice);
  ADD (drag_is_one_step);
  ADD (condition_and_decades);
  ADD (switch_and_action);
  ADD (region_and_file);
  ADD (table);
  ADD (unit_of_length);
  ADD (reset_all);
  ADD (measured);
  ADD (other_view);
  ADD (width);
  return g_test_run ();
}
