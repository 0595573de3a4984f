/* SPDX-License-Identifier: MIT */
/* The estimate of memory, compared with what the CPU engine allocates, and with the arrays of the
 * CUDA engine. */
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include "tests/support/sanitized.h"
#include <malloc.h>

enum { WIDTH = 181, HEIGHT = 149, SLICES = 2, BINS = 48, PIXELS = WIDTH * HEIGHT };

typedef struct
{
  const char *name;
  int method, sharing, bin, filter;
} Case;

static const Case cases[] = {
  { "phasor", VG_LIFETIME_PHASOR, VG_LIFETIME_SHARE_NONE, 0, VG_LIFETIME_FILTER_NONE },
  { "phasor-filtered", VG_LIFETIME_PHASOR, VG_LIFETIME_SHARE_NONE, 1, VG_LIFETIME_FILTER_MEDIAN },
  { "rld-binned", VG_LIFETIME_RLD, VG_LIFETIME_SHARE_NONE, 2, VG_LIFETIME_FILTER_NONE },
  { "mle", VG_LIFETIME_MLE, VG_LIFETIME_SHARE_NONE, 0, VG_LIFETIME_FILTER_NONE },
  { "mle-binned", VG_LIFETIME_MLE_TWO, VG_LIFETIME_SHARE_NONE, 1, VG_LIFETIME_FILTER_NONE },
  { "lsm-segments", VG_LIFETIME_LSM_TWO, VG_LIFETIME_SHARE_SEGMENT, 0, VG_LIFETIME_FILTER_NONE },
  { "global", VG_LIFETIME_MLE_TWO, VG_LIFETIME_SHARE_IMAGE, 0, VG_LIFETIME_FILTER_NONE },
  { "global-binned", VG_LIFETIME_MLE_THREE, VG_LIFETIME_SHARE_IMAGE, 1, VG_LIFETIME_FILTER_NONE },
};

static void
start (LifetimeFixture *self, const Case *c)
{
  lifetime_init (self, VG_U16, WIDTH, HEIGHT, BINS, 0.2);
  self->info.slices = SLICES;
  self->params->method = c->method;
  self->params->sharing = c->sharing;
  self->params->bin = c->bin;
  self->params->phasor_filter = c->filter;
}

static guint16 *
make_cube (void)
{
  guint16 *cube = g_new (guint16, SLICES * BINS * PIXELS);

  for (int i = 0; i < SLICES * BINS * PIXELS; i++)
    cube[i] = (guint16) (100 * exp (-0.1 * (i / PIXELS % BINS)) + i % 3);
  return cube;
}

static gsize
allocated (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

/* The most that the engine holds, in bytes: after `prepare`, and between the steps of a frame. */
static gsize
most_allocated (LifetimeFixture *self)
{
  gsize before = allocated (), prepared, most, fed;
  VgFrame *frame = g_new0 (VgFrame, 1);
  VgStep step;

  lifetime_prepare_with (self, NULL, 0);
  prepared = most = allocated () - before;
  frame->info = &self->info;
  frame->data = make_cube ();
  frame->release = lifetime_frame_release;
  g_atomic_ref_count_init (&frame->ref_count);
  g_assert_true (self->engine->feed (self->state, frame, NULL));
  vg_frame_unref (frame);
  fed = allocated ();
  do
    {
      step = self->engine->step (self->state, 1e-6, NULL);
      most = MAX (most, prepared + MAX (allocated (), fed) - fed);
    }
  while (step == VG_STEP_MORE);
  g_assert_cmpint (step, ==, VG_STEP_DONE);
  return most;
}

static void
test_host (gconstpointer data)
{
  const gsize slack = 1 << 20; /* tables, and buffers that last for one call */
  LifetimeFixture run;
  gsize host, device, most;

  if (SANITIZED)
    {
      g_test_skip ("sanitizers replace the functions that allocate");
      return;
    }
  start (&run, data);
  vg_lifetime_operation.memory->estimate (run.params, &run.info, &host, &device);
  most = most_allocated (&run);
  g_test_message ("%.2f MB estimated, %.2f MB allocated", (double) host * 1e-6,
                  (double) most * 1e-6);
  g_assert_cmpuint (host + slack / 4, >, most);
  g_assert_cmpuint (host, <, most + most / 8 + slack);
  lifetime_clear (&run);
}

/* The large arrays of the CUDA engine, bytes for each pixel of all slices. */
static double
device_bytes (const Case *c)
{
  static const int fit_planes[] = { [VG_LIFETIME_MLE] = 5,
                                    [VG_LIFETIME_MLE_TWO] = 11,
                                    [VG_LIFETIME_LSM_TWO] = 11,
                                    [VG_LIFETIME_MLE_THREE] = 15 };
  gboolean fits = c->method >= 0 && c->method < (int) G_N_ELEMENTS (fit_planes) &&
                  fit_planes[c->method] > 0;
  double bytes = BINS * sizeof (guint16) + sizeof (float) * (VG_LIFETIME_N_SUMS + 3);

  if (c->filter == VG_LIFETIME_FILTER_MEDIAN) /* G and S, before and after */
    bytes += sizeof (float) * 4;
  if (!fits)
    return bytes;
  bytes += sizeof (float) * fit_planes[c->method] + 1;
  if (c->bin > 0) /* number of binned pixels, and the binned decays of one slice or of its part */
    bytes += sizeof (float) +
             sizeof (float) * BINS /
                 (double) (SLICES * (c->sharing == VG_LIFETIME_SHARE_IMAGE ? 1 : 16));
  return bytes;
}

static void
test_device (gconstpointer data)
{
  LifetimeFixture run;
  gsize host, device;
  double arrays = device_bytes (data) * SLICES * PIXELS;

  start (&run, data);
  vg_lifetime_operation.memory->estimate (run.params, &run.info, &host, &device);
  g_test_message ("%.2f MB estimated, arrays of %.2f MB", (double) device * 1e-6, arrays * 1e-6);
  g_assert_cmpfloat ((double) device, >=, arrays);
  g_assert_cmpfloat ((double) device, <, 1.15 * arrays + (1 << 21));
  lifetime_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *host = g_strconcat ("/lifetime/memory/host/", cases[i].name, NULL),
                      *device = g_strconcat ("/lifetime/memory/device/", cases[i].name, NULL);

      g_test_add_data_func (host, &cases[i], test_host);
      g_test_add_data_func (device, &cases[i], test_device);
    }
  return g_test_run ();
}
