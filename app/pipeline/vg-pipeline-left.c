/* SPDX-License-Identifier: MIT */
/* What a view that is left finds again when it is come back to.
 *
 * A live source is not the view's: it goes on while others are looked at, so
 * its clock and its counts go on and a recording misses nothing.  Its newest
 * frames wait in its queue, as many as that holds, and the view goes on with
 * them.  It ends with its input, when another live source of the same view is
 * left in its place, and when its input is opened in another way.  Time
 * courses wait for what they are of. */
#include "app/pipeline/vg-pipeline-private.h"

enum { MOST_COURSES = 6 };

typedef struct
{
  const VgOperation *operation;
  GStrv inputs;
  char *read_options;
  VgTimeCourse *course;
  VgFollowedRegions *followed;
  guint64 regions_serial;
} VgLeftCourse;

void
vg_left_course_free (gpointer data)
{
  VgLeftCourse *self = data;

  g_strfreev (self->inputs);
  g_free (self->read_options);
  vg_time_course_unref (self->course);
  vg_followed_regions_free (self->followed);
  g_free (self);
}

gboolean
vg_feed_is_same (const VgFeed *feed, const VgOperation *operation, const char *const *inputs,
                 const char *read_options)
{
  return feed->operation == operation &&
         g_strv_equal ((const char *const *) feed->inputs, inputs) &&
         g_strcmp0 (feed->read_options, read_options) == 0;
}

/* Piped data can be opened only once; computed data start again unless the view is returned to. */
VgFeed *
vg_pipeline_find_running (VgPipeline *self, const VgOperation *operation, const char *const *inputs,
                          const char *read_options, gboolean goes_on)
{
  for (guint i = 0; i < self->feeds->len; i++)
    {
      VgFeed *feed = self->feeds->pdata[i];

      if (feed->running && feed->live && !feed->stop &&
          vg_feed_is_same (feed, operation, inputs, read_options) &&
          (goes_on || !vg_feed_is_made (feed)))
        return feed;
    }
  return NULL;
}

/* --- time courses --- */

static VgLeftCourse *
steal_course (VgPipeline *self, const VgFeed *feed)
{
  for (guint i = 0; i < self->courses->len; i++)
    {
      const VgLeftCourse *left = self->courses->pdata[i];

      if (vg_feed_is_same (feed, left->operation, (const char *const *) left->inputs,
                           left->read_options))
        return g_ptr_array_steal_index (self->courses, i);
    }
  return NULL;
}

static void
keep_course (VgPipeline *self, const VgFeed *feed)
{
  VgLeftCourse *left = steal_course (self, feed);

  g_clear_pointer (&left, vg_left_course_free);
  left = g_new0 (VgLeftCourse, 1);
  left->operation = feed->operation;
  left->inputs = g_strdupv (feed->inputs);
  left->read_options = g_strdup (feed->read_options);
  left->course = vg_time_course_ref (self->course);
  left->followed = g_steal_pointer (&self->followed);
  left->regions_serial = self->regions_serial;
  g_ptr_array_add (self->courses, left);
  if (self->courses->len > MOST_COURSES)
    g_ptr_array_remove_index (self->courses, 0);
}

void
vg_pipeline_take_course (VgPipeline *self, VgFeed *feed)
{
  VgLeftCourse *left = feed->running || (feed->goes_on && !feed->live) ? steal_course (self, feed)
                                                                       : NULL;
  guint n_courses = 0;

  vg_time_course_unref (self->course);
  g_clear_pointer (&self->followed, vg_followed_regions_free);
  self->regions_serial = 0;
  if (left)
    {
      self->course = vg_time_course_ref (left->course);
      self->followed = g_steal_pointer (&left->followed);
      self->regions_serial = left->regions_serial;
      vg_left_course_free (left);
      if (!vg_feed_is_made (feed)) /* its time went on */
        vg_time_course_break (self->course);
      return;
    }
  self->course = vg_time_course_new ();
  for (guint i = 0; i < feed->operation->n_outputs; i++)
    n_courses += feed->operation->outputs[i].time_course;
  vg_time_course_reset (self->course, n_courses);
}

/* --- sources --- */

/* The frames that the last picture was made of come first again, and count no second time. */
static void
put_back_recent (VgPipeline *self, VgFeed *feed)
{
  VgFrame *frame;

  while ((frame = g_queue_pop_tail (&self->recent)))
    {
      const VgQueued queued = { .frame = frame };

      g_queue_push_head (&feed->queue, g_memdup2 (&queued, sizeof queued));
    }
}

static void
stop_others (VgPipeline *self, const VgFeed *left, const VgFeed *next)
{
  for (guint i = 0; i < self->feeds->len; i++)
    {
      VgFeed *other = self->feeds->pdata[i];
      gboolean replaced = other != left && other->operation == left->operation &&
                          self->recorded != other;
      gboolean reread = !vg_feed_is_made (other) &&
                        g_strv_equal ((const char *const *) other->inputs,
                                      (const char *const *) next->inputs);

      if (!other->aside || other == next || !(replaced || reread))
        continue;
      other->aside = FALSE;
      vg_feed_stop (other);
      vg_feed_flush (other);
    }
}

void
vg_pipeline_leave_feed (VgPipeline *self, VgFeed *next)
{
  VgFeed *feed = self->feed;

  if (!feed)
    return;
  keep_course (self, feed);
  feed->superseded += (guint) self->in_hand + (guint) self->mailbox_fresh;
  self->in_hand = self->mailbox_fresh = FALSE;
  if (feed->live && !feed->stop)
    {
      put_back_recent (self, feed);
      feed->aside = feed != next;
      stop_others (self, feed, next);
    }
  else
    {
      vg_feed_stop (feed);
      vg_feed_flush (feed);
    }
}
