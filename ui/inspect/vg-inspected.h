/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/reading/vg-reading.h"
#include "ui/bars/vg-compare-bar.h"
#include "ui/inspect/vg-object-selection.h"
#include "ui/picture/vg-card.h"
/* The pixel, voxel or region that a card tells about.  Its members are borrowed. */
G_BEGIN_DECLS

typedef struct
{
  VgSession *session;
  VgObjectSelection *objects;
  VgCompareBar *compare;
  const VgResult *result;
  int region;  /* -1: the pixel */
  double x, y; /* of the pixel, px */
  int slice;
} VgInspected;

/* Writes title, lines and note of READING into CARD.  FALSE: there is no line. */
gboolean vg_inspected_tell (const VgInspected *self, const VgReading *reading, VgCard *card);

G_END_DECLS
