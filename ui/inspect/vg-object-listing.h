/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* The table of objects of a result: its rows, in which region each object lies, and how many there
 * are.  A hundred thousand rows take longer than a picture, so another thread reads them. */
G_BEGIN_DECLS

typedef struct
{
  char *text;
  const VgObjectColumn *columns;
  VgImageInfo info;   /* of the image; width 0: not known */
  GPtrArray *regions; /* of VgNamedRegion */
  GPtrArray *rows;    /* of VgObjectRow; NULL until it is read */
  GArray *decimals;   /* int for each column */
  char *note;         /* "74 objects, 3 120 per mm² of the image; Region 1: 12, 2 800 per mm²" */
} VgObjectListing;

/* TEXT is taken; NULL: there are no objects.  INFO: NULL if it is not known. */
VgObjectListing *vg_object_listing_new (char *text, const VgObjectColumn *columns,
                                        VgSession *session, const VgImageInfo *info);
void vg_object_listing_read (VgObjectListing *self);
void vg_object_listing_free (gpointer self);

G_END_DECLS
