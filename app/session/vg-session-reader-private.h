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
} VgSessionReader;

/* FALSE, and an error that names group and key. */
gboolean vg_session_fail (GError **error, const char *group, const char *key, const char *why);
gboolean vg_session_fail_unknown (GError **error, const char *group, const char *key);
/* The key's text, owned by the caller; NULL and an error. */
char *vg_session_reader_get (VgSessionReader *self, const char *group, const char *key,
                             GError **error);
/* A whole number from 0 on. */
gboolean vg_session_reader_get_int64 (VgSessionReader *self, const char *group, const char *key,
                                      gint64 *value, GError **error);
/* PARAM's key into its member of FIELDS. */
gboolean vg_session_reader_parse (VgSessionReader *self, const char *group, const VgParam *param,
                                  void *fields, GError **error);
/* The parameter with exactly this id; NULL: none. */
const VgParam *vg_session_find_field (const VgParamTable *table, const char *key);

/* Read a key of a VgDocument, a VgDisplay, a VgNamedRegion. */
gboolean vg_session_read_view_key (VgSessionReader *self, gpointer document, const char *group,
                                   const char *key, GError **error);
gboolean vg_session_read_display_key (VgSessionReader *self, gpointer display, const char *group,
                                      const char *key, GError **error);
gboolean vg_session_read_region_key (VgSessionReader *self, gpointer region, const char *group,
                                     const char *key, GError **error);

G_END_DECLS
