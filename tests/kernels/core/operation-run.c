/* SPDX-License-Identifier: MIT */
/* Input for an operation of any kind, and an engine driven step by step. */
#include "tests/kernels/core/operation-run.h"
#include <math.h>
#include <string.h>

enum { MAX_STEPS = 200000 };

typedef struct
{
  VgFrame frame;
  Input *input;
} OwnFrame;

gpointer
default_params (const VgOperation *operation, int width, int height)
{
  VgSyntheticSize size = { width, height, 1, 1 };
  gpointer params = vg_params_new (&operation->params);

  if (operation->synthetic != NULL && operation->synthetic->settings != NULL)
    operation->synthetic->settings (&size, params);
  return params;
}

void
free_params (const VgOperation *operation, gpointer params)
{
  vg_params_free (&operation->params, params);
}

static void
release_frame (VgFrame *frame)
{
  OwnFrame *own = (OwnFrame *) frame;

  own->input->frames_alive--;
  g_free (frame->data);
  g_free (own);
}

static void
fill_random (const Input *self, gint64 index, guint16 *samples)
{
  guint32 seed[] = { self->seed, (guint32) index };
  GRand *rand = g_rand_new_with_seed_array (seed, G_N_ELEMENTS (seed));
  gsize n = vg_image_info_frame_bytes (&self->info) / sizeof *samples;

  for (gsize i = 0; i < n; i++)
    samples[i] = (guint16) g_rand_int_range (rand, 100, 4000);
  g_rand_free (rand);
}

static void
read_frame (const Input *self, gint64 index, void *data)
{
  gpointer *kept;

  if (self->synthetic == NULL)
    {
      fill_random (self, index, data);
      return;
    }
  kept = &self->read->pdata[index % self->frames];
  if (*kept == NULL)
    {
      g_autoptr (GError) error = NULL;

      *kept = g_malloc (vg_image_info_frame_bytes (&self->info));
      self->operation->synthetic->read (self->synthetic, index % self->frames, *kept, &error);
      g_assert_no_error (error);
    }
  memcpy (data, *kept, vg_image_info_frame_bytes (&self->info));
}

static VgFrame *
make_frame (Input *self, gint64 index)
{
  OwnFrame *own = g_new0 (OwnFrame, 1);
  VgFrame *frame = &own->frame;

  own->input = self;
  self->frames_alive++;
  frame->info = &self->info;
  frame->data = g_malloc (vg_image_info_frame_bytes (&self->info));
  frame->id = (guint64) index;
  frame->index = index;
  frame->time_us = g_get_monotonic_time ();
  frame->time_s = (double) index *
                  (self->info.frame_interval_s > 0 ? self->info.frame_interval_s : 0.01);
  frame->release = release_frame;
  g_atomic_ref_count_init (&frame->ref_count);
  read_frame (self, index, frame->data);
  return frame;
}

static void
hold_whole (Input *self)
{
  VgImageInfo info = self->info;
  gsize bytes = vg_image_info_frame_bytes (&info);
  g_autoptr (GError) error = NULL;

  info.frames = self->frames;
  self->image = vg_image_new (&info, "test data", &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < self->frames; i++)
    read_frame (self, i, (guint8 *) self->image->data + (gsize) i * bytes);
}

gint64
run_count_frames (const VgOperation *operation, const void *params)
{
  if (operation->input.kind == VG_INPUT_STREAM)
    return vg_operation_get_history (operation, params) + 4;
  return operation->synthetic != NULL ? MAX (operation->synthetic->batch.frames, 1) : 1;
}

Input *
input_new (const VgOperation *operation, const void *params, int width, int height, guint64 seed)
{
  Input *self = g_new0 (Input, 1);

  self->operation = operation;
  self->seed = (guint32) seed;
  self->frames = run_count_frames (operation, params);
  self->info = (VgImageInfo){
    .type = VG_U16,
    .width = width,
    .height = height,
    .channels = vg_input_spec_has_color (&operation->input) ? 3 : 1,
    .bins = 1,
    .slices = 1,
    .frames = self->frames,
    .significant_bits = 12,
  };
  if (operation->input.kind == VG_INPUT_NONE)
    return self;
  if (operation->synthetic != NULL)
    {
      VgSyntheticSize size = { width, height, self->frames, seed };
      g_autoptr (GError) error = NULL;

      self->synthetic = operation->synthetic->open (params, &size, &self->info, &error);
      g_assert_no_error (error);
      g_assert_nonnull (self->synthetic);
      self->read = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_set_size (self->read, (int) self->frames);
      g_assert_cmpuint (vg_image_info_frame_bytes (&self->info), >, 0);
    }
  if (operation->input.kind == VG_INPUT_DATASET)
    hold_whole (self);
  return self;
}

void
input_free (Input *self)
{
  if (self->synthetic != NULL)
    self->operation->synthetic->close (self->synthetic);
  g_clear_pointer (&self->image, vg_image_unref);
  g_clear_pointer (&self->read, g_ptr_array_unref);
  /* an engine that is gone has given every frame back */
  g_assert_cmpint (self->frames_alive, ==, 0);
  g_free (self);
}

Run *
run_new (const VgEngine *engine, Input *input, const void *params, int threads, GError **error)
{
  static const int devices[] = { 0 };
  VgContext context = {
    .params = params, .image = input->image, .threads = threads, .devices = devices, .n_devices = 1
  };
  GError *local = NULL;
  gpointer state;
  Run *self;

  if (input->operation->input.kind != VG_INPUT_NONE)
    context.info = &input->info;
  state = engine->prepare (&context, &local);
  g_assert_true ((state == NULL) == (local != NULL));
  if (state == NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  self = g_new0 (Run, 1);
  self->engine = engine;
  self->input = input;
  self->state = state;
  self->frames = run_count_frames (input->operation, params);
  self->last = VG_STEP_DONE;
  return self;
}

gboolean
run_advance (Run *self)
{
  gboolean stream = self->input->operation->input.kind == VG_INPUT_STREAM;
  gboolean finished = stream ? self->next >= self->frames : self->steps > 0;
  GError *error = NULL;

  if (self->last != VG_STEP_MORE)
    {
      if (finished)
        return FALSE;
      if (stream)
        {
          g_autoptr (VgFrame) frame = make_frame (self->input, self->next++);

          self->engine->feed (self->state, frame, &error);
          g_assert_no_error (error);
        }
    }
  self->last = self->engine->step (self->state, 0.005, &error);
  g_assert_no_error (error);
  g_assert_cmpint (self->last, !=, VG_STEP_FAILED);
  g_assert_true (stream || self->last != VG_STEP_WAIT);
  g_assert_cmpint (++self->steps, <, MAX_STEPS);
  self->maps += self->last == VG_STEP_DONE;
  return TRUE;
}

void
run_finish (Run *self)
{
  while (run_advance (self))
    ;
  g_assert_cmpint (self->maps, >, 0);
  g_assert_cmpint (self->last, ==, VG_STEP_DONE);
}

void
run_free (Run *self)
{
  self->engine->free (self->state);
  g_free (self);
}

static gsize
plane_samples (const VgPlane *plane)
{
  return (gsize) plane->width * (gsize) plane->height * (gsize) plane->slices;
}

static void
check_samples (const VgOutput *output, const float *values, gsize n)
{
  guint8 poison[sizeof (float)];

  memset (poison, POISON, sizeof poison);
  for (gsize i = 0; i < n; i++)
    {
      if (memcmp (&values[i], poison, sizeof poison) == 0)
        g_error ("output %s: sample %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " was never written",
                 output->id, i, n);
      if (output->kind == VG_OUTPUT_LABELS)
        g_assert_true (values[i] >= 0 && values[i] == floorf (values[i]));
    }
}

static void
read_plane (Run *self, const VgCuda *cuda, guint i, VgPlane *copy)
{
  const VgOutput *output = &self->input->operation->outputs[i];
  VgPlane plane = { 0 };
  g_autoptr (GError) error = NULL;
  float *values;

  copy->data = NULL;
  if (output->kind == VG_OUTPUT_TEXT)
    return;
  if (!self->engine->output (self->state, i, &plane, NULL))
    return;
  g_assert_true (plane.data != NULL && plane.width > 0 && plane.height > 0 && plane.slices > 0);
  g_assert_cmpint (plane.place, ==, cuda != NULL ? VG_DEVICE : VG_HOST);
  g_assert_nonnull (memchr (plane.unit, '\0', sizeof plane.unit));
  values = g_new (float, plane_samples (&plane));
  if (cuda != NULL)
    {
      cuda->download (&plane, values, &error);
      g_assert_no_error (error);
    }
  else
    memcpy (values, plane.data, sizeof (float) * plane_samples (&plane));
  check_samples (output, values, plane_samples (&plane));
  *copy = plane;
  copy->data = values;
}

Maps *
run_read (Run *self, const VgCuda *cuda, gboolean backwards)
{
  Maps *maps = g_new0 (Maps, 1);

  maps->n = self->input->operation->n_outputs;
  maps->planes = g_new0 (VgPlane, MAX (maps->n, 1));
  for (guint k = 0; k < maps->n; k++)
    {
      guint i = backwards ? maps->n - 1 - k : k;

      read_plane (self, cuda, i, &maps->planes[i]);
    }
  return maps;
}

void
maps_free (Maps *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free ((float *) self->planes[i].data);
  g_free (self->planes);
  g_free (self);
}

double
maps_difference (const Maps *maps, const Maps *others, guint output)
{
  const VgPlane *a = &maps->planes[output], *b = &others->planes[output];
  double worst = 0;

  if (a->data == NULL || b->data == NULL)
    return a->data == b->data ? 0 : INFINITY;
  if (a->width != b->width || a->height != b->height || a->slices != b->slices)
    return INFINITY;
  for (gsize i = 0; i < plane_samples (a); i++)
    {
      double x = a->data[i], y = b->data[i];

      if (x == y || (isnan (x) && isnan (y)))
        continue;
      if (!isfinite (x) || !isfinite (y))
        return INFINITY;
      worst = MAX (worst, fabs (x - y) / MAX (fabs (x), fabs (y)));
    }
  return worst;
}

double
maps_compare (const Maps *a, const Maps *b, guint n, guint *where)
{
  double worst = 0;

  *where = 0;
  for (guint i = 0; i < n; i++)
    {
      double difference = maps_difference (a, b, i);

      if (difference > worst)
        {
          worst = difference;
          *where = i;
        }
    }
  return worst;
}

static double
share_of_plane (const VgPlane *a, const VgPlane *b, double tolerance)
{
  gsize n = a->data != NULL ? plane_samples (a) : 0, differ = 0;

  if (a->data == NULL || b->data == NULL || n != plane_samples (b))
    return a->data == b->data ? 0 : 1;
  for (gsize i = 0; i < n; i++)
    {
      double x = a->data[i], y = b->data[i];

      differ += !(x == y || (isnan (x) && isnan (y)) ||
                  fabs (x - y) <= tolerance * MAX (fabs (x), fabs (y)));
    }
  return n > 0 ? (double) differ / (double) n : 0;
}

double
maps_share (const Maps *a, const Maps *b, guint n, double tolerance, guint *where)
{
  double worst = 0;

  *where = 0;
  for (guint i = 0; i < n; i++)
    {
      double share = share_of_plane (&a->planes[i], &b->planes[i], tolerance);

      if (share > worst)
        {
          worst = share;
          *where = i;
        }
    }
  return worst;
}
