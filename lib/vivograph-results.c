/* SPDX-License-Identifier: MIT */
/* Planes, texts and metrics of a work. */
#include <math.h>
#include "app/compute/vg-named-param.h"
#include "lib/vivograph-private.h"

/* OK: output I is of this kind and can be asked for. */
static int
check_output (VivographWork *self, size_t i, gboolean text, VivographError *error)
{
  const VgOperation *operation;
  int status = vg_library_check_work (self, error);

  if (status < 0)
    return status;
  operation = self->operation;
  if (!self->started)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE, "the work has no result; start it first");
  if (i >= operation->n_outputs)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "%s has no output %" G_GSIZE_FORMAT "; vivograph_output lists them",
                            operation->id, i);
  if ((operation->outputs[i].kind == VG_OUTPUT_TEXT) == text)
    return VIVOGRAPH_OK;
  return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                          text ? "%s is a map; read it with vivograph_work_read"
                               : "%s is a text; read it with vivograph_work_text",
                          operation->outputs[i].id);
}

/* A stream has no maps before its first frame is done, even if its state is from an earlier run. */
static gboolean
has_maps (const VivographWork *self)
{
  return self->started && (self->operation->input.kind != VG_INPUT_STREAM || self->mapped >= 0);
}

/* The status if output I cannot be read.  FAILURE: the error, taken; NULL: the work has left the
 * GPU. */
static int
fail_to_read (VivographWork *self, size_t i, GError *failure, VivographError *error)
{
  if (failure != NULL)
    return vg_library_fail_with (self->operation, error, failure);
  return vg_library_fail (error, VIVOGRAPH_ERROR_DEVICE,
                          "the GPU failed while %s was read; start the work again, and the CPU "
                          "computes it",
                          self->operation->outputs[i].id);
}

/* OK: output I is in PLANE, and N samples are enough for it. */
static int
find_plane (VivographWork *self, size_t i, size_t n, VgPlane *plane, VivographError *error)
{
  int threads, status = check_output (self, i, FALSE, error);
  GError *local = NULL, *failure = NULL;
  gboolean found;
  gsize needed;

  if (status < 0)
    return status;
  if (!has_maps (self))
    return VIVOGRAPH_NONE;
  threads = vg_library_limit_threads (self); /* some maps are computed when they are read */
  found = vg_work_output (self->work, (guint) i, plane, &local);
  vg_library_put_threads_back (threads);
  if (!found)
    {
      if (local == NULL)
        return VIVOGRAPH_NONE;
      vg_work_recover (self->work, local, &failure);
      return fail_to_read (self, i, failure, error);
    }
  needed = (gsize) plane->width * (gsize) plane->height * (gsize) MAX (plane->slices, 1);
  if (n < needed)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "%s has %" G_GSIZE_FORMAT " samples, but there is room for "
                            "%" G_GSIZE_FORMAT "; give more room",
                            self->operation->outputs[i].id, needed, n);
  return VIVOGRAPH_OK;
}

int
vivograph_work_plane (VivographWork *self, size_t i, VivographPlane *plane, VivographError *error)
{
  VgPlane found;
  int status = find_plane (self, i, G_MAXSIZE, &found, error);

  if (status != VIVOGRAPH_OK)
    return status;
  *plane = (VivographPlane){ .width = found.width,
                             .height = found.height,
                             .slices = MAX (found.slices, 1),
                             .origin = { found.origin[0], found.origin[1] },
                             .pixel_size = { found.pixel_size[0], found.pixel_size[1] } };
  g_strlcpy (plane->unit, found.unit, sizeof plane->unit);
  return VIVOGRAPH_OK;
}

int
vivograph_work_read_device (VivographWork *self, size_t i, float *values, size_t n,
                            VivographError *error)
{
  GError *failure = NULL;
  VgPlane plane;
  int status = find_plane (self, i, n, &plane, error);

  if (status != VIVOGRAPH_OK)
    return status;
  if (vg_work_get_cuda (self->work) == NULL || plane.place != VG_DEVICE)
    return vg_library_fail (error, VIVOGRAPH_ERROR_DEVICE,
                            "%s is in host memory, because the work computes on the CPU; read it "
                            "with vivograph_work_read",
                            self->operation->outputs[i].id);
  return vg_work_get_cuda (self->work)->download (&plane, values, &failure)
             ? VIVOGRAPH_OK
             : vg_library_fail_with (self->operation, error, failure);
}

int
vivograph_work_read (VivographWork *self, size_t i, float *values, size_t n, VivographError *error)
{
  GError *failure = NULL;
  VgPlane plane;
  int status = find_plane (self, i, n, &plane, error);

  if (status == VIVOGRAPH_OK && values == NULL)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE, "give an array for the samples");
  if (status != VIVOGRAPH_OK || vg_work_copy_plane (self->work, &plane, values, &failure))
    return status;
  return fail_to_read (self, i, failure, error);
}

/* Adds the present maps to STACK. */
static int
add_maps (VivographWork *self, VivographStack *stack, VivographError *error)
{
  float *next = stack->values;
  int status = VIVOGRAPH_OK;

  if (stack->count >= stack->most)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "there is no room for the maps of a further frame; give more room");
  for (size_t k = 0; k < stack->n && status >= 0; k++)
    {
      float *first = stack->maps != NULL ? stack->maps[k] : next;
      float *values = first + (size_t) stack->count * stack->rooms[k];

      next = stack->maps == NULL ? first + (size_t) stack->most * stack->rooms[k] : NULL;
      status = vivograph_work_read (self, stack->outputs[k], values, stack->rooms[k], error);
      for (size_t i = 0; i < stack->rooms[k] && status == VIVOGRAPH_NONE; i++)
        values[i] = NAN;
    }
  if (status < 0)
    return status;
  if (stack->frames != NULL)
    stack->frames[stack->count] = vivograph_work_frame (self);
  stack->count++;
  return VIVOGRAPH_OK;
}

int
vivograph_work_gather (VivographWork *self, VivographStack *stack, VivographError *error)
{
  gint64 end = g_get_monotonic_time () + (gint64) (VG_LIBRARY_STEP_S * G_USEC_PER_SEC);
  int status;

  if (stack->size != sizeof *stack)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "VivographStack.size is %" G_GSIZE_FORMAT ", not %" G_GSIZE_FORMAT
                            "; set it to sizeof (VivographStack) and compile for this version",
                            stack->size, sizeof *stack);
  if (stack->n > 0 && stack->maps == NULL && stack->values == NULL)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "VivographStack has no memory for the maps; set its maps or values");
  do
    {
      status = vivograph_work_step (self, error);
      if (status == VIVOGRAPH_MAPS ||
          (status == VIVOGRAPH_DONE && self->operation->input.kind != VG_INPUT_STREAM))
        {
          int added = add_maps (self, stack, error);

          if (added < 0)
            return added;
          if (status == VIVOGRAPH_MAPS && stack->count == stack->most &&
              self->next < self->input.info.frames)
            return VIVOGRAPH_MAPS;
        }
    }
  while (status > VIVOGRAPH_DONE && g_get_monotonic_time () < end);
  return status == VIVOGRAPH_MAPS ? VIVOGRAPH_MORE : status;
}

int
vivograph_work_text (VivographWork *self, size_t i, const char **text, VivographError *error)
{
  int threads, status = check_output (self, i, TRUE, error);
  g_autofree char *file = NULL;
  GError *failure = NULL;

  *text = NULL;
  if (status < 0)
    return status;
  if (!vg_operation_output_is_shown (self->operation, (guint) i, vg_work_get_params (self->work)))
    return VIVOGRAPH_NONE;
  g_free (self->text);
  threads = vg_library_limit_threads (self);
  self->text = vg_work_text (self->work, (guint) i, &file, &failure);
  vg_library_put_threads_back (threads);
  *text = self->text;
  return self->text != NULL ? VIVOGRAPH_OK : vg_library_fail_with (self->operation, error, failure);
}

const char *
vivograph_work_unit (VivographWork *self, size_t i)
{
  const void *params;

  if (self == NULL)
    return "";
  params = self->started ? vg_work_get_params (self->work) : self->params;
  return i < self->operation->n_outputs
             ? vg_operation_output_unit (self->operation, (guint) i, params)
             : "";
}

int
vivograph_work_metrics (VivographWork *self, VivographMetric *metrics, size_t room, size_t *n,
                        VivographError *error)
{
  GError *failure = NULL;
  int threads, status = vg_library_check_work (self, error);

  *n = 0;
  if (status < 0)
    return status;
  if (!has_maps (self))
    return VIVOGRAPH_NONE;
  g_clear_pointer (&self->metrics, vg_metrics_free);
  threads = vg_library_limit_threads (self);
  self->metrics = vg_work_results (self->work, &failure);
  vg_library_put_threads_back (threads);
  if (self->metrics == NULL)
    return vg_library_fail_with (self->operation, error, failure);
  *n = self->metrics->items->len;
  for (size_t i = 0; i < MIN (*n, room); i++)
    {
      VgMetric *found = &g_array_index (self->metrics->items, VgMetric, i);

      if (found->advice != NULL)
        {
          g_autofree char *advice = found->advice;

          found->advice = vg_named_param_use_ids (&self->operation->params, advice);
        }
      metrics[i] = (VivographMetric){ .id = found->id,
                                      .label = found->label != NULL ? found->label : "",
                                      .unit = found->unit != NULL ? found->unit : "",
                                      .value = found->value,
                                      .advice = found->advice,
                                      .grave = found->advice != NULL &&
                                               (found->flags & VG_NUMBER_GRAVE) != 0 };
    }
  return VIVOGRAPH_OK;
}
