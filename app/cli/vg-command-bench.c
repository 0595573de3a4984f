/* SPDX-License-Identifier: MIT */
/* `bench`: what the engines reach beside what the machine allows. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "app/cli/vg-command.h"
#include "vg-config.h"
#include "kernels/base/vg-sort.h"
#include "app/provenance/vg-json.h"
#include "io/write/vg-output-file.h"
#include "io/source/vg-source.h"
#include "app/compute/vg-work.h"

static const VgOption options[] = {
  { "backend", "auto|cpu|cuda", "measure one backend only; auto: all backends" },
  { "threads", "N", "processor threads; 0: all (the default)" },
  { "json", "FILE", "write the rows as JSON too" },
  { "quick", NULL, "small sizes and few repeats, to check that it runs" },
};

static const double least_seconds = 0.2, quick_seconds = 0.02;

typedef struct
{
  VgBench bench;
  JsonBuilder *rows;
} VgBenchTable;

/* Once to warm up, then the median. */
static double
time_runs (VgBench *bench, void (*run) (gpointer data), gpointer data, int min_runs)
{
  g_autoptr (GArray) seconds = g_array_new (FALSE, FALSE, sizeof (double));
  double total = 0;

  run (data);
  while (seconds->len < (guint) MAX (min_runs, 1) ||
         total < (bench->quick ? quick_seconds : least_seconds))
    {
      gint64 start = g_get_monotonic_time ();
      double spent;

      run (data);
      spent = MAX (g_get_monotonic_time () - start, 1) * 1e-6;
      g_array_append_val (seconds, spent);
      total += spent;
    }
  vg_sort_doubles ((double *) (gpointer) seconds->data, seconds->len);
  return g_array_index (seconds, double, seconds->len / 2);
}

static void
format_number (char *text, gsize size, double value)
{
  if (isfinite (value))
    g_snprintf (text, size, "%.4g", value);
  else
    g_strlcpy (text, "-", size);
}

static void
add_row (VgBench *bench, const VgBenchRow *row)
{
  VgBenchTable *self = bench->user_data;
  double ratio = row->limit > 0 ? row->value / row->limit : NAN;
  char value[32], limit[32], ratio_text[32];

  format_number (value, sizeof value, row->value);
  format_number (limit, sizeof limit, row->limit);
  format_number (ratio_text, sizeof ratio_text, ratio);
  printf ("%-36s %10s %-11s %10s %8s  %-38s %s\n", row->id, value, row->unit, limit, ratio_text,
          row->limit_by == NULL ? "-" : row->limit_by, row->work);
  fflush (stdout);
  json_builder_begin_object (self->rows);
  vg_json_add_string (self->rows, "id", row->id);
  vg_json_add_string (self->rows, "work", row->work);
  vg_json_add_number (self->rows, "value", row->value);
  vg_json_add_string (self->rows, "unit", row->unit);
  vg_json_add_number (self->rows, "limit", row->limit);
  vg_json_add_string (self->rows, "limit_by", row->limit_by);
  vg_json_add_number (self->rows, "ratio", ratio);
  json_builder_end_object (self->rows);
}

typedef struct
{
  guint8 *from, *to;
  gsize bytes;
} VgCopy;

static void
copy_once (gpointer data)
{
  VgCopy *copy = data;

  memcpy (copy->to, copy->from, copy->bytes);
}

/* What memory itself allows: the limits of the other rows stem from these. */
static void
bench_host_memory (VgBench *bench)
{
  VgCopy copy = { .bytes = bench->quick ? 16 << 20 : 128 << 20 };
  VgBenchRow row = { "host_copy", "copy in memory, one thread, read and write counted",
                     0,           "GB/s",
                     NAN,         NULL };

  copy.from = g_try_malloc0 (copy.bytes);
  copy.to = g_try_malloc0 (copy.bytes);
  if (copy.from != NULL && copy.to != NULL)
    {
      row.value = 2e-9 * copy.bytes / bench->time (bench, copy_once, &copy, 3);
      bench->add (bench, &row);
    }
  g_free (copy.from);
  g_free (copy.to);
}

static gboolean
bench_gpu_memory (VgBench *bench, const VgCuda *cuda, GError **error)
{
  double copy, upload, download;

  if (!cuda->bandwidth (0, &copy, &upload, &download, error))
    return FALSE;
  bench->add (bench, &(VgBenchRow){ "gpu_copy", "copy in GPU memory, read and write counted",
                                    copy * 1e-9, "GB/s", NAN, NULL });
  bench->add (bench, &(VgBenchRow){ "gpu_upload", "page-locked memory to the GPU", upload * 1e-9,
                                    "GB/s", NAN, NULL });
  bench->add (bench, &(VgBenchRow){ "gpu_download", "the GPU to page-locked memory",
                                    download * 1e-9, "GB/s", NAN, NULL });
  return TRUE;
}

static VgBenchRun
find_bench (const char *operation_id)
{
  const VgBenchEntry *entry = vg_bench_table;

  while (entry->operation_id != NULL && !g_str_equal (entry->operation_id, operation_id))
    entry++;
  return entry->run;
}

static void
bench_operation (VgBench *bench, const VgOperation *operation, VgBenchRun run, int threads)
{
  static const int first[] = { 0 };
  void *params = vg_params_new (&operation->params);
  VgContext context = { .params = params, .threads = threads, .devices = first, .n_devices = 1 };

  if (run != NULL)
    run (&context, bench);
  vg_params_free (&operation->params, params);
}

static gboolean
write_json (const char *path, const char *device, JsonBuilder *rows, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *text = NULL;
  gsize length;

  json_builder_begin_object (builder);
  vg_json_add_string (builder, "device", device);
  vg_json_add_string (builder, "version", VG_VERSION);
  json_builder_set_member_name (builder, "rows");
  json_builder_add_value (builder, json_builder_get_root (rows));
  json_builder_end_object (builder);
  text = vg_json_to_text (builder, &length);
  return vg_write_bytes (path, text, length, error);
}

/* "NVIDIA H200", or the processor's name. */
static char *
device_name (const VgCuda *cuda)
{
  VgCudaDevice info;

  return cuda != NULL && cuda->device_info (0, &info, NULL) ? g_strdup (info.name)
                                                            : vg_command_cpu_name ();
}

static gboolean
bench_all (VgBenchTable *table, const VgOperation *const *operations, guint n, VgBackend backend,
           const VgCuda *cuda, int threads, VgDisplayBench display_bench, GError **error)
{
  VgBench *bench = &table->bench;

  if (backend != VG_BACKEND_CUDA)
    bench_host_memory (bench);
  if (cuda != NULL && !bench_gpu_memory (bench, cuda, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (backend != VG_BACKEND_CUDA)
        bench_operation (bench, operations[i], find_bench (operations[i]->id), threads);
      if (cuda != NULL)
        bench_operation (bench, operations[i], cuda->bench (operations[i]->id), threads);
      if (display_bench != NULL)
        display_bench (operations[i], bench);
    }
  return TRUE;
}

static gboolean
run_bench (const VgArguments *arguments, VgDisplayBench display_bench, GError **error)
{
  const char *backend_text = vg_arguments_get (arguments, "backend"),
             *json = vg_arguments_get (arguments, "json");
  VgBenchTable table = { .bench = { add_row, time_runs,
                                    .quick = vg_arguments_get (arguments, "quick") != NULL } };
  g_autoptr (JsonBuilder) rows = json_builder_new ();
  VgBackend backend = VG_BACKEND_AUTO;
  guint n;
  const VgOperation *const *operations = vg_operations (&n), *operation;
  const char *reason = NULL;
  const VgCuda *cuda;
  g_autofree char *device = NULL;
  gint64 threads = 0;

  if ((backend_text != NULL && !vg_backend_parse (backend_text, &backend, error)) ||
      !vg_arguments_get_integer (arguments, "threads", 0, 4096, &threads, error))
    return FALSE;
  if (!vg_command_take_operation (&vg_command_bench, arguments, &operation, error))
    return FALSE;
  if (operation != NULL)
    {
      operations = &operation;
      n = 1;
    }
  cuda = backend == VG_BACKEND_CPU ? NULL : vg_cuda_get (&reason);
  if (backend == VG_BACKEND_CUDA && cuda == NULL)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT, "no GPU to measure: %s", reason);
      return FALSE;
    }
  table.rows = rows;
  table.bench.user_data = &table;
  json_builder_begin_array (rows);
  device = device_name (cuda);
  printf ("vivograph %s on %s\n", VG_VERSION, device);
  printf ("%-36s %10s %-11s %10s %8s  %-38s %s\n", "id", "value", "unit", "limit", "ratio",
          "limit by", "work");
  if (!bench_all (&table, operations, n, backend, cuda, (int) threads,
                  backend == VG_BACKEND_CPU ? NULL : display_bench, error))
    return FALSE;
  json_builder_end_array (rows);
  return json == NULL || write_json (json, device, rows, error);
}

const VgCommand vg_command_bench = {
  "bench",
  "[OPERATION] [--backend auto|cpu|cuda] [--json FILE]",
  "Measure the speed, and compare it with the limit of the machine.",
  options,
  G_N_ELEMENTS (options),
  run_bench,
};
