/* SPDX-License-Identifier: MIT */
#include "io/dicom/vg-dicom-reader.h"
#include "io/fence/vg-fence.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* As in the module; a name of a DICOMDIR has at most eight parts of eight characters, but files
 * with longer ones exist. */
enum { LARGEST_SIDE = 65535, MOST_FRAMES = 1 << 20, MOST_TILES = 4096, LONGEST_NAME = 1024 };
#define PROC_SELF "/proc/self/"
static const char impossible_size[] = "it declares an impossible size";

struct _VgDicomReader
{
  VgFence *fence;
  char *path; /* of the open file; NULL: none */
  VgDicomHead head;
  gboolean has_head;   /* `head` is that of the open file */
  GHashTable *refused; /* from paths to reasons */
};

VgDicomReader *
vg_dicom_reader_new (void)
{
  VgDicomReader *self = g_new0 (VgDicomReader, 1);

  self->fence = vg_fence_new (&vg_dicom_decoder);
  self->refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
vg_dicom_reader_free (VgDicomReader *self)
{
  if (self == NULL)
    return;
  vg_fence_close (self->fence);
  g_hash_table_unref (self->refused);
  g_free (self->path);
  g_free (self);
}

/* Returns FALSE. */
static gboolean
refuse (const char *reason, GError **error)
{
  g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, reason);
  return FALSE;
}

/* ---- what the child says ---- */

static void
clean_text (char *text, gsize size)
{
  text[size - 1] = '\0';
  for (char *c = text; *c != '\0'; c++)
    if (!g_ascii_isprint (*c))
      *c = '?';
}

static void
clean_number (double *value, double otherwise)
{
  if (!isfinite (*value))
    *value = otherwise;
}

/* FALSE: FRAME has an impossible size. */
static gboolean
clean_frame (VgDicomFrame *frame, int index)
{
  VgDicomOrigin *origin = &frame->origin;
  VgDicomPlace *place = &frame->place;
  VgDicomTiming *timing = &frame->timing;
  double *times[] = { &timing->temporal_index, &timing->acquired_s,    &timing->content_s,
                      &timing->trigger_s,      &timing->dynamic_s,     &timing->resolution_s,
                      &timing->all_s,          &timing->repetition_ms, &timing->echo_ms,
                      &timing->flip_deg,       &timing->inversion_ms };

  clean_text (origin->study_uid, sizeof origin->study_uid);
  clean_text (origin->series_uid, sizeof origin->series_uid);
  clean_text (origin->instance_uid, sizeof origin->instance_uid);
  clean_text (origin->description, sizeof origin->description);
  clean_text (origin->kind, sizeof origin->kind);
  clean_text (origin->modality, sizeof origin->modality);
  clean_text (origin->maker, sizeof origin->maker);
  clean_text (origin->patient_id, sizeof origin->patient_id);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    clean_number (times[i], NAN);
  for (int i = 0; i < 3; i++)
    {
      if (!isfinite (place->position[i]) || !isfinite (place->row[i]) || !isfinite (place->down[i]))
        place->known = FALSE;
      clean_number (&frame->samples.normal[i], 0);
    }
  clean_number (&frame->samples.slope, 1);
  clean_number (&frame->samples.intercept, 0);
  clean_number (&place->spacing[0], 0);
  clean_number (&place->spacing[1], 0);
  clean_number (&place->thickness, 0);
  clean_number (&place->between, 0);
  frame->samples.tiles = CLAMP (frame->samples.tiles, 0, MOST_TILES);
  frame->segment = MAX (frame->segment, 0);
  frame->index = index;
  frame->tile = -1;
  return frame->width >= 1 && frame->height >= 1 && frame->width <= LARGEST_SIDE &&
         frame->height <= LARGEST_SIDE;
}

/* ---- requests ---- */

/* How the child sees PATH, which may be a file that this process has open without a name; owned. */
static char *
path_for_child (const char *path)
{
  return g_str_has_prefix (path, PROC_SELF)
             ? g_strdup_printf ("/proc/%d/%s", getpid (), path + strlen (PROC_SELF))
             : g_strdup (path);
}

/* Opens PATH and checks what it says.  FALSE and an error. */
static gboolean
open_file (VgDicomReader *self, const char *path, GError **error)
{
  g_autofree char *other = path_for_child (path), *name = g_filename_display_basename (path);
  g_autoptr (GError) failure = NULL;
  VgDicomHead *head = &self->head;

  if (!vg_fence_open_file (self->fence, other, name, head, &failure))
    {
      if (failure == NULL)
        return refuse ("it is not a DICOM file", error);
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  clean_text (head->why, sizeof head->why);
  if (head->names < -1 || head->names > VG_DICOM_MOST_NAMES ||
      head->names_bytes > (gint64) MAX (head->names, 0) * LONGEST_NAME ||
      head->names_bytes < MAX (head->names, 0) || head->frames < 0 || head->frames > MOST_FRAMES ||
      (head->frames > 0 && !clean_frame (&head->first, 0)))
    return refuse (impossible_size, error);
  if (head->frames == 0 && *head->why == '\0')
    g_strlcpy (head->why, "it contains no image", sizeof head->why);
  return TRUE;
}

const VgDicomHead *
vg_dicom_reader_open (VgDicomReader *self, const char *path, GError **error)
{
  const char *reason = g_hash_table_lookup (self->refused, path);
  GError *failure = NULL;

  if (self->has_head && g_strcmp0 (path, self->path) == 0)
    return &self->head;
  g_clear_pointer (&self->path, g_free);
  self->has_head = FALSE;
  if (reason != NULL)
    {
      refuse (reason, error);
      return NULL;
    }
  if (open_file (self, path, &failure))
    {
      self->path = g_strdup (path);
      self->has_head = TRUE;
      return &self->head;
    }
  if (g_error_matches (failure, VG_IO_ERROR, VG_IO_ERROR_FORMAT))
    g_hash_table_insert (self->refused, g_strdup (path), g_strdup (failure->message));
  g_propagate_error (error, failure);
  return NULL;
}

gboolean
vg_dicom_reader_describe (VgDicomReader *self, int first, guint n, VgDicomFrame *frames,
                          GError **error)
{
  const gint64 numbers[VG_DECODER_NUMBERS] = { VG_DICOM_FRAMES, first };
  gsize length = n * sizeof *frames;
  const void *found = vg_fence_read (self->fence, numbers, length, error);

  if (found == NULL)
    return FALSE;
  memcpy (frames, found, length);
  for (guint i = 0; i < n; i++)
    if (!clean_frame (&frames[i], first + (int) i))
      return refuse (impossible_size, error);
  return TRUE;
}

gboolean
vg_dicom_reader_read (VgDicomReader *self, const char *path, int index, float *samples, gsize n,
                      GError **error)
{
  const gint64 numbers[VG_DECODER_NUMBERS] = { VG_DICOM_SAMPLES, index };
  const void *found;

  if (g_strcmp0 (path, self->path) != 0)
    {
      g_autofree char *other = path_for_child (path), *name = g_filename_display_basename (path);

      vg_fence_set_file (self->fence, other, name);
      g_free (self->path);
      self->path = g_strdup (path);
      self->has_head = FALSE;
    }
  found = vg_fence_read (self->fence, numbers, n * sizeof *samples, error);
  if (found == NULL)
    return FALSE;
  memcpy (samples, found, n * sizeof *samples);
  return TRUE;
}

char **
vg_dicom_reader_list (VgDicomReader *self, GError **error)
{
  const gint64 numbers[VG_DECODER_NUMBERS] = { VG_DICOM_NAMES };
  gsize length = (gsize) self->head.names_bytes;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autofree char *copy = NULL;
  const void *found;

  if (length == 0)
    return g_strv_builder_end (names);
  found = vg_fence_read (self->fence, numbers, length, error);
  if (found == NULL)
    return NULL;
  copy = g_malloc0 (length + 1); /* the child may change the memory at any time */
  memcpy (copy, found, length);
  for (gsize at = 0, i = 0; at < length && i < (gsize) self->head.names; i++)
    {
      g_strv_builder_add (names, copy + at);
      at += strlen (copy + at) + 1;
    }
  return g_strv_builder_end (names);
}

/* Makes TEXT valid UTF-8 without control characters. */
static void
clean_utf8 (char *text, gsize size)
{
  g_autofree char *valid = NULL;

  text[size - 1] = '\0';
  valid = g_utf8_make_valid (text, -1);
  for (char *c = valid; *c != '\0'; c++)
    if ((guchar) *c < ' ' || *c == 0x7f)
      *c = ' ';
  vg_text_copy (text, size, valid);
}

gboolean
vg_dicom_reader_ask_patient (VgDicomReader *self, VgDicomPatient *patient, GError **error)
{
  const gint64 numbers[VG_DECODER_NUMBERS] = { VG_DICOM_PATIENT };
  const void *found = vg_fence_read (self->fence, numbers, sizeof *patient, error);

  if (found == NULL)
    return FALSE;
  memcpy (patient, found, sizeof *patient);
  clean_utf8 (patient->name, sizeof patient->name);
  clean_utf8 (patient->id, sizeof patient->id);
  clean_utf8 (patient->birth_date, sizeof patient->birth_date);
  clean_utf8 (patient->sex, sizeof patient->sex);
  clean_utf8 (patient->study_date, sizeof patient->study_date);
  clean_utf8 (patient->study, sizeof patient->study);
  clean_utf8 (patient->series, sizeof patient->series);
  return TRUE;
}
