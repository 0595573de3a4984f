/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/kernels/flow/support/flow-fixture.h"
#include "kernels/core/vg-cuda.h"
/* Updates settings in random order, with and without steps between, and compares every output bit
 * for bit with a new engine state that has the last settings and the frames of the last window. */

/* Output I on the host; NULL: the engine gives none. CUDA NULL: planes are there already. */
static inline float *
flow_update_fetch (const FlowFixture *self, const VgCuda *cuda, guint i)
{
  g_autoptr (GError) error = NULL;
  VgPlane plane;
  gsize n;
  float *map;

  if (!self->engine->output (self->state, i, &plane, NULL))
    return NULL;
  n = (gsize) plane.width * (gsize) plane.height;
  map = g_new (float, n);
  if (plane.place == VG_HOST)
    memcpy (map, plane.data, n * sizeof (float));
  else
    g_assert_true (cuda->download (&plane, map, &error));
  g_assert_no_error (error);
  return map;
}

static inline void
flow_update_compare (const FlowFixture *changed, const FlowFixture *fresh, const VgCuda *cuda)
{
  gsize n = (gsize) fresh->info.width * (gsize) fresh->info.height;

  for (guint i = 0; i < VG_FLOW_N_OUTPUTS; i++)
    {
      g_autofree float *a = flow_update_fetch (changed, cuda, i),
                       *b = flow_update_fetch (fresh, cuda, i);

      /* with one frame only, the new state has no pair of frames */
      if (i == VG_FLOW_OUTPUT_STATIC_FRACTION && b == NULL)
        continue;
      g_assert_true ((a != NULL && b != NULL) ||
                     !vg_operation_output_is_shown (&vg_flow_operation, i, fresh->params) ||
                     vg_flow_operation.outputs[i].kind == VG_OUTPUT_TEXT);
      if (a == NULL || b == NULL)
        continue;
      for (gsize k = 0; k < n; k++)
        if (isnan (a[k]) ? !isnan (b[k]) : memcmp (&a[k], &b[k], sizeof (float)) != 0)
          g_error ("output %u at %" G_GSIZE_FORMAT
                   " is %.9g after changes, %.9g from a fresh state",
                   i, k, (double) a[k], (double) b[k]);
    }
}

/* Rarely the measured one, as its table takes a good part of a second. */
static inline int
flow_update_static (void)
{
  static const VgFlowStatic kinds[] = { VG_FLOW_STATIC_NONE, VG_FLOW_STATIC_GLOBAL };

  return g_test_rand_int_range (0, 12) == 0 ? VG_FLOW_STATIC_MEASURED
                                            : kinds[g_test_rand_int_range (0, 2)];
}

static inline void
flow_update_settings (VgFlowParams *p)
{
  p->method = g_test_rand_int_range (0, 3);
  p->radius = g_test_rand_int_range (1, 10);
  p->frames = g_test_rand_int_range (2, 6);
  p->average = g_test_rand_bit () ? 1 : 3;
  p->model = g_test_rand_int_range (0, 4);
  p->static_scattering = flow_update_static ();
  p->nonfinite = VG_FLOW_NONFINITE_MASK;
}

static inline void
flow_update_change (VgFlowParams *p)
{
  switch (g_test_rand_int_range (0, 15))
    {
    case 0:
      p->radius = g_test_rand_int_range (1, 12);
      break;
    case 1:
      p->edges = !p->edges;
      break;
    case 2:
      p->exposure_ms = (float) g_test_rand_double_range (1, 20);
      break;
    case 3:
      p->model = g_test_rand_int_range (0, 4);
      break;
    case 4:
      p->beta = (float) g_test_rand_double_range (0.3, 1);
      break;
    case 5:
      p->static_scattering = flow_update_static ();
      break;
    case 6:
      p->dynamic_fraction = (float) g_test_rand_double_range (0.3, 1);
      break;
    case 7:
      p->dark_level = (float) g_test_rand_int_range (0, 4) * (g_test_rand_bit () ? 5.0f : 4.3f);
      break;
    case 8:
      p->gain_dn_per_e = p->gain_dn_per_e > 0 ? 0 : 0.3f;
      break;
    case 9:
      p->read_noise_dn = (float) g_test_rand_int_range (0, 3);
      break;
    case 10:
      p->quantisation = !p->quantisation;
      break;
    case 11:
      p->mask_saturated = !p->mask_saturated;
      break;
    case 12:
      p->saturation_level = g_test_rand_bit () ? 0 : 240;
      break;
    case 13:
      p->window_bias = !p->window_bias;
      break;
    default:
      p->set_baseline++;
      break;
    }
}

/* Sends the last COUNT frames to a new state. */
static inline void
flow_update_start (FlowFixture *self, GPtrArray *frames, guint count)
{
  flow_fixture_prepare (self);
  for (guint i = frames->len - count; i < frames->len; i++)
    flow_fixture_run (self, frames->pdata[i]);
}

static inline void
flow_update_step (FlowFixture *self)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (self->engine->step (self->state, 1.0, &error), ==, VG_STEP_DONE);
  g_assert_no_error (error);
}

static inline GPtrArray *
flow_update_frames (const VgImageInfo *info, guint n)
{
  GPtrArray *frames = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  gsize pixels = (gsize) info->width * (gsize) info->height;

  for (guint i = 0; i < n; i++)
    {
      gpointer data = g_malloc (vg_image_info_frame_bytes (info));

      flow_random (info->type, data, pixels, 255.0, rand);
      if (info->type == VG_F32 && i % 3 == 0)
        ((float *) data)[g_rand_int_range (rand, 0, (gint32) pixels)] = NAN;
      g_ptr_array_add (frames, data);
    }
  return frames;
}

static inline void
flow_update_round (const VgEngine *engine, const VgCuda *cuda, VgType type, int width, int height)
{
  enum { FRAMES = 12, CHANGES = 8 };
  FlowFixture changed, fresh;
  g_autoptr (GPtrArray) frames = NULL;

  flow_fixture_init (&changed, type, width, height, 8);
  flow_fixture_init (&fresh, type, width, height, 8);
  changed.engine = fresh.engine = engine;
  frames = flow_update_frames (&changed.info, FRAMES);
  flow_update_settings (changed.params);
  flow_update_start (&changed, frames, FRAMES);
  for (int i = 0; i < CHANGES; i++)
    {
      flow_update_change (changed.params);
      /* the baseline of a new state is its only map */
      changed.params->set_baseline += i == CHANGES - 1;
      if (!engine->update (changed.state, changed.params))
        flow_update_start (&changed, frames,
                           vg_operation_get_history (&vg_flow_operation, changed.params) + 1);
      if (g_test_rand_bit ())
        flow_update_step (&changed);
      if (g_test_rand_bit ())
        g_free (flow_update_fetch (&changed, cuda, g_test_rand_int_range (0, VG_FLOW_N_OUTPUTS)));
    }
  flow_update_step (&changed);
  *fresh.params = *changed.params;
  flow_update_start (&fresh, frames,
                     vg_operation_get_history (&vg_flow_operation, fresh.params) + 1);
  flow_update_compare (&changed, &fresh, cuda);
  flow_fixture_clear (&changed);
  flow_fixture_clear (&fresh);
}

static inline void
flow_update_check (const VgEngine *engine, const VgCuda *cuda, int rounds)
{
  static const VgType types[] = { VG_U8, VG_U16, VG_U32, VG_F32 };
  static const int sizes[][2] = { { 1, 1 }, { 63, 1 }, { 37, 23 }, { 160, 48 } };

  for (int i = 0; i < rounds; i++)
    {
      VgType type = types[g_test_rand_int_range (0, G_N_ELEMENTS (types))];
      const int *size = sizes[g_test_rand_int_range (0, G_N_ELEMENTS (sizes))];

      flow_update_round (engine, cuda, type, size[0], size[1]);
    }
}
