/* SPDX-License-Identifier: MIT */
/* Outlines from the GPU: by interop and by way of the host they give the same
 * picture while the work evolves, at more than a screen's rate.  The outlines
 * are those of some operation's CUDA engine on its own synthetic data. */
#include <string.h>
#include "render/vg-renderer.h"
#include "tests/support/ui/gl-fixture.h"

enum { SIDE = 1024, RESULTS_PER_S = 60 };

typedef struct
{
  const VgCuda *cuda;
  const VgEngine *engine;
  gpointer state;
  VgImage *image;
  void *params;
  const VgOperation *operation;
} Work;

static const VgOperation *
find_operation (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    if (operations[i]->input.kind == VG_INPUT_DATASET && operations[i]->synthetic != NULL &&
        vg_cuda_engine (operations[i]) != NULL && vg_cuda_engine (operations[i])->objects != NULL)
      return operations[i];
  return NULL;
}

/* Work that does not end by itself while it is looked at. */
static void
set_number (Work *self, const char *id, double value)
{
  const VgParam *param = vg_params_find (&self->operation->params, id);

  if (param != NULL)
    vg_param_set_number (param, self->params, value);
}

static void
work_open (Work *self, int device)
{
  VgSyntheticSize size = { SIDE, SIDE, 1, 5 };
  VgContext context = { .devices = &device, .n_devices = 1 };
  VgImageInfo info;
  g_autoptr (GError) error = NULL;
  gpointer source;

  self->params = vg_params_new (&self->operation->params);
  set_number (self, "iterations", 100000);
  set_number (self, "tolerance_px", 0);
  source = self->operation->synthetic->open (self->params, &size, &info, &error);
  g_assert_no_error (error);
  self->image = vg_image_new (&info, "synthetic", &error);
  g_assert_no_error (error);
  g_assert_true (self->operation->synthetic->read (source, 0, self->image->data, &error));
  self->operation->synthetic->close (source);
  context.params = self->params;
  context.info = &self->image->info;
  context.image = self->image;
  self->engine = vg_cuda_engine (self->operation);
  self->state = self->engine->prepare (&context, &error);
  g_assert_no_error (error);
}

static void
work_close (Work *self)
{
  self->engine->free (self->state);
  vg_image_unref (self->image);
  vg_params_free (&self->operation->params, self->params);
}

static VgScene
make_scene (void)
{
  return (VgScene){
    .coloring = { .colormap = vg_colormap_find ("gray"), .low = 0, .high = 1000, .gamma = 1 },
    .zoom = 1,
    .center_x = SIDE / 2.0,
    .center_y = SIDE / 2.0,
    .outlines = TRUE,
    .outline_width = 1.5
  };
}

static guint8 *
picture_by (Work *work, VgDisplayPath path, gboolean with_outlines)
{
  VgScene scene = make_scene ();
  VgOutlines outlines;
  VgPlane plane;
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (path, work->cuda, &error);
  guint8 *rgba;

  g_assert_no_error (error);
  g_assert_true (
      work->engine->output (work->state, work->operation->view.first_output, &plane, NULL));
  g_assert_true (vg_renderer_upload (renderer, 0, &plane, 0, &error));
  g_assert_true (work->engine->objects->outlines (work->state, &outlines, NULL));
  g_assert_cmpint (outlines.values.place, ==, VG_DEVICE);
  g_assert_cmpuint (outlines.n, >, 0);
  if (with_outlines)
    g_assert_true (vg_renderer_set_outlines (renderer, &outlines, &error));
  g_assert_no_error (error);
  g_assert_cmpint (vg_renderer_get_path (renderer), ==, path);
  rgba = gl_try_capture (renderer, &scene, SIDE, SIDE, &error);
  g_assert_no_error (error);
  vg_renderer_free (renderer);
  return rgba;
}

static void
test_same (gconstpointer data)
{
  Work *work = (Work *) data;

  for (int i = 0; i < 3; i++)
    {
      g_autofree guint8 *interop = picture_by (work, VG_DISPLAY_INTEROP, TRUE),
                        *host = picture_by (work, VG_DISPLAY_HOST, TRUE);
      g_autofree guint8 *bare = picture_by (work, VG_DISPLAY_HOST, FALSE);
      guint inked = 0;

      g_assert_cmpmem (interop, SIDE * SIDE * 4, host, SIDE * SIDE * 4);
      for (int k = 0; k < SIDE * SIDE; k++)
        inked += memcmp (host + 4 * k, bare + 4 * k, 4) != 0;
      g_assert_cmpuint (inked, >, SIDE * SIDE / 100);
      work->engine->step (work->state, 0.002, NULL);
    }
}

/* As the window does: a step, copies of the plane and the outlines into
 * buffers of their own, those into GL, a picture; waited for. */
static void
test_rate (gconstpointer data)
{
  Work *work = (Work *) data;
  VgScene scene = make_scene ();
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (VG_DISPLAY_INTEROP, work->cuda, &error);
  VgCudaPlane *stored[2] = { work->cuda->plane_new (0, &error), work->cuda->plane_new (0, &error) };
  gint64 start, shown_us = 0, steps_us = 0, copies_us = 0;
  int pictures = 0;
  guint n = 0;
  gsize samples = 0;

  g_assert_no_error (error);
  start = g_get_monotonic_time ();
  while (pictures == 0 || g_get_monotonic_time () - start < G_USEC_PER_SEC / 2)
    {
      gint64 a = g_get_monotonic_time (), b, c;
      VgOutlines outlines;
      VgPlane plane;
      g_autofree guint8 *rgba = NULL;

      if (work->engine->step (work->state, 1.0 / RESULTS_PER_S, &error) == VG_STEP_DONE)
        break;
      b = g_get_monotonic_time ();
      g_assert_true (
          work->engine->output (work->state, work->operation->view.first_output, &plane, NULL));
      g_assert_true (work->cuda->plane_store (stored[0], &plane, &error));
      g_assert_true (work->engine->objects->outlines (work->state, &outlines, NULL));
      g_assert_true (work->cuda->plane_store (stored[1], &outlines.values, &error));
      work->cuda->plane_get (stored[0], &plane);
      work->cuda->plane_get (stored[1], &outlines.values);
      c = g_get_monotonic_time ();
      g_assert_true (vg_renderer_upload (renderer, 0, &plane, 0, &error));
      g_assert_true (vg_renderer_set_outlines (renderer, &outlines, &error));
      /* reads back, so it has been drawn */
      rgba = gl_try_capture (renderer, &scene, SIDE, SIDE, &error);
      g_assert_nonnull (rgba);
      pictures++;
      n = outlines.n;
      samples = (gsize) outlines.values.width;
      steps_us += b - a;
      copies_us += c - b;
      shown_us += g_get_monotonic_time () - c;
    }
  g_test_message ("%u objects, %.1f MB of samples: %d pictures; step %.2f ms, copies %.3f ms, to "
                  "GL, draw and read back %.2f ms",
                  n, (double) samples * 4e-6, pictures, steps_us * 1e-3 / MAX (pictures, 1),
                  copies_us * 1e-3 / MAX (pictures, 1), shown_us * 1e-3 / MAX (pictures, 1));
  g_assert_cmpint (pictures, >, 0);
  for (int i = 0; i < 2; i++)
    work->cuda->plane_free (stored[i]);
  vg_renderer_free (renderer);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  const char *reason = NULL;
  Work work = { .cuda = vg_cuda_get (&reason), .operation = find_operation () };
  VgHeadless *headless = vg_headless_new (&error);
  int device = -1, status;

  g_test_init (&argc, &argv, NULL);
  if (headless != NULL && work.cuda != NULL)
    device = work.cuda->gl_device (&error);
  if (device < 0 || work.operation == NULL)
    {
      g_print ("1..0 # SKIP %s\n", error != NULL    ? error->message
                                   : reason != NULL ? reason
                                                    : "no engine on the GPU");
      vg_headless_free (headless);
      return 77;
    }
  work_open (&work, device);
  g_test_add_data_func ("/gl/outlines-interop/same", &work, test_same);
  g_test_add_data_func ("/gl/outlines-interop/rate", &work, test_rate);
  status = g_test_run ();
  work_close (&work);
  vg_headless_free (headless);
  return status;
}
