/* SPDX-License-Identifier: MIT */
#include "io/dicom/vg-dicom-patient.h"
#include <string.h>

/* "20260131" as 2026-01-31; another text as it is.  Owned. */
static char *
format_date (const char *text)
{
  return strlen (text) == 8 && strspn (text, "0123456789") == 8
             ? g_strdup_printf ("%.4s-%.2s-%.2s", text, text + 4, text + 6)
             : g_strdup (text);
}

/* "Doe^Jane^^Dr" as "Doe, Jane Dr".  Owned. */
static char *
format_name (const char *text)
{
  g_auto (GStrv) groups = g_strsplit (text, "=", 2),
                 parts = g_strsplit (*text != '\0' ? groups[0] : "", "^", -1);
  GString *name = g_string_new (parts[0] != NULL ? g_strstrip (parts[0]) : "");

  for (guint i = 1; parts[0] != NULL && parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      g_string_append_printf (name, "%s%s", i == 1 ? ", " : " ", parts[i]);
  return g_string_free (name, FALSE);
}

static void
add (GString *line, const char *before, const char *text)
{
  if (*text != '\0')
    g_string_append_printf (line, "%s%s%s", line->len > 0 ? ", " : "", before, text);
}

char *
vg_dicom_format_patient (const VgDicomPatient *patient)
{
  g_autofree char *name = format_name (patient->name), *born = format_date (patient->birth_date),
                  *day = format_date (patient->study_date);
  g_autoptr (GString) who = g_string_new (NULL), what = g_string_new (NULL);

  add (who, "", name);
  add (who, "ID ", patient->id);
  add (who, "born ", born);
  add (who, "", patient->sex);
  add (what, "", day);
  add (what, "", patient->study);
  add (what, "", patient->series);
  if (who->len + what->len == 0)
    return NULL;
  return g_strdup_printf ("%s%s%s%s%s", who->len > 0 ? "Patient: " : "", who->str,
                          who->len > 0 && what->len > 0 ? "\n" : "", what->len > 0 ? "Study: " : "",
                          what->str);
}
