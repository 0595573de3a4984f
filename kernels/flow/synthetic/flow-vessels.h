/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Where the vessels of a flow sample are, and how fast their blood flows. */
G_BEGIN_DECLS

/* How the flow of a live sample changes with the heart and the breath. */
typedef enum {
  VG_FLOW_STEADY,
  VG_FLOW_PULSE,  /* a sine of 1.2 Hz */
  VG_FLOW_ARTERY, /* a steep rise and a slower fall, 1.2 Hz */
  VG_FLOW_VEIN,   /* a weak wave of 0.3 Hz */
} VgFlowRhythm;

/* Pixels of the same flow. */
typedef struct
{
  double tau_ms; /* at rest */
  VgFlowRhythm rhythm;
  double supplied; /* share of its blood that comes through the clamped branch, 0 to 1 */
} VgFlowTissue;

enum { VG_FLOW_MOST_TISSUES = 256 };

/* What the flow of a live sample is TIME_S after its start, relative to rest.  CLAMP: what passes
 * the clamp then (flow-clamp.h). */
double vg_flow_tissue_speed (const VgFlowTissue *self, double time_s, double clamp);
/* Writes the index of its tissue for each pixel to MAP.  Returns the tissues, of VgFlowTissue,
 * owned; the first is outside the vessels. */
GArray *vg_flow_vessels_draw (int width, int height, guint8 *map);

G_END_DECLS
