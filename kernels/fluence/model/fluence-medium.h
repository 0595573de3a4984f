/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-formula.h"
#include "kernels/fluence/model/fluence-params.h"
#include "kernels/base/vg-image.h"
#include "kernels/core/vg-overlay.h"
/* The layers and grids as the photon walk needs them, and the checks of the
 * settings.
 *
 * The tally holds the weight of every collision, by column (bin of radius,
 * the last one is everything outside) and row (bin of depth, the last one is
 * everything below).  A bin that a boundary cuts has a row for each of its
 * layers: bin k in layer l is row k + l, which is unique as deeper bins lie in
 * deeper layers.  So a row belongs to one layer, and with that layer's
 * coefficients the same tally gives absorption (w mua / mut) and fluence
 * (w / mut), also where mua is 0. */
G_BEGIN_DECLS

typedef struct
{
  int n_layers;
  VgFluenceLayer *layers; /* n_layers + 2: [0] above, [n + 1] below */
  double *mua, *mut;      /* by layer, 0-based */
  int *row_layer;         /* of each row */
  guint32 most_events;    /* of a photon: VG_FLUENCE_MAX_EVENTS */
  int *row_bin;           /* nz: below the grid */
  int nz, nr, na, gates;
  int rows, columns; /* nz + n_layers; nr + 1 */
  gsize cells;
  double dz, dr, gate_ps;
  float inverse_dz, inverse_dr, inverse_gate;

  /* Launch. */
  double specular;
  gboolean isotropic;
  gboolean all_glass;     /* nothing scatters or absorbs: no photon is traced */
  float start_x, start_z; /* cm; below the layer's top */
  int start_layer;        /* 1-based */
} VgFluenceMedium;

gboolean vg_fluence_validate (const void *params, GError **error);
/* Boundaries of the layers, and the beam; depth in cm below the surface. */
VgOverlay *vg_fluence_overlay (const void *params, const VgImageInfo *info, guint output);
/* Bytes that an engine takes, with one thread or on one GPU. */
void vg_fluence_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);
/* In host memory, on so many THREADS or, if N_DEVICES > 0, on so many GPUs. */
gsize vg_fluence_host_bytes (const VgFluenceParams *params, int threads, int n_devices);
/* How many parts, of tallies of their own, a run on so many GPUs has; as many: it is not divided
 * further. */
int vg_fluence_parts (const VgFluenceParams *params, int n_devices);
/* FALSE and VG_OPERATION_ERROR_MEMORY when they are not there. */
gboolean vg_fluence_check_memory (const VgFluenceParams *params, int threads, int n_devices,
                                  GError **error);
/* Its maps are spread over the beam. */
gboolean vg_fluence_is_wide (const VgFluenceParams *params);
/* PARAMS must be valid. */
VgFluenceMedium *vg_fluence_medium_new (const VgFluenceParams *params);
void vg_fluence_medium_free (VgFluenceMedium *self);
/* TRUE when both need the same walk, so that tallies can be kept. */
gboolean vg_fluence_same_walk (const VgFluenceParams *a, const VgFluenceParams *b);

/* What looks like a mistake in settings that can be computed: swapped values,
 * units, a grid that misses the tissue. */
typedef struct
{
  /* 0: the medium above; 1 ..: layer; layers + 1: the medium below; -1: the grid */
  int place;
  char *text;
} VgFluenceHint;

/* The first ten, of VgFluenceHint; may be empty. */
GPtrArray *vg_fluence_hints (const VgFluenceParams *params);
/* All as lines; NULL: none.  Owned by the caller. */
char *vg_fluence_suspect (const VgFluenceParams *params);

G_END_DECLS
