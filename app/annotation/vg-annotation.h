/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* An arrow or a text on an image, in image pixels.  Text form of sessions and of the command line:
 * "arrow:X0,Y0,X1,Y1 SIZE #rrggbb" from the tail to the tip, "text:X,Y SIZE #rrggbb WORDS" with the
 * upper left corner of the words; @SLICE follows the positions for slices other than the first. */
G_BEGIN_DECLS

typedef enum { VG_ANNOTATION_ARROW, VG_ANNOTATION_TEXT } VgAnnotationKind;

enum {
  VG_ANNOTATION_MOST = 256,  /* on one image */
  VG_ANNOTATION_BYTES = 256, /* of a text */
  VG_ANNOTATION_MOST_SIZE = 10000
};

typedef struct
{
  VgAnnotationKind kind;
  int slice;
  double x[2], y[2]; /* of an arrow its tail and its tip; of a text [0] */
  double size;       /* height of the letters, px; an arrow is as bold as they would be */
  guint8 rgb[3];
  char *text; /* one line; NULL: an arrow */
} VgAnnotation;

VgAnnotation *vg_annotation_copy (const VgAnnotation *self);
void vg_annotation_free (gpointer self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgAnnotation, vg_annotation_free)
gboolean vg_annotation_equal (const VgAnnotation *a, const VgAnnotation *b);
/* Whether it can be kept: finite positions, a size above 0, an arrow with a length or a text with a
 * letter. */
gboolean vg_annotation_is_valid (const VgAnnotation *self);
/* Sets the text, cut at a control character and after 256 bytes; FALSE, and nothing is changed:
 * there is no letter in it. */
gboolean vg_annotation_set_text (VgAnnotation *self, const char *text);

/* NULL and VG_USAGE_ERROR: LINE is no annotation. */
VgAnnotation *vg_annotation_parse (const char *line, GError **error);
char *vg_annotation_format (const VgAnnotation *self);
/* One line each, at most 256, new; the same error. */
GPtrArray *vg_annotations_parse (const char *lines, GError **error);
char *vg_annotations_format (const GPtrArray *annotations);

/* The outline of an arrow with letters of SIZE from TAIL to TIP: VG_ANNOTATION_POINTS points, x and
 * y of each. */
enum { VG_ANNOTATION_POINTS = 7 };
void vg_annotation_outline (const double tail[2], const double tip[2], double size,
                            double points[2 * VG_ANNOTATION_POINTS]);

G_END_DECLS
