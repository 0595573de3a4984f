/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/vessels/perfusion-search.h"
#include <glib/gi18n.h>
#include <string.h>
/* Which voxels are artery, portal vein and liver: grown from those with the highest scores. */

#define SURE_CONTRAST 10.0 /* of the mean curve, above its lowest tenth */
#define RIVAL 0.8          /* a second artery this high, or vein this likely, is as good */
#define LIVER_LEAST 0.02   /* part of all voxels */
#define LIVER_CONTRAST 8.0 /* peak of its curve, in standard deviations of a voxel */
#define LIVER_COMPACT 0.75 /* part of its voxels with four neighbours */
enum { FEWEST_VOXELS = 4, BOX = 1, LIVER_BOX = 3 };

/* ---- Choice ---- */

/* The candidate with the highest mean score in a box of its slice, which is *MEAN.  Voxels in
 * WITHOUT (or NULL) do not count. */
static gsize
best_candidate (const VgPerfusionSearch *self, int reach, const guint8 *without, double *mean)
{
  gsize best = 0;

  *mean = 0;
  for (gsize i = 0; i < self->all; i++)
    {
      int x = (int) (i % self->width), y = (int) (i / self->width % self->height);
      double sum = 0;

      if (!(self->score[i] > 0) || (without != NULL && without[i]))
        continue;
      for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++)
          if (x + dx >= 0 && x + dx < (int) self->width && y + dy >= 0 &&
              y + dy < (int) self->height)
            {
              gsize at = (gsize) ((gssize) i + dy * (gssize) self->width + dx);

              sum += without != NULL && without[at] ? 0 : (double) self->score[at];
            }
      if (sum > *mean)
        {
          *mean = sum;
          best = i;
        }
    }
  *mean /= (2 * reach + 1) * (2 * reach + 1);
  return best;
}

/* Grows the best vessel.  *RIVAL receives another one that is as good but has another curve, or
 * NULL.  NULL: none, or an error. */
static VgPerfusionGrown *
choose_vessel (const VgPerfusionSearch *self, gsize most, VgPerfusionGrown **rival, GError **error)
{
  double first, second;
  gsize seed = best_candidate (self, BOX, NULL, &first);
  g_autoptr (VgPerfusionGrown)
      grown = first > 0 ? vg_perfusion_grow (self->voxels, seed, most, error) : NULL;

  *rival = NULL;
  if (grown == NULL || grown->inside < FEWEST_VOXELS ||
      vg_perfusion_contrast (grown->curve, self->voxels->n) < SURE_CONTRAST)
    return NULL;
  seed = best_candidate (self, BOX, grown->member, &second);
  if (second > RIVAL * first)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (VgPerfusionGrown) other = vg_perfusion_grow (self->voxels, seed, most, &local);

      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      if (other != NULL && other->inside >= FEWEST_VOXELS &&
          vg_perfusion_shape_difference (self->voxels, other->curve, 0, grown->curve, 1) > 0.15)
        *rival = g_steal_pointer (&other);
    }
  return g_steal_pointer (&grown);
}

/* ---- Words ---- */

/* Why the region of KIND may not be one vessel or organ alone, or NULL.  RIVAL: another vessel that
 * is as good, or NULL. */
static const char *
doubt (const VgPerfusionSearch *self, const VgPerfusionFound *found, VgPerfusionFoundKind kind,
       const VgPerfusionGrown *rival)
{
  if (self->voxels->before < 2)
    return N_ ("This is uncertain, because there is only one frame before the bolus.");
  /* The curves of the others follow from the artery's. */
  if (kind != VG_PERFUSION_FOUND_ARTERY && !found->sure[VG_PERFUSION_FOUND_ARTERY])
    return N_ ("This is uncertain, because the artery is uncertain.");
  if (found->grown[kind]->bounded)
    return N_ ("This is uncertain, because the region has no clear border.");
  return rival != NULL ? N_ ("This is uncertain, because another vessel is nearly as likely.")
                       : NULL;
}

char *
vg_perfusion_found_size (const char *what, gsize voxels, int slices, int of)
{
  return g_strdup_printf ("%s: %" G_GSIZE_FORMAT " voxels in %d of %d slices were found.", what,
                          voxels, slices, of);
}

/* WHY says that it is uncertain, or is NULL. */
static void
describe (VgPerfusionFound *found, VgPerfusionFoundKind kind, const char *what, const char *why,
          const VgPerfusionSearch *self)
{
  const VgPerfusionGrown *grown = found->grown[kind];
  g_autofree char *size = vg_perfusion_found_size (what, grown->inside, grown->slices,
                                                   (int) self->slices);
  GString *text = g_string_new (size);

  if (why == NULL && grown->edge == 1)
    g_string_append (text, "\n1 edge voxel contains other tissue and is left out.");
  else if (why == NULL && grown->edge > 1)
    g_string_append_printf (
        text, "\n%" G_GSIZE_FORMAT " edge voxels contain other tissue and are left out.",
        grown->edge);
  if (grown->thin && kind != VG_PERFUSION_FOUND_LIVER)
    g_string_append_printf (text, "\n%s",
                            N_ ("The vessel has no interior, so its peak may be too low."));
  if (why != NULL)
    g_string_append_printf (text, "\n%s", why);
  found->sure[kind] = why == NULL;
  found->note[kind] = g_string_free (text, FALSE);
}

/* A twentieth of the volume, and more where that is small. */
static gsize
largest_vessel (const VgPerfusionSearch *self)
{
  return self->all / 20 + 64;
}

/* Finds the artery or the portal vein, called WHAT, by the scores; MISSING is the note on none. */
static void
find_vessel (VgPerfusionSearch *self, VgPerfusionFound *found, VgPerfusionFoundKind kind,
             const char *what, const char *missing, GError **error)
{
  g_autoptr (VgPerfusionGrown) rival = NULL;

  found->grown[kind] = choose_vessel (self, largest_vessel (self), &rival, error);
  if (found->grown[kind] != NULL)
    describe (found, kind, what, doubt (self, found, kind, rival), self);
  else
    found->note[kind] = g_strdup (missing);
}

/* Tissue is fitted up to its edge. */
static void
keep_edges (const VgPerfusionSearch *self, VgPerfusionGrown *grown)
{
  gsize area = self->width * self->height, last = G_MAXSIZE;

  grown->slices = 0;
  for (gsize i = 0; i < self->all; i++)
    {
      grown->member[i] = grown->member[i] != 0;
      grown->slices += grown->member[i] && i / area != last;
      last = grown->member[i] ? i / area : last;
    }
  grown->inside += grown->edge;
  grown->edge = 0;
}

/* The part of the voxels inside GROWN whose neighbours in the slice are mostly inside too. */
static double
compactness (const VgPerfusionSearch *self, const VgPerfusionGrown *grown)
{
  gsize full = 0;

  for (gsize i = 0; i < self->all; i++)
    {
      gsize x = i % self->width, y = i / self->width % self->height;

      if (grown->member[i])
        full += (x == 0 || grown->member[i - 1]) + (x + 1 == self->width || grown->member[i + 1]) +
                    (y == 0 || grown->member[i - self->width]) +
                    (y + 1 == self->height || grown->member[i + self->width]) >=
                3;
    }
  return (double) full / (double) grown->inside;
}

/* The peak of GROWN in standard deviations of the noise of one voxel. */
static double
voxel_contrast (const VgPerfusionSearch *self, const VgPerfusionGrown *grown)
{
  double noise = 0;

  for (gsize i = 0; i < self->all; i++)
    if (grown->member[i])
      noise += (double) self->voxels->noise[i] / (double) grown->inside;
  return noise > 0 ? grown->peak / noise : HUGE_VAL;
}

/* Why the region of the liver may not be the liver alone, or NULL. */
static const char *
doubt_liver (const VgPerfusionSearch *self, const VgPerfusionFound *found)
{
  const VgPerfusionGrown *grown = found->grown[VG_PERFUSION_FOUND_LIVER];
  const char *why = doubt (self, found, VG_PERFUSION_FOUND_LIVER, NULL);

  if (why != NULL)
    return why;
  if (voxel_contrast (self, grown) < LIVER_CONTRAST)
    return N_ ("This is uncertain, because its voxels are too noisy to tell it from other tissue.");
  return compactness (self, grown) < LIVER_COMPACT
             ? N_ ("This is uncertain, because its border is ragged, so it may contain other "
                   "tissue.")
             : NULL;
}

static void
find_liver (VgPerfusionSearch *self, VgPerfusionFound *found, GError **error)
{
  VgPerfusionFoundKind kind = VG_PERFUSION_FOUND_LIVER;
  double mean;
  gsize seed = best_candidate (self, LIVER_BOX, NULL, &mean);

  if (mean > 0.5)
    found->grown[kind] = vg_perfusion_grow (self->voxels, seed, self->all, error);
  if (found->grown[kind] != NULL)
    keep_edges (self, found->grown[kind]);
  if (found->grown[kind] != NULL &&
      (double) found->grown[kind]->inside < LIVER_LEAST * (double) self->all)
    g_clear_pointer (&found->grown[kind], vg_perfusion_grown_free);
  if (found->grown[kind] != NULL)
    describe (found, kind, "Liver", doubt_liver (self, found), self);
  else
    found->note[kind] = g_strdup (N_ ("No liver was found: no large region has the curve of liver "
                                      "tissue. Draw the liver, or leave it empty to fit all "
                                      "voxels."));
}

static gboolean
find_artery (VgPerfusionSearch *self, VgPerfusionFound *found, GError **error)
{
  g_autoptr (GError) local = NULL;

  vg_perfusion_score_arteries (self);
  if (vg_perfusion_voxels_stopped (self->voxels, error))
    return FALSE;
  find_vessel (self, found, VG_PERFUSION_FOUND_ARTERY, "Artery",
               N_ ("No artery was found: no vessel enhances early and far above the noise. Draw "
                   "the artery."),
               &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Finds the portal vein and the liver, whose curves follow from the artery's. */
static gboolean
find_others (VgPerfusionSearch *self, VgPerfusionFound *found, GError **error)
{
  g_autoptr (GError) local = NULL;

  vg_perfusion_score_veins (self);
  if (vg_perfusion_voxels_stopped (self->voxels, error))
    return FALSE;
  find_vessel (self, found, VG_PERFUSION_FOUND_PORTAL, "Portal vein",
               N_ ("No portal vein was found: no vessel has the curve of blood that comes from the "
                   "gut. Draw the portal vein, or leave it empty to compute its curve from the "
                   "artery."),
               &local);
  self->portal = found->sure[VG_PERFUSION_FOUND_PORTAL] ? found->grown[VG_PERFUSION_FOUND_PORTAL]
                                                        : NULL;
  if (local == NULL)
    vg_perfusion_score_liver (self);
  if (local == NULL && !vg_perfusion_voxels_stopped (self->voxels, &local))
    find_liver (self, found, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
vg_perfusion_find (const VgPerfusionVoxels *voxels, VgPerfusionGrown *given,
                   VgPerfusionFound *found, GError **error)
{
  const VgImageInfo *info = &voxels->study->image->info;
  g_autofree float *score = vg_perfusion_voxels_alloc (
      voxels, voxels->study->voxels * sizeof *score, error);
  VgPerfusionSearch self = { .voxels = voxels,
                             .all = voxels->study->voxels,
                             .width = (gsize) info->width,
                             .height = (gsize) info->height,
                             .slices = (gsize) info->slices,
                             .score = score,
                             .interval_s = (voxels->times_s[voxels->n - 1] - voxels->times_s[0]) /
                                           (voxels->n - 1) };

  *found = (VgPerfusionFound){ .grown[VG_PERFUSION_FOUND_ARTERY] = given,
                               .sure[VG_PERFUSION_FOUND_ARTERY] = given != NULL };
  if (score == NULL || (given == NULL && !find_artery (&self, found, error)))
    return FALSE;
  self.artery = found->grown[VG_PERFUSION_FOUND_ARTERY];
  if (self.artery != NULL)
    return find_others (&self, found, error);
  found->note[VG_PERFUSION_FOUND_PORTAL] = g_strdup (
      N_ ("The portal vein was not searched for, because no artery was found. Draw the portal "
          "vein."));
  found->note[VG_PERFUSION_FOUND_LIVER] = g_strdup (
      N_ ("The liver was not searched for, because no artery was found. Draw the liver."));
  return TRUE;
}

void
vg_perfusion_found_clear (VgPerfusionFound *found)
{
  for (int i = 0; i < VG_PERFUSION_N_FOUND; i++)
    {
      vg_perfusion_grown_free (found->grown[i]);
      g_free (found->note[i]);
    }
  memset (found, 0, sizeof *found);
}
