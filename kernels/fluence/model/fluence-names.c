/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/model/fluence-names.h"
#include <string.h>
/* Each name is stored with a hash of its layer's values. */

static const struct
{
  const char *preset, *names[VG_FLUENCE_NAMED];
} known[] = {
  { "skin_600nm",
    { "stratum corneum", "living epidermis", "papillary dermis", "upper blood net dermis", "dermis",
      "deep blood net dermis", "subcutaneous fat" } },
  { "head_neurophotonics_2014", { "scalp", "skull", "fluid", "brain" } },
  { "liver_635nm_marchesini_1989", { "liver" } },
};

/* Fowler, Noll and Vo's hash of a layer's values. */
static guint32
key_of (const VgTable *layers, int l)
{
  const guint8 *bytes = (const guint8 *) (layers->values + l * VG_FLUENCE_COLUMNS);
  guint32 key = 2166136261u;

  for (gsize i = 0; i < VG_FLUENCE_COLUMNS * sizeof (double); i++)
    key = (key ^ bytes[i]) * 16777619u;
  return key;
}

static gboolean
has_letter (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (g_unichar_isalpha (g_utf8_get_char (text)))
      return TRUE;
  return FALSE;
}

/* "layer 3: dermis" is dermis, "layer 3" and "3" are no names. */
static char *
clean (const char *comment)
{
  g_autofree char *valid = g_strstrip (g_utf8_make_valid (comment, -1));
  const char *name = valid;

  if (g_ascii_strncasecmp (name, "layer", 5) == 0)
    {
      name += 5;
      name += strspn (name, " \t");
      name += strspn (name, "0123456789");
      name += strspn (name, " \t:;,.-=");
    }
  if (!has_letter (name))
    return g_strdup ("");
  return g_utf8_substring (name, 0, MIN (g_utf8_strlen (name, -1), VG_FLUENCE_LAYER_NAME / 4 - 1));
}

void
vg_fluence_names_add (VgFluenceParams *params, int l, const char *comment)
{
  g_autofree char *name = clean (comment);
  VgFluenceLayerName *entry = &params->layer_names[params->n_layer_names];

  if (*name == '\0' || params->n_layer_names == VG_FLUENCE_NAMED)
    return;
  for (char *c = name; *c != '\0'; c++)
    if ((guchar) *c < 32 || *c == 127)
      *c = ' ';
  g_strlcpy (entry->name, name, sizeof entry->name);
  entry->row = l;
  entry->rows = params->layers->rows;
  entry->key = key_of (params->layers, l);
  params->n_layer_names++;
}

/* Sets NAMES of layers with the same values as ENTRIES, then of layers at the same position.
 * Returns the number of the former. */
static int
assign (const VgFluenceLayerName *entries, int n, const VgTable *layers, char **names)
{
  gboolean used[VG_FLUENCE_NAMED] = { FALSE };
  g_autofree guint32 *keys = g_new (guint32, layers->rows);
  int found = 0;

  for (int l = 0; l < layers->rows; l++)
    keys[l] = key_of (layers, l);
  for (int pass = 0; pass < 3; pass++)
    for (int k = 0; k < n; k++)
      for (int l = 0; l < layers->rows && !used[k]; l++)
        {
          gboolean place = entries[k].row == l && entries[k].rows == layers->rows;

          /* first by values and position, then by values, then by position */
          if (*names[l] != '\0' || (pass != 1 && !place) ||
              (pass < 2 && entries[k].key != keys[l]) || (pass == 2 && found == 0))
            continue;
          g_free (names[l]);
          names[l] = g_strdup (entries[k].name);
          used[k] = TRUE;
          found += pass < 2;
        }
  return found;
}

/* Names layers that have the values of a preset. */
static void
assign_known (const VgTable *layers, char **names)
{
  const VgParam *param = vg_params_find (&vg_fluence_operation.params, "layers");

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    for (const VgPreset *preset = param->table.presets; preset->id != NULL; preset++)
      {
        VgFluenceLayerName entries[VG_FLUENCE_NAMED] = { 0 };
        VgTable *table = g_str_equal (preset->id, known[i].preset)
                             ? vg_table_parse (preset->text, VG_FLUENCE_COLUMNS, NULL)
                             : NULL;
        int found;

        for (int l = 0; table != NULL && l < table->rows; l++)
          {
            entries[l] = (VgFluenceLayerName){ .row = l,
                                               .rows = table->rows,
                                               .key = key_of (table, l) };
            g_strlcpy (entries[l].name, known[i].names[l], sizeof entries[l].name);
          }
        found = table != NULL ? assign (entries, table->rows, layers, names) : 0;
        vg_table_free (table);
        if (found > 0)
          return;
      }
}

char **
vg_fluence_names_get (const VgFluenceParams *params)
{
  const VgTable *layers = params->layers;
  int rows = layers != NULL ? layers->rows : 0;
  char **names = g_new0 (char *, rows + 1);

  for (int l = 0; l < rows; l++)
    names[l] = g_strdup ("");
  if (rows > 0 && (params->n_layer_names == 0 ||
                   assign (params->layer_names, params->n_layer_names, layers, names) == 0))
    assign_known (layers, names);
  return names;
}
