/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/batch/vg-study.h"
/* What became of the rows of a study, as the files in its folder of results say: several processes
 * may work on rows of one study, and each may be killed at any time.
 *   NAME/          the results of a row, with the summaries of its runs
 *   NAME/failed.txt  why it failed
 *   results.csv    a line for each row, with the means of its maps and its metrics
 *   regions.csv    a line for each value of each region of each row, with its standard error
 *   notes.csv      a line for each note */
G_BEGIN_DECLS

typedef enum {
  VG_STUDY_NOT_RUN,
  VG_STUDY_DONE,
  VG_STUDY_INCOMPLETE, /* the results cover only part of the input */
  VG_STUDY_FAILED,
  VG_STUDY_STATES,
} VgStudyState;

/* Whether ROW is done, its files are as they were written, and its inputs have not changed since.
 * Removes what a killed process left in its folder. */
gboolean vg_study_is_current (const VgStudyRow *row, const char *folder);
/* Whether FOLDER has results of ROW, of any settings, or the reason why it failed. */
gboolean vg_study_has_results (const VgStudyRow *row, const char *folder);
/* Forgets an earlier failure of ROW, which is about to run. */
void vg_study_begin_row (const VgStudyRow *row, const char *folder);
/* Records that ROW failed. */
gboolean vg_study_record_failure (const VgStudyRow *row, const char *folder, const char *why,
                                  GError **error);
/* Writes the three tables; COUNTS: the rows in each state. */
gboolean vg_study_write_table (const VgStudy *self, const char *folder,
                               guint counts[VG_STUDY_STATES], GError **error);

G_END_DECLS
