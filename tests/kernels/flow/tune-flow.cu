/* SPDX-License-Identifier: MIT */
/* Tries the forms of the spatial kernel at three sizes and prints one line each:
 * microseconds a frame (graph replays), the ratio to the bytes that must move,
 * and the largest relative error of K and SFI against double.  Not installed;
 * what it finds goes into flow-spatial.cu and docs/performance.md.
 *
 *   tune-flow [REPLAYS]            exit status 77 without a GPU */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
#include "kernels/flow/contrast/flow-spatial.cuh"

static void
check (cudaError_t status, const char *call)
{
  if (status == cudaSuccess)
    return;
  fprintf (stderr, "%s: %s\n", call, cudaGetErrorString (status));
  exit (1);
}
#define CHECK(call) check ((call), #call)

enum { LAUNCHES = 50 };
static const double scale = 50.0;
static int replays = 15;
static double bandwidth;

typedef struct
{
  int width, height, bits;
  FlowSpatial p;
  std::vector<guint16> frame;
  std::vector<double> k, index; /* in double */
  cudaStream_t stream;
} Work;

typedef void (*Launch) (const FlowSpatial &p, cudaStream_t stream);

/* Median seconds of one launch. */
static double
time_launch (Launch launch, const FlowSpatial &p, cudaStream_t stream)
{
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaEvent_t begin, end;
  std::vector<float> all;

  CHECK (cudaEventCreate (&begin));
  CHECK (cudaEventCreate (&end));
  CHECK (cudaStreamBeginCapture (stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < LAUNCHES; i++)
    launch (p, stream);
  CHECK (cudaStreamEndCapture (stream, &graph));
  CHECK (cudaGraphInstantiate (&executable, graph, 0));
  for (int i = 0; i < replays + 3; i++)
    {
      float ms;
      CHECK (cudaEventRecord (begin, stream));
      CHECK (cudaGraphLaunch (executable, stream));
      CHECK (cudaEventRecord (end, stream));
      CHECK (cudaEventSynchronize (end));
      CHECK (cudaEventElapsedTime (&ms, begin, end));
      if (i >= 3)
        all.push_back (ms);
    }
  CHECK (cudaGraphExecDestroy (executable));
  CHECK (cudaGraphDestroy (graph));
  CHECK (cudaEventDestroy (begin));
  CHECK (cudaEventDestroy (end));
  std::sort (all.begin (), all.end ());
  return all[all.size () / 2] * 1e-3 / (double) LAUNCHES;
}

/* 5x5 in 64-bit integers, then double; running sums. */
static void
reference (Work *w)
{
  const int r = 2;
  std::vector<long long> s (w->width), q (w->width);

  w->k.resize (w->frame.size ());
  w->index.resize (w->frame.size ());
  for (int y = 0; y < w->height; y++)
    {
      int y0 = std::max (y - r, 0), y1 = std::min (y + r, w->height - 1);
      std::fill (s.begin (), s.end (), 0);
      std::fill (q.begin (), q.end (), 0);
      for (int j = y0; j <= y1; j++)
        for (int x = 0; x < w->width; x++)
          {
            long long v = w->frame[(size_t) j * w->width + x];
            s[x] += v;
            q[x] += v * v;
          }
      for (int x = 0; x < w->width; x++)
        {
          long long ss = 0, qq = 0;
          int x0 = std::max (x - r, 0), x1 = std::min (x + r, w->width - 1);
          for (int i = x0; i <= x1; i++)
            {
              ss += s[i];
              qq += q[i];
            }
          double n = (double) (x1 - x0 + 1) * (y1 - y0 + 1);
          double k2 = n * (double) ((long long) n * qq - ss * ss) /
                      ((n - 1) * (double) ss * (double) ss);
          w->k[(size_t) y * w->width + x] = sqrt (k2);
          w->index[(size_t) y * w->width + x] = scale / k2;
        }
    }
}

static double
worst_error (const float *device, const std::vector<double> &truth)
{
  std::vector<float> map (truth.size ());
  double worst = 0;

  CHECK (cudaMemcpy (map.data (), device, map.size () * sizeof (float), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < map.size (); i++)
    {
      double error = fabs (map[i] - truth[i]) / truth[i];
      worst = error > worst || error != error ? error : worst;
      if (worst != worst)
        return worst;
    }
  return worst;
}

static void
set_up (Work *w)
{
  FlowRing &ring = w->p.ring;
  gsize pixels = (gsize) w->width * w->height;
  guint8 *memory;
  std::mt19937 random (7);

  ring.type = VG_U16;
  ring.width = w->width;
  ring.height = w->height;
  ring.slots = 4;
  ring.pitch = ((gsize) w->width + 2 * FLOW_PAD - 1) / FLOW_PAD * FLOW_PAD * sizeof (guint16);
  ring.slot_bytes = ring.pitch * (w->height + 2 * FLOW_MARGIN);
  ring.saturation = HUGE_VAL;
  CHECK (cudaMalloc ((void **) &memory, ring.slot_bytes * ring.slots));
  CHECK (cudaMemset (memory, 0, ring.slot_bytes * ring.slots));
  ring.origin = memory + FLOW_MARGIN * ring.pitch;
  CHECK (cudaMalloc ((void **) &ring.counters,
                     (ring.slots + 1) * FLOW_COUNTERS * sizeof *ring.counters));
  CHECK (cudaMemset (ring.counters, 0, (ring.slots + 1) * FLOW_COUNTERS * sizeof *ring.counters));
  CHECK (cudaMalloc ((void **) &w->p.finish.contrast, pixels * sizeof (float)));
  CHECK (cudaMalloc ((void **) &w->p.finish.index, pixels * sizeof (float)));
  CHECK (cudaStreamCreateWithFlags (&w->stream, cudaStreamNonBlocking));
  w->p.finish.scale = scale;
  w->p.full_scale = w->p.saturation = 1u << w->bits;
  w->p.limit = w->bits < 16 ? flow_narrow_max (2) + 1 : w->p.full_scale;
  w->p.vectors = w->width % FLOW_COLUMNS == 0;
  flow_spatial_fill_factors (&w->p, 2);
  w->frame.resize (pixels);
  for (guint16 &v : w->frame)
    v = (guint16) (random () & ((1u << w->bits) - 1));
  CHECK (cudaMemcpy2D (ring.origin, ring.pitch, w->frame.data (), w->width * sizeof (guint16),
                       w->width * sizeof (guint16), w->height, cudaMemcpyHostToDevice));
  CHECK (cudaDeviceSynchronize ());
  reference (w);
}

static void
tear_down (Work *w)
{
  CHECK (cudaFree (w->p.ring.origin - FLOW_MARGIN * w->p.ring.pitch));
  CHECK (cudaFree (w->p.ring.counters));
  CHECK (cudaFree (w->p.finish.contrast));
  CHECK (cudaFree (w->p.finish.index));
  CHECK (cudaStreamDestroy (w->stream));
}

/* The same bytes without the window: what no form of the kernel can beat. */
template <int ROWS>
static __global__ void
floor_kernel (const __grid_constant__ FlowSpatial p)
{
  int x0 = (blockIdx.y * 32 + threadIdx.x) * FLOW_COLUMNS,
      y0 = (blockIdx.x * blockDim.y + threadIdx.y) * ROWS;

  if (x0 >= p.ring.width)
    return;
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    if (y0 + i < p.ring.height)
      {
        uint2 v = __ldg (
            (const uint2 *) (p.ring.origin + (y0 + i) * p.ring.pitch + x0 * sizeof (guint16)));
        gsize at = (gsize) (y0 + i) * p.ring.width + x0;
        *(float4 *) (p.finish.contrast + at) = make_float4 (v.x, v.y, v.x, v.y);
        *(float4 *) (p.finish.index + at) = make_float4 (v.y, v.x, v.y, v.x);
      }
}

static void
launch_floor (const FlowSpatial &p, cudaStream_t stream)
{
  dim3 grid ((p.ring.height - 1) / 16 + 1, (p.ring.width - 1) / (32 * FLOW_COLUMNS) + 1);

  floor_kernel<4><<<grid, dim3 (32, 4), 0, stream>>> (p);
}

static __global__ void
empty_kernel (void)
{
}

static void
launch_empty (const FlowSpatial &p, cudaStream_t stream)
{
  empty_kernel<<<1, 32, 0, stream>>> ();
}

typedef struct
{
  const char *name;
  Launch launch;
  gboolean narrow, checked;
} Variant;
/* clang-format off */
#define KEPT(rows, warps, blocks) \
  { "wide kept " #rows "x" #warps " min " #blocks, \
    flow_spatial_launch<guint16, 2, rows, false, true, warps, blocks>, FALSE, TRUE }
#define NARROW(rows, warps, blocks) \
  { "narrow kept " #rows "x" #warps " min " #blocks, \
    flow_spatial_launch<guint16, 2, rows, true, true, warps, blocks>, TRUE, TRUE }
#define ROLLING(rows, warps) \
  { "wide rolling " #rows "x" #warps, \
    flow_spatial_launch<guint16, 2, rows, false, false, warps, 1>, FALSE, TRUE }
/* clang-format on */
static const Variant variants[] = {
  { "empty kernel", launch_empty, FALSE, FALSE },
  { "floor: same bytes, no window", launch_floor, FALSE, FALSE },
  KEPT (4, 1, 24),
  KEPT (4, 2, 1),
  KEPT (4, 2, 10),
  KEPT (4, 2, 12),
  KEPT (4, 4, 6),
  KEPT (6, 2, 10),
  KEPT (8, 1, 16),
  KEPT (8, 2, 1),
  KEPT (8, 2, 8),
  KEPT (8, 2, 9),
  KEPT (8, 4, 4),
  KEPT (12, 2, 7),
  KEPT (16, 2, 7),
  ROLLING (8, 2),
  ROLLING (16, 2),
  ROLLING (16, 4),
  NARROW (4, 2, 1),
  NARROW (4, 2, 16),
  NARROW (4, 4, 8),
  NARROW (6, 2, 12),
  NARROW (8, 2, 10),
  NARROW (8, 2, 14),
  NARROW (12, 2, 8),
  NARROW (16, 2, 7),
};

static void
measure_bandwidth (void)
{
  const size_t bytes = (size_t) 1 << 30;
  cudaEvent_t begin, end;
  char *memory;

  CHECK (cudaMalloc ((void **) &memory, 2 * bytes));
  CHECK (cudaEventCreate (&begin));
  CHECK (cudaEventCreate (&end));
  for (int i = 0; i < 5; i++)
    {
      float ms;
      CHECK (cudaEventRecord (begin));
      CHECK (cudaMemcpyAsync (memory + bytes, memory, bytes, cudaMemcpyDeviceToDevice));
      CHECK (cudaEventRecord (end));
      CHECK (cudaEventSynchronize (end));
      CHECK (cudaEventElapsedTime (&ms, begin, end));
      bandwidth = std::max (bandwidth, 2.0 * bytes / (ms * 1e-3));
    }
  CHECK (cudaFree (memory));
}

/* Rows that stand apart on the device, as frames do in the ring, against one run of bytes. */
static void
measure_upload (int width, int height)
{
  size_t row = width * sizeof (guint16), pitch = (size_t) (width + 31) / 16 * 16 * sizeof (guint16);
  char *device, *host;
  cudaEvent_t begin, end;
  float best[2] = { 1e9f, 1e9f };

  CHECK (cudaMalloc ((void **) &device, pitch * height));
  CHECK (cudaHostAlloc ((void **) &host, row * height, cudaHostAllocDefault));
  memset (host, 1, row * height);
  CHECK (cudaEventCreate (&begin));
  CHECK (cudaEventCreate (&end));
  for (int i = 0; i < 20; i++)
    {
      float ms;
      CHECK (cudaEventRecord (begin));
      if (i % 2 == 0)
        CHECK (cudaMemcpyAsync (device, host, row * height, cudaMemcpyHostToDevice));
      else
        CHECK (cudaMemcpy2DAsync (device, pitch, host, row, row, height, cudaMemcpyHostToDevice));
      CHECK (cudaEventRecord (end));
      CHECK (cudaEventSynchronize (end));
      CHECK (cudaEventElapsedTime (&ms, begin, end));
      best[i % 2] = std::min (best[i % 2], ms);
    }
  printf ("upload %dx%d: in one run %.1f GB/s, by rows %.1f GB/s\n", width, height,
          row * height / best[0] * 1e-6, row * height / best[1] * 1e-6);
  CHECK (cudaFree (device));
  CHECK (cudaFreeHost (host));
}

int
main (int argc, char **argv)
{
  static const int sizes[][2] = { { 1392, 1040 }, { 1920, 1440 }, { 4096, 3072 } };
  int devices = 0;

  if (cudaGetDeviceCount (&devices) != cudaSuccess || devices == 0)
    {
      fprintf (stderr, "tune-flow: no CUDA device\n");
      return 77;
    }
  if (argc > 1)
    replays = std::max (atoi (argv[1]), 1);
  measure_bandwidth ();
  printf ("copy %.0f GB/s\n", bandwidth * 1e-9);
  for (const int *size : sizes)
    measure_upload (size[0], size[1]);
  printf ("%-28s %-10s %4s %9s %7s %9s %9s\n", "variant", "size", "bits", "us", "ratio", "error K",
          "error SFI");
  for (const int *size : sizes)
    for (int bits = 16; bits >= 12; bits -= 4)
      {
        Work w = {};
        w.width = size[0];
        w.height = size[1];
        w.bits = bits;
        set_up (&w);
        for (const Variant &v : variants)
          {
            if (v.narrow != (bits < 16))
              continue;
            gsize pixels = w.frame.size ();
            /* NaN: all must be written */
            CHECK (cudaMemset (w.p.finish.contrast, 0xff, pixels * sizeof (float)));
            CHECK (cudaMemset (w.p.finish.index, 0xff, pixels * sizeof (float)));
            CHECK (cudaDeviceSynchronize ()); /* the kernels' stream does not wait for this one */
            double seconds = time_launch (v.launch, w.p, w.stream);
            CHECK (cudaGetLastError ());
            printf ("%-28s %4dx%-5d %4d %9.2f %7.2f", v.name, w.width, w.height, bits,
                    seconds * 1e6, seconds / (10.0 * pixels / bandwidth));
            if (v.checked)
              printf (" %9.2g %9.2g", worst_error (w.p.finish.contrast, w.k),
                      worst_error (w.p.finish.index, w.index));
            printf ("\n");
          }
        tear_down (&w);
      }
  return 0;
}
