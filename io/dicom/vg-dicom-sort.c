/* SPDX-License-Identifier: MIT */
/* Orders the frames of a stack: slices by their position along the normal, and the frames at one
 * position by the first tag that tells them all apart. */
#include "io/dicom/vg-dicom-stack.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>

/* Of a segmentation. */
enum { MOST_SLICES = 65535, MOST_LISTED = 3 };

/* What may order the frames at one position. */
typedef enum {
  BY_INDEX,   /* index of the time point */
  BY_DYNAMIC, /* Philips: start of the time point */
  BY_ACQUIRED,
  BY_TRIGGER,
  BY_ACQUISITION, /* number of the acquisition */
  BY_INSTANCE,
  BY_FILE, /* order in the files, which always tells frames apart */
} Key;

typedef struct
{
  guint member;    /* number of the frame in the scan */
  double position; /* mm along the normal */
  double keys[BY_FILE + 1];
  int volume; /* -1: none */
} Entry;

/* The entries at one position. */
typedef struct
{
  guint first, n;
} Slice;

typedef struct
{
  VgDicomStack *stack;
  GArray *entries; /* Entry, by position and key */
  GArray *slices;  /* Slice */
  Key key;
  int volumes; /* complete or not */
} Sorting;

static double
integer (int value)
{
  return value == G_MININT ? NAN : value;
}

static void
make_entries (Sorting *self)
{
  const VgDicomStack *stack = self->stack;
  const VgDicomFrame *first = vg_dicom_stack_frame (stack, 0);
  double normal[3];

  vg_dicom_frame_normal (first, normal);
  for (guint i = 0; i < stack->members->len; i++)
    {
      const VgDicomFrame *frame = vg_dicom_stack_frame (stack, i);
      const VgDicomTiming *timing = &frame->timing;
      double instance = integer (frame->origin.instance_number), place[3];
      Entry entry = { .member = g_array_index (stack->members, guint, i),
                      .keys = { timing->temporal_index, timing->dynamic_s, timing->acquired_s,
                                timing->trigger_s, integer (frame->origin.acquisition_number),
                                instance + 1e-7 * frame->index, i } };

      vg_dicom_frame_position (frame, place);
      entry.position = place[0] * normal[0] + place[1] * normal[1] + place[2] * normal[2];
      if (!first->place.known)
        entry.position = isnan (instance) ? i : instance + 1e-3 * frame->index + frame->tile;
      entry.volume = -1;
      g_array_append_val (self->entries, entry);
    }
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  const Entry *p = a, *q = b;

  return (p->position > q->position) - (p->position < q->position);
}

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer key)
{
  double p = ((const Entry *) a)->keys[*(Key *) key], q = ((const Entry *) b)->keys[*(Key *) key];

  return (p > q) - (p < q);
}

/* Frames nearer to each other than a twentieth of the slice are at one position. */
static void
find_slices (Sorting *self)
{
  const VgDicomPlace *place = &vg_dicom_stack_frame (self->stack, 0)->place;
  double apart = !place->known ? 0 : place->thickness > 0 ? 0.05 * place->thickness : 0.01;

  g_array_sort (self->entries, compare_positions);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);
      Slice *last = self->slices->len > 0
                        ? &g_array_index (self->slices, Slice, self->slices->len - 1)
                        : NULL;
      Slice next = { i, 1 };

      if (last != NULL &&
          entry->position - g_array_index (self->entries, Entry, last->first).position <= apart)
        last->n++;
      else
        g_array_append_val (self->slices, next);
    }
  for (guint i = 0; i < self->slices->len; i++)
    self->volumes = MAX (self->volumes, (int) g_array_index (self->slices, Slice, i).n);
}

static Entry *
entry_of (const Sorting *self, guint slice, guint number)
{
  return &g_array_index (self->entries, Entry,
                         g_array_index (self->slices, Slice, slice).first + number);
}

static void
sort_by (Sorting *self, Key key)
{
  self->key = key;
  for (guint i = 0; i < self->slices->len; i++)
    {
      const Slice *slice = &g_array_index (self->slices, Slice, i);

      g_qsort_with_data (entry_of (self, i, 0), (int) slice->n, sizeof (Entry), compare_keys, &key);
    }
}

/* Whether KEY is given for all frames, and increases at each position. */
static gboolean
increases (const Sorting *self, Key key)
{
  for (guint i = 0; i < self->slices->len; i++)
    for (guint k = 0; k < g_array_index (self->slices, Slice, i).n; k++)
      if (isnan (entry_of (self, i, k)->keys[key]) ||
          (k > 0 && !(entry_of (self, i, k)->keys[key] > entry_of (self, i, k - 1)->keys[key])))
        return FALSE;
  return TRUE;
}

static gboolean
is_usable (Sorting *self, Key key)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (isnan (g_array_index (self->entries, Entry, i).keys[key]))
      return FALSE;
  sort_by (self, key);
  return increases (self, key);
}

static void
choose_key (Sorting *self)
{
  static const char *const names[] = { "index of the time point", "start of the dynamic scan",
                                       "acquisition time",        "trigger time",
                                       "acquisition number",      "instance number",
                                       "order of the files" };
  gboolean times = is_usable (self, BY_ACQUIRED);
  Key key = BY_INDEX;

  while (!is_usable (self, key))
    key++;
  /* the indices may have been written by another program */
  if (times && !increases (self, BY_ACQUIRED))
    {
      self->stack->caution = g_strdup_printf (
          "The %s and the acquisition time sort the volumes differently; the acquisition time "
          "is used. Check the input curves.",
          names[key]);
      is_usable (self, key = BY_ACQUIRED);
    }
  if (self->volumes > 1)
    g_string_append_printf (self->stack->notes, "Volumes are sorted by the %s.\n", names[key]);
}

/* Gives the frames of SLICE, where some are missing, the volumes of the frames of FULL with the
 * nearest keys. */
static void
place_by_key (Sorting *self, guint slice, guint full)
{
  int volume = 0;

  for (guint k = 0; k < g_array_index (self->slices, Slice, slice).n; k++)
    {
      Entry *entry = entry_of (self, slice, k);
      double key = entry->keys[self->key];

      while (volume + 1 < self->volumes &&
             fabs (entry_of (self, full, (guint) volume + 1)->keys[self->key] - key) <
                 fabs (entry_of (self, full, (guint) volume)->keys[self->key] - key))
        volume++;
      if (volume < self->volumes)
        entry->volume = volume++;
    }
}

static void
find_volumes (Sorting *self)
{
  guint full = 0;

  for (guint i = 0; i < self->slices->len; i++)
    if ((int) g_array_index (self->slices, Slice, i).n == self->volumes)
      {
        full = i;
        for (int k = 0; k < self->volumes; k++)
          entry_of (self, i, (guint) k)->volume = k;
      }
  for (guint i = 0; i < self->slices->len; i++)
    {
      if ((int) g_array_index (self->slices, Slice, i).n == self->volumes)
        full = i;
      else
        place_by_key (self, i, full);
    }
}

/* TEXT is taken. */
static void
add_caution (VgDicomStack *stack, char *text)
{
  g_autofree char *before = stack->caution, *own = text;

  stack->caution = before != NULL ? g_strdup_printf ("%s %s", before, own) : g_steal_pointer (&own);
}

/* "lacks slice 5 at 12.5 mm", or "lacks 12 of 40 slices, the first of them slice 13 at 60 mm". */
static char *
describe_missing (const Sorting *self, const guint *row, guint missing)
{
  const gboolean known = vg_dicom_stack_frame (self->stack, 0)->place.known;
  g_autofree char *place = NULL;
  guint slice = 0;

  while (row[slice] != G_MAXUINT)
    slice++;
  place = known ? g_strdup_printf (" at %.4g mm", entry_of (self, slice, 0)->position)
                : g_strdup ("");
  return missing == 1 ? g_strdup_printf ("lacks slice %u%s", slice + 1, place)
                      : g_strdup_printf ("lacks %u of %u slices, the first of them slice %u%s",
                                         missing, self->slices->len, slice + 1, place);
}

/* TABLE: the frame of each volume and slice. */
static void
note_left_out (const Sorting *self, const guint *table)
{
  const guint slices = self->slices->len;
  g_autoptr (GString) list = g_string_new (NULL);
  guint left_out = 0;

  for (int v = 0; v < self->volumes; v++)
    {
      const guint *row = table + (gsize) v * slices;
      guint missing = 0;

      for (guint i = 0; i < slices; i++)
        missing += row[i] == G_MAXUINT;
      if (missing > 0 && left_out++ < MOST_LISTED)
        {
          g_autofree char *what = describe_missing (self, row, missing);

          g_string_append_printf (list, "%s volume %d %s", left_out > 1 ? ";" : "", v + 1, what);
        }
    }
  if (left_out == 0)
    return;
  if (left_out > MOST_LISTED)
    g_string_append_printf (list, "; and %u more", left_out - MOST_LISTED);
  add_caution (self->stack,
               g_strdup_printf ("Only %d of %d volumes can be used, because slices are missing:%s. "
                                "Copy the series again if it should be complete.",
                                self->volumes - (int) left_out, self->volumes, list->str));
}

/* Keeps the members of complete volumes, in order; gives the number of each volume that is kept. */
static int *
keep_complete (Sorting *self)
{
  VgDicomStack *stack = self->stack;
  guint slices = self->slices->len;
  gsize room = (gsize) slices * (gsize) self->volumes;
  g_autofree guint *table = g_new (guint, room);
  int *kept = g_new (int, self->volumes);

  memset (table, 0xff, room * sizeof *table);
  for (guint i = 0; i < slices; i++)
    for (guint k = 0; k < g_array_index (self->slices, Slice, i).n; k++)
      if (entry_of (self, i, k)->volume >= 0)
        table[(gsize) entry_of (self, i, k)->volume * slices + i] = entry_of (self, i, k)->member;
  g_array_set_size (stack->members, 0);
  for (int v = 0; v < self->volumes; v++)
    {
      const guint *row = table + (gsize) v * slices;
      guint missing = 0;

      for (guint i = 0; i < slices; i++)
        missing += row[i] == G_MAXUINT;
      if (missing > 0)
        continue;
      kept[stack->volumes++] = v;
      g_array_append_vals (stack->members, row, slices);
    }
  stack->slices = (int) slices;
  if (stack->volumes > 0)
    note_left_out (self, table);
  return kept;
}

/* Whether the slices are at equal distances. */
static void
check_gaps (Sorting *self)
{
  VgDicomStack *stack = self->stack;
  guint n = self->slices->len;
  double least = INFINITY;

  for (guint i = 1; i < n; i++)
    least = MIN (least, entry_of (self, i, 0)->position - entry_of (self, i - 1, 0)->position);
  for (guint i = 1; i < n && n > 2; i++)
    {
      double begin = entry_of (self, i - 1, 0)->position,
             step = entry_of (self, i, 0)->position - begin;

      if (step <= 1.2 * least)
        continue;
      add_caution (
          stack,
          g_strdup_printf (
              "Slices %u and %u are %.3g mm apart, the others %.3g mm: a slice at %.4g mm may be "
              "missing. The slices are used as if all were %.3g mm apart, so distances and volumes "
              "are wrong. Copy the series again.",
              i, i + 1, step, least, begin + least,
              (entry_of (self, n - 1, 0)->position - entry_of (self, 0, 0)->position) / (n - 1)));
      return;
    }
}

/* Whether all slices are at multiples of STEP from the first one, and not too many. */
static gboolean
is_step (const Sorting *self, double step)
{
  double begin = entry_of (self, 0, 0)->position;

  for (guint i = 1; i < self->slices->len; i++)
    {
      double at = (entry_of (self, i, 0)->position - begin) / step;

      if (!(at < MOST_SLICES) || fabs (at - round (at)) > 0.1)
        return FALSE;
    }
  return step > 0;
}

/* A segmentation leaves out slices without a voxel: they become members without a frame. */
static gboolean
fill_gaps (Sorting *self, GError **error)
{
  VgDicomStack *stack = self->stack;
  const VgDicomFrame *first = vg_dicom_stack_frame (stack, 0);
  guint n = self->slices->len, none = G_MAXUINT, number = 0;
  double steps[] = { first->place.between, first->place.thickness, INFINITY };
  const char *wrong = NULL;
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 1; i < n; i++)
    steps[2] = MIN (steps[2],
                    entry_of (self, i, 0)->position - entry_of (self, i - 1, 0)->position);
  while (number < G_N_ELEMENTS (steps) - 1 && !is_step (self, steps[number]))
    number++;
  if (!first->place.known)
    wrong = "gives no position in the patient";
  else if (self->volumes > 1)
    wrong = "has two frames at one position";
  else if (n > 1 && !is_step (self, steps[number]))
    wrong = "has slices at unequal distances";
  if (wrong != NULL)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "segment %d, \"%s\", %s; export the segmentation again", first->segment,
                   first->origin.kind, wrong);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      double away = entry_of (self, i, 0)->position - entry_of (self, 0, 0)->position;

      while (i > 0 && members->len < (guint) round (away / steps[number]))
        g_array_append_val (members, none);
      g_array_append_val (members, g_array_index (stack->members, guint, i));
    }
  g_array_set_size (stack->members, 0);
  g_array_append_vals (stack->members, members->data, members->len);
  stack->slices = (int) members->len;
  return TRUE;
}

static void
set_place (VgDicomStack *self)
{
  const VgDicomFrame *first = vg_dicom_stack_frame (self, 0),
                     *last = vg_dicom_stack_frame (self, (guint) self->slices - 1);
  const VgDicomPlace *place = &first->place;
  double begin[3], end[3], normal[3],
      size = 0, between = place->between > 0 ? place->between : place->thickness;

  vg_dicom_frame_position (first, begin);
  vg_dicom_frame_position (last, end);
  vg_dicom_frame_normal (first, normal);
  for (int i = 0; i < 3; i++)
    {
      double step = self->slices > 1 && place->known ? (end[i] - begin[i]) / (self->slices - 1)
                                                     : normal[i] * (between > 0 ? between : 1);
      double sign = i < 2 ? -1 : 1; /* DICOM's x and y point the other way */

      self->matrix[i][0] = sign * place->row[i] * place->spacing[0];
      self->matrix[i][1] = sign * place->down[i] * place->spacing[1];
      self->matrix[i][2] = sign * step;
      self->matrix[i][3] = sign * begin[i];
      size += step * step;
    }
  self->size_mm[0] = place->spacing[0];
  self->size_mm[1] = place->spacing[1];
  self->size_mm[2] = place->known && self->slices > 1 ? sqrt (size) : between;
  self->placed = place->known && place->spacing[0] > 0 && place->spacing[1] > 0;
}

gboolean
vg_dicom_stack_sort (VgDicomStack *self, GError **error)
{
  Sorting sorting = { .stack = self,
                      .entries = g_array_new (FALSE, TRUE, sizeof (Entry)),
                      .slices = g_array_new (FALSE, TRUE, sizeof (Slice)) };
  g_autofree int *kept = NULL;
  gboolean ok = TRUE;

  make_entries (&sorting);
  find_slices (&sorting);
  if (sorting.volumes * (gint64) sorting.slices->len <= 16 * (gint64) self->members->len + 1024)
    {
      choose_key (&sorting);
      find_volumes (&sorting);
      kept = keep_complete (&sorting);
    }
  if (self->volumes > 0 && vg_dicom_stack_frame (self, 0)->segment > 0)
    {
      ok = fill_gaps (&sorting, error);
      if (ok)
        set_place (self);
    }
  else if (self->volumes > 0)
    {
      if (vg_dicom_stack_frame (self, 0)->place.known)
        check_gaps (&sorting);
      else
        g_string_append (
            self->notes,
            "The files give no positions, so slices are sorted by their instance numbers.\n");
      set_place (self);
      vg_dicom_stack_set_times (self, kept, sorting.volumes);
    }
  g_array_unref (sorting.entries);
  g_array_unref (sorting.slices);
  if (self->volumes > 0)
    return ok;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "no volume of series \"%s\" has all its slices; copy the series again",
               vg_dicom_stack_frame (self, 0)->origin.description);
  return FALSE;
}
