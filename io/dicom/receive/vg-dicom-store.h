/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/receive/vg-dicom-message.h"
/* The folder into which received objects are written, each as a whole file or not at all, and what
 * has happened so far.  One thread writes; any thread may ask for the state. */
G_BEGIN_DECLS

/* The name of a file is the instance UID of its object, so that it cannot lead out of the folder.
 */
#define VG_DICOM_OBJECT_BYTES ((guint64) 2 << 30) /* most of an object */
#define VG_DICOM_STORE_BYTES ((guint64) 64 << 30) /* most of all objects of a store */

/* Events that are told once each. */
typedef enum {
  VG_DICOM_TOLD_CLASS,
  VG_DICOM_TOLD_COMMAND,
  VG_DICOM_TOLD_EMPTY,
  VG_DICOM_TOLD_ROOM,
  VG_DICOM_TOLD_DISK,
  VG_DICOM_TOLD_BROKEN,
  VG_DICOM_TOLD_SILENT,
  VG_DICOM_TOLD_SLOW,
  VG_DICOM_TOLD_MANY,
  VG_DICOM_N_TOLD
} VgDicomTold;

typedef struct
{
  guint64 stored;   /* objects that are complete in the folder */
  guint64 repeated; /* objects that the folder had before, which are not written again */
  guint64 refused;  /* objects of another kind, or for which there is no room */
  guint64 broken;   /* connections that broke off, or sent no DICOM messages */
  guint64 bytes;    /* of the stored objects */
  gint64 last_us;   /* monotonic time of the last object, stored or repeated; 0: none */
  guint open;       /* associations that have not ended */
  guint said;       /* number of `sentences` */
  char sentences[VG_DICOM_N_TOLD][400]; /* the events and the reactions to them, in order */
} VgDicomReceived;

typedef struct _VgDicomStore VgDicomStore;
typedef struct _VgDicomObject VgDicomObject; /* that is being received */

/* A store for at most MOST_BYTES in FOLDER, which is created if it does not exist. */
VgDicomStore *vg_dicom_store_new (const char *folder, guint64 most_bytes, GError **error);
void vg_dicom_store_free (VgDicomStore *self);
void vg_dicom_store_get_state (VgDicomStore *self, VgDicomReceived *state);
/* The names of the files in the folder that were stored or repeated; a set of char *, owned. */
GHashTable *vg_dicom_store_list (VgDicomStore *self);
/* An association begins (1) or ends (-1). */
void vg_dicom_store_count_open (VgDicomStore *self, int change);
void vg_dicom_store_count_refused (VgDicomStore *self, VgDicomTold told, const char *sentence);
void vg_dicom_store_count_broken (VgDicomStore *self, VgDicomTold told, const char *sentence);

/* Begins the object of COMMAND, which is valid.  If it cannot be stored, its bytes are discarded
 * and `end` says why. */
VgDicomObject *vg_dicom_store_begin (VgDicomStore *self, const VgDicomCommand *command,
                                     const char *syntax);
void vg_dicom_object_add (VgDicomObject *self, const guint8 *bytes, gsize n);
/* All bytes were added: the file appears.  Frees SELF. */
VgDicomStatus vg_dicom_object_end (VgDicomObject *self);
/* The connection broke off: nothing appears.  Frees SELF, which may be NULL. */
void vg_dicom_object_drop (VgDicomObject *self);

G_END_DECLS
