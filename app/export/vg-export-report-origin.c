/* SPDX-License-Identifier: MIT */
/* Where the results of report.html come from: settings, provenance and papers. */
#include "vg-config.h"
#include "app/export/vg-export-private.h"
#include "app/export/vg-methods-text.h"
#include "app/provenance/vg-commit.h"
#include "io/source/vg-frame-account.h"

enum { MOST_INPUTS = 12, MOST_CORNERS = 8, MOST_ROWS = 64 };

typedef struct
{
  VgPage *page;
  VgWork *work;
  const VgExportInfo *info;
  gboolean anonymous; /* nothing that may identify the patient is told */
} Origin;

/* The value of PARAM, owned.  A region with many corners is told in words. */
static char *
describe_value (Origin *self, const VgParam *param, const void *params)
{
  g_autofree char *text = vg_param_format (param, params);
  VgRegion region;

  if (param->kind != VG_PARAM_FILE || *text == '\0')
    return vg_methods_text_value (param, params);
  if (!vg_region_parse (&region, text, NULL))
    return self->anonymous ? g_strdup ("a file") : vg_methods_text_value (param, params);
  if (region.kind != VG_REGION_POLYGON || region.n_points <= MOST_CORNERS)
    return g_steal_pointer (&text);
  return g_strdup_printf ("polygon with %d corners in slice %d", region.n_points, region.slice + 1);
}

static const VgTable *
table_of (const VgParam *param, const void *params)
{
  return *(VgTable *const *) ((const char *) params + param->offset);
}

/* A value of a table, and in parentheses its default if that is another one. */
static char *
describe_cell (const VgTable *table, const VgTable *usual, int i)
{
  g_autofree char *value = g_strdup_printf ("%.7g", table->values[i]);

  if (usual == NULL || usual->rows != table->rows || usual->values[i] == table->values[i])
    return g_steal_pointer (&value);
  return g_strdup_printf ("%s (default %.7g)", value, usual->values[i]);
}

/* The rows of the table that PARAM is, with their names. */
static void
add_rows (Origin *self, const VgParam *param, const void *params, const void *defaults)
{
  const VgTable *table = table_of (param, params), *usual = table_of (param, defaults);
  const VgColumn *columns = param->table.columns;
  g_auto (GStrv) names = param->table.row_names != NULL ? param->table.row_names (params) : NULL,
                 cells = NULL;
  const guint n_names = names != NULL ? g_strv_length (names) : 0, first = names != NULL ? 2 : 1,
              n = (guint) table->columns + first;

  cells = g_new0 (char *, n + 1);
  cells[0] = g_strdup ("Row");
  if (names != NULL)
    cells[1] = g_strdup ("Name");
  for (guint c = 0; c < (guint) table->columns; c++)
    cells[first + c] = columns[c].unit != NULL && *columns[c].unit != '\0'
                           ? g_strdup_printf ("%s (%s)", columns[c].label, columns[c].unit)
                           : g_strdup (columns[c].label);
  vg_page_add_text (self->page, param->label);
  vg_page_begin_table (self->page, (const char *const *) cells, n);
  for (int row = 0; row < table->rows; row++)
    {
      g_clear_pointer (&cells, g_strfreev);
      cells = g_new0 (char *, n + 1);
      cells[0] = g_strdup_printf ("%d", row + 1);
      if (names != NULL)
        cells[1] = g_strdup ((guint) row < n_names ? names[row] : "");
      for (guint c = 0; c < (guint) table->columns; c++)
        cells[first + c] = describe_cell (table, usual, row * table->columns + (int) c);
      vg_page_add_row (self->page, (const char *const *) cells, n);
    }
  vg_page_end_table (self->page);
}

/* All tables of settings but long ones, such as weights of frames, and points in the image. */
static void
add_tables (Origin *self)
{
  const VgOperation *operation = vg_work_get_operation (self->work);
  const void *params = vg_work_get_params (self->work);
  void *defaults = vg_params_new (&operation->params);

  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];

      if (param->kind == VG_PARAM_TABLE && param->table.points == VG_POINTS_NONE &&
          vg_methods_text_tells (operation, param, params) && table_of (param, params) != NULL &&
          table_of (param, params)->rows > 0 && table_of (param, params)->rows <= MOST_ROWS)
        add_rows (self, param, params, defaults);
    }
  vg_params_free (&operation->params, defaults);
}

/* Those that differ from their defaults (CHANGED), or the others. */
static void
add_settings_table (Origin *self, gboolean changed)
{
  static const char *const headings[] = { "Group", "Setting", "Value", "Default" };
  const VgOperation *operation = vg_work_get_operation (self->work);
  const void *params = vg_work_get_params (self->work);
  void *defaults = vg_params_new (&operation->params);

  vg_page_begin_table (self->page, headings, changed ? 4 : 3);
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *value = NULL, *usual = NULL;

      if (!vg_methods_text_tells (operation, param, params))
        continue;
      value = describe_value (self, param, params);
      usual = vg_methods_text_value (param, defaults);
      /* tables of as many rows may have the same description */
      if ((g_str_equal (value, usual) &&
           (param->kind != VG_PARAM_TABLE || vg_param_equal (param, params, defaults))) != changed)
        vg_page_add_row (self->page,
                         (const char *const[]){ param->group, param->label, value, usual },
                         changed ? 4 : 3);
    }
  vg_page_end_table (self->page);
  vg_params_free (&operation->params, defaults);
}

static void
add_settings (Origin *self)
{
  vg_page_add_heading (self->page, "Settings");
  add_tables (self);
  vg_page_add_text (self->page, "All other settings have their default values.");
  add_settings_table (self, TRUE);
  vg_page_begin_folded (self->page, "Settings with their default values");
  add_settings_table (self, FALSE);
  vg_page_end_folded (self->page);
}

/* As sha256sum writes them, which can check the files; of many, the first. */
static void
add_inputs (Origin *self, JsonArray *inputs)
{
  guint n = json_array_get_length (inputs);
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < MIN (n, MOST_INPUTS); i++)
    {
      JsonObject *input = json_array_get_object_element (inputs, i);

      g_string_append_printf (
          lines, "%s%s  %s", i > 0 ? "\n" : "",
          json_object_get_string_member_with_default (input, "sha256", "not known"),
          json_object_get_string_member (input, "file"));
    }
  if (n > MOST_INPUTS)
    g_string_append_printf (lines, "\nand %u more files, which summary.json lists",
                            n - MOST_INPUTS);
  vg_page_add_text (self->page, "SHA-256 of the inputs:");
  vg_page_add_code (self->page, lines->str);
}

/* What the source says of itself and, of a live one, what became of its frames. */
static void
add_source (Origin *self)
{
  const VgLiveStatus *live = self->info->live;
  g_auto (GStrv)
      lines = g_strsplit (self->info->details != NULL ? self->info->details : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      vg_page_add_text (self->page, lines[i]);
  if (live == NULL)
    return;
  {
    g_autofree char *account = vg_account_to_text (live),
                    *counts = g_strconcat ("Frames: ", account, NULL);

    vg_page_add_text (self->page, counts);
  }
}

static gboolean
add_provenance (Origin *self, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *program = NULL;
  JsonObject *provenance;
  const char *command, *options, *commit = vg_commit_get ();

  json_builder_begin_object (builder);
  if (!vg_summary_add_provenance (builder, self->work, self->info, error))
    return FALSE;
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  provenance = json_object_get_object_member (json_node_get_object (root), "provenance");
  command = json_object_get_string_member (provenance, "command");
  options = json_object_get_string_member (provenance, "read_options");
  program = g_strdup_printf (
      "Vivograph %s%s%s on %s%s%s", json_object_get_string_member (provenance, "version"),
      *commit != '\0' ? ", commit " : "", commit,
      json_object_get_string_member (provenance, "device"), self->anonymous ? "" : ", ",
      self->anonymous ? "" : json_object_get_string_member (provenance, "date"));
  vg_page_add_heading (self->page, "Provenance");
  vg_page_add_text (self->page, program);
  if (self->anonymous)
    {
      vg_page_add_text (self->page,
                        "The date, the inputs and the command are left out, because dates and file "
                        "names may identify the patient. They are in summary.json.");
      return TRUE;
    }
  if (json_array_get_length (json_object_get_array_member (provenance, "inputs")) > 0)
    add_inputs (self, json_object_get_array_member (provenance, "inputs"));
  else
    vg_page_add_text (self->page, self->info->synthetic != NULL
                                      ? "The input is sample data that the program generated."
                                      : "There are no input files.");
  add_source (self);
  if (*options != '\0')
    {
      vg_page_add_text (self->page, "The inputs were read with these options:");
      vg_page_add_code (self->page, options);
    }
  if (*command != '\0')
    {
      vg_page_add_text (self->page, "This command computes the same results:");
      vg_page_add_code (self->page, command);
    }
  return TRUE;
}

static void
add_references (Origin *self)
{
  g_autoptr (GPtrArray) references = vg_methods_text_references (vg_work_get_operation (self->work),
                                                                 vg_work_get_params (self->work));

  vg_page_add_heading (self->page, "References");
  vg_page_add_list (self->page, references, FALSE);
}

gboolean
vg_export_add_origin (VgPage *page, VgWork *work, const VgExportInfo *info, gboolean anonymous,
                      GError **error)
{
  Origin self = { page, work, info, anonymous };

  add_settings (&self);
  if (!add_provenance (&self, error))
    return FALSE;
  add_references (&self);
  return TRUE;
}
