/* SPDX-License-Identifier: MIT */
#include "tests/support/app/pipeline-answer.h"

static void
on_answer (GObject *object, GAsyncResult *result, gpointer data)
{
  Answer *self = data;

  self->result = vg_pipeline_query_finish (VG_PIPELINE (object), result, &self->error);
  g_assert_true (self->error == NULL || self->result == NULL);
  self->done = TRUE;
}

void
answer_begin (Answer *self, VgPipeline *pipeline, const VgQuery *query, GCancellable *cancellable)
{
  *self = (Answer){ FALSE };
  vg_pipeline_query_async (pipeline, query, cancellable, on_answer, self);
}

gpointer
answer_wait (Answer *self)
{
  while (!self->done)
    g_main_context_iteration (NULL, TRUE);
  return self->result;
}

gpointer
answer_now (VgPipeline *pipeline, const VgQuery *query)
{
  Answer answer;

  answer_begin (&answer, pipeline, query, NULL);
  answer_wait (&answer);
  g_assert_no_error (answer.error);
  return answer.result;
}
