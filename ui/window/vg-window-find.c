/* SPDX-License-Identifier: MIT */
/* What the finder lists: the window's actions, the views with their settings and maps, plots, and
 * recent files.  Everything that it does is an action of the window. */
#include "ui/window/vg-window-private.h"
#include "app/opening/vg-example.h"
#include "ui/common/vg-recent.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/help/vg-finder.h"
#include <string.h>

static const struct
{
  const char *action, *title, *more;
} actions[] = {
  { "win.open", N_ ("Open…"), N_ ("recording, file, load") },
  { "win.open-folder", N_ ("Open Folder…"), N_ ("DICOM, series, scanner") },
  { "win.receive", N_ ("Receive DICOM Images…"), N_ ("scanner, PACS, C-STORE, network, live") },
  { "win.open-camera", N_ ("Open Camera…"), N_ ("live, device, stream, GenICam, USB, video") },
  { "win.sample", N_ ("Sample Data"), N_ ("example, demo, phantom") },
  { "win.last-session", N_ ("Last Session"), N_ ("restore") },
  { "win.open-session", N_ ("Open Session…"), N_ ("load") },
  { "win.save-session", N_ ("Save Session"), N_ ("store") },
  { "win.save-session-as", N_ ("Save Session As…"), N_ ("store") },
  { "win.export", N_ ("Export Maps…"), N_ ("save, TIFF, DICOM, tables") },
  { "win.report", N_ ("Report…"), N_ ("export, results, HTML, print, PDF") },
  { "win.copy-command", N_ ("Copy as Command"), N_ ("command line, script, run") },
  { "win.copy-methods", N_ ("Copy Methods Text"), N_ ("paper, citation, reference") },
  { "win.screenshot", N_ ("Save Image…"), N_ ("picture, screenshot, PNG") },
  { "win.record", N_ ("Record"), N_ ("stream, camera, save frames") },
  { "win.send", N_ ("Send Maps…"), N_ ("OpenIGTLink, 3D Slicer, PLUS, navigation, network") },
  { "win.import-regions('')", N_ ("Import Regions…"), N_ ("ImageJ, ROI, mask") },
  { "win.undo", N_ ("Undo"), NULL },
  { "win.redo", N_ ("Redo"), NULL },
  { "win.cancel", N_ ("Cancel"), N_ ("stop, abort") },
  { "win.play-pause", N_ ("Run or Pause"), N_ ("start, stop, resume, space") },
  { "win.step-forward", N_ ("Next Frame or Step"), NULL },
  { "win.step-back", N_ ("Previous Frame"), NULL },
  { "win.keep", N_ ("Keep This Result"), N_ ("compare, reference") },
  { "win.compare-choice", N_ ("Compare"), N_ ("algorithms, kept, difference") },
  { "win.next-compare", N_ ("Next Comparison"), N_ ("difference, ratio") },
  { "win.next-output", N_ ("Next Map"), NULL },
  { "win.previous-output", N_ ("Previous Map"), NULL },
  { "win.next-slice", N_ ("Next Slice"), NULL },
  { "win.previous-slice", N_ ("Previous Slice"), NULL },
  { "win.mosaic", N_ ("All Slices Side by Side"), N_ ("mosaic, tiles") },
  { "win.planes", N_ ("Three Planes"), N_ ("axial, coronal, sagittal, crosshair, volume") },
  { "win.zoom-in", N_ ("Zoom In"), N_ ("larger") },
  { "win.zoom-out", N_ ("Zoom Out"), N_ ("smaller") },
  { "win.zoom-fit", N_ ("Fit the Window"), N_ ("zoom, all") },
  { "win.zoom-one", N_ ("Actual Size"), N_ ("zoom, 100 %") },
  { "win.tool('pan')", N_ ("Hand Tool"), N_ ("move, pan") },
  { "win.tool('rectangle')", N_ ("Draw a Rectangle"), N_ ("region of interest, ROI") },
  { "win.tool('ellipse')", N_ ("Draw an Ellipse"), N_ ("region of interest, ROI, circle") },
  { "win.tool('polygon')", N_ ("Draw a Polygon"), N_ ("region of interest, ROI, freehand") },
  { "win.tool('point')", N_ ("Point Tool"), N_ ("seeds") },
  { "win.tool('correct')", N_ ("Correct Objects"), N_ ("split, merge, lasso, doubtful, review") },
  { "win.tool('ruler')", N_ ("Measure a Distance"), N_ ("ruler, length, line") },
  { "win.tool('arrow')", N_ ("Draw an Arrow"), N_ ("annotation, mark, point at") },
  { "win.tool('text')", N_ ("Write a Text"), N_ ("annotation, label, caption") },
  { "win.set-scale", N_ ("Set Scale…"), N_ ("calibrate, pixel size, length") },
  { "win.part-shown", N_ ("Analyse the Visible Part of the Slide"), NULL },
  { "win.part-region", N_ ("Analyse the Selected Region of the Slide"), NULL },
  { "win.baseline", N_ ("Set the Baseline"), N_ ("100 %, relative") },
  { "win.mark", N_ ("Mark This Moment"), N_ ("time course, event") },
  { "win.clear-time-course", N_ ("Clear Time Course"), NULL },
  { "win.side-page('settings')", N_ ("Show Settings"), N_ ("parameters, page") },
  { "win.side-page('display')", N_ ("Show Display"),
    N_ ("colour map, limits, gamma, underlay, isolines, scale, page") },
  { "win.side-page('results')", N_ ("Show Results"), N_ ("numbers, metrics, warnings, page") },
  { "win.side-pane", N_ ("Show or Hide the Side Pane"), NULL },
  { "win.switch-plots", N_ ("Show or Hide the Plots"), N_ ("curves, charts") },
  { "win.plots('right')", N_ ("Plots at the Right"), N_ ("place, layout") },
  { "win.plots('below')", N_ ("Plots Below the Image"), N_ ("place, layout") },
  { "win.theatre", N_ ("Theatre Mode"), N_ ("presentation, big number, large, alarm") },
  { "win.mirror", N_ ("Mirror on Second Screen"), N_ ("monitor, projector, theatre") },
  { "win.full-screen", N_ ("Full Screen"), NULL },
  { "win.preferences", N_ ("Preferences"),
    N_ ("theme, dark, light, language, GPU, processor, units, colour-blind, start-up") },
  { "win.show-help-overlay", N_ ("Keyboard Shortcuts"), N_ ("keys, help") },
  { "win.tour", N_ ("Take the Tour"), N_ ("introduction, first steps, help") },
  { "win.help", N_ ("Help"), N_ ("manual, documentation, method") },
  { "win.document('files.md')", N_ ("Help: Files"), N_ ("formats, read options, recordings") },
  { "win.document('performance.md')", N_ ("Help: Performance"), N_ ("speed, accuracy, GPU") },
  { "win.document('GLOSSARY.md')", N_ ("Help: Glossary"), N_ ("terms, words") },
  { "app.about", N_ ("About Vivograph"), N_ ("version, licence") },
  { "window.close", N_ ("Close"), NULL },
  { "app.quit", N_ ("Quit"), N_ ("exit") },
};

static const struct
{
  const char *id, *title;
} pages[] = { { "time_course", N_ ("Time course") },
              { "regions", N_ ("Table") },
              { "pixel", N_ ("Curve") },
              { "objects", N_ ("Objects") },
              { "scatter", N_ ("Scatter") },
              { "profile", N_ ("Profile") } };

static gboolean
is_enabled (VgWindow *self, const char *action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;
  GAction *found;

  if (!g_str_has_prefix (action, "win.") ||
      !g_action_parse_detailed_name (action + strlen ("win."), &name, &target, NULL))
    return TRUE;
  found = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  return found == NULL || g_action_get_enabled (found);
}

static void
add_actions (VgWindow *self, VgFinder *finder)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      g_autofree char *keys = vg_window_name_key (self, actions[i].action);

      if (is_enabled (self, actions[i].action))
        vg_finder_add (finder, &(VgFinderItem){ .title = _ (actions[i].title),
                                                .kind = _ ("Action"),
                                                .more = vg_translate (actions[i].more),
                                                .keys = keys,
                                                .action = actions[i].action });
    }
}

static void
add_recent (VgFinder *finder)
{
  g_auto (GStrv) paths = vg_recent_list ();

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (paths[i]),
                      *folder = g_path_get_dirname (paths[i]);
      g_autofree char *kind = g_strdup_printf (_ ("Recent file in %s"), folder);
      g_autofree char *action = g_action_print_detailed_name ("win.open-path",
                                                              g_variant_new_string (paths[i]));

      vg_finder_add (finder, &(VgFinderItem){ .title = name, .kind = kind, .action = action });
    }
}

/* Adds the event of the sample, such as "Press on the Vessel". */
static void
add_event (VgWindow *self, VgFinder *finder)
{
  if (gtk_widget_get_visible (self->event))
    vg_finder_add (finder,
                   &(VgFinderItem){ .title = gtk_button_get_label (GTK_BUTTON (self->event)),
                                    .kind = _ ("Action"),
                                    .more = gtk_widget_get_tooltip_text (self->event),
                                    .action = "win.sample-event" });
}

/* Adds the search for regions of the operation, such as "Find Vessels and Liver". */
static void
add_find (VgWindow *self, VgFinder *finder)
{
  const VgFind *find = vg_session_get_operation (self->session)->find;

  if (find != NULL && is_enabled (self, "win.find-regions"))
    vg_finder_add (finder, &(VgFinderItem){ .title = vg_translate (find->label),
                                            .kind = _ ("Action"),
                                            .more = vg_translate (find->help),
                                            .action = "win.find-regions" });
}

static void
add_sample (VgFinder *finder, const VgOperation *operation, const char *id, const char *title,
            const char *description)
{
  g_autofree char *kind = g_strdup_printf (_ ("Sample data, %s"), vg_translate (operation->title)),
                  *action = g_strdup_printf ("win.open-sample('%s/%s')", operation->id, id);

  vg_finder_add (finder, &(VgFinderItem){ .title = vg_translate (title),
                                          .kind = kind,
                                          .more = vg_translate (description),
                                          .action = action });
}

static void
add_samples (VgFinder *finder, const VgOperation *operation)
{
  const VgSynthetic *synthetic = operation->synthetic;

  for (const VgSample *it = synthetic ? synthetic->samples : NULL; it && it->id != NULL; it++)
    add_sample (finder, operation, it->id, it->title, it->description);
  for (const VgExample *it = operation->examples; it != NULL && it->path != NULL; it++)
    {
      g_autofree char *path = vg_example_find (it);

      if (path != NULL)
        add_sample (finder, operation, it->path, it->title, it->description);
    }
}

/* The names of its choices find a setting too. */
static char *
list_words (const VgParam *param)
{
  GString *words = g_string_new (vg_translate (param->help));

  g_string_append_printf (words, " %s %s", param->id, param->group != NULL ? param->group : "");
  for (guint i = 0; param->kind == VG_PARAM_CHOICE && param->choices[i] != NULL; i++)
    g_string_append_printf (
        words, " %s",
        vg_translate (param->choice_labels != NULL ? param->choice_labels[i] : param->choices[i]));
  return g_string_free (words, FALSE);
}

/* Those that the present settings give a meaning; of another view all. */
static void
add_settings (VgWindow *self, VgFinder *finder, const VgOperation *operation)
{
  gboolean here = operation == vg_session_get_operation (self->session);
  g_autofree char *kind = g_strdup_printf (_ ("Setting, %s"), vg_translate (operation->title));

  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *words = list_words (param);
      g_autofree char *action = g_strdup_printf ("win.find-setting('%s/%s')", operation->id,
                                                 param->id);

      if (!here ||
          vg_param_is_shown (&operation->params, param, vg_session_get_params (self->session)))
        vg_finder_add (finder, &(VgFinderItem){ .title = vg_translate (param->label),
                                                .kind = kind,
                                                .more = words,
                                                .action = action,
                                                .here = here });
    }
}

static void
add_maps (VgWindow *self, VgFinder *finder, const VgOperation *operation)
{
  gboolean here = operation == vg_session_get_operation (self->session);
  g_autofree char *kind = g_strdup_printf (_ ("Map, %s"), vg_translate (operation->title));

  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];
      g_autofree char *action = g_strdup_printf ("win.find-map('%s/%s')", operation->id,
                                                 output->id);

      if (output->kind != VG_OUTPUT_TEXT &&
          (!here ||
           vg_operation_output_is_shown (operation, i, vg_session_get_params (self->session))))
        vg_finder_add (finder, &(VgFinderItem){ .title = vg_translate (output->label),
                                                .kind = kind,
                                                .more = vg_translate (output->help),
                                                .action = action,
                                                .here = here });
    }
}

static void
add_plot (VgFinder *finder, const char *id, const char *title)
{
  g_autofree char *action = g_strdup_printf ("win.find-plot('%s')", id);

  vg_finder_add (finder, &(VgFinderItem){
                             .title = title, .kind = _ ("Plot"), .action = action, .here = TRUE });
}

static void
add_view (VgFinder *finder, VgWindow *self, const VgOperation *operation)
{
  g_autofree char *action = g_strdup_printf ("win.operation('%s')", operation->id);
  g_autofree char *keys = vg_window_name_key (self, action);

  vg_finder_add (finder, &(VgFinderItem){ .title = vg_translate (operation->title),
                                          .kind = _ ("View"),
                                          .more = vg_translate (operation->summary),
                                          .keys = keys,
                                          .action = action });
}

static void
fill (VgWindow *self, VgFinder *finder)
{
  const VgOperation *shown = vg_session_get_operation (self->session);
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  add_settings (self, finder, shown);
  add_maps (self, finder, shown);
  for (guint i = 0; i < shown->n_plots; i++)
    if (vg_charts_has_page (VG_CHARTS (self->charts), shown->plots[i].id))
      add_plot (finder, shown->plots[i].id, vg_translate (shown->plots[i].label));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (vg_charts_has_page (VG_CHARTS (self->charts), pages[i].id))
      add_plot (finder, pages[i].id, _ (pages[i].title));
  add_event (self, finder);
  add_find (self, finder);
  add_actions (self, finder);
  for (guint i = 0; i < n; i++)
    add_view (finder, self, operations[i]);
  for (guint i = 0; i < n; i++)
    add_samples (finder, operations[i]);
  add_recent (finder);
  for (guint i = 0; i < n; i++)
    if (operations[i] != shown)
      {
        add_settings (self, finder, operations[i]);
        add_maps (self, finder, operations[i]);
      }
}

void
vg_window_add_finder (VgWindow *self)
{
  GtkWidget *finder = vg_finder_new ();

  self->help.finder = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->help.finder), "edit-find-symbolic");
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->help.finder), finder);
  vg_widget_describe (self->help.finder, _ ("Find a setting, map, file or action"),
                      _ ("Find a setting, map, file or action (Ctrl+K)"));
  g_signal_connect_object (finder, "fill", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (vg_header_get_widget (self->header)), self->help.finder);
}

/* ---- where it leads ---- */

void
vg_window_show_finder (VgWindow *self)
{
  if (vg_theatre_is_on (VG_THEATRE (self->theatre))) /* it hides the bar where the finder is */
    vg_window_switch_theatre (self);
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->help.finder));
}

/* Shows the view that NAME begins with; returns the rest. */
static const char *
show_view (VgWindow *self, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", 2);

  if (parts[0] == NULL || parts[1] == NULL || vg_operation_find (parts[0]) == NULL)
    return NULL;
  g_action_group_change_action_state (G_ACTION_GROUP (self), "operation",
                                      g_variant_new_string (parts[0]));
  return name + strlen (parts[0]) + 1;
}

void
vg_window_find_setting (VgWindow *self, const char *name)
{
  const char *id = show_view (self, name);
  const VgParamTable *table = &vg_session_get_operation (self->session)->params;
  const VgParam *param = id != NULL ? vg_params_find (table, id) : NULL;
  g_autofree char *text = NULL;

  if (param == NULL)
    return;
  if (vg_param_is_shown (table, param, vg_session_get_params (self->session)))
    {
      vg_window_go_to (self, param);
      return;
    }
  text = g_strdup_printf (_ ("%s has no effect with the present settings, so it is not shown."),
                          vg_translate (param->label));
  vg_window_message (self, FALSE, text);
}

void
vg_window_find_map (VgWindow *self, const char *name)
{
  const char *id = show_view (self, name);
  int output = id != NULL ? vg_operation_find_output (vg_session_get_operation (self->session), id)
                          : -1;
  VgView view = *vg_session_get_view (self->session);

  if (output < 0)
    return;
  view.output = output;
  vg_session_set_view (self->session, &view);
}

void
vg_window_find_plot (VgWindow *self, const char *id)
{
  if (vg_panes_get_place (VG_PANES (self->panes)) == VG_PLOTS_HIDDEN)
    vg_panes_switch_plots (VG_PANES (self->panes));
  vg_charts_show_page (VG_CHARTS (self->charts), id);
}
