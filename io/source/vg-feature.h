/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The settings of a live source's device, as the device describes them. */
G_BEGIN_DECLS

typedef enum {
  VG_FEATURE_NUMBER,
  VG_FEATURE_WHOLE, /* a whole number */
  VG_FEATURE_CHOICE,
  VG_FEATURE_SWITCH, /* "0" or "1" */
  VG_FEATURE_TEXT,
  VG_FEATURE_COMMAND, /* has no value; "1" executes it */
} VgFeatureKind;

typedef struct
{
  char *name;  /* by which it is set, such as "ExposureTime" */
  char *label; /* in the device's words */
  char *help;  /* or NULL */
  char *unit;  /* or NULL */
  VgFeatureKind kind;
  gboolean common;   /* one of the few that users need; the others are in the list of all */
  gboolean writable; /* now */
  gboolean reopens;  /* it changes size or type of the frames: the source is opened again with it */
  double min, max, step; /* of a number; both 0: not known.  Step 0: any */
  char *value;           /* as it is set, such as "5000" */
  char **choices;        /* of a choice, ended by NULL; or NULL */
  /* Of a region of the sensor, "X,Y,W,H": the smallest width and height, and the largest X + W and
   * Y + H, in px; `most` 0: it is no region. */
  int least[2], most[2];
} VgFeature;

/* All features at one moment; not changed once it is shared. */
typedef struct
{
  gatomicrefcount ref_count;
  guint serial;                         /* rises with every reading */
  GPtrArray *items;                     /* of VgFeature */
  double exposure_ms, frame_interval_s; /* 0: not known */
  char *refused; /* why the last setting was not taken, with its range; NULL: it was */
  char *caution; /* settings that do not fit each other, in a sentence; or NULL */
  char *text;    /* the common features as "Name=Value Name=Value", for files */
} VgFeatures;

VgFeatures *vg_features_new (void);
VgFeatures *vg_features_ref (VgFeatures *self);
void vg_features_unref (VgFeatures *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFeatures, vg_features_unref)

/* Adds a feature, whose other members the caller sets. */
VgFeature *vg_features_add (VgFeatures *self, const char *name, VgFeatureKind kind);
void vg_feature_set_number (VgFeature *self, double value);
/* FALSE: the device does not take VALUE, as `vg_feature_describe_range` says.  TRUE: it may. */
gboolean vg_feature_accepts (const VgFeature *self, const char *value);
/* What it takes, such as "from 0 to 24 dB", or "a number" without a range; owned. */
char *vg_feature_describe_range (const VgFeature *self);
/* Sets `text` and `caution`; called once all features are there. */
void vg_features_complete (VgFeatures *self);
/* NULL: there is none of this name. */
const VgFeature *vg_features_find (const VgFeatures *self, const char *name);

/* The address of the same source with the settings SETTING ("Name=Value") besides those it has,
 * after '#'; one of the same name is replaced.  Owned. */
char *vg_live_address_with (const char *address, const char *setting);
/* ADDRESS without settings; owned. */
char *vg_live_address_device (const char *address);
/* Name of SETTING, owned; NULL: it is not Name=Value, or has a blank in it. */
char *vg_setting_name (const char *setting);

G_END_DECLS
