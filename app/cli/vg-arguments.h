/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* One command's arguments: plain ones, its options, and --parameter value.
 * '-' and '_' are the same in a name; "--" ends the options.  Errors are
 * VG_USAGE_ERROR and name the nearest that exists. */
G_BEGIN_DECLS

typedef struct
{
  const char *name;  /* "out" */
  const char *value; /* "DIR"; NULL: a switch */
  const char *help;
} VgOption;

typedef struct
{
  const VgParam *param;
  char *text;
} VgSetting;

typedef struct
{
  const VgOption *options;
  guint n_options;
  char ***values;   /* of each option, NULL-terminated; a switch that is there: ""; NULL: none */
  GPtrArray *plain; /* char *, NULL-terminated when parsed */
  GArray *settings; /* of VgSetting, in order */
  gboolean help;    /* --help or -h */
} VgArguments;

/* TABLE: parameters to accept, or NULL; where a parameter and an option have
 * one name, it is the parameter. */
VgArguments *vg_arguments_parse (int argc, char **argv, const VgOption *options, guint n_options,
                                 const VgParamTable *table, GError **error);
void vg_arguments_free (VgArguments *self);
/* The last value; NULL: not given. */
const char *vg_arguments_get (const VgArguments *self, const char *option);
/* All values in their order, NULL-terminated; NULL: not given. */
const char *const *vg_arguments_get_all (const VgArguments *self, const char *option);
/* A whole number from MIN to MAX; TRUE and *VALUE left alone when not given. */
gboolean vg_arguments_get_integer (const VgArguments *self, const char *option, gint64 min,
                                   gint64 max, gint64 *value, GError **error);
/* Index in ARGV of the first plain argument, without knowing parameters; -1: none.
 * An argument after an unknown option counts when NAMES has it. */
int vg_arguments_first_plain (int argc, char **argv, const VgOption *options, guint n_options,
                              const char *const *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgArguments, vg_arguments_free)

G_END_DECLS
