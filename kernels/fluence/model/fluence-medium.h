/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-formula.h"
#include "kernels/fluence/model/fluence-params.h"
#include "kernels/base/vg-image.h"
#include "kernels/core/vg-overlay.h"
/* Layers and grids of the photon walk, and checks of the settings.
 *
 * The tally has the summed weight of collisions by column, a bin of radius, and row, a bin of depth
 * in a layer.  The last column and the last bin of depth have everything outside the grid.  Bin k
 * in layer l is row k + l, so a bin that a boundary cuts has a row for each of its layers.  As each
 * row belongs to one layer, the same tally gives absorption (w mua / mut) and fluence (w / mut),
 * even if mua is 0. */
G_BEGIN_DECLS

typedef struct
{
  int n_layers;
  VgFluenceLayer *layers; /* n_layers + 2: [0] above, [n + 1] below */
  double *mua, *mut;      /* by layer, 0-based */
  int *row_layer;         /* layer of each row, 0-based; -1: none */
  guint32 most_events;    /* after which a photon is discarded: VG_FLUENCE_MAX_EVENTS */
  int *row_bin;           /* bin of depth of each row; nz: below the grid */
  int nz, nr, na, gates;
  int rows, columns; /* nz + n_layers; nr + 1 */
  gsize cells;
  double dz, dr, gate_ps;
  float inverse_dz, inverse_dr, inverse_gate;

  /* Launch. */
  double specular;
  gboolean isotropic;
  gboolean all_clear;     /* nothing scatters or absorbs: no photon is traced */
  float start_x, start_z; /* cm; below the layer's top */
  int start_layer;        /* 1-based */
} VgFluenceMedium;

gboolean vg_fluence_validate (const void *params, GError **error);
/* Boundaries of the layers, and the light source; lengths in cm. */
VgOverlay *vg_fluence_overlay (const void *params, const VgImageInfo *info, guint output);
/* The depth in cm down to which a map has to reach: the sum of the thicknesses of the layers, where
 * a half-space counts with eight effective penetration depths of its light.  *ENDLESS: whether
 * there is a half-space. */
double vg_fluence_depth (const VgFluenceParams *params, gboolean *endless);
/* Bytes that an engine needs with one thread, or on one GPU. */
void vg_fluence_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);
/* Bytes of host memory with THREADS threads or, if N_DEVICES > 0, on N_DEVICES GPUs. */
gsize vg_fluence_host_bytes (const VgFluenceParams *params, int threads, int n_devices);
/* Number of replicates of a run, each with its own tally; N_DEVICES if it has none. */
int vg_fluence_replicates (const VgFluenceParams *params, int n_devices);
/* FALSE and VG_OPERATION_ERROR_MEMORY if these are more than the available memory. */
gboolean vg_fluence_check_memory (const VgFluenceParams *params, int threads, int n_devices,
                                  GError **error);
/* Whether the maps are convolved with the beam, which then is flat or Gaussian. */
gboolean vg_fluence_has_wide_beam (const VgFluenceParams *params);
/* PARAMS must be valid. */
VgFluenceMedium *vg_fluence_medium_new (const VgFluenceParams *params);
void vg_fluence_medium_free (VgFluenceMedium *self);
/* Whether both trace the same photons, so that the tallies remain valid. */
gboolean vg_fluence_same_walk (const VgFluenceParams *a, const VgFluenceParams *b);

/* A valid setting that is likely to be a mistake: swapped values, other units, or a grid that
 * misses the tissue. */
typedef struct
{
  /* 0: the medium above; 1 ..: layer; layers + 1: the medium below; -1: the grid */
  int place;
  char *text;
} VgFluenceHint;

/* At most ten VgFluenceHint; owned by the caller. */
GPtrArray *vg_fluence_hints (const VgFluenceParams *params);
/* Their texts as lines, owned by the caller; NULL if there are none. */
char *vg_fluence_hints_text (const VgFluenceParams *params);

G_END_DECLS
