/* SPDX-License-Identifier: MIT */
/* The caller's data: checked, described, and borrowed or copied. */
#include "lib/vivograph-private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/vg-sort.h"
#include "kernels/base/vg-memory.h"

enum { FRAME, SLICE, BIN, ROW, COLUMN, CHANNEL, AXES };

static const char *const axis_names[AXES] = { "frames", "slices", "bins",
                                              "height", "width",  "channels" };

static void
list_extents (const VivographData *data, int64_t extents[AXES])
{
  const int64_t given[AXES] = { data->frames, data->slices, data->bins,
                                data->height, data->width,  data->channels };

  for (int i = 0; i < AXES; i++)
    extents[i] = given[i] == 0 ? 1 : given[i];
}

static void
list_packed_strides (const int64_t extents[AXES], int64_t sample, int64_t strides[AXES])
{
  for (int i = AXES - 1; i >= 0; i--)
    {
      strides[i] = sample;
      sample *= extents[i];
    }
}

/* Sizes that a C int holds, and that do not overflow. */
static int
check_extents (const VivographData *data, VgImageInfo *info, VivographError *error)
{
  const int64_t most[AXES] = { G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT, 4 };
  int64_t extents[AXES];
  gsize total;

  if (data->type < VIVOGRAPH_U8 || data->type > VIVOGRAPH_F32)
    return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                            "the sample type is %d; give U8, U16, U32 or F32", data->type);
  list_extents (data, extents);
  for (int i = 0; i < AXES; i++)
    if (extents[i] < 1 || extents[i] > most[i] || (i == CHANNEL && extents[i] == 2))
      return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                              "the extent \"%s\" of the data is %" G_GINT64_FORMAT "; give %s",
                              axis_names[i], extents[i],
                              i == CHANNEL ? "1, 3 or 4" : "a number from 1 to 2147483647");
  info->type = (VgType) data->type;
  info->frames = extents[FRAME];
  info->slices = extents[SLICE];
  info->bins = extents[BIN];
  info->height = (int) extents[ROW];
  info->width = (int) extents[COLUMN];
  info->channels = (int) extents[CHANNEL];
  if (vg_image_info_frame_bytes (info) == 0 ||
      !g_size_checked_mul (&total, vg_image_info_frame_bytes (info), (gsize) info->frames) ||
      total > G_MAXSSIZE)
    return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                            "the extents of the data are too large for any memory; check them");
  return VIVOGRAPH_OK;
}

/* Every sample lies within the memory that may be read. */
static int
check_strides (const VivographData *data, const int64_t extents[AXES], const int64_t strides[AXES],
               VivographError *error)
{
  int64_t first = 0, last = (int64_t) vg_type_size ((VgType) data->type), reach;

  for (int i = 0; i < AXES; i++)
    if (__builtin_mul_overflow (extents[i] - 1, strides[i], &reach) ||
        __builtin_add_overflow (reach < 0 ? first : last, reach, reach < 0 ? &first : &last))
      return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                              "the stride of the %s, %" G_GINT64_FORMAT
                              " bytes, is too large; check the strides",
                              axis_names[i], strides[i]);
  if (data->bytes > 0 && (first < 0 || (guint64) last > data->bytes))
    return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                            "the samples lie at bytes %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                            ", but there are %" G_GSIZE_FORMAT
                            " bytes; check extents, strides and type",
                            first, last, data->bytes);
  return VIVOGRAPH_OK;
}

static gboolean
is_scale (double value)
{
  return isfinite (value) && value >= 0;
}

static int
describe (const VivographData *data, VgImageInfo *info, VivographError *error)
{
  const struct
  {
    const char *name;
    double value;
  } scales[] = {
    { "frame_interval_s", data->frame_interval_s }, { "exposure_ms", data->exposure_ms },
    { "bin_width_ns", data->bin_width_ns },         { "period_ns", data->period_ns },
    { "repetition_ms", data->repetition_ms },       { "flip_deg", data->flip_deg },
    { "pixel size along x", data->pixel_size[0] },  { "pixel size along y", data->pixel_size[1] },
    { "pixel size along z", data->pixel_size[2] }
  };
  int bits = 8 * (int) vg_type_size (info->type);

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    if (!is_scale (scales[i].value))
      return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                              "the %s of the data is %g; give a number that is not negative, or 0 "
                              "if it is not known",
                              scales[i].name, scales[i].value);
  if (data->significant_bits < 0 || data->significant_bits > bits)
    return vg_library_fail (
        error, VIVOGRAPH_ERROR_INPUT,
        "%d significant bits do not fit into samples of %d bits; give 0 for all bits",
        data->significant_bits, bits);
  info->frame_interval_s = data->frame_interval_s;
  info->exposure_ms = data->exposure_ms;
  info->bin_width_ns = data->bin_width_ns;
  info->period_ns = data->period_ns;
  info->repetition_ms = data->repetition_ms;
  info->flip_deg = data->flip_deg;
  info->significant_bits = data->significant_bits == 0 ? bits : data->significant_bits;
  info->ct = data->ct != 0;
  memcpy (info->pixel_size, data->pixel_size, sizeof info->pixel_size);
  if (memchr (data->pixel_unit, '\0', sizeof data->pixel_unit) == NULL ||
      !g_utf8_validate (data->pixel_unit, -1, NULL))
    return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                            "the unit of the pixel size is not a text; give um, mm or cm");
  g_strlcpy (info->pixel_unit, strcmp (data->pixel_unit, "um") == 0 ? "µm" : data->pixel_unit,
             sizeof info->pixel_unit);
  return VIVOGRAPH_OK;
}

/* What the operation cannot use at all; the engine checks the rest. */
static int
check_shape (const VgOperation *operation, const VgImageInfo *info, VivographError *error)
{
  const VgInputSpec *spec = &operation->input;
  const struct
  {
    const char *name;
    gint64 given, least, most;
  } axes[] = { { "channels", info->channels, 1, spec->channels.max },
               { "bins", info->bins, spec->bins.min, spec->bins.max },
               { "slices", info->slices, 0, spec->slices.max },
               { "frames", info->frames, 0, spec->frames.max } };

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (axes[i].given < axes[i].least || (axes[i].most > 0 && axes[i].given > axes[i].most))
      return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                              "the data have %" G_GINT64_FORMAT " %.*s, but %s takes %s "
                              "%" G_GINT64_FORMAT "; check the order of the axes",
                              axes[i].given, (int) strlen (axes[i].name) - (axes[i].given == 1),
                              axes[i].name, operation->id,
                              axes[i].given < axes[i].least ? "at least" : "at most",
                              axes[i].given < axes[i].least ? axes[i].least : axes[i].most);
  return VIVOGRAPH_OK;
}

/* The median of the steps, as that of a recording. */
static double
find_interval (const double *times_s, gsize n)
{
  g_autofree double *steps = g_new (double, n);

  for (gsize i = 0; i + 1 < n; i++)
    steps[i] = times_s[i + 1] - times_s[i];
  vg_sort_doubles (steps, n - 1);
  return steps[(n - 1) / 2];
}

static int
take_times (VgLibraryInput *input, const VivographData *data, VivographError *error)
{
  gint64 frames = input->info.frames;

  for (gint64 i = 0; data->times_s != NULL && i < frames; i++)
    if (!isfinite (data->times_s[i]))
      return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                              "frame %" G_GINT64_FORMAT " is at %g s; give a time for each frame",
                              i + 1, data->times_s[i]);
    else if (i > 0 && data->times_s[i] <= data->times_s[i - 1])
      return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                              "frame %" G_GINT64_FORMAT " is at %g s, but frame %" G_GINT64_FORMAT
                              " is at %g s; frame times must increase",
                              i, data->times_s[i - 1], i + 1, data->times_s[i]);
  if (data->times_s != NULL)
    input->times_s = g_memdup2 (data->times_s, (gsize) frames * sizeof (double));
  if (data->times_s != NULL && frames > 1 && !(input->info.frame_interval_s > 0))
    input->info.frame_interval_s = find_interval (data->times_s, (gsize) frames);
  return VIVOGRAPH_OK;
}

/* Whether the samples from axis FIRST on are packed and aligned. */
static gboolean
is_packed (const VgLibraryInput *input, int first, const char *samples)
{
  gsize sample = vg_type_size (input->info.type);
  int64_t extents[AXES], packed[AXES];

  list_extents (&input->data, extents);
  list_packed_strides (extents, (int64_t) sample, packed);
  for (int i = first; i < AXES; i++)
    if (extents[i] > 1 && input->strides[i] != packed[i])
      return FALSE;
  return (gsize) samples % sample == 0;
}

/* What a GPU holds is not read on the host: neither copied to packed frames nor as a data set. */
static int
check_device (const VgOperation *operation, const VgLibraryInput *input, VivographError *error)
{
  if (!input->data.device)
    return VIVOGRAPH_OK;
  if (operation->input.kind != VG_INPUT_STREAM)
    return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                            "%s takes samples in host memory only; copy them there", operation->id);
  if (!is_packed (input, SLICE, input->data.samples))
    return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                            "samples on a GPU must be packed; pack them, or copy them to host "
                            "memory");
  return VIVOGRAPH_OK;
}

int
vg_library_take_input (VgLibraryInput *input, const VivographData *data, VivographError *error)
{
  VgImageInfo info = { 0 };
  int64_t extents[AXES];
  int status;

  if (data->size != sizeof *data)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "VivographData.size is %" G_GSIZE_FORMAT ", not %" G_GSIZE_FORMAT
                            "; set it to sizeof (VivographData) and compile for this version",
                            data->size, sizeof *data);
  if (data->samples == NULL)
    return vg_library_fail (error, VIVOGRAPH_ERROR_INPUT,
                            "the data have no samples; set VivographData.samples");
  if ((status = check_extents (data, &info, error)) < 0 ||
      (status = describe (data, &info, error)) < 0)
    return status;
  input->info = info;
  input->data = *data;
  list_extents (data, extents);
  if (data->strides != NULL)
    memcpy (input->strides, data->strides, sizeof input->strides);
  else
    list_packed_strides (extents, (int64_t) vg_type_size (info.type), input->strides);
  input->data.strides = NULL; /* the caller's may go */
  if ((status = check_strides (data, extents, input->strides, error)) < 0)
    return status;
  return take_times (input, data, error);
}

int
vg_library_take_data (VivographWork *work, const VivographData *data, VivographError *error)
{
  VgLibraryInput input = { 0 };
  int status = vg_library_take_input (&input, data, error);

  if (status < 0 || (status = check_shape (work->operation, &input.info, error)) < 0 ||
      (status = check_device (work->operation, &input, error)) < 0)
    {
      g_free (input.times_s);
      return status;
    }
  g_free (work->input.times_s);
  work->input = input;
  return VIVOGRAPH_OK;
}

/* Copies N samples of SIZE bytes, which begin STRIDE bytes apart. */
static void
copy_samples (char *to, const char *from, int64_t n, int64_t stride, int64_t size)
{
  if (stride == size)
    memcpy (to, from, (gsize) (n * size));
  else if (size == 1)
    for (int64_t i = 0; i < n; i++)
      to[i] = from[i * stride];
  else if (size == 2)
    for (int64_t i = 0; i < n; i++)
      memcpy (to + 2 * i, from + i * stride, 2);
  else
    for (int64_t i = 0; i < n; i++)
      memcpy (to + 4 * i, from + i * stride, 4);
}

/* Copies a row of all its channels. */
static void
copy_row (char *to, const char *from, const int64_t extents[AXES], const int64_t strides[AXES],
          int64_t sample)
{
  int64_t columns = extents[COLUMN], channels = extents[CHANNEL];

  if (channels == 1 || (strides[CHANNEL] == sample && strides[COLUMN] == sample * channels))
    copy_samples (to, from, columns * channels, channels == 1 ? strides[COLUMN] : sample, sample);
  else
    for (int64_t x = 0; x < columns; x++, to += sample * channels)
      copy_samples (to, from + x * strides[COLUMN], channels, strides[CHANNEL], sample);
}

/* Packs one frame at FROM into TO.  The bins of a row, which often lie side by side, are read
 * together. */
static void
copy_frame (const VgLibraryInput *input, char *to, const char *from)
{
  const int64_t *strides = input->strides;
  int64_t extents[AXES], sample = (int64_t) vg_type_size (input->info.type), row;

  list_extents (&input->data, extents);
  row = sample * extents[COLUMN] * extents[CHANNEL];
#pragma omp parallel for collapse(2)
  for (int64_t z = 0; z < extents[SLICE]; z++)
    for (int64_t y = 0; y < extents[ROW]; y++)
      for (int64_t b = 0; b < extents[BIN]; b++)
        copy_row (to + ((z * extents[BIN] + b) * extents[ROW] + y) * row,
                  from + z * strides[SLICE] + b * strides[BIN] + y * strides[ROW], extents, strides,
                  sample);
}

static void
keep_samples (gpointer samples)
{
  /* they are the caller's */
}

VgImage *
vg_library_make_image (const VgLibraryInput *input, const char *name, gboolean borrow,
                       GError **error)
{
  const char *samples = input->data.samples;
  gsize bytes = vg_image_info_frame_bytes (&input->info);
  gboolean borrowed = borrow && is_packed (input, FRAME, samples);
  VgImageInfo one = vg_image_info_grey (VG_U8, 1, 1);
  VgImage *image = vg_image_new (borrowed ? &one : &input->info, name, error);

  if (image == NULL)
    return NULL;
  if (borrowed)
    {
      image->free_data (image->data);
      image->info = input->info;
      image->data = (gpointer) samples;
      image->free_data = keep_samples;
    }
  else
    for (int64_t i = 0; i < input->info.frames; i++)
      copy_frame (input, (char *) image->data + (gsize) i * bytes,
                  samples + i * input->strides[FRAME]);
  image->times_s = g_memdup2 (
      input->times_s, input->times_s != NULL ? (gsize) input->info.frames * sizeof (double) : 0);
  return image;
}

static void
free_frame (VgFrame *frame)
{
  g_free (frame->owner);
  g_free (frame);
}

VgFrame *
vg_library_make_frame (VgLibraryInput *input, int64_t i, GError **error)
{
  const char *samples = (const char *) input->data.samples + i * input->strides[FRAME];
  gsize bytes = vg_image_info_frame_bytes (&input->info);
  gboolean borrowed = is_packed (input, SLICE, samples);
  gpointer copy = NULL;
  VgFrame *frame;

  if (!borrowed && !vg_memory_check (bytes, "a copy of a frame", error))
    return NULL;
  if (!borrowed && (copy = g_try_malloc (bytes)) == NULL)
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                           "there is not enough memory for a copy of a frame; give packed frames");
      return NULL;
    }
  if (copy != NULL)
    copy_frame (input, copy, samples);
  frame = g_new0 (VgFrame, 1);
  frame->info = &input->info;
  frame->data = copy != NULL ? copy : (gpointer) samples;
  frame->owner = copy;
  frame->id = (guint64) i;
  frame->index = i;
  frame->time_us = g_get_monotonic_time ();
  frame->time_s = input->times_s != NULL ? input->times_s[i]
                                         : (double) i * input->info.frame_interval_s;
  frame->release = free_frame;
  g_atomic_ref_count_init (&frame->ref_count);
  return frame;
}

/* Bytes before the memory that a caller gets.  The first one says whether it is page-locked. */
enum { MEMORY_HEAD = 64 };

void *
vivograph_memory_new (size_t bytes)
{
  const VgCuda *cuda = vg_cuda_get (NULL);
  gsize all = bytes + MEMORY_HEAD;
  guint8 *memory = NULL;
  gboolean locked;

  if (bytes > G_MAXSSIZE - 2 * MEMORY_HEAD || !vg_memory_check (all, "an array", NULL))
    return NULL;
  if (cuda != NULL && vg_library_claim_process ())
    memory = cuda->host_alloc (all, NULL);
  locked = memory != NULL;
  if (!locked)
    memory = aligned_alloc (MEMORY_HEAD, (all + MEMORY_HEAD - 1) / MEMORY_HEAD * MEMORY_HEAD);
  if (memory == NULL)
    return NULL;
  memory[0] = (guint8) locked;
  return memory + MEMORY_HEAD;
}

void
vivograph_memory_free (void *memory)
{
  guint8 *start = memory != NULL ? (guint8 *) memory - MEMORY_HEAD : NULL;

  if (start != NULL && start[0] != 0)
    vg_cuda_get (NULL)->host_free (start);
  else
    free (start);
}
