/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* A study: a table with one row for each run of the batch.  The first row names the columns:
 * "file", "name", "operation", options and parameters of `run`, and notes, whose names begin with
 * '#'. */
G_BEGIN_DECLS

typedef struct
{
  guint number; /* as a spreadsheet counts: the row with the names is 1 */
  char *name;   /* of the folder of its results, unlike that of any other row */
  const VgOperation *operation;
  char **inputs; /* paths and addresses; a relative path is one in the folder of the table */
  char **cells;  /* one for each column; "": it is not given */
  char *command; /* that computes this row alone; the caller sets it */
} VgStudyRow;

typedef struct
{
  char *path, *folder; /* of the table */
  char **columns;
  GPtrArray *rows; /* of VgStudyRow, at least one */
} VgStudy;

/* Columns with a meaning of their own, which are no options. */
gboolean vg_study_is_own_column (const char *column);
/* OPERATION: of rows that name none; NULL: each row names one.  VG_IO_ERROR: the table cannot be
 * read.  VG_USAGE_ERROR: it names no operation or file, or two rows have one name. */
VgStudy *vg_study_load (const char *path, const VgOperation *operation, GError **error);
/* PATH, seen from the folder of the table; owned. */
char *vg_study_resolve (const VgStudy *self, const char *path);
void vg_study_free (VgStudy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgStudy, vg_study_free)

G_END_DECLS
