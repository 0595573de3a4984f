/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/base/vg-error.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* The scene on a GPU: the same numbers as on the host, bit for bit. */

enum { VG_CONTOUR_SUMS = 9 };

/* An object; its samples start at `offset` of the pools. */
typedef struct
{
  VgContourBox tile, changed;
  VgContourState state;
  guint64 offset;
  guint32 id;
  /* of the whole-image form, where many blocks work on one object */
  unsigned long long sums[VG_CONTOUR_SUMS];
  unsigned long long moved, area, energy[VG_CONTOUR_TERMS];
  unsigned int fastest;
  int any_inside;
} VgContourDeviceObject;

typedef struct
{
  float u_in, u_out; /* of the union */
  unsigned long long area, in;
  guint32 notes; /* taken since the last wait */
} VgContourUnion;

/* A period's energy, in units, and how many objects moved. */
typedef struct
{
  long long energy[VG_CONTOUR_TERMS];
  guint32 moving;
} VgContourNote;

enum { VG_CONTOUR_NOTES = 64 }; /* periods between two waits, at most */

/* All that the kernels see. */
typedef struct
{
  int width, height, n;
  VgContourDeviceObject *objects;
  float *phi, *work; /* work: 3 per sample and a row */
  guint16 *h, *mark;
  const guint16 *grey;
  gint32 *field;
  const VgContourPrior *prior;
  float *shapes; /* whole-image form: a template per object */
  VgContourUnion *all;
  gint64 grey_sum;
  VgContourNote *notes;
  VgContourWeights weights;
  int full;
} VgContourView;

typedef struct
{
  const float *phi;
  const guint16 *h, *mark;
} VgContourSamples;

typedef struct
{
  int device;
  cudaStream_t stream;
  VgContourView view;
  gsize samples, room; /* in use, allocated, per pool */
  int objects_room;
  int threads, blocks;         /* of a tile's block; whole-image blocks per object */
  VgContourDeviceObject *host; /* page-locked, objects_room */
  VgContourDeviceObject *next; /* on the device, objects_room: while the pools change */
  VgContourNote *host_notes;
  cudaGraphExec_t period;          /* all iterations of a period in one launch; NULL: not made */
  guint64 noted[VG_CONTOUR_NOTES]; /* the iterations of these notes */
  int notes;                       /* taken since the last wait */
  float *planes[VG_CONTOUR_N_PLANES];
  unsigned long long *keys; /* of the label drawing */
  gint32 *counts;
  gboolean current; /* the device has the scene */
} VgContourDevice;

VgContourDevice *vg_contour_device_new (int device, const VgContourScene *scene, GError **error);
void vg_contour_device_free (VgContourDevice *self);
/* Puts the scene's objects, field and weights on the device. */
gboolean vg_contour_device_upload (VgContourDevice *self, const VgContourScene *scene,
                                   GError **error);
/* Gives the samples on the device the tiles that the scene has since vg_contour_scene_grow, which
 * must follow a wait.  The scene's own samples need not be current. */
gboolean vg_contour_device_grow (VgContourDevice *self, const VgContourScene *scene,
                                 GError **error);
/* New weights, and the states that the scene has after a wait: the samples stay. */
gboolean vg_contour_device_reweigh (VgContourDevice *self, const VgContourScene *scene,
                                    GError **error);
/* Enqueues N iterations from the scene's, and counts them there. */
gboolean vg_contour_device_iterate (VgContourDevice *self, VgContourScene *scene, int n,
                                    GError **error);
/* Waits; the objects' states and the history come to the scene. */
gboolean vg_contour_device_wait (VgContourDevice *self, VgContourScene *scene, GError **error);
/* Waits; samples and field too. */
gboolean vg_contour_device_download (VgContourDevice *self, VgContourScene *scene, GError **error);
/* The samples as they are now, kept on the device, which must outlive it; NULL: no memory. */
VgContourStore *vg_contour_device_store (VgContourDevice *self);
/* Labels and overlap into planes of the device. */
gboolean vg_contour_device_draw (VgContourDevice *self, GError **error);

/* Launches; contour-kernels.cu, contour-tiles.cu, contour-full.cu. */
void vg_contour_launch_tiles (VgContourDevice *self, gboolean reinit);
void vg_contour_launch_full (VgContourDevice *self, gboolean reinit);
gboolean vg_contour_launch_iteration (VgContourDevice *self, gboolean reinit, GError **error);
gboolean vg_contour_launch_draw (VgContourDevice *self, GError **error);
/* Copies the samples of each object from FROM, where the layout is that of view.objects, to the
 * pools of the view, where it is that of NEXT. */
void vg_contour_launch_growth (VgContourDevice *self, const VgContourSamples *from);
