/* SPDX-License-Identifier: MIT */
/* Any bytes as the table of a study; or, if the first byte is 1, the rest as the summary of a
 * folder with one file of results. */
#include "tests/fuzz/fuzz.h"
#include <glib/gstdio.h>
#include "app/batch/vg-study.h"
#include "app/staging/vg-manifest.h"

static void
check_study (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgStudy) study = vg_study_load (path, vg_operation_find ("flow"), &error);
  guint columns = study != NULL ? g_strv_length (study->columns) : 0;

  fuzz_require_message (study == NULL, error);
  for (guint i = 0; study != NULL && i < study->rows->len; i++)
    {
      const VgStudyRow *row = study->rows->pdata[i];

      fuzz_require (row->operation != NULL && g_strv_length (row->cells) == columns,
                    "a row without an operation, or with another number of cells");
      fuzz_require (*row->name != '\0' && *row->name != '.' && !strchr (row->name, '/'),
                    "a folder of results that is hidden or elsewhere");
      for (guint k = 0; k < i; k++)
        fuzz_require (strcmp (row->name, ((VgStudyRow *) study->rows->pdata[k])->name) != 0,
                      "two rows with one folder");
    }
}

static void
check_summary (const char *folder)
{
  g_autoptr (GHashTable) names = vg_manifest_names (folder);
  g_autoptr (GPtrArray) runs = vg_manifest_load (folder);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gboolean good = vg_manifest_check (folder, &text, &error);
  GHashTableIter iter;
  gpointer name;

  fuzz_require_message (!good, error);
  fuzz_require (!good || (text != NULL && runs->len == 1), "agrees without a summary");
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    fuzz_require (!strchr (name, '/') && strcmp (name, "..") != 0 && strcmp (name, ".") != 0,
                  "lists a file elsewhere");
}

void
fuzz_one (const guint8 *data, gsize length)
{
  gboolean summary = length > 0 && data[0] == 1;
  const char *folder = fuzz_folder ();
  g_autofree char *path = g_build_filename (folder, summary ? "summary.json" : "a.csv", NULL),
                  *map = g_build_filename (folder, "map.tif", NULL);

  fuzz_put_file (path, data + summary, length - summary);
  fuzz_put_file (map, "hello", 5);
  if (summary)
    check_summary (folder);
  else
    check_study (path);
  g_unlink (path);
  g_unlink (map);
}
