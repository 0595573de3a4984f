/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-params.h"
#include "kernels/contour/model/contour-prior.h"
#include "kernels/base/vg-simd.h"
#include <glib.h>
/* The level sets on one image: an object per nucleus in a tile of its own,
 * and the one field they share, the sum of their H.  The CPU's iteration works
 * on this; the GPU's on a copy with the same bits. */
G_BEGIN_DECLS

typedef struct
{
  int x, y, width, height;
} VgContourBox;

/* What an object's iteration leaves; the same on the GPU. */
typedef struct
{
  VgContourBox box;   /* of the tile: where phi may exceed -band */
  float u_in, u_out;  /* means of the grey value */
  VgContourPose pose; /* of the prior, in the box; it goes along when that moves */
  float shape[VG_CONTOUR_MODES];
  gint64 area;    /* sum of H, in units */
  float moved_px; /* mean displacement of the front over the last period */
  gint32 still;   /* periods in a row with less than the tolerance */
  gint32 moving, outgrown;
  gint64 age;                      /* iterations since it was set or last had a reason to move */
  gint64 energy[VG_CONTOUR_TERMS]; /* at the end of the last period, in units */
} VgContourState;

/* What settling did to an object; but for a split one it is dropped. */
typedef enum {
  VG_CONTOUR_SPLIT = 1,    /* lost parts but the largest */
  VG_CONTOUR_VANISHED = 2, /* smaller than the least area */
  VG_CONTOUR_FAINT = 4,    /* no brighter than their surroundings */
  VG_CONTOUR_MERGED = 8,   /* lay within another */
  VG_CONTOUR_LARGE = 16,   /* larger than the largest area */
  VG_CONTOUR_RAGGED = 32,  /* less solid than wanted */
} VgContourLoss;

typedef struct
{
  VgContourBox tile; /* of the image */
  float *phi;        /* of the tile, in pixels, positive inside */
  guint16 *h;        /* H in units: what the field holds of it */
  guint16 *mark;     /* H when the front was last reinitialised */
  double seed_x, seed_y;
  guint id;             /* never given twice */
  int loss;             /* VgContourLoss bits, of the last settling */
  VgContourBox changed; /* while it is iterated: what of its tile is to be published */
  VgContourState state;
} VgContourObject;

typedef struct
{
  guint64 iteration;
  double energy[VG_CONTOUR_TERMS];
  guint moving;
} VgContourMoment;

typedef struct
{
  int width, height;
  const guint16 *grey; /* 0..VG_CONTOUR_UNIT */
  gint32 *field;       /* sum of H in units */
  GPtrArray *objects;  /* of VgContourObject, owned, by id */
  /* that settling took out: no part of the field, judged again after a change */
  GPtrArray *dropped;
  VgContourPrior prior;
  VgContourWeights weights;
  int reinit_period;
  int most_age;  /* of the weights, that they are given */
  gboolean full; /* every object's tile is the image */
  float radius;
  float u_in, u_out; /* of the union, for global means */
  GArray *history;   /* of VgContourMoment, one per period */
  guint64 iteration;
  guint next_id;
  int threads;
  /* of each thread that objects are shared out to: 3 floats per pixel of the largest tile and of
   * one more row; */
  float *work;
  gsize work_room; /* these floats of one thread, */
  int work_threads;
} VgContourScene;

/* A copy of the samples of all objects that is kept outside the scene, such as on a GPU: phi, H and
 * mark in this order, each for all tiles one after the other, with one spare row after each tile.
 */
typedef struct _VgContourStore VgContourStore;
struct _VgContourStore
{
  gsize samples;                           /* per array, with the spare rows */
  guint8 *(*fetch) (VgContourStore *self); /* a new copy in host memory; NULL: failed */
  void (*free) (VgContourStore *self);
};

/* GREY is borrowed.  NULL and VG_OPERATION_ERROR_MEMORY. */
VgContourScene *vg_contour_scene_new (const guint16 *grey, int width, int height, float radius,
                                      const VgContourParams *params, int threads, GError **error);
void vg_contour_scene_free (VgContourScene *self);
/* Takes weights, means, steps, the radius and the reinitialisation period. */
void vg_contour_scene_set_weights (VgContourScene *self, const VgContourParams *params,
                                   float radius);
/* Bytes of one object as it is added. */
gsize vg_contour_object_bytes (int width, int height, float radius, gboolean full);
/* A disc of 0.7 radii about a point of the image; NULL: no memory. */
VgContourObject *vg_contour_scene_add (VgContourScene *self, double x, double y);
/* The same, or with LABELS (of the image's size) what is LABEL there, as far as a tile reaches;
 * to be refreshed. */
VgContourObject *vg_contour_scene_add_seed (VgContourScene *self, double x, double y,
                                            const gint32 *labels, gint32 label);
/* Takes object INDEX out of the field, to be freed, or to be dropped only. */
void vg_contour_scene_remove (VgContourScene *self, guint index);
void vg_contour_scene_drop (VgContourScene *self, guint index);
/* Brings all dropped objects back as they were, in their old places among the others. */
void vg_contour_scene_restore_dropped (VgContourScene *self);
/* These objects, whole, in the place of all that there are; they are the scene's from now on. */
void vg_contour_scene_set (VgContourScene *self, GPtrArray *objects, GPtrArray *dropped);
/* With the samples of TILE to be filled in; or of LIKE with these samples of its tile.  NULL: no
 * memory. */
VgContourObject *vg_contour_object_new (const VgContourBox *tile);
VgContourObject *vg_contour_object_copy (const VgContourObject *like, const float *phi,
                                         const guint16 *h, const guint16 *mark);
void vg_contour_object_free (gpointer object);
/* Lets an object move for as many iterations as it may, or all of them. */
void vg_contour_object_wake (VgContourObject *self);
void vg_contour_scene_wake (VgContourScene *self);
/* Objects do at most so many iterations each; until this is said, any number. */
void vg_contour_scene_limit (VgContourScene *self, int iterations);
/* Room to work on one object more, and on a tile of WIDTH x HEIGHT, so that no iteration needs
 * memory; FALSE: none. */
gboolean vg_contour_scene_reserve (VgContourScene *self, int width, int height);
/* The threads to share objects out to, each with a place in `work` of its own: the next, from
 * *TAKEN on, which was 0. */
int vg_contour_scene_threads (const VgContourScene *self);
float *vg_contour_scene_work (const VgContourScene *self, int *taken);
/* Gives outgrown objects larger tiles; *GROWN (or NULL) tells of any.  FALSE and
 * VG_OPERATION_ERROR_MEMORY. */
gboolean vg_contour_scene_grow (VgContourScene *self, gboolean *grown, GError **error);
guint vg_contour_scene_count_moving (const VgContourScene *self);
/* The object moved in the last iteration that it may do; how many did. */
gboolean vg_contour_scene_is_cut_off (const VgContourScene *self, const VgContourObject *object);
guint vg_contour_scene_count_cut_off (const VgContourScene *self);
/* How many of these moved by more than a fiftieth of the radius in their last period: more
 * iterations would change them. */
gboolean vg_contour_scene_is_far (const VgContourScene *self, const VgContourObject *object);
guint vg_contour_scene_count_far (const VgContourScene *self);
/* The iterations that some object may still do. */
int vg_contour_scene_iterations_left (const VgContourScene *self);
/* Brings phi's signed distance, box, H and field up to date after phi was set. */
void vg_contour_scene_refresh (VgContourScene *self, VgContourObject *object);
/* The same beside other threads that do so, each with its WORK, and for all objects. */
void vg_contour_scene_refresh_shared (VgContourScene *self, VgContourObject *object, float *work);
void vg_contour_scene_refresh_all (VgContourScene *self);
/* Area and means of an object that has not moved yet, with the field of all of them. */
void vg_contour_scene_measure (const VgContourScene *self, VgContourObject *object);

/* N iterations on the CPU. */
void vg_contour_scene_iterate (VgContourScene *self, int n);
void vg_contour_scene_means (VgContourScene *self);

/* Exact to second order near the front; phi within +-band, box and `outgrown`
 * follow.  SCRATCH: 3 floats per pixel of the tile and of one more row. */
VgContourBox vg_contour_reinitialise (VgContourObject *object, float band, gboolean full, int width,
                                      int height, float *scratch);

/* The box with the ring about it where the background's mean is taken. */
static inline VgContourBox
vg_contour_ring (const VgContourBox *box, int by, int width, int height)
{
  int x0 = MAX (box->x - by, 0), y0 = MAX (box->y - by, 0);
  int x1 = MIN (box->x + box->width + by, width), y1 = MIN (box->y + box->height + by, height);

  return (VgContourBox){ x0, y0, x1 - x0, y1 - y0 };
}

static inline VgContourObject *
vg_contour_scene_object (const VgContourScene *self, guint i)
{
  return (VgContourObject *) self->objects->pdata[i];
}

G_END_DECLS
