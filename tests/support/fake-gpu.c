/* SPDX-License-Identifier: MIT */
/* A CUDA module without CUDA: its device is the memory of this process, and its engines are those
 * of the CPU.  The program uses it like a GPU, and cuda-fault.h makes its calls fail, so what
 * follows a fault can be tested on any computer, to the last bit.  For programs with one operation.
 */
#include "kernels/core/vg-cuda.h"
#include "tests/support/cuda-fault.h"
#include <gmodule.h>

static const VgEngine *cpu; /* of the operation */

static gboolean
works (const char *call, gboolean allocates, GError **error)
{
  Fault fault = fault_of (call, allocates);

  if (fault != FAULT_NONE)
    g_set_error (error, VG_GPU_ERROR,
                 fault == FAULT_MEMORY ? VG_GPU_ERROR_MEMORY : VG_GPU_ERROR_FAILED,
                 "%s in %s: restart the program, or compute on the CPU", fault_names[fault], call);
  return fault == FAULT_NONE;
}

/* PLANE in the memory where it really is. */
static VgPlane
at_home (const VgPlane *plane)
{
  VgPlane copy = *plane;

  g_assert (plane->place == VG_DEVICE);
  copy.place = VG_HOST;
  return copy;
}

/* --- engine --- */

static gpointer
prepare (const VgContext *context, GError **error)
{
  return works ("prepare", TRUE, error) ? cpu->prepare (context, error) : NULL;
}

static gpointer
renew (gpointer state, const VgContext *context, GError **error)
{
  if (works ("renew", TRUE, error))
    return cpu->resume->renew (state, context, error);
  cpu->free (state);
  return NULL;
}

static gboolean
feed (gpointer state, VgFrame *frame, GError **error)
{
  return works ("feed", FALSE, error) && cpu->feed (state, frame, error);
}

static VgStep
step (gpointer state, double budget_s, GError **error)
{
  return works ("step", FALSE, error) ? cpu->step (state, budget_s, error) : VG_STEP_FAILED;
}

static gboolean
output (gpointer state, guint i, VgPlane *plane, GError **error)
{
  if (!works ("output", FALSE, error) || !cpu->output (state, i, plane, error))
    return FALSE;
  plane->place = VG_DEVICE;
  return TRUE;
}

static gboolean
results (gpointer state, VgMetrics *metrics, GError **error)
{
  return works ("results", FALSE, error) && cpu->results (state, metrics, error);
}

static char *
text (gpointer state, guint i, char **file_name, GError **error)
{
  return works ("text", FALSE, error) ? cpu->text (state, i, file_name, error) : NULL;
}

static VgCurves *
sample (gpointer state, double x, double y, int slice, GError **error)
{
  return works ("sample", FALSE, error) ? cpu->curves->sample (state, x, y, slice, error) : NULL;
}

static VgCurves *
sample_region (gpointer state, const VgRegion *region, GError **error)
{
  return works ("sample_region", FALSE, error) ? cpu->curves->sample_region (state, region, error)
                                               : NULL;
}

static VgCurves *
plot (gpointer state, guint i, GError **error)
{
  return works ("plot", FALSE, error) ? cpu->curves->plot (state, i, error) : NULL;
}

static gboolean
outlines (gpointer state, VgOutlines *found, GError **error)
{
  return works ("outlines", FALSE, error) && cpu->objects->outlines (state, found, error);
}

static gconstpointer
tile (gpointer state, GError **error)
{
  return works ("tile", FALSE, error) ? cpu->objects->tile (state, error) : NULL;
}

static const VgEngine *
find_engine (const char *operation_id)
{
  static VgEngine engine;
  static VgEngineResume resume;
  static VgEngineCurves curves;
  static const VgEngineObjects objects = { .outlines = outlines, .tile = tile };

  cpu = vg_operation_find (operation_id)->cpu;
  engine = *cpu;
  engine.prepare = prepare;
  engine.feed = cpu->feed != NULL ? feed : NULL;
  engine.step = step;
  engine.output = output;
  engine.results = cpu->results != NULL ? results : NULL;
  engine.text = cpu->text != NULL ? text : NULL;
  engine.objects = cpu->objects != NULL ? &objects : NULL;
  if (cpu->curves != NULL)
    {
      curves = *cpu->curves;
      curves.sample = curves.sample != NULL ? sample : NULL;
      curves.sample_region = curves.sample_region != NULL ? sample_region : NULL;
      curves.plot = curves.plot != NULL ? plot : NULL;
      engine.curves = &curves;
    }
  if (cpu->resume != NULL)
    {
      resume = *cpu->resume;
      resume.renew = resume.renew != NULL ? renew : NULL;
      engine.resume = &resume;
    }
  return &engine;
}

/* --- device --- */

static int
device_count (GError **error)
{
  return works ("device_count", FALSE, error) ? 1 : -1;
}

static gboolean
device_info (int device, VgCudaDevice *info, GError **error)
{
  *info = (VgCudaDevice){ .name = "Fake GPU", .memory_total = 1 << 30, .memory_free = 1 << 30 };
  return works ("device_info", FALSE, error);
}

static gpointer
host_alloc (gsize bytes, GError **error)
{
  return works ("host_alloc", TRUE, error) ? g_malloc (bytes) : NULL;
}

static gboolean
download (const VgPlane *plane, float *host, GError **error)
{
  gsize n = (gsize) plane->width * plane->height * MAX (plane->slices, 1);

  if (!works ("download", FALSE, error))
    return FALSE;
  memcpy (host, plane->data, n * sizeof *host);
  return TRUE;
}

static gboolean
probe (const VgPlane *plane, const int *xyz, int n, float *values, GError **error)
{
  for (int i = 0; i < n; i++)
    values[i] =
        plane->data[((gsize) xyz[3 * i + 2] * plane->height + xyz[3 * i + 1]) * plane->width +
                    xyz[3 * i]];
  return works ("probe", FALSE, error);
}

static gboolean
statistics (const VgPlane *plane, int slice, VgStatistics *result, GError **error)
{
  const VgPlane home = at_home (plane);

  vg_statistics_compute (result, &home, slice, 1);
  return works ("statistics", TRUE, error);
}

static gboolean
count_octaves (const VgPlane *plane, int slice, VgStatistics *result, GError **error)
{
  const VgPlane home = at_home (plane);

  vg_statistics_count_octaves (result, &home, slice, 1);
  return works ("count_octaves", TRUE, error);
}

static gboolean
weigh (const VgPlane *plane, const VgPlane *light, int slice, const double limits[2],
       VgStatistics *result, GError **error)
{
  const VgPlane home = at_home (plane), home_light = at_home (light);

  vg_statistics_weigh (result, &home, &home_light, slice, limits, 1);
  return works ("weigh", TRUE, error);
}

static gboolean
count_labelled (const VgPlane *plane, const VgPlane *labels, int slice, VgStatistics *result,
                GError **error)
{
  const VgPlane home = at_home (plane), home_labels = at_home (labels);

  vg_statistics_count_labelled (result, &home, &home_labels, slice, 1);
  return works ("count_labelled", TRUE, error);
}

static gboolean
region_statistics (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1, int y1,
                   int slice, VgRegionStatistics *result, GError **error)
{
  const VgPlane home = at_home (plane);

  vg_region_statistics_compute (result, &home, mask, x0, y0, x1, y1, slice);
  return works ("region_statistics", TRUE, error);
}

static gboolean
region_quartiles (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1, int y1,
                  int slice, VgRegionStatistics *result, GError **error)
{
  const VgPlane home = at_home (plane);

  vg_region_statistics_add_quartiles (result, &home, mask, x0, y0, x1, y1, slice, 0);
  return works ("region_quartiles", TRUE, error);
}

static int
gl_device (GError **error)
{
  g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT, "this GPU does not draw");
  return -1;
}

G_MODULE_EXPORT const VgCuda *vg_cuda_module (void);

/* Only the window copies planes and draws. */
const VgCuda *
vg_cuda_module (void)
{
  static const VgCuda cuda = {
    .abi = VG_CUDA_ABI,
    .device_count = device_count,
    .device_info = device_info,
    .engine = find_engine,
    .host_alloc = host_alloc,
    .host_free = g_free,
    .download = download,
    .probe = probe,
    .statistics = statistics,
    .count_octaves = count_octaves,
    .weigh = weigh,
    .count_labelled = count_labelled,
    .region_statistics = region_statistics,
    .region_quartiles = region_quartiles,
    .gl_device = gl_device,
  };

  return &cuda;
}
