/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/volume/vg-section.h"
#include "render/vg-pane.h"
/* The samples of one section, taken from the volumes that are shown. */
G_BEGIN_DECLS

/* What is drawn, and how.  The volumes are borrowed until others are set. */
typedef struct
{
  VgScene scene;       /* colours, underlay and background */
  const float *map;    /* NULL: none */
  const float *light;  /* that dims the map; NULL: none */
  const guint8 *under; /* RGBA of an input in colour; NULL: none */
  const float *grey;   /* of the grey input, shown between the limits; NULL: none */
  double window[2];    /* its black and white level */
} VgVolumeLook;

/* In the order of the file. */
typedef struct
{
  float *map, *light, *grey;
  guint8 *under, *mask;
  gsize room; /* samples in each */
} VgSectionSamples;

/* Of the section through voxel AT; MASK may be NULL.  FALSE: there is not enough memory. */
gboolean vg_section_samples_take (VgSectionSamples *self, const VgSection *section,
                                  const VgVolumeGrid *grid, const int at[3],
                                  const VgVolumeLook *look, const guint8 *mask);
void vg_section_samples_clear (VgSectionSamples *self);

G_END_DECLS
