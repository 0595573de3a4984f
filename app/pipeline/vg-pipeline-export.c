/* SPDX-License-Identifier: MIT */
/* Exports the present maps with the writer of `run`, so that both write the same files. */
#include "app/export/vg-export.h"
#include "app/pipeline/vg-compute.h"

gboolean
vg_pipeline_export (VgPipeline *self, const VgQuery *query, GCancellable *cancellable,
                    guint *n_maps, GError **error)
{
  VgExportInfo info = { .cancellable = cancellable,
                        .regions = query->regions,
                        .notes = query->notes,
                        .frame = g_queue_peek_tail (&self->compute->recent) };
  g_auto (GStrv) inputs = NULL;
  g_autofree char *caution = NULL;
  VgMeasured compute;
  VgDisplay display;

  g_mutex_lock (&self->lock);
  inputs = g_strdupv (self->input->inputs);
  caution = g_strdup (self->input->caution);
  compute = self->mailbox.compute_ms;
  display = self->wanted.display;
  info.display = self->wanted.has_display ? &display : NULL;
  info.as_stored = self->wanted.as_stored;
  g_mutex_unlock (&self->lock);
  info.caution = caution;
  info.inputs = (const char *const *) inputs;
  if (!inputs[0] && self->operation->synthetic)
    info.synthetic = &self->operation->synthetic->live;
  info.seconds = vg_measured_quantile (&compute, 0.5) * 1e-3;
  info.preview_output = self->compute->publisher.output;
  info.reference = self->compute->publisher.reference;
  info.underlay = self->compute->publisher.underlay;
  return vg_export_current (query->folder, self->compute->work, &info, n_maps, error);
}
