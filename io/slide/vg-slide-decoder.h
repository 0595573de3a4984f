/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/fence/vg-decoder.h"
#include "io/source/vg-source.h"
G_BEGIN_DECLS

enum { VG_SLIDE_LEVELS = 64 };

/* What OpenSlide says about a slide, unchecked; numbers that it does not know are 0. */
typedef struct
{
  char vendor[40];
  int n_levels;
  VgLevel levels[VG_SLIDE_LEVELS];
  double power;         /* of the objective */
  double mpp[2];        /* size of a pixel, µm */
  double resolution[2]; /* of a TIFF, pixels per cm */
} VgSlideFacts;

/* The numbers of VgDecoder.read. */
enum {
  VG_SLIDE_LEVEL,
  VG_SLIDE_X, /* of the corner, in pixels of level 0 */
  VG_SLIDE_Y,
  VG_SLIDE_WIDTH, /* in pixels of the level */
  VG_SLIDE_HEIGHT
};

/* Reads whole slides with OpenSlide; regions are pixels of premultiplied ARGB. */
extern const VgDecoder vg_slide_decoder;

G_END_DECLS
