/* SPDX-License-Identifier: MIT */
#include "io/source/vg-frame-account.h"
#include "kernels/shared/vg-exposure.h"

/* How often the exposure time differs from that of the frame before; 0 is not known. */
static guint
count_exposures (const GArray *exposures)
{
  double last_ms = 0;
  guint n = 0;

  for (guint i = 0; exposures != NULL && i < exposures->len; i++)
    {
      const double ms = g_array_index (exposures, double, i);

      n += ms > 0 && last_ms > 0 && vg_exposure_differs (ms, last_ms);
      last_ms = ms > 0 ? ms : last_ms;
    }
  return n;
}

void
vg_source_account (VgSource *source, VgLiveStatus *status)
{
  vg_source_get_status (source, status);
  if (source->info.frames < 0)
    return;
  status->received = (guint64) source->info.frames;
  status->lost = source->missing;
  status->interrupted = source->outages != NULL ? source->outages->len : 0;
  status->exposures = count_exposures (source->exposures);
}

char *
vg_account_to_text (const VgLiveStatus *status)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT " sent = %" G_GUINT64_FORMAT
                          " received + %" G_GUINT64_FORMAT " bad + %" G_GUINT64_FORMAT " lost",
                          status->received + status->bad + status->lost, status->received,
                          status->bad, status->lost);
}

/* Frames that are missing, and why; owned. */
static char *
describe_missing (const VgImageInfo *info, const VgLiveStatus *status)
{
  const guint64 sent = status->received + status->bad + status->lost;

  if (info->frames >= 0)
    return g_strdup_printf ("Of %" G_GUINT64_FORMAT
                            " frames that the source sent, %" G_GUINT64_FORMAT
                            " are missing in the recording. Time courses have no values there.",
                            sent, status->lost);
  return g_strdup_printf ("The source sent %" G_GUINT64_FORMAT " frames. Lost: %" G_GUINT64_FORMAT
                          ", bad: %" G_GUINT64_FORMAT
                          ". Frames are lost or damaged on the way to the program, or if the "
                          "computer is too busy. Time courses have no values there. Check the "
                          "connection, close other programs, or set a lower frame rate.",
                          sent, status->lost, status->bad);
}

void
vg_account_warn (const VgImageInfo *info, const VgLiveStatus *status, GPtrArray *warnings)
{
  if (status->lost + status->bad > 0)
    g_ptr_array_add (warnings, describe_missing (info, status));
  if (status->interrupted > 0)
    g_ptr_array_add (warnings,
                     g_strdup_printf ("The connection to the source was lost %u time%s. Time "
                                      "courses have a gap there, and temporal windows start "
                                      "again.",
                                      status->interrupted, status->interrupted == 1 ? "" : "s"));
  if (status->exposures > 0)
    g_ptr_array_add (warnings,
                     g_strdup_printf ("The exposure time was changed %u time%s. Each frame is "
                                      "computed with its own exposure time, and temporal windows "
                                      "start again after each change. Noise and static "
                                      "scattering depend on the exposure time, so compare only "
                                      "values with the same exposure time.",
                                      status->exposures, status->exposures == 1 ? "" : "s"));
}
