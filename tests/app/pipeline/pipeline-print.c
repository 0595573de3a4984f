/* SPDX-License-Identifier: MIT */
#include "tests/app/pipeline/pipeline-print.h"
#include <string.h>
#include "app/pipeline/vg-compute.h"
#include "tests/app/pipeline/interleave.h"
#include "tests/support/app/fake-operation.h"

static guint64 print;
static VgPipeline *read_by;

static void
add (guint64 value)
{
  print = interleave_mix (print, value);
}

static void
add_number (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  add (bits);
}

static void
add_params (const FakeParams *params)
{
  add (params != NULL);
  if (params == NULL)
    return;
  add_number (params->gain);
  add ((guint64) params->history << 32 | (guint32) params->fail_at);
  add ((guint64) params->steps << 32 | (guint32) params->valid);
}

static void
add_frames (const GQueue *frames)
{
  add (frames->length);
  for (const GList *link = frames->head; link != NULL; link = link->next)
    {
      const VgQueuedFrame *queued = link->data;

      add ((guint64) queued->frame->index);
      add (queued->serial);
      add ((guint) queued->preroll | (guint) queued->wanted << 1 | (guint) queued->restart << 2 |
           (guint) queued->fresh << 3);
    }
}

static void
add_queue (const VgFrameQueue *queue)
{
  add_frames (&queue->frames);
  add_frames (&queue->past);
  add ((guint) queue->is_stopped | (guint) queue->is_detached << 1 | (guint) queue->has_ended << 2 |
       (guint) queue->restart << 3 | (guint) queue->seek_fresh << 4 |
       (guint) (queue->error != NULL) << 5);
  add ((guint64) queue->next);
  add ((guint64) queue->seek_to);
  add (queue->seek_serial);
  add ((guint64) queue->history);
  add (queue->bad_in_a_row);
}

static guint64
print_input (const VgInput *input)
{
  print = 0;
  add_queue (&input->queue);
  add ((guint) input->is_running | (guint) input->queue.playback->playing << 1);
  return print;
}

static void
add_input (const VgInput *input)
{
  const VgFrameQueue *queue = &input->queue;

  add_queue (queue);
  add ((guint) queue->in_hand | (guint) queue->in_result << 1 | (guint) queue->end_seen << 2 |
       (guint) (queue->first_bad != NULL) << 3);
  add ((guint) input->is_opened | (guint) input->is_running << 1 | (guint) input->is_closed << 2 |
       (guint) (input->source != NULL) << 3);
  add (input->number);
}

static void
add_work (VgWork *work)
{
  VgPlane plane;

  add_params (vg_work_get_params (work));
  add (vg_work_is_ready (work));
  if (!vg_work_is_ready (work))
    return;
  add_number (vg_work_progress (work));
  for (guint i = 0; i < 2; i++)
    {
      gboolean is_there = vg_work_output (work, i, &plane, NULL);

      add ((guint64) is_there);
      add_number (is_there ? *(const float *) plane.data : 0);
    }
}

static void
add_compute (VgCompute *compute)
{
  const VgPublisher *publisher = &compute->publisher;

  for (const GList *link = compute->recent.head; link != NULL; link = link->next)
    add ((guint64) ((const VgFrame *) link->data)->index + 1);
  add ((guint) compute->broken_off | (guint) compute->fed << 1 | (guint) compute->mixed << 2 |
       (guint) compute->recent_due << 3 | (guint) compute->stepping << 4 |
       (guint) compute->one_step << 5 | (guint) compute->precomputed << 6 |
       (guint) compute->is_requested << 7 | (guint) compute->has_map << 8 |
       (guint) compute->whole << 9 | (guint) compute->behind << 10 |
       (guint) (compute->published_us > 0) << 11 | (guint) (compute->started_us > 0) << 12 |
       (guint) publisher->statistics_stale << 13 | (guint) (compute->maps > 0) << 14 |
       (guint) compute->owes_map << 15 | (guint) compute->is_ahead << 16);
  add ((guint64) compute->patience_us);
  add (compute->map_serial);
  add ((guint64) MIN (compute->since_jump, 3));
  if (compute->work != NULL)
    add_work (compute->work);
}

static void
add_result (VgResult *result)
{
  float value = 0;

  add (result != NULL);
  if (result == NULL)
    return;
  vg_result_probe (result, 0, 0, 0, &value);
  add (result->serial);
  add ((guint64) result->frame_index);
  add ((guint64) result->final);
  add_number (result->progress);
  add_number (value);
}

static void
add_signals (const VgPostedSignals *signals)
{
  add (signals->posted);
  add (signals->idle != NULL);
  add (signals->notices.length);
  add (signals->errors.length);
  add (signals->refusal != NULL);
  add (signals->refused_serial);
}

static guint64
print_compute (VgPipeline *pipeline)
{
  const VgPipeline *self = pipeline;

  print = 0;
  add (self->wanted.serial);
  add (self->wanted.n_serials);
  add_params (self->wanted.params);
  add (self->wanted.steps);
  add ((guint) self->quit | (guint) self->playback.playing << 1 | (guint) self->looks_back << 2 |
       (guint) self->cancelled << 3 | (guint) self->unprepared << 4 |
       (guint) self->map_cancelled << 5 | (guint) self->wanted.again << 6 |
       (guint) (self->busy_us > 0) << 7 | (guint) self->untold << 8);
  add ((guint64) g_atomic_int_get (&self->stop));
  add (self->preparation);
  add (self->state);
  add (self->serial);
  add (self->cancelled_serial);
  add (self->failed_serial);
  add (self->last.serial);
  add (self->last.opening_serial);
  add_params (self->last.params);
  for (guint i = 0; i < self->inputs->len; i++)
    {
      add ((guint) (self->inputs->pdata[i] == self->input) |
           (guint) (self->inputs->pdata[i] == self->pending) << 1);
      add_input (self->inputs->pdata[i]);
    }
  if (self->compute != NULL)
    add_compute (self->compute);
  return print;
}

guint64
pipeline_print (VgPipeline *pipeline)
{
  print_compute (pipeline);
  add_result (pipeline->mailbox.result);
  add_signals (&pipeline->signals);
  return print;
}

void
pipeline_print_begin (VgPipeline *pipeline)
{
  read_by = pipeline;
}

/* The compute thread reads everything; reading the same again at the same place tells it nothing.
 * The local variables of a source's thread were set when it took the lock the last time or the time
 * before. */
guint64
pipeline_print_read (gpointer data, guint64 past, guint64 place)
{
  static guint64 last;
  const gboolean is_compute = data == read_by;
  const guint64 now = interleave_mix (is_compute ? print_compute (read_by) : print_input (data),
                                      place);

  if (!is_compute)
    return past << 32 | (guint32) (now ^ now >> 32);
  if (past != 0 && now == last)
    return past;
  last = now;
  return interleave_mix (past, now);
}
