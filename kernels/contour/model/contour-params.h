/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/tables/vg-table.h"
/* Settings of the contour evolution.  Lengths in pixels; grey values are
 * scaled to 0..1.  The table in contour-operation.c describes each. */
G_BEGIN_DECLS

typedef enum {
  VG_CONTOUR_HAEMATOXYLIN,
  VG_CONTOUR_EOSIN,
  VG_CONTOUR_DAB,
  VG_CONTOUR_MACENKO_1,
  VG_CONTOUR_MACENKO_2,
  VG_CONTOUR_RED,
  VG_CONTOUR_GREEN,
  VG_CONTOUR_BLUE,
  VG_CONTOUR_GREY,
} VgContourChannel;

typedef enum {
  VG_CONTOUR_POLARITY_AUTOMATIC,
  VG_CONTOUR_POLARITY_BRIGHT,
  VG_CONTOUR_POLARITY_DARK
} VgContourPolarity;
typedef enum {
  VG_CONTOUR_SEEDS_AUTOMATIC,
  VG_CONTOUR_SEEDS_LOG,
  VG_CONTOUR_SEEDS_RADIAL,
  VG_CONTOUR_SEEDS_WATERSHED,
  VG_CONTOUR_SEEDS_GIVEN,
} VgContourSeeding;
typedef enum { VG_CONTOUR_FORCE_LEARNED, VG_CONTOUR_FORCE_CLASSICAL } VgContourForce;
typedef enum { VG_CONTOUR_MEANS_LOCAL, VG_CONTOUR_MEANS_GLOBAL } VgContourMeans;
typedef enum { VG_CONTOUR_STEP_ADAPTIVE, VG_CONTOUR_STEP_FIXED } VgContourStepRule;
typedef enum { VG_CONTOUR_GRID_TILES, VG_CONTOUR_GRID_FULL } VgContourGrid;

/* In the order of the output table. */
enum {
  VG_CONTOUR_OUTPUT_LABELS,
  VG_CONTOUR_OUTPUT_OVERLAP,
  VG_CONTOUR_OUTPUT_STAIN,
  VG_CONTOUR_OUTPUT_WATERSHED,
  VG_CONTOUR_OUTPUT_ARTEFACTS,
  /* measures of the nuclei, as maps */
  VG_CONTOUR_OUTPUT_AREA,
  VG_CONTOUR_OUTPUT_LONG_AXIS,
  VG_CONTOUR_OUTPUT_ECCENTRICITY,
  VG_CONTOUR_OUTPUT_MEAN_STAIN,
  VG_CONTOUR_OUTPUT_MEAN_OD,
  VG_CONTOUR_OUTPUT_HAEMATOXYLIN,
  VG_CONTOUR_OUTPUT_DAB,
  VG_CONTOUR_OUTPUT_DOUBT,
  VG_CONTOUR_OUTPUT_CONTOURS,
  VG_CONTOUR_OUTPUT_OBJECTS,
  VG_CONTOUR_N_OUTPUTS,
};

/* Maps in memory: all measures share the last one. */
enum { VG_CONTOUR_N_PLANES = VG_CONTOUR_OUTPUT_AREA + 1 };

enum { VG_CONTOUR_MAX_OBJECTS = 1 << 17, VG_CONTOUR_MAX_RADIUS = 200 };

typedef struct
{
  int stain;          /* VgContourChannel */
  int polarity;       /* VgContourPolarity, of a channel that is no stain */
  float smoothing_px; /* Gaussian sigma */
  int seeding;        /* VgContourSeeding */
  char *seeds;        /* points or labels, in the place of automatic seeds */
  VgTable *added;     /* x, y */
  VgTable *removed;   /* x, y: the nearest seed goes */
  float radius_px;    /* of a nucleus; 0: measured */
  float sensitivity;  /* of automatic seeds */
  int force;          /* VgContourForce: what the contours evolve on */
  float lambda_in, lambda_out;
  float region_weight;   /* beta_r */
  float curvature;       /* mu */
  float prior_weight;    /* beta_s */
  float overlap_penalty; /* omega */
  int means;             /* VgContourMeans */
  int step_rule;         /* VgContourStepRule */
  float step_px;         /* adaptive: the front's fastest point moves so far */
  float time_step;       /* fixed */
  int reinit_period;     /* iterations between reinitialisations */
  int grid;              /* VgContourGrid */
  int iterations;        /* at most */
  float tolerance_px;    /* an object that moved less in a period stops */
  int iterations_shown;  /* per step and image; 0: as many as there is time for */
  int restart;           /* action */
  float smallest;        /* of the area of a nucleus of the given radius */
  float contrast;        /* least difference of inside and outside */
  float largest;         /* of the area of a nucleus of the given radius; 0: any */
  float solidity;        /* least share of the area in that of the convex hull; 0: any */
  gboolean artefacts;    /* nuclei in artefacts are removed */
  gboolean positivity;   /* nuclei are classified by DAB */
  /* mean optical density of DAB, to base 10, from which a nucleus is 1+, 2+ and 3+ */
  float weak_od, moderate_od, strong_od;
  char *truth;
} VgContourParams;

G_END_DECLS
