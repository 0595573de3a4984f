/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/vessels/perfusion-find.h"
#include "kernels/perfusion/vessels/perfusion-vessels.h"
#include "kernels/base/vg-memory.h"
#include <glib/gi18n.h>
#include <string.h>
/* Artery, portal vein and liver as masks of one slice, for the parameters that are empty. */

#define WIDEST 1.25 /* radius of a vessel's region, relative to the largest diamond in it */
enum { LIVER_OPENING = 2, BYTES_PER_VOXEL = 40 };

/* A mask of one slice, with space for two more and for a number per pixel. */
typedef struct
{
  int width, height;
  guint8 *inside, *before, *old;
  gsize *queue;
} Slice;

static gboolean
at (const Slice *self, int x, int y)
{
  return x >= 0 && y >= 0 && x < self->width && y < self->height &&
         self->inside[(gsize) y * (gsize) self->width + (gsize) x];
}

static gsize
area (const Slice *self)
{
  return (gsize) self->width * (gsize) self->height;
}

static gsize
count (const Slice *self)
{
  gsize n = 0;

  for (gsize i = 0; i < area (self); i++)
    n += self->inside[i];
  return n;
}

/* Erodes (VALUE 0) or dilates (VALUE 1) the mask by one pixel, TIMES times.  Neighbourhoods of 4
 * and 8 pixels alternate, so that the structuring element of two TIMES or more is nearly round.
 * Outside the slice nothing is inside.  Uses `old`. */
static void
move_border (Slice *self, guint8 value, int times)
{
  const Slice old = { self->width, self->height, self->old };

  for (int k = 0; k < times; k++)
    {
      memcpy (self->old, self->inside, area (self));
      for (int y = 0; y < self->height; y++)
        for (int x = 0; x < self->width; x++)
          for (int i = 0; i < 9; i++)
            {
              int dx = i % 3 - 1, dy = i / 3 - 1;

              if ((k % 2 == 1 || dx == 0 || dy == 0) && at (&old, x + dx, y + dy) == value)
                self->inside[(gsize) y * (gsize) self->width + (gsize) x] = value;
            }
    }
}

/* Keeps what is at least 2 RADIUS + 1 wide. */
static void
open_mask (Slice *self, int radius)
{
  memcpy (self->before, self->inside, area (self));
  move_border (self, 0, radius);
  move_border (self, 1, radius);
  for (gsize i = 0; i < area (self); i++)
    self->inside[i] &= self->before[i];
}

/* Fills gaps up to 2 RADIUS wide. */
static void
close_mask (Slice *self, int radius)
{
  memcpy (self->before, self->inside, area (self));
  move_border (self, 1, radius);
  move_border (self, 0, radius);
  for (gsize i = 0; i < area (self); i++)
    self->inside[i] |= self->before[i];
}

/* The pixel inside that is nearest to the centroid; there is one. */
static gsize
middle (const Slice *self)
{
  gsize width = (gsize) self->width, best = 0;
  double x = 0, y = 0, nearest = HUGE_VAL, n = (double) count (self);

  for (gsize i = 0; i < area (self); i++)
    if (self->inside[i])
      {
        x += (double) (i % width) / n;
        y += (double) (i / width) / n;
      }
  for (gsize i = 0; i < area (self); i++)
    {
      double away = hypot ((double) (i % width) - x, (double) (i / width) - y);

      if (self->inside[i] && away < nearest)
        {
          nearest = away;
          best = i;
        }
    }
  return best;
}

/* Keeps what is around the widest place: a disc somewhat wider than the largest diamond that fits
 * in. */
static void
keep_widest (Slice *self)
{
  gsize width = (gsize) self->width, at = 0;
  int radius = 0;

  memcpy (self->before, self->inside, area (self));
  for (; count (self) > 0; radius++)
    {
      at = middle (self);
      move_border (self, 0, 1);
    }
  for (gsize i = 0; i < area (self); i++)
    self->inside[i] = self->before[i] &&
                      hypot ((double) (i % width) - (double) (at % width),
                             (double) (i / width) - (double) (at / width)) <= WIDEST * radius;
}

/* Sets the pixels of value VALUE that are connected with SEED by their sides to MARK; their
 * number. */
static gsize
flood (Slice *self, gsize seed, guint8 value, guint8 mark)
{
  gsize n = 0, width = (gsize) self->width, *queue = self->queue;

  self->inside[seed] = mark;
  queue[n++] = seed;
  for (gsize i = 0; i < n; i++)
    {
      const gsize x = queue[i] % width, y = queue[i] / width;
      const gsize next[4] = { queue[i] - 1, queue[i] + 1, queue[i] - width, queue[i] + width };
      const gboolean is_there[4] = { x > 0, x + 1 < width, y > 0, y + 1 < (gsize) self->height };

      for (int k = 0; k < 4; k++)
        if (is_there[k] && self->inside[next[k]] == value)
          {
            self->inside[next[k]] = mark;
            queue[n++] = next[k];
          }
    }
  return n;
}

/* Keeps the largest piece, with its holes filled. */
static void
keep_largest (Slice *self)
{
  enum { PASSED = 2, BEST = 3, AROUND = 4 };
  gsize n = area (self), most = 0, best = 0;

  for (gsize i = 0; i < n; i++)
    if (self->inside[i] == 1)
      {
        gsize size = flood (self, i, 1, PASSED);

        best = size > most ? i : best;
        most = MAX (most, size);
      }
  if (most > 0)
    flood (self, best, PASSED, BEST);
  for (gsize i = 0; i < n; i++)
    self->inside[i] = self->inside[i] == BEST;
  for (gsize i = 0; i < n; i++)
    {
      gsize x = i % (gsize) self->width, y = i / (gsize) self->width;

      if (self->inside[i] == 0 &&
          (x == 0 || y == 0 || x + 1 == (gsize) self->width || y + 1 == (gsize) self->height))
        flood (self, i, 0, AROUND);
    }
  for (gsize i = 0; i < n; i++)
    self->inside[i] = self->inside[i] != AROUND;
}

/* The number of a vessel's voxels in slice Z, and their mean peak. */
static gsize
look_at_slice (const VgPerfusionGrown *grown, const VgPerfusionVoxels *voxels, gsize pixels, int z,
               double *peak)
{
  gsize n = 0;

  *peak = 0;
  for (gsize i = (gsize) z * pixels; i < (gsize) (z + 1) * pixels; i++)
    if (grown->member[i] == 1)
      {
        *peak += (double) voxels->peak[i];
        n++;
      }
  *peak /= (double) MAX (n, 1);
  return n;
}

/* Sets MASK to the widest part of a vessel in one slice, and returns that slice: it has the highest
 * peak among the slices with at least 70 % of the largest area. */
static int
take_vessel (const VgPerfusionGrown *grown, const VgPerfusionVoxels *voxels, int slices,
             Slice *mask)
{
  gsize pixels = area (mask), most = 0;
  double highest = -1, peak;
  int best = 0;

  for (int z = 0; z < slices; z++)
    most = MAX (most, look_at_slice (grown, voxels, pixels, z, &peak));
  for (int z = 0; z < slices; z++)
    if (10 * look_at_slice (grown, voxels, pixels, z, &peak) >= 7 * most && peak > highest)
      {
        highest = peak;
        best = z;
      }
  for (gsize i = 0; i < pixels; i++)
    mask->inside[i] = grown->member[(gsize) best * pixels + i] == 1;
  keep_largest (mask);
  keep_widest (mask);
  keep_largest (mask);
  return best;
}

/* Sets the slices of MASK, one after the other, to the liver with the portal vein in it; where it
 * is too thin, a slice is empty.  Returns the slice with the most voxels. */
static int
take_liver (const VgPerfusionGrown *grown, const VgPerfusionGrown *portal, int slices, Slice *mask)
{
  gsize pixels = area (mask), most = 0;
  Slice slice = *mask;
  int best = 0;

  for (int z = 0; z < slices; z++)
    {
      gsize first = (gsize) z * pixels, n;
      gboolean any = FALSE;

      slice.inside = mask->inside + first;
      for (gsize i = 0; i < pixels; i++)
        {
          any |= grown->member[first + i] != 0;
          slice.inside[i] = grown->member[first + i] != 0 ||
                            (portal != NULL && portal->member[first + i] != 0);
        }
      if (!any)
        memset (slice.inside, 0, pixels);
      close_mask (&slice, LIVER_OPENING);
      open_mask (&slice, LIVER_OPENING);
      keep_largest (&slice);
      n = count (&slice);
      best = n > most ? z : best;
      most = MAX (most, n);
    }
  return best;
}

/* The number of voxels inside MASK, and of the slices with such voxels. */
static gsize
count_all (const VgImage *mask, int *slices)
{
  gsize n = vg_image_info_page_bytes (&mask->info), all = 0;

  *slices = 0;
  for (gint64 z = 0; z < mask->info.slices; z++)
    {
      gsize before = all;

      for (gsize i = 0; i < n; i++)
        all += ((const guint8 *) mask->data)[(gsize) z * n + i];
      *slices += all > before;
    }
  return all;
}

/* The note on a liver that is certain gives the size of its mask. */
static void
note_mask (VgFinding *finding)
{
  int slices;
  gsize voxels = count_all (finding->mask, &slices);

  g_free (finding->note);
  finding->note = vg_perfusion_found_size ("Liver", voxels, slices,
                                           (int) finding->mask->info.slices);
}

static VgFinding *
finding_of (const char *param, VgPerfusionFound *found, VgPerfusionFoundKind kind,
            const VgPerfusionVoxels *voxels, GError **error)
{
  const VgImageInfo *info = &voxels->study->image->info;
  VgImageInfo grid = vg_image_info_grey (VG_U8, info->width, info->height);
  g_autoptr (VgFinding) finding = g_new0 (VgFinding, 1);
  int slices;

  finding->param = param;
  finding->note = g_steal_pointer (&found->note[kind]);
  if (found->grown[kind] == NULL)
    return g_steal_pointer (&finding);
  finding->doubtful = !found->sure[kind];
  if (finding->doubtful && (found->grown[kind]->bounded || kind == VG_PERFUSION_FOUND_LIVER))
    {
      g_autofree char *before = g_steal_pointer (&finding->note);

      /* its shape says nothing */
      finding->note = g_strdup_printf ("%s\n%s", before,
                                       N_ ("Draw the region, or leave the setting empty."));
      return g_steal_pointer (&finding);
    }
  if (kind == VG_PERFUSION_FOUND_LIVER)
    {
      grid.slices = info->slices;
      grid.placement = info->placement;
      memcpy (grid.pixel_size, info->pixel_size, sizeof grid.pixel_size);
      memcpy (grid.pixel_unit, info->pixel_unit, sizeof grid.pixel_unit);
    }
  finding->mask = vg_image_new (&grid, param, error);
  if (finding->mask == NULL)
    return NULL;
  /* voxels->values has room for four bytes per pixel */
  Slice mask = { info->width, info->height, finding->mask->data };
  mask.before = (guint8 *) voxels->values;
  mask.old = mask.before + area (&mask);
  mask.queue = voxels->queue;
  if (kind == VG_PERFUSION_FOUND_LIVER)
    finding->slice = take_liver (
        found->grown[kind],
        found->sure[VG_PERFUSION_FOUND_PORTAL] ? found->grown[VG_PERFUSION_FOUND_PORTAL] : NULL,
        (int) info->slices, &mask);
  else
    finding->slice = take_vessel (found->grown[kind], voxels, (int) info->slices, &mask);
  if (count_all (finding->mask, &slices) == 0)
    {
      g_autofree char *before = g_steal_pointer (&finding->note);

      finding->note = g_strdup_printf ("%s\n%s", before,
                                       N_ ("It is too thin to be outlined. Draw it."));
      g_clear_pointer (&finding->mask, vg_image_unref);
    }
  else if (kind == VG_PERFUSION_FOUND_LIVER)
    note_mask (finding);
  return g_steal_pointer (&finding);
}

/* Whether the user has marked nothing. */
static gboolean
is_empty (const char *text)
{
  return text == NULL || *text == '\0';
}

/* The artery that the user has marked in the data.  NULL: there is none, or an error. */
static VgPerfusionGrown *
take_artery (const VgPerfusionVoxels *voxels, VgPerfusionStudy *study, GError **error)
{
  g_autofree guint8 *mask = vg_perfusion_voxels_alloc (voxels, study->voxels, error);
  gboolean found;

  return mask != NULL && vg_perfusion_mark_artery (study, mask, &found, error) && found
             ? vg_perfusion_grown_new (voxels, g_steal_pointer (&mask))
             : NULL;
}

GPtrArray *
vg_perfusion_find_inputs (const VgContext *context, GError **error)
{
  static const char *const params_of[VG_PERFUSION_N_FOUND] = { "artery", "portal", "mask" };
  const VgPerfusionParams *params = context->params;
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (vg_finding_free);
  g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new_frames (context, error);
  g_autoptr (VgPerfusionVoxels) voxels = NULL;
  g_autoptr (VgPerfusionGrown) artery = NULL;
  g_autoptr (GError) local = NULL;
  VgPerfusionFound found = { 0 };
  gboolean good;

  if (study == NULL)
    return NULL;
  if ((is_empty (params->artery) || is_empty (params->portal)) &&
      !vg_perfusion_read_averages (study, error))
    return NULL;
  const gboolean wanted[VG_PERFUSION_N_FOUND] = {
    [VG_PERFUSION_FOUND_ARTERY] = is_empty (params->artery) && study->artery == NULL,
    [VG_PERFUSION_FOUND_PORTAL] = is_empty (params->portal) && study->portal == NULL &&
                                  params->inputs == 0,
    [VG_PERFUSION_FOUND_LIVER] = is_empty (params->mask),
  };
  if (!wanted[0] && !wanted[1] && !wanted[2])
    return g_steal_pointer (&findings);
  if (!vg_memory_check (study->voxels * BYTES_PER_VOXEL, "the search for vessels", error) ||
      (voxels = vg_perfusion_voxels_new (study, context, error)) == NULL)
    return NULL;
  artery = take_artery (voxels, study, &local);
  good = local == NULL && vg_perfusion_find (voxels, g_steal_pointer (&artery), &found, &local);
  for (int i = 0; i < VG_PERFUSION_N_FOUND && good; i++)
    if (wanted[i])
      {
        VgFinding *finding = finding_of (params_of[i], &found, (VgPerfusionFoundKind) i, voxels,
                                         &local);

        good = finding != NULL;
        if (good)
          g_ptr_array_add (findings, finding);
      }
  vg_perfusion_found_clear (&found);
  if (good)
    return g_steal_pointer (&findings);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}
