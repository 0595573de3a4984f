/* SPDX-License-Identifier: MIT */
/* Hostile text for parameters, regions and tables.  The first byte chooses
 * the parser, the rest is the text.  What is accepted has to be inside its
 * range and to read back as itself; what is not leaves the value alone. */
#include "tests/fuzz/fuzz.h"
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-param.h"
#include <math.h>
#include <string.h>

typedef struct
{
  int whole, choice, action;
  gboolean on;
  float single;
  double many;
  char *file;
  VgRegion *region;
  VgTable *layers, *seeds;
} Params;

static const char *const choices[] = { "spatial", "temporal", "both", NULL };
static const VgPreset presets[] = { { "skin", "Skin", "A book", "1.4,0.1;1.37,2.5" }, { NULL } };
static const VgColumn two[] = { { "n", "Index", "", 1.4, 1, 4 },
                                { "mua", "Absorption", "1/cm", 1, 0, 1e4 },
                                { NULL } };
static const VgColumn one[] = { { "x", "X", "px", 0, -1e300, 1e300 }, { NULL } };

static const VgParam items[] = {
  VG_INT_PARAM (Params, whole, .def = 3, .min = -100, .max = 1000, .unit = "px"),
  VG_CHOICE_PARAM (Params, choice, .choices = choices),
  VG_ACTION_PARAM (Params, action, .label = "Act"),
  VG_BOOL_PARAM (Params, on, .label = "On"),
  VG_FLOAT_PARAM (Params, single, .def = 0.25, .min = 0.1, .max = 1.0 / 3, .unit = "ms"),
  VG_DOUBLE_PARAM (Params, many, .min = -1e300, .max = 1e300),
  VG_FILE_PARAM (Params, file, .file.or_region = VG_FILE_REGION),
  VG_REGION_PARAM (Params, region, .label = "Region"),
  VG_TABLE_PARAM (Params, layers, .table.columns = two, .table.presets = presets,
                  .table.max_rows = 10),
  VG_TABLE_PARAM (Params, seeds, .table.columns = one),
};
static const VgParamTable table = { items, G_N_ELEMENTS (items), sizeof (Params) };

static void
check_accepted (const VgParam *param, const Params *params)
{
  g_autofree char *text = vg_param_format (param, params);
  Params *back = vg_params_new (&table);
  double value = vg_param_get_number (param, params);
  g_autoptr (GError) error = NULL;

  if (param->kind == VG_PARAM_INT || param->kind == VG_PARAM_DOUBLE)
    fuzz_require (value >= param->min && value <= param->max, "accepted beyond the range");
  if (param->kind == VG_PARAM_FLOAT)
    fuzz_require ((float) value >= (float) param->min && (float) value <= (float) param->max,
                  "accepted beyond the range");
  fuzz_require (vg_param_parse (param, back, text, &error), "refuses what it wrote");
  g_free (back->file);
  back->file = g_strdup (params->file);
  for (guint i = 0; i < table.n_items; i++)
    if (&items[i] == param && param->kind != VG_PARAM_FILE)
      {
        g_autofree char *again = vg_param_format (param, back);

        fuzz_require (g_str_equal (text, again), "reads back as something else");
      }
  vg_params_free (&table, back);
}

void
fuzz_one (const guint8 *data, gsize length)
{
  const VgParam *param;
  g_autofree char *text = NULL;
  Params *params, *before;
  g_autoptr (GError) error = NULL;

  if (length == 0)
    return;
  param = &items[data[0] % G_N_ELEMENTS (items)];
  text = g_strndup ((const char *) data + 1, length - 1);
  params = vg_params_new (&table);
  before = vg_params_copy (&table, params);
  if (vg_param_parse (param, params, text, &error))
    check_accepted (param, params);
  else
    {
      fuzz_require (error != NULL && error->domain == VG_USAGE_ERROR, "refuses without saying why");
      fuzz_require (strchr (error->message, '\n') == NULL, "says why in more than a line");
      fuzz_require (vg_params_equal (&table, params, before), "refuses but changes the value");
    }
  vg_params_find (&table, text);
  vg_params_nearest (&table, text);
  vg_params_free (&table, params);
  vg_params_free (&table, before);
}
