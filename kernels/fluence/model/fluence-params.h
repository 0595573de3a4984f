/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/tables/vg-table.h"
#include "kernels/core/vg-operation.h"
/* Settings of Monte Carlo light transport; lengths in cm, coefficients in 1/cm.  The table in
 * fluence-operation.c describes each of them. */
G_BEGIN_DECLS

typedef enum {
  VG_FLUENCE_PENCIL,
  VG_FLUENCE_FLAT,
  VG_FLUENCE_GAUSSIAN,
  VG_FLUENCE_RING,
  VG_FLUENCE_POINT
} VgFluenceBeam;
typedef enum { VG_FLUENCE_STOP_PHOTONS, VG_FLUENCE_STOP_TIME, VG_FLUENCE_STOP_ERROR } VgFluenceStop;

typedef enum { VG_FLUENCE_GRID_FITS, VG_FLUENCE_GRID_SET } VgFluenceGrid;

/* Columns of the layer table. */
enum {
  VG_FLUENCE_N,
  VG_FLUENCE_MUA,
  VG_FLUENCE_MUS,
  VG_FLUENCE_G,
  VG_FLUENCE_D,
  VG_FLUENCE_COLUMNS
};

/* Indices into the output table of fluence-operation.c. */
enum {
  VG_FLUENCE_OUTPUT_FLUENCE,
  VG_FLUENCE_OUTPUT_ABSORPTION,
  VG_FLUENCE_OUTPUT_RELATIVE_ERROR,
  VG_FLUENCE_OUTPUT_OLD_FLUENCE,
  VG_FLUENCE_OUTPUT_REFERENCE,
  VG_FLUENCE_OUTPUT_DIFFERENCE,
  VG_FLUENCE_OUTPUT_RATIO,
  VG_FLUENCE_OUTPUT_MCO,
  VG_FLUENCE_OUTPUT_GATES,
  VG_FLUENCE_OUTPUT_EXITANCE,
  VG_FLUENCE_OUTPUT_MCI,
  VG_FLUENCE_N_OUTPUTS,
};

enum {
  VG_FLUENCE_MAX_LAYERS = 4096,
  VG_FLUENCE_MAX_BINS = 65535,
  VG_FLUENCE_MAX_ANGLES = 3600,
  VG_FLUENCE_MAX_GATES = 4096,
  VG_FLUENCE_NAME = 240
};

/* Largest numbers of cells of the tally, and of bins of exit radius and angle. */
enum { VG_FLUENCE_MAX_CELLS = 1 << 30, VG_FLUENCE_MAX_EXITS = 1 << 27 };

/* Thickness from which a layer counts as semi-infinite in messages. */
#define VG_FLUENCE_DEEP_CM 1e7

/* Largest number of named layers of a file, and bytes of a name. */
enum { VG_FLUENCE_NAMED = 32, VG_FLUENCE_LAYER_NAME = 160 };

typedef struct
{
  char name[VG_FLUENCE_LAYER_NAME];
  int row, rows; /* its position, and the number of layers */
  guint32 key;   /* hash of the layer's values: see fluence-names.c */
} VgFluenceLayerName;

typedef struct
{
  VgTable *layers; /* n, mua, mus, g, d */
  double n_above, n_below;
  int grid; /* VgFluenceGrid */
  double dz_cm, dr_cm;
  int nz, nr, na;
  int stop;       /* VgFluenceStop */
  double photons; /* at most */
  double time_limit_s;
  double target_error; /* per cent */
  int seed;
  int beam;               /* VgFluenceBeam */
  double beam_radius_cm;  /* flat: edge; Gaussian: 1/e^2; ring: of the circle */
  double source_depth_cm; /* isotropic point */
  double power_mw;
  gboolean reflectance_only;
  gboolean time_resolved;
  int gates;
  double gate_ps;
  gboolean compare;
  char *reference_file;                             /* an .mco file */
  char name[VG_FLUENCE_NAME];                       /* of the .mco file, from an .mci file; or "" */
  VgFluenceLayerName layer_names[VG_FLUENCE_NAMED]; /* from an .mci file's comments */
  int n_layer_names;
} VgFluenceParams;

/* The operation; its table of parameters has their ranges and the presets of layers. */
extern const VgOperation vg_fluence_operation;

G_END_DECLS
