/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The kinds of live sources in words for the user. */
G_BEGIN_DECLS

typedef struct
{
  const char *scheme; /* with which its addresses begin, such as "shm:" */
  const char *form;   /* of its addresses, such as "shm:NAME" */
  const char *what;   /* it is */
  const char *advice; /* what to check while no frame comes; NULL: nothing */
} VgLiveKind;

/* All kinds whose address a user may type, translated by the caller. */
const VgLiveKind *vg_live_kinds (guint *n);
/* That of ADDRESS; NULL: it is of none. */
const VgLiveKind *vg_live_kind_of (const char *address);

G_END_DECLS
