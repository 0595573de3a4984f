/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-param.h"
/* One run of a settings text (VgImport.read): all settings for it. */
G_BEGIN_DECLS

typedef struct
{
  const VgParamTable *table; /* of params */
  char *name;                /* what the text calls it; NULL: nothing */
  char *file;                /* that the text is from; NULL: not said */
  void *params;
  /* texts, "file:12: ...": what looks like a mistake but can be meant */
  GPtrArray *notes;
} VgSettingsRun;

/* With a copy of PARAMS, without notes. */
VgSettingsRun *vg_settings_run_new (const VgParamTable *table, const void *params,
                                    const char *name);
void vg_settings_run_free (gpointer self);
/* Gives the run's settings to PARAMS and takes those. */
void vg_settings_run_swap (VgSettingsRun *self, void *params);

G_END_DECLS
