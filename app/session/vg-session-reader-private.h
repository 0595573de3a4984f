/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-document.h"
/* Shared by the files that read the text of a session. */
G_BEGIN_DECLS

typedef struct
{
  GKeyFile *file;
  const char *folder;
  GPtrArray *known, *documents;
  gboolean names_only; /* no file that the session names is opened */
  /* the key that is read */
  const char *group, *key;
  char *text; /* its value; NULL: it is a list */
  GError **error;
} VgSessionReader;

/* Sets the error, which names group and key; returns FALSE. */
gboolean vg_session_reader_fail (VgSessionReader *self, const char *why);
gboolean vg_session_reader_fail_unknown (VgSessionReader *self);
/* The value as a whole number from 0 on; FALSE and an error: it is none. */
gboolean vg_session_reader_get_int64 (VgSessionReader *self, gint64 *value);
/* Sets PARAM in FIELDS to the value; the same error. */
gboolean vg_session_reader_parse (VgSessionReader *self, const VgParam *param, void *fields);
/* The parameter with exactly this id; NULL: none. */
const VgParam *vg_session_find_field (const VgParamTable *table, const char *key);

/* Read the key of a VgDocument, a VgDisplay, a VgNamedRegion. */
gboolean vg_session_read_view_key (VgSessionReader *self, gpointer document);
gboolean vg_session_read_display_key (VgSessionReader *self, gpointer display);
gboolean vg_session_read_region_key (VgSessionReader *self, gpointer region);
/* Gives REGION another id if a region of DOCUMENT has the same: alarms refer to one by its id. */
void vg_session_separate_region (const VgDocument *document, VgNamedRegion *region);
/* Reads a key of a VgDocument's annotations. */
gboolean vg_session_read_annotation_key (VgSessionReader *self, gpointer document);

G_END_DECLS
