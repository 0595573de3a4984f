/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline.h"
/* Answers to the queries of a pipeline, which come through the main loop. */
G_BEGIN_DECLS

typedef struct
{
  gboolean done;
  gpointer result; /* owned by whoever asks; NULL if there is an error, or nothing to return */
  GError *error;   /* the same */
} Answer;

/* Asks; the answer comes while the main loop runs.  SELF stays in place until then. */
void answer_begin (Answer *self, VgPipeline *pipeline, const VgQuery *query,
                   GCancellable *cancellable);
/* Runs the main loop until the answer is there; returns its result. */
gpointer answer_wait (Answer *self);
/* Asks and waits.  The answer must not be an error. */
gpointer answer_now (VgPipeline *pipeline, const VgQuery *query);

G_END_DECLS
