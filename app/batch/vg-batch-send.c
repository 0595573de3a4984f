/* SPDX-License-Identifier: MIT */
/* Sends the maps of a batch run to other programs.  Of a live source the newest map is sent; of one
 * that can wait, every map. */
#include "app/batch/vg-batch-private.h"

/* for a program that reads slowly, and after the run was cancelled */
enum { WAIT_US = 10000000, CANCELLED_US = 1000000 };

gboolean
vg_batch_open_sender (VgBatch *self, GError **error)
{
  const VgNamedRegion *const *regions = self->job->regions;
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (VgRegion));
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (self->job->send == NULL)
    return TRUE;
  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    {
      g_array_append_val (shapes, regions[i]->region);
      g_strv_builder_add (names, regions[i]->name);
    }
  self->sender = vg_sender_new (self->job->send, TRUE, error);
  if (self->sender != NULL)
    {
      VgSenderStatus status;

      /* where it listens */
      vg_sender_get_status (self->sender, &status);
      if (status.sentence[0] != '\0')
        vg_batch_notify (self, "%s", status.sentence);
    }
  self->sent_regions = vg_followed_regions_new ((const VgRegion *) (gpointer) shapes->data,
                                                shapes->len);
  self->sent_names = g_strv_builder_end (names);
  return self->sender != NULL;
}

/* Waits until all maps are sent, but only once for a program that does not read. */
static void
wait_until_sent (VgBatch *self, gint64 most_us, GCancellable *cancellable)
{
  if (!vg_sender_flush (self->sender, most_us, cancellable))
    vg_batch_notify (self, "a program that maps are sent to reads too slowly; the run does not "
                           "wait for it any more, and it gets only the newest maps");
}

gboolean
vg_batch_send (VgBatch *self, const VgFrame *frame, GError **error)
{
  if (self->sender == NULL)
    return TRUE;
  if (!self->live)
    wait_until_sent (self, WAIT_US, self->job->cancellable);
  return vg_sender_send (self->sender, self->work, (guint) self->job->preview_output, frame,
                         self->sent_regions, (const char *const *) self->sent_names, error);
}

void
vg_batch_close_sender (VgBatch *self)
{
  VgSenderStatus status;

  if (self->sender != NULL)
    {
      if (g_cancellable_is_cancelled (self->job->cancellable))
        vg_sender_flush (self->sender, CANCELLED_US, NULL);
      else
        wait_until_sent (self, WAIT_US, self->job->cancellable);
      vg_sender_get_status (self->sender, &status);
      vg_batch_notify (self,
                       "sent %" G_GUINT64_FORMAT " maps to \"%s\"; newer ones replaced "
                       "%" G_GUINT64_FORMAT,
                       status.sent, self->job->send, status.superseded);
    }
  g_clear_pointer (&self->sender, vg_sender_unref);
  g_clear_pointer (&self->sent_regions, vg_followed_regions_free);
  g_clear_pointer (&self->sent_names, g_strfreev);
}
