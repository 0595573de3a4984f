/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
/* What is being computed, its progress, the time left and the button that cancels it.  Hidden while
 * nothing takes long. */
G_BEGIN_DECLS

#define VG_TYPE_WORK_BAR (vg_work_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgWorkBar, vg_work_bar, VG, WORK_BAR, VgBin)

typedef struct
{
  VgPipeline *pipeline;
  const VgResult *result; /* the newest; NULL: none */
  guint64 params_serial;  /* of the settings that the pipeline was given last */
  gboolean left_over;     /* without a result: the image is of the input before */
  gboolean exporting;
  double filmed; /* of a movie that is made after the export, 0 to 1; negative: none is */
} VgWorkStatus;

GtkWidget *vg_work_bar_new (VgSession *session);
/* Shows STATUS; called a few times a second and whenever the pipeline's state changes. */
void vg_work_bar_update (VgWorkBar *self, const VgWorkStatus *status);
/* As of the last update: the result is of other input or settings and no newer one will come. */
gboolean vg_work_bar_is_old (VgWorkBar *self);
/* As of the last update: the result is old, or will be replaced after a long computation. */
gboolean vg_work_bar_is_stale (VgWorkBar *self);
gboolean vg_work_bar_can_cancel (VgWorkBar *self);
/* For tests: the line is shown, and its text. */
gboolean vg_work_bar_is_shown (VgWorkBar *self);
const char *vg_work_bar_get_text (VgWorkBar *self);

G_END_DECLS
