/* SPDX-License-Identifier: MIT */
/* What stands in the place of the image until the first result has come. */
#include "ui/window/vg-window-private.h"
#include "io/live/vg-live.h"
#include "ui/camera/vg-live-kinds.h"
#include "ui/words/vg-translation.h"

/* The live source whose first frame has not come; NULL: there is none. */
static const char *
find_silent (VgWindow *self)
{
  const char *const *opening = vg_opening_is_active (self->opening)
                                   ? vg_opening_get_inputs (self->opening)
                                   : NULL;
  const char *input = opening != NULL ? opening[0] : vg_session_get_inputs (self->session)[0];
  VgLiveStatus status;

  if (input == NULL || !vg_live_is_address (input))
    return NULL;
  return opening != NULL || (vg_pipeline_get_live (self->pipeline, &status) && status.received == 0)
             ? input
             : NULL;
}

static char *
describe_waiting (VgWindow *self, const VgOutput *output)
{
  const char *silent = find_silent (self);
  const VgLiveKind *kind = silent != NULL ? vg_live_kind_of (silent) : NULL;
  VgImageInfo info;

  if (silent != NULL)
    {
      g_autofree char *device = vg_live_address_device (silent), *first = NULL;

      first = g_strdup_printf (
          _ ("Waiting for the first frame of %s, %d\302\240s"), device,
          (int) ((g_get_monotonic_time () - self->shown.opened_us) / G_TIME_SPAN_SECOND));
      return kind != NULL && kind->advice != NULL
                 ? g_strconcat (first, "\n", _ (kind->advice), NULL)
                 : g_steal_pointer (&first);
    }
  return vg_pipeline_get_info (self->pipeline, &info) && info.frames < 0 && !self->shown.is_left
             ? g_strdup (_ ("Waiting for frames"))
             : g_strdup_printf (_ ("Preparing the first map: %s"), vg_translate (output->label));
}

void
vg_window_show_waiting (VgWindow *self)
{
  const VgOutput *output = vg_session_get_output (self->session);
  g_autofree char *text = NULL;

  if (output == NULL || vg_image_view_has_slide (vg_viewer_get_image (self->viewer), NULL))
    return;
  text = describe_waiting (self, output);
  vg_viewer_show_page (self->viewer, VG_VIEWER_IMAGE);
  vg_viewer_set_waiting (self->viewer, text);
}

void
vg_window_update_waiting (VgWindow *self)
{
  const VgOutput *output = vg_session_get_output (self->session);
  g_autofree char *text = NULL;

  if (output == NULL || !vg_viewer_is_waiting (self->viewer))
    return;
  text = describe_waiting (self, output);
  vg_viewer_set_waiting (self->viewer, text);
}
