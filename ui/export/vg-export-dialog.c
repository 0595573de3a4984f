/* SPDX-License-Identifier: MIT */
/* The folder has the focus, and Enter exports. */
#include "ui/export/vg-export-dialog.h"
#include "ui/choosers/vg-file-chooser.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/export/vg-figure-choice.h"
#include "ui/export/vg-format-choice.h"
#include "ui/export/vg-movie-choice.h"

struct _VgExportDialog
{
  GtkWindow parent_instance;
  VgSession *session;
  VgExportCommand make_command;
  GtkWidget *folder, *failure, *maps, *formats, *figure, *movie, *preview, *report, *session_too,
      *anonymous, *size, *command, *export;
  guint usual_formats;
  double map_samples;
  gboolean is_volume, compared;
  VgExportComparison *comparison;
};

G_DEFINE_FINAL_TYPE (VgExportDialog, vg_export_dialog, GTK_TYPE_WINDOW)

/* The output that the check box CHECK is for. */
static const VgOutput *
get_output (VgExportDialog *self, GtkWidget *check)
{
  int i = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (check), "vg-output"));

  return &vg_session_get_operation (self->session)->outputs[i];
}

/* ---- what was chosen ---- */

char *
vg_export_dialog_get_folder (VgExportDialog *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->folder));

  return g_canonicalize_filename (text, g_get_home_dir ());
}

static gboolean
is_active (GtkWidget *check)
{
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (check));
}

/* Names of result files that are not wanted. */
static char **
list_left_out (VgExportDialog *self)
{
  static const char *const endings[] = { ".tif", ".nii.gz",         ".nrrd",
                                         ".dcm", "-difference.tif", "-ratio.tif" };
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (GtkWidget *check = gtk_widget_get_first_child (self->maps); check != NULL;
       check = gtk_widget_get_next_sibling (check))
    for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
      if (!is_active (check))
        {
          g_autofree char *name = g_strconcat (get_output (self, check)->id, endings[i], NULL);

          g_strv_builder_add (names, name);
        }
  if (!is_active (self->preview))
    g_strv_builder_add (names, "preview.png");
  return g_strv_builder_end (names);
}

/* Whether something is written that may name the patient. */
static gboolean
can_be_anonymous (VgExportDialog *self)
{
  guint formats = vg_format_choice_get (VG_FORMAT_CHOICE (self->formats));

  return self->anonymous != NULL && ((formats & VG_FORMAT_DICOM) != 0 || is_active (self->report));
}

VgExportOptions *
vg_export_dialog_get_options (VgExportDialog *self)
{
  VgExportOptions *options = vg_export_options_copy (NULL);
  guint formats = vg_format_choice_get (VG_FORMAT_CHOICE (self->formats));

  options->formats = formats == self->usual_formats ? 0 : formats == 0 ? VG_FORMAT_NONE : formats;
  options->dicom_anonymous = can_be_anonymous (self) && is_active (self->anonymous);
  options->left_out = list_left_out (self);
  options->slice = self->is_volume ? vg_session_get_view (self->session)->slice : -1;
  options->report = is_active (self->report);
  vg_figure_choice_apply (VG_FIGURE_CHOICE (self->figure), options);
  if (self->movie != NULL)
    {
      g_autofree char *folder = vg_export_dialog_get_folder (self);

      options->movie = vg_movie_choice_get (VG_MOVIE_CHOICE (self->movie), folder);
    }
  vg_export_options_set_displays (options, self->session);
  options->comparison = vg_export_comparison_copy (self->comparison);
  return options;
}

gboolean
vg_export_dialog_wants_session (VgExportDialog *self)
{
  return is_active (self->session_too);
}

/* ---- what follows from it ---- */

/* At most, of one map in all its formats. */
static double
count_bytes (VgExportDialog *self)
{
  static const struct
  {
    VgExportFormat format;
    double bytes; /* of a sample */
  } sizes[] = {
    { VG_FORMAT_TIFF, 4 }, { VG_FORMAT_NIFTI, 4 }, { VG_FORMAT_CSV, 48 },
    { VG_FORMAT_PNG, 4 },  { VG_FORMAT_NRRD, 4 },  { VG_FORMAT_DICOM, 4 },
  };
  guint formats = vg_format_choice_get (VG_FORMAT_CHOICE (self->formats));
  double bytes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    bytes += (formats & sizes[i].format) != 0 ? sizes[i].bytes * self->map_samples : 0;
  return bytes;
}

static void
update_size (VgExportDialog *self)
{
  guint n = 0;
  double compared = self->compared ? 2 * sizeof (float) * self->map_samples : 0;
  g_autofree char *bytes = NULL, *text = NULL;

  for (GtkWidget *check = gtk_widget_get_first_child (self->maps); check != NULL;
       check = gtk_widget_get_next_sibling (check))
    n += is_active (check);
  bytes = g_format_size_full ((guint64) (n * (count_bytes (self) + compared)),
                              G_FORMAT_SIZE_IEC_UNITS);
  if (self->compared)
    text = g_strdup_printf (ngettext ("%u map with its difference and ratio, at most %s",
                                      "%u maps with their differences and ratios, at most %s", n),
                            n, bytes);
  else
    text = g_strdup_printf (ngettext ("%u map, at most %s", "%u maps, at most %s", n), n, bytes);
  gtk_label_set_text (GTK_LABEL (self->size), text);
}

static void
update_command (VgExportDialog *self)
{
  g_autofree char *folder = vg_export_dialog_get_folder (self), *command = NULL;
  g_autoptr (VgExportOptions) options = vg_export_dialog_get_options (self);
  gboolean named = *gtk_editable_get_text (GTK_EDITABLE (self->folder)) != '\0';

  command = self->make_command (gtk_window_get_transient_for (GTK_WINDOW (self)), folder, options);
  gtk_label_set_text (GTK_LABEL (self->command), command != NULL ? command : "");
  gtk_widget_set_sensitive (self->export, named);
}

static void
on_formats (VgExportDialog *self)
{
  if (self->anonymous != NULL)
    gtk_widget_set_sensitive (self->anonymous, can_be_anonymous (self));
  update_size (self);
  update_command (self);
}

static void
on_copy (VgExportDialog *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          gtk_label_get_text (GTK_LABEL (self->command)));
}

static void
on_folder_chosen (gpointer asker, GListModel *files)
{
  VgExportDialog *self = asker;
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = g_file_get_path (file);

  gtk_editable_set_text (GTK_EDITABLE (self->folder), path);
}

static void
on_choose (VgExportDialog *self)
{
  const VgFileQuestion question = { .title = _ ("Folder for the Results"),
                                    .accept = _ ("_Choose"),
                                    .action = GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER };

  vg_file_chooser_ask (GTK_WIDGET (self), &question, on_folder_chosen);
}

static void
on_export (VgExportDialog *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_unrealize (GTK_WIDGET (self)); /* a hidden surface asks a freed window for its size */
  g_signal_emit_by_name (self, "chosen");
}

void
vg_export_dialog_again (VgExportDialog *self, const char *why)
{
  g_autofree char *sentence = why != NULL ? vg_sentence (why) : NULL;

  gtk_label_set_text (GTK_LABEL (self->failure), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->failure, sentence != NULL);
  gtk_window_present (GTK_WINDOW (self));
  gtk_window_set_focus (GTK_WINDOW (self), self->folder);
}

/* ---- the widget ---- */

static GtkWidget *
check_new (const char *text, const char *help)
{
  GtkWidget *check = gtk_check_button_new_with_label (text);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
  vg_widget_set_tooltip (check, help);
  return check;
}

static void
add_maps (VgExportDialog *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const void *params = vg_session_get_params (self->session);

  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];
      g_autofree char *text = NULL;
      GtkWidget *check;

      if (output->kind == VG_OUTPUT_TEXT || output->view_only ||
          !vg_operation_output_is_shown (operation, i, params))
        continue;
      text = vg_name_with_unit (vg_translate (vg_operation_output_label (operation, i, params)),
                                vg_operation_output_unit (operation, i, params));
      check = check_new (text, vg_translate (output->help));
      g_object_set_data (G_OBJECT (check), "vg-output", GINT_TO_POINTER ((int) i));
      g_signal_connect_swapped (check, "toggled", G_CALLBACK (update_size), self);
      gtk_box_append (GTK_BOX (self->maps), check);
    }
}

static GtkWidget *
folder_line_new (VgExportDialog *self, const char *folder)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *choose = gtk_button_new_with_mnemonic (_ ("C_hoose…"));

  self->folder = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->folder), folder);
  gtk_entry_set_activates_default (GTK_ENTRY (self->folder), TRUE);
  gtk_widget_set_hexpand (self->folder, TRUE);
  vg_widget_describe (self->folder, _ ("Folder"),
                      _ ("Folder for the results; it is made if it does not exist"));
  vg_widget_describe (choose, _ ("Choose folder"), NULL);
  g_signal_connect_swapped (choose, "clicked", G_CALLBACK (on_choose), self);
  gtk_box_append (GTK_BOX (line), self->folder);
  gtk_box_append (GTK_BOX (line), choose);
  return line;
}

/* Room for all lines that LABEL may have, so that nothing moves when its text changes. */
static void
keep_height (GtkWidget *label)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (PangoLayout) layout = NULL;
  int height;

  for (int i = 1; i < gtk_label_get_lines (GTK_LABEL (label)); i++)
    g_string_append_c (text, '\n');
  layout = gtk_widget_create_pango_layout (label, text->str);
  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_widget_set_size_request (label, -1, height);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
}

static GtkWidget *
command_line_new (VgExportDialog *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *copy = vg_icon_button_new ("edit-copy-symbolic", _ ("Copy Command"));

  self->command = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "wrap-mode",
                                PANGO_WRAP_WORD_CHAR, "lines", 3, "ellipsize", PANGO_ELLIPSIZE_END,
                                "max-width-chars", 52, "width-chars", 52, "hexpand", TRUE, NULL);
  gtk_widget_add_css_class (self->command, "monospace");
  gtk_widget_set_valign (copy, GTK_ALIGN_START);
  keep_height (self->command);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (on_copy), self);
  gtk_box_append (GTK_BOX (line), self->command);
  gtk_box_append (GTK_BOX (line), copy);
  return line;
}

static GtkWidget *
heading_new (const char *text)
{
  GtkWidget *label = vg_label_new (text, "heading");

  gtk_widget_set_margin_top (label, 6);
  return label;
}

static GtkWidget *
buttons_new (VgExportDialog *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

  self->export = gtk_button_new_with_mnemonic (_ ("_Export"));
  gtk_widget_add_css_class (self->export, "suggested-action");
  vg_widget_describe (cancel, _ ("Cancel"), NULL);
  vg_widget_describe (self->export, _ ("Export"), NULL);
  gtk_widget_set_halign (buttons, GTK_ALIGN_END);
  gtk_widget_set_margin_top (buttons, 6);
  gtk_box_append (GTK_BOX (buttons), cancel);
  gtk_box_append (GTK_BOX (buttons), self->export);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close), self);
  g_signal_connect_swapped (self->export, "clicked", G_CALLBACK (on_export), self);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->export);
  return buttons;
}

static GtkWidget *
maps_new (VgExportDialog *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->maps = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  add_maps (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->maps);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  /* the bar shows that there are more maps */
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scrolled), FALSE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 150);
  return scrolled;
}

/* DICOM, the last format, is offered if a volume has a placement. */
static GtkWidget *
formats_new (VgExportDialog *self, const VgExportProposal *proposal)
{
  static const VgFormatItem items[] = {
    { VG_FORMAT_TIFF, "TIFF", NULL, N_ ("32-bit floats, with one page for each frame or slice") },
    { VG_FORMAT_NIFTI, "NIfTI", NULL,
      N_ ("Volumes with their position and orientation in the patient") },
    { VG_FORMAT_CSV, "CSV", NULL,
      N_ ("Tables with a row for each pixel: its position and its value") },
    { VG_FORMAT_PNG, "PNG", NULL,
      N_ ("Images in the colours of the map, with one pixel for each value") },
    { VG_FORMAT_NRRD, "NRRD", NULL,
      N_ ("Volumes for 3D Slicer, with their position and orientation in the patient") },
    { VG_FORMAT_DICOM, "DICOM", NULL,
      N_ ("Parametric maps and a segmentation of the regions, in the study of the images, for a "
          "PACS or 3D Slicer") },
  };

  self->formats = vg_format_choice_new (
      items, G_N_ELEMENTS (items) - !proposal->has_dicom,
      self->usual_formats | (proposal->has_dicom && proposal->is_dicom ? VG_FORMAT_DICOM : 0));
  g_signal_connect_swapped (self->formats, "changed", G_CALLBACK (on_formats), self);
  return self->formats;
}

char *
vg_export_dialog_list_texts (VgSession *session)
{
  const VgOperation *operation = vg_session_get_operation (session);
  g_autoptr (GString) texts = g_string_new (NULL);

  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].kind == VG_OUTPUT_TEXT &&
        vg_operation_output_is_shown (operation, i, vg_session_get_params (session)))
      g_string_append_printf (texts, "%s%s", texts->len > 0 ? ", " : "",
                              vg_translate (operation->outputs[i].label));
  return texts->len > 0 ? g_string_free (g_steal_pointer (&texts), FALSE) : NULL;
}

/* What is written in any case. */
static GtkWidget *
always_new (VgExportDialog *self, gboolean compared)
{
  g_autofree char *texts = vg_export_dialog_list_texts (self->session);
  g_autoptr (GString) lines = g_string_new (
      _ ("Always: settings, results and provenance, tables, and the regions' means"));
  GtkWidget *label;

  if (texts != NULL)
    g_string_append_printf (lines, "\n%s", texts);
  if (compared)
    g_string_append_printf (lines, "\n%s",
                            _ ("Beside each map: its difference from and ratio to the kept one"));
  label = vg_label_new (lines->str, "dim-label");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  return label;
}

static GtkWidget *
also_new (VgExportDialog *self, gboolean has_dicom, gboolean report)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);

  self->preview = check_new (_ ("Preview image"), _ ("The map on the screen as preview.png"));
  self->report = check_new (_ ("Report"), _ ("Maps, curves, results, regions, settings and "
                                             "provenance on one page, report.html"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->report), report);
  g_signal_connect_swapped (self->report, "toggled", G_CALLBACK (on_formats), self);
  self->session_too = check_new (_ ("Session"),
                                 _ ("All settings, to open again as session.vivograph"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->session_too), FALSE);
  gtk_box_append (GTK_BOX (line), self->preview);
  gtk_box_append (GTK_BOX (line), self->report);
  gtk_box_append (GTK_BOX (line), self->session_too);
  if (has_dicom)
    {
      self->anonymous = check_new (_ ("Anonymous"),
                                   _ ("Leave patient, study, dates and references out of the DICOM "
                                      "files and the report"));
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->anonymous), FALSE);
      gtk_widget_set_sensitive (self->anonymous, report);
      g_signal_connect_swapped (self->anonymous, "toggled", G_CALLBACK (update_command), self);
      gtk_box_append (GTK_BOX (line), self->anonymous);
    }
  return line;
}

/* Of data that have frames or evolve. */
static void
add_movie (VgExportDialog *self, GtkWidget *box, const VgExportProposal *proposal)
{
  if (proposal->frames == 0)
    return;
  self->movie = vg_movie_choice_new (proposal->frames, proposal->interval_s, proposal->shown,
                                     proposal->limits);
  g_signal_connect_swapped (self->movie, "changed", G_CALLBACK (update_command), self);
  gtk_box_append (GTK_BOX (box), self->movie);
}

static void
build (VgExportDialog *self, const VgExportProposal *proposal)
{
  GtkWidget *box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing",
                                 6, "margin-top", 18, "margin-bottom", 18, "margin-start", 18,
                                 "margin-end", 18, "width-request", 480, NULL);

  gboolean has_dicom = proposal->has_dicom;

  self->figure = vg_figure_choice_new ();
  g_signal_connect_swapped (self->figure, "changed", G_CALLBACK (update_command), self);
  gtk_box_append (GTK_BOX (box), heading_new (_ ("Folder")));
  gtk_box_append (GTK_BOX (box), folder_line_new (self, proposal->folder));
  self->failure = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT,
                                "xalign", 0.0, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR,
                                "max-width-chars", 52, "visible", FALSE, NULL);
  gtk_widget_add_css_class (self->failure, "error");
  gtk_box_append (GTK_BOX (box), self->failure);
  gtk_box_append (GTK_BOX (box), heading_new (_ ("Maps")));
  gtk_box_append (GTK_BOX (box), maps_new (self));
  gtk_box_append (GTK_BOX (box), heading_new (_ ("Formats")));
  gtk_box_append (GTK_BOX (box), formats_new (self, proposal));
  self->size = vg_label_new (NULL, "dim-label");
  gtk_box_append (GTK_BOX (box), self->size);
  gtk_box_append (GTK_BOX (box), heading_new (proposal->frames != 0
                                                  ? _ ("Figure and movie of the map on the screen")
                                                  : _ ("Figure of the map on the screen")));
  gtk_box_append (GTK_BOX (box), self->figure);
  add_movie (self, box, proposal);
  gtk_box_append (GTK_BOX (box), heading_new (_ ("Also")));
  gtk_box_append (GTK_BOX (box), also_new (self, has_dicom, proposal->report));
  gtk_box_append (GTK_BOX (box), always_new (self, proposal->compared));
  gtk_box_append (GTK_BOX (box),
                  heading_new (proposal->compared ? _ ("The current result as a command")
                                                  : _ ("The same as a command")));
  if (proposal->compared)
    gtk_box_append (GTK_BOX (box),
                    vg_label_new (_ ("It writes no differences, ratios or figures of "
                                     "the comparison with the kept result."),
                                  "dim-label"));
  gtk_box_append (GTK_BOX (box), command_line_new (self));
  gtk_box_append (GTK_BOX (box), buttons_new (self));
  gtk_window_set_child (GTK_WINDOW (self), box);
}

static void
vg_export_dialog_dispose (GObject *object)
{
  VgExportDialog *self = VG_EXPORT_DIALOG (object);

  g_clear_pointer (&self->comparison, vg_export_comparison_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (vg_export_dialog_parent_class)->dispose (object);
}

static void
vg_export_dialog_class_init (VgExportDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_export_dialog_dispose;
  vg_signal_new (G_TYPE_FROM_CLASS (class), "chosen", 0);
}

static void
vg_export_dialog_init (VgExportDialog *self)
{
  vg_dialog_set_title (GTK_WINDOW (self), _ ("Export Maps"));
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
}

GtkWidget *
vg_export_dialog_new (GtkWindow *parent, VgSession *session, const VgExportProposal *proposal)
{
  VgExportDialog *self = g_object_new (VG_TYPE_EXPORT_DIALOG, "transient-for", parent,
                                       "destroy-with-parent", TRUE, NULL);
  const VgPlane *shown = proposal->shown;

  self->session = g_object_ref (session);
  self->make_command = proposal->command;
  self->compared = proposal->compared;
  self->comparison = vg_export_comparison_copy (proposal->comparison);
  self->usual_formats = VG_FORMAT_TIFF | (proposal->is_volume ? VG_FORMAT_NIFTI : 0);
  self->is_volume = shown->slices > 1;
  self->map_samples = (double) shown->width * shown->height * MAX (shown->slices, 1);
  build (self, proposal);
  update_size (self);
  update_command (self);
  g_signal_connect_swapped (self->folder, "changed", G_CALLBACK (update_command), self);
  gtk_window_set_focus (GTK_WINDOW (self), self->folder);
  return GTK_WIDGET (self);
}
