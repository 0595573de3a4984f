/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-param.h"
/* What an operation computes: its table of outputs, how each is shown at
 * first, and the parts that outputs play for each other. */
G_BEGIN_DECLS

typedef enum {
  VG_OUTPUT_MAP,    /* float plane, written as ID.tif */
  VG_OUTPUT_LABELS, /* whole numbers in a float plane; 0 is background */
  VG_OUTPUT_TEXT,   /* a text file named by the output's id */
} VgOutputKind;

/* How an output is shown until the user changes it.  All zeros: "viridis", linear, limits from the
 * data, over the underlay. */
typedef struct
{
  const char *colormap;
  gboolean log_scale;
  gboolean decades;              /* isolines at decades */
  gboolean diverging;            /* limits symmetric about `centre` */
  double centre;                 /* in the output's unit */
  double limits[2];              /* in the output's unit; equal: from the data */
  gboolean hide_underlay;        /* drawn without the input under it */
  const char *instance;          /* what labels number, "Nucleus", so that a colour bar means
                                  * nothing; NULL: they are no numbers of objects */
  const char *axes[2];           /* names of the plane's directions; NULL: x and y */
  const char *const *categories; /* names of the labels from 0 on, ended by NULL; or NULL */
} VgDisplayHints;

/* Units that a CHOICE parameter selects, one for each choice. */
typedef struct
{
  const char *param;
  const char *const *units;
} VgUnitChoice;

typedef struct
{
  const char *id, *label, *help, *unit;
  const VgUnitChoice *unit_choice; /* in place of `unit`; NULL: none */
  /* the settings for which `label` is not exact enough, and what it is then; NULL: never */
  struct
  {
    VgCondition when;
    const char *label;
  } exactly;
  VgOutputKind kind;
  VgDisplayHints hints;
  gboolean view_only;     /* shown in the window, not written by `run` */
  gboolean time_course;   /* its mean in each region is recorded against time */
  VgCondition shown_when; /* the settings for which it exists */
  /* Where a window lies across a border, this power of the values is the mean of both sides, such
   * as K^2 of a contrast K; 0: 1, the values themselves */
  double mixing_power;
} VgOutput;

/* The part that `player` plays for `output`; both are ids. */
typedef enum {
  VG_ROLE_ERROR,       /* its standard error, relative where the player's unit is % */
  VG_ROLE_BRIGHTNESS,  /* its pixels are dimmed by the player's values */
  VG_ROLE_LIMITS_MASK, /* its automatic limits use the pixels where the player is 1, if these are
                        * at least 1 % of those with a value and 20; the player is a label output */
  VG_ROLE_BOUND,       /* the player is a label output: 0 where no fit parameter is at a bound, else
                        * the category names the one that is */
  VG_ROLE_OUTLINES,    /* the player is a label output of another method, whose borders can be
                        * drawn over it */
  VG_ROLE_OBJECTS,   /* the player is a label output that numbers objects; the output has one value
                      * at all pixels of an object, and NaN where there is none */
  VG_ROLE_BASELINE,  /* the player is in % of a baseline, and its mean in each region is listed
                      * beside the output */
  VG_ROLE_NUMERATOR, /* the output is a ratio, and the player its numerator; the mean of the output
                      * in a region is a ratio of sums */
  VG_ROLE_AGAINST,   /* the first choice for the other axis of a scatter plot of the player */
  VG_ROLE_FILE,      /* the player is the FILE parameter that it is read from: an earlier result,
                      * which exists before the first step */
} VgRole;

typedef struct
{
  VgRole role;
  const char *output; /* NULL: every output */
  const char *player; /* NULL: end of the table */
} VgOutputRole;

G_END_DECLS
