/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-params.h"
#include "kernels/contour/model/contour-prior.h"
#include "kernels/base/vg-simd.h"
#include <glib.h>
/* The scene: one level set for each nucleus, in a tile of its own, and the field, which is the sum
 * of their smoothed Heaviside functions H.  The CPU iterates on the scene, the GPU on a copy with
 * the same bits. */
G_BEGIN_DECLS

typedef struct
{
  int x, y, width, height;
} VgContourBox;

/* State of an object after an iteration; the same on the GPU. */
typedef struct
{
  VgContourBox box;   /* in the tile: pixels where phi may exceed -band */
  float u_in, u_out;  /* mean intensities inside and outside */
  VgContourPose pose; /* of the shape prior, relative to the box */
  float shape[VG_CONTOUR_MODES];
  gint64 area;    /* sum of H, in units of 1 / VG_CONTOUR_UNIT */
  float moved_px; /* mean displacement in the last period */
  gint32 still;   /* consecutive periods below the tolerance */
  gint32 moving, outgrown;
  gint64 age;                      /* iterations since the start or the last wake-up */
  gint64 energy[VG_CONTOUR_TERMS]; /* after the last period, in units */
} VgContourState;

/* Why finalising removed an object; a split object stays. */
typedef enum {
  VG_CONTOUR_SPLIT = 1,    /* lost parts but the largest */
  VG_CONTOUR_VANISHED = 2, /* smaller than the least area */
  VG_CONTOUR_FAINT = 4,    /* less contrast than required */
  VG_CONTOUR_MERGED = 8,   /* mostly inside another object */
  VG_CONTOUR_LARGE = 16,   /* larger than the largest area */
  VG_CONTOUR_RAGGED = 32,  /* less solid than required */
  VG_CONTOUR_SPOILT = 64,  /* mostly in an artefact */
} VgContourLoss;

typedef struct
{
  VgContourBox tile; /* in the image */
  float *phi;        /* level set on the tile, px, positive inside */
  guint16 *h;        /* H in units, as added to the field */
  guint16 *mark;     /* H at the last reinitialisation */
  double seed_x, seed_y;
  guint id;             /* unique in the scene */
  int loss;             /* VgContourLoss bits of the last finalising */
  VgContourBox changed; /* of the tile: where the field must be updated */
  VgContourState state;
} VgContourObject;

/* An entry of the energy curve. */
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
  /* lost objects: not part of the field, assessed again after a change of settings */
  GPtrArray *dropped;
  VgContourPrior prior;
  VgContourWeights weights;
  int reinit_period;
  int most_age;  /* limit of `age`, copied to the weights */
  gboolean full; /* the tile of every object is the whole image */
  float radius;
  float u_in, u_out;       /* of the union of objects, for global means */
  GArray *history;         /* of VgContourMoment, one per period */
  gboolean without_energy; /* it is not measured on the CPU */
  guint64 iteration;
  guint next_id;
  int threads;
  /* one buffer per thread: 3 floats per pixel of the largest tile and of one spare row */
  float *work;
  gsize work_room; /* floats per thread */
  int work_threads;
} VgContourScene;

/* A copy of the samples of all objects that is kept outside the scene, such as on a GPU: phi, H and
 * mark in this order, each for all tiles one after the other, with a spare row after each tile. */
typedef struct _VgContourStore VgContourStore;
struct _VgContourStore
{
  gsize samples;                           /* per array, with the spare rows */
  guint8 *(*fetch) (VgContourStore *self); /* a new copy in host memory; NULL: failed */
  void (*free) (VgContourStore *self);
};

/* A scene without objects on the plane GREY (WIDTH x HEIGHT, 0 to VG_CONTOUR_UNIT), which is
 * borrowed. NULL with VG_OPERATION_ERROR_MEMORY. */
VgContourScene *vg_contour_scene_new (const guint16 *grey, int width, int height, float radius,
                                      const VgContourParams *params, int threads, GError **error);
void vg_contour_scene_free (VgContourScene *self);
/* Sets the weights, step size, RADIUS (px) and reinitialisation period. */
void vg_contour_scene_set_weights (VgContourScene *self, const VgContourParams *params,
                                   float radius);
/* Memory of a new object, bytes. */
gsize vg_contour_object_bytes (int width, int height, float radius, gboolean full);
/* Adds a disc of 0.7 radii about (X, Y), px.  NULL: out of memory. */
VgContourObject *vg_contour_scene_add (VgContourScene *self, double x, double y);
/* The same, or with LABELS (the image's size) the pixels with LABEL inside the tile.  The caller
 * must refresh the object. */
VgContourObject *vg_contour_scene_add_seed (VgContourScene *self, double x, double y,
                                            const gint32 *labels, gint32 label);
/* Gives OBJECT the TILE, in the image, with samples that the caller must set, and takes it out of
 * the field until the caller refreshes it.  FALSE: out of memory, and the object is as before. */
gboolean vg_contour_scene_set_tile (VgContourScene *self, VgContourObject *object,
                                    const VgContourBox *tile);
/* Removes object INDEX from the field and frees it, or moves it to `dropped`. */
void vg_contour_scene_remove (VgContourScene *self, guint index);
void vg_contour_scene_drop (VgContourScene *self, guint index);
/* Moves all dropped objects back, in the order of their ids. */
void vg_contour_scene_restore_dropped (VgContourScene *self);
/* Replaces all objects; takes ownership of both arrays. */
void vg_contour_scene_set (VgContourScene *self, GPtrArray *objects, GPtrArray *dropped);
/* A new object with unset samples of TILE, or a copy of LIKE with these samples.  NULL: out of
 * memory. */
VgContourObject *vg_contour_object_new (const VgContourBox *tile);
VgContourObject *vg_contour_object_copy (const VgContourObject *like, const float *phi,
                                         const guint16 *h, const guint16 *mark);
void vg_contour_object_free (gpointer object);
/* Resets the age of one object, or of all, so that they move again. */
void vg_contour_object_wake (VgContourObject *self);
void vg_contour_scene_wake (VgContourScene *self);
/* Limits the iterations of each object since it last woke up; there is no limit at first. */
void vg_contour_scene_limit (VgContourScene *self, int iterations);
/* Allocates buffers for one more object and for a tile of WIDTH x HEIGHT, so that iterations need
 * no memory.  FALSE: out of memory. */
gboolean vg_contour_scene_reserve (VgContourScene *self, int width, int height);
/* The number of threads to use; and the buffer of the calling thread, where *TAKEN counts the
 * buffers in use from 0. */
int vg_contour_scene_threads (const VgContourScene *self);
float *vg_contour_scene_work (const VgContourScene *self, int *taken);
/* Whether the next function would enlarge a tile. */
gboolean vg_contour_scene_wants_to_grow (const VgContourScene *self);
/* Enlarges the tiles of objects that reach their edge; *GROWN (or NULL): any was enlarged.  FALSE
 * with VG_OPERATION_ERROR_MEMORY. */
gboolean vg_contour_scene_grow (VgContourScene *self, gboolean *grown, GError **error);
/* TRUE if the object still moves; and the number of these. */
gboolean vg_contour_scene_is_moving (const VgContourScene *self, const VgContourObject *object);
guint vg_contour_scene_count_moving (const VgContourScene *self);
/* TRUE if the object was still moving at its last permitted iteration; and the number of these. */
gboolean vg_contour_scene_is_cut_off (const VgContourScene *self, const VgContourObject *object);
guint vg_contour_scene_count_cut_off (const VgContourScene *self);
/* TRUE if such an object moved by more than 0.02 radii in its last period, so that more iterations
 * would change it; and the number of these. */
gboolean vg_contour_scene_is_far (const VgContourScene *self, const VgContourObject *object);
guint vg_contour_scene_count_far (const VgContourScene *self);
/* The largest number of iterations that an object may still do. */
int vg_contour_scene_iterations_left (const VgContourScene *self);
/* Restores the signed distances, box, H and the field after phi was set. */
void vg_contour_scene_refresh (VgContourScene *self, VgContourObject *object);
/* The same for use in parallel, with a buffer WORK per thread; and for all objects. */
void vg_contour_scene_refresh_shared (VgContourScene *self, VgContourObject *object, float *work);
void vg_contour_scene_refresh_all (VgContourScene *self);
/* Sets the area and mean intensities of an object that has not moved yet. */
void vg_contour_scene_measure (const VgContourScene *self, VgContourObject *object);

/* Does N iterations on the CPU; the number of threads changes no result. */
void vg_contour_scene_iterate (VgContourScene *self, int n);
/* Sets the mean intensities inside and outside the union of all objects. */
void vg_contour_scene_means (VgContourScene *self);

/* Restores the signed distances of phi within +-BAND, exact to second order near the contour, and
 * updates the box and `outgrown`.  WIDTH, HEIGHT: of the image.  SCRATCH: 3 floats per pixel of the
 * tile and of one spare row.  Returns the part of the tile that changed. */
VgContourBox vg_contour_reinitialise (VgContourObject *object, float band, gboolean full, int width,
                                      int height, float *scratch);

/* BOX enlarged by BY pixels on each side, in a plane of WIDTH x HEIGHT. */
static inline VgContourBox
vg_contour_ring (const VgContourBox *box, int by, int width, int height)
{
  int x0 = MAX (box->x - by, 0), y0 = MAX (box->y - by, 0);
  int x1 = MIN (box->x + box->width + by, width), y1 = MIN (box->y + box->height + by, height);

  return (VgContourBox){ x0, y0, x1 - x0, y1 - y0 };
}

/* Object I, 0 <= I < objects->len. */
static inline VgContourObject *
vg_contour_scene_object (const VgContourScene *self, guint i)
{
  return (VgContourObject *) self->objects->pdata[i];
}

G_END_DECLS
