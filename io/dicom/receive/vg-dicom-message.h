/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Messages of DICOM over a network: those that set up an association (PS3.8), and the commands
 * C-ECHO and C-STORE (PS3.7), to and from bytes.  Nothing that a peer sends is believed before it
 * is checked. */
G_BEGIN_DECLS

enum {
  VG_DICOM_MESSAGE_HEAD = 6,      /* bytes of a header */
  VG_DICOM_MESSAGE_MOST = 131072, /* bytes after it; longer messages are refused */
  VG_DICOM_COMMAND_MOST = 8192,   /* bytes of a command */
  VG_DICOM_CONTEXTS_MOST = 128,
  VG_DICOM_UID_MOST = 64
};

typedef enum {
  VG_DICOM_ASSOCIATE = 1, /* A-ASSOCIATE-RQ */
  VG_DICOM_ACCEPT,
  VG_DICOM_REJECT,
  VG_DICOM_DATA, /* P-DATA-TF */
  VG_DICOM_RELEASE,
  VG_DICOM_RELEASED,
  VG_DICOM_ABORT
} VgDicomMessageType;

/* Bits of the control header of a part of a P-DATA-TF. */
enum { VG_DICOM_PART_COMMAND = 1, VG_DICOM_PART_LAST = 2 };

/* A presentation context: a class of objects in a transfer syntax. */
typedef struct
{
  guint8 id;
  guint8 result;            /* 0: accepted; 3, 4: class or syntax not supported */
  const char *object_class; /* UID; NULL: not supported */
  const char *syntax;       /* UID; NULL: none of those offered is supported */
} VgDicomContext;

typedef struct
{
  VgDicomContext contexts[VG_DICOM_CONTEXTS_MOST];
  guint n;
  gboolean accepts; /* at least one context is accepted */
} VgDicomAssociation;

/* Reads the LENGTH bytes of an A-ASSOCIATE-RQ after its header and appends the whole A-ASSOCIATE-AC
 * to ANSWER.  Accepted are the verification class and the MR and CT image classes, classic and
 * enhanced, in the transfer syntaxes that io/dicom reads.  FALSE: it is damaged. */
gboolean vg_dicom_association_answer (VgDicomAssociation *self, const guint8 *body, gsize length,
                                      GByteArray *answer);
/* The accepted context ID, or NULL. */
const VgDicomContext *vg_dicom_association_find (const VgDicomAssociation *self, guint8 id);

enum { VG_DICOM_C_STORE = 0x0001, VG_DICOM_C_ECHO = 0x0030 };

typedef enum {
  VG_DICOM_SUCCESS = 0x0000,
  VG_DICOM_INVALID_INSTANCE = 0x0117,
  VG_DICOM_WRONG_CLASS = 0x0122,
  VG_DICOM_NO_OPERATION = 0x0211, /* unrecognized operation */
  VG_DICOM_NO_ROOM = 0xa700,
  VG_DICOM_NOT_UNDERSTOOD = 0xc000 /* "cannot understand" */
} VgDicomStatus;

typedef struct
{
  guint16 field;   /* VG_DICOM_C_STORE, VG_DICOM_C_ECHO or another */
  guint16 message; /* its number, which the response repeats */
  gboolean has_data;
  char object_class[VG_DICOM_UID_MOST + 1], instance[VG_DICOM_UID_MOST + 1]; /* "" : not given */
} VgDicomCommand;

/* Reads a command set.  FALSE: it is damaged, or a UID in it is not valid. */
gboolean vg_dicom_command_parse (VgDicomCommand *self, const guint8 *bytes, gsize length);
/* Appends the response with STATUS as a whole message of CONTEXT. */
void vg_dicom_command_respond (const VgDicomCommand *self, guint8 context, VgDicomStatus status,
                               GByteArray *answer);

/* Appends a message of TYPE whose header is followed by the 4 bytes BODY. */
void vg_dicom_message_add (GByteArray *answer, VgDicomMessageType type, const guint8 body[4]);
/* Whether TEXT is a UID: numbers separated by points, at most 64 characters.  Numbers with leading
 * zeros, which the standard forbids, occur and are accepted. */
gboolean vg_dicom_uid_is_valid (const char *text);
/* The head of a DICOM file (PS3.10) of an object that was received in SYNTAX. */
GByteArray *vg_dicom_file_head (const VgDicomCommand *command, const char *syntax);

G_END_DECLS
