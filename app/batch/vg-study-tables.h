/* SPDX-License-Identifier: MIT */
#pragma once
#include <json-glib/json-glib.h>
/* The long tables of a study: a line for each value of each region, and for each note. */
G_BEGIN_DECLS

/* The headings of regions.csv and notes.csv, owned. */
GString *vg_study_regions_new (void);
GString *vg_study_notes_new (void);
/* Adds the lines of SUMMARY, of run RUN (0: the only one) of the row NAME. */
void vg_study_regions_add (GString *self, const char *name, guint run, JsonObject *summary);
void vg_study_notes_add (GString *self, const char *name, guint run, JsonObject *summary);

G_END_DECLS
