/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include <stddef.h>
#include "kernels/base/vg-region.h"
#include "kernels/tables/vg-table.h"
/* Parameters.  Sliders, the command line, session files and the generated
 * documents work from tables of VgParam.  An entry names a member of the
 * operation's params struct, and a member of another C type does not compile.
 *
 * The struct is plain data: numbers, and owned pointers to values without a
 * fixed size (file name, region, table).  It is passed by value to the C loops
 * and the CUDA kernels, which ignore the pointers. */
G_BEGIN_DECLS

typedef enum {
  VG_PARAM_INT,    /* int */
  VG_PARAM_FLOAT,  /* float */
  VG_PARAM_DOUBLE, /* double: counts beyond 2^24, such as photons */
  VG_PARAM_BOOL,   /* gboolean */
  VG_PARAM_CHOICE, /* int, an index into choices */
  VG_PARAM_ACTION, /* int, a count: a button adds one and the engine acts on the change */
  VG_PARAM_FILE,   /* char *, NULL: none */
  VG_PARAM_REGION, /* VgRegion *, NULL: none */
  VG_PARAM_TABLE,  /* VgTable *, NULL: no row */
} VgParamKind;

typedef struct
{
  const char *id, *label, *unit; /* table column: "mua", "Absorption", "1/cm" */
  double def, min, max;
  const char *symbol; /* heading in the window; NULL: the id */
} VgColumn;

/* Named rows of a table. */
typedef struct
{
  const char *id, *label, *source, *text; /* source: the publication */
} VgPreset;

/* Holds if the CHOICE or BOOL parameter `id` has one of the values whose bit
 * is set in `values`; bit 0 is the first choice or FALSE.  A FILE, REGION or
 * TABLE counts as TRUE if it is set. */
typedef struct VgCondition VgCondition;
struct VgCondition
{
  const char *id;
  guint values;
  const VgCondition *also; /* must hold too, unless NULL */
};

/* What the point tool does with a table whose first two columns are x and y in samples. */
typedef enum {
  VG_POINTS_NONE,      /* the table holds no points of the image */
  VG_POINTS_SET,       /* adds a row where the user clicks */
  VG_POINTS_TAKEN_OUT, /* adds a row to remove the automatic point there */
} VgPoints;

/* Rows of a table that lie below each other in the image, from y = 0 on. */
typedef struct
{
  const char *column; /* of their thickness, in the plane's unit; NULL: the rows lie nowhere */
  double endless;     /* a row from this thickness on has no end */
} VgStack;

typedef enum {
  VG_FILE_IMAGE = 1, /* io decodes it into samples */
  VG_FILE_TEXT = 2,  /* passed on as text: CSV, GeoJSON */
} VgFileKind;

/* Whether the text of a region is accepted in the place of a file. */
typedef enum {
  VG_FILE_NO_REGION,
  VG_FILE_REGION,        /* in its slice */
  VG_FILE_REGION_COLUMN, /* in all slices */
} VgFileRegion;

/* The range that a slider covers; min and max both 0: the hard range.  A button beside it takes the
 * mean of an output in a region as the value. */
typedef struct
{
  double min, max, step;
  gboolean log_scale;  /* the slider moves in decades */
  const char *mean_of; /* the id of that output; NULL: there is no button */
} VgSlider;

typedef struct
{
  const VgColumn *columns; /* ended by id NULL */
  const VgPreset *presets; /* ended by id NULL, the first is the default; NULL: none */
  int max_rows;            /* 0: no limit */
  VgPoints points;
  VgStack stack;
  /* names of the rows, ended by NULL and owned by the caller, "" for a row without one; NULL: rows
   * have no names */
  char **(*row_names) (const void *params);
} VgTableSpec;

typedef struct
{
  guint kinds; /* VgFileKind bits */
  VgFileRegion or_region;
  gboolean multiple;          /* names of several files, separated by ';', whose frames follow */
  gboolean brightest_channel; /* of several channels the one with the most counts, unless the text
                               * names one */
  guint32 rgb;                /* colour of the region and of its curve, 0xRRGGBB; 0: any */
} VgFileSpec;

typedef struct
{
  const char *id; /* C member name; --exposure-ms on the command line */
  const char *label, *help, *unit, *group;
  VgParamKind kind;
  size_t offset;
  double def, min, max;             /* default and hard range */
  VgSlider slider;                  /* INT, FLOAT and DOUBLE */
  gboolean advanced;                /* in the folded part of its group */
  const char *auto_metric;          /* 0 is automatic and this metric shows the estimate; NULL: 0
                                     * is a value */
  const char *zero;                 /* "No limit": the word for 0; NULL: "Automatic" with
                                     * auto_metric, else the number */
  const char *const *choices;       /* CHOICE: ids, NULL-terminated */
  const char *const *choice_labels; /* NULL: the ids */
  VgTableSpec table;                /* TABLE */
  VgFileSpec file;                  /* FILE */
  gboolean per_dataset;             /* belongs to the data it was set for: masks, seeds */
  VgCondition shown_when;
} VgParam;

/* offsetof that does not compile when the member has another type */
#ifdef __cplusplus
#define VG_PARAM_OFFSET(S, m, T) offsetof (S, m)
#else
#define VG_PARAM_OFFSET(S, m, T)                                                                   \
  (offsetof (S, m) + 0 * sizeof (char[_Generic(((S *) 0)->m, T : 1)]))
#endif
/* clang-format off */
#define VG_INIT(...) { __VA_ARGS__ }   /* braces for a macro that stands for an initialiser */
/* clang-format on */
#define VG_PARAM_OF(S, m, T, KIND, ...)                                                            \
  VG_INIT (.id = #m, .kind = KIND, .offset = VG_PARAM_OFFSET (S, m, T), __VA_ARGS__)
#define VG_INT_PARAM(S, m, ...) VG_PARAM_OF (S, m, int, VG_PARAM_INT, __VA_ARGS__)
#define VG_FLOAT_PARAM(S, m, ...) VG_PARAM_OF (S, m, float, VG_PARAM_FLOAT, __VA_ARGS__)
#define VG_DOUBLE_PARAM(S, m, ...) VG_PARAM_OF (S, m, double, VG_PARAM_DOUBLE, __VA_ARGS__)
#define VG_BOOL_PARAM(S, m, ...) VG_PARAM_OF (S, m, gboolean, VG_PARAM_BOOL, .max = 1, __VA_ARGS__)
#define VG_CHOICE_PARAM(S, m, ...) VG_PARAM_OF (S, m, int, VG_PARAM_CHOICE, __VA_ARGS__)
#define VG_ACTION_PARAM(S, m, ...)                                                                 \
  VG_PARAM_OF (S, m, int, VG_PARAM_ACTION, .max = G_MAXINT, __VA_ARGS__)
#define VG_FILE_PARAM(S, m, ...) VG_PARAM_OF (S, m, char *, VG_PARAM_FILE, __VA_ARGS__)
#define VG_REGION_PARAM(S, m, ...) VG_PARAM_OF (S, m, VgRegion *, VG_PARAM_REGION, __VA_ARGS__)
#define VG_TABLE_PARAM(S, m, ...) VG_PARAM_OF (S, m, VgTable *, VG_PARAM_TABLE, __VA_ARGS__)

/* A table and the size of its struct. */
typedef struct
{
  const VgParam *items;
  guint n_items;
  gsize struct_size;
} VgParamTable;

void *vg_params_new (const VgParamTable *table); /* the defaults */
void *vg_params_copy (const VgParamTable *table, const void *params);
void vg_params_free (const VgParamTable *table, void *params);
gboolean vg_params_equal (const VgParamTable *table, const void *a, const void *b);

gboolean vg_param_equal (const VgParam *param, const void *a, const void *b);
/* Copies the parameter's value from FROM to PARAMS. */
void vg_param_assign (const VgParam *param, void *params, const void *from);
/* Whether the value belongs to the data that it was set for, like every region.  Other data are
 * opened without it. */
gboolean vg_param_is_per_dataset (const VgParam *param, const void *params);

/* ID may have '-' for '_'.  NULL: there is no such parameter. */
const VgParam *vg_params_find (const VgParamTable *table, const char *id);
/* The parameter whose label is NAME, in upper or lower case and with '-' or '_' for blanks. */
const VgParam *vg_params_find_label (const VgParamTable *table, const char *name);
/* The id of the label ID, or the most similar one, for "did you mean"; NULL: none is similar. */
const char *vg_params_nearest (const VgParamTable *table, const char *id);

/* NaN for a file, a region or a table. */
double vg_param_get_number (const VgParam *param, const void *params);
/* Rounds to a whole number where needed and clamps to the hard range; NaN changes nothing. */
void vg_param_set_number (const VgParam *param, void *params, double value);
/* Sets the value from text as on the command line and in session files, in any locale.  "" is no
 * file, no region or no row; a table may be the name of a preset.  FALSE and VG_USAGE_ERROR: the
 * text is not in the hard range, and PARAMS is unchanged. */
gboolean vg_param_parse (const VgParam *param, void *params, const char *text, GError **error);
gboolean vg_param_is_preset (const VgParam *param, const char *text);
/* What VgOperation.on_params_changed gets for a parameter that was set by the name of a preset. */
enum { VG_CHANGED_TO_PRESET = 2 };
/* The text that vg_param_parse reads, owned. */
char *vg_param_format (const VgParam *param, const void *params);
/* Whether the parameter's condition holds and the parameters that it names are shown. */
gboolean vg_param_is_shown (const VgParamTable *table, const VgParam *param, const void *params);
/* Whether the condition holds with all in `also`; an empty one (id NULL) holds. */
gboolean vg_condition_holds (const VgParamTable *table, const VgCondition *condition,
                             const void *params);
/* The file names in the text of a FILE parameter, NULL-terminated and owned.  Several names are
 * separated by ';'; a ';' that is part of a name is written "\;". */
char **vg_param_split_files (const VgParam *param, const char *text);
/* The text of a FILE parameter from NAMES, NULL-terminated; owned. */
char *vg_param_join_files (const VgParam *param, const char *const *names);
/* "exposure-ms", newly allocated. */
char *vg_param_option_name (const VgParam *param);
/* "0.1 to 1000 ms" or "spatial, temporal", newly allocated. */
char *vg_param_range_text (const VgParam *param);

G_END_DECLS
