/* SPDX-License-Identifier: MIT */
#include "app/opening/vg-known-sizes.h"

/* The session may have got other inputs since, for instance by undo. */
typedef struct
{
  VgDataSize size;
  char **inputs; /* to which it belongs */
  char *read_options;
} KnownSize;

struct _VgKnownSizes
{
  GHashTable *sizes; /* of KnownSize, by VgOperation */
};

static void
known_size_free (gpointer data)
{
  KnownSize *known = data;

  g_strfreev (known->inputs);
  g_free (known->read_options);
  g_free (known);
}

VgKnownSizes *
vg_known_sizes_new (void)
{
  VgKnownSizes *self = g_new (VgKnownSizes, 1);

  self->sizes = g_hash_table_new_full (NULL, NULL, NULL, known_size_free);
  return self;
}

void
vg_known_sizes_free (VgKnownSizes *self)
{
  g_hash_table_unref (self->sizes);
  g_free (self);
}

void
vg_known_sizes_note (VgKnownSizes *self, VgSession *session, const VgDataSize *size)
{
  KnownSize *known = g_new (KnownSize, 1);

  *known = (KnownSize){ *size, g_strdupv ((char **) vg_session_get_inputs (session)),
                        g_strdup (vg_session_get_read_options (session)) };
  g_hash_table_insert (self->sizes, (gpointer) vg_session_get_operation (session), known);
}

VgDataSize
vg_known_sizes_find (const VgKnownSizes *self, VgSession *session)
{
  const KnownSize *known = g_hash_table_lookup (self->sizes, vg_session_get_operation (session));

  if (known != NULL &&
      g_strv_equal ((const char *const *) known->inputs, vg_session_get_inputs (session)) &&
      g_strcmp0 (known->read_options, vg_session_get_read_options (session)) == 0)
    return known->size;
  return (VgDataSize){ 0 };
}
