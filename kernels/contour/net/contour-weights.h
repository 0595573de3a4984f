/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The weights of the network that finds nuclei, read from a file; training/contour writes it. */
G_BEGIN_DECLS

/* Channels are computed in groups of this many. */
enum { VG_CONTOUR_LANES = 16 };

/* One convolution.  Weights lie as [group of outputs][row][column][input][output of the group];
 * missing outputs of the last group are 0. */
typedef struct
{
  char name[16];
  int inputs, outputs, side;
  int groups;
  float *weights, *bias;
  float
      *products; /* the weights for contour-winograd.h: [group][product][input][output]; or NULL */
} VgContourLayer;

/* Resolutions, and convolutions: two on each way down and up, and the last. */
enum {
  VG_CONTOUR_DEPTH = 5,
  VG_CONTOUR_N_LAYERS = 2 * VG_CONTOUR_DEPTH + 2 * (VG_CONTOUR_DEPTH - 1) + 1
};
enum { VG_CONTOUR_NET_INPUTS = 3, VG_CONTOUR_NET_OUTPUTS = 3 };

typedef struct
{
  VgContourLayer layers[VG_CONTOUR_N_LAYERS];
  int channels[VG_CONTOUR_DEPTH]; /* of each resolution, the finest first */
} VgContourNet;

/* Reads a network from the LENGTH bytes of the file NAME.  NULL with VG_OPERATION_ERROR_INPUT:
 * they are truncated, modified, or of another version. */
VgContourNet *vg_contour_net_parse (const guint8 *bytes, gsize length, const char *name,
                                    GError **error);
VgContourNet *vg_contour_net_load (const char *path, GError **error);
void vg_contour_net_free (VgContourNet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgContourNet, vg_contour_net_free)
/* The program's own network, read once; NULL with the reason in *WHY: there is none. */
const VgContourNet *vg_contour_net_get (const char **why);

G_END_DECLS
