/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-param.h"
/* One run of a settings text (VgImport.read): it holds all settings. */
G_BEGIN_DECLS

typedef struct
{
  const VgParamTable *table; /* of params */
  char *name;                /* in the text; NULL: none */
  char *file;                /* that holds the text; NULL: unknown */
  void *params;
  /* texts such as "file:12: ...": remarks about likely mistakes */
  GPtrArray *notes;
} VgSettingsRun;

/* Copies PARAMS; there are no notes yet. */
VgSettingsRun *vg_settings_run_new (const VgParamTable *table, const void *params,
                                    const char *name);
void vg_settings_run_free (gpointer self);
/* Exchanges the run's settings with PARAMS. */
void vg_settings_run_swap (VgSettingsRun *self, void *params);

G_END_DECLS
