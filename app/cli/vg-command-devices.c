/* SPDX-License-Identifier: MIT */
/* `devices`: what can compute and what sends frames here, and if something is missing, why. */
#include <stdio.h>
#include <string.h>
#include "app/cli/vg-command.h"
#include "io/live/vg-live.h"
#include "kernels/core/vg-cuda.h"
#include "kernels/base/vg-memory.h"

static const char *
simd_name (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx512f"))
    return "AVX-512";
  if (__builtin_cpu_supports ("avx2"))
    return "AVX2";
  if (__builtin_cpu_supports ("sse4.2"))
    return "SSE4.2";
  return "SSE2";
#elif defined(__aarch64__)
  return "NEON";
#else
  return "no SIMD known";
#endif
}

char *
vg_command_cpu_name (void)
{
  g_autofree char *text = NULL, *model = NULL;
  guint n = g_get_num_processors ();
  const char *line = NULL;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    line = strstr (text, "model name");
  if (line != NULL && (line = strchr (line, ':')) != NULL)
    model = g_strndup (line + 1, strcspn (line + 1, "\n"));
  return g_strdup_printf ("%s, %u thread%s, %s", model == NULL ? "CPU" : g_strstrip (model), n,
                          n == 1 ? "" : "s", simd_name ());
}

static void
print_gpus (void)
{
  const char *reason = NULL;
  const VgCuda *cuda = vg_cuda_get (&reason);
  g_autoptr (GError) error = NULL;
  int n = cuda == NULL ? 0 : cuda->device_count (&error);

  if (n <= 0)
    printf ("GPU   none: %s\n", cuda == NULL    ? reason
                                : error != NULL ? error->message
                                                : "no device");
  for (int i = 0; i < n; i++)
    {
      VgCudaDevice device;
      g_autofree char *available = NULL, *total = NULL;

      g_clear_error (&error);
      if (!cuda->device_info (i, &device, &error))
        {
          printf ("GPU %d not usable: %s\n", i, error->message);
          continue;
        }
      available = g_format_size_full (device.memory_free, G_FORMAT_SIZE_IEC_UNITS);
      total = g_format_size_full (device.memory_total, G_FORMAT_SIZE_IEC_UNITS);
      printf ("GPU %d %s, compute capability %d.%d, %d multiprocessors, %s free of %s\n", i,
              device.name, device.compute_major, device.compute_minor, device.multiprocessors,
              available, total);
    }
}

static void
print_source (const char *address, const char *description, gpointer any)
{
  printf ("Source %s: %s\n", address, description);
  *(gboolean *) any = TRUE;
}

static void
print_missing (const char *scheme, const char *reason, gpointer any)
{
  printf ("Source %s: not available: %s\n", scheme, reason);
}

static void
print_sources (void)
{
  gboolean any = FALSE;

  vg_live_list (print_source, print_missing, &any);
  if (!any)
    printf ("Source none: no camera and no video device responds\n");
}

static gboolean
print_devices (const VgArguments *arguments, VgDisplayBench display_bench, GError **error)
{
  g_autofree char *cpu = NULL, *memory = NULL;

  if (arguments->plain->pdata[0] != NULL)
    {
      g_set_error (
          error, VG_USAGE_ERROR, 0,
          "devices takes no arguments; it lists the processors, GPUs, cameras and video devices");
      return FALSE;
    }
  cpu = vg_command_cpu_name ();
  memory = g_format_size_full (vg_memory_available (), G_FORMAT_SIZE_IEC_UNITS);
  printf ("CPU   %s, %s free\n", cpu, memory);
  print_gpus ();
  print_sources ();
  return TRUE;
}

const VgCommand vg_command_devices = {
  "devices", "", "List the processors, GPUs, cameras and video devices.", NULL, 0, print_devices
};
