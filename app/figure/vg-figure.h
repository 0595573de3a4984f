/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A figure for a paper: images, lines and text on a white page, written as PNG, SVG or PDF.  All
 * lengths are in points (1/72 inch), from the upper left corner; text stays text in SVG and PDF. */
G_BEGIN_DECLS

#define VG_FIGURE_POINTS_PER_MM (72 / 25.4)

typedef enum { VG_FIGURE_IMAGE, VG_FIGURE_PATH, VG_FIGURE_TEXT } VgFigureKind;
typedef enum { VG_FIGURE_LEFT, VG_FIGURE_MIDDLE, VG_FIGURE_RIGHT } VgFigureAnchor;

/* How a path is drawn: colours 0xRRGGBB. */
typedef struct
{
  gint32 fill, stroke; /* -1: none */
  double width;        /* of the line */
  double opacity;      /* of the filling, 0 to 1 */
  gboolean closed;
} VgFigureStyle;

typedef struct
{
  VgFigureKind kind;
  double x, y, width, height; /* of an image; a text has x and its baseline y */
  guint8 *rgba;               /* of an image: COLUMNS x ROWS pixels */
  int columns, rows;
  double *points; /* of a path: x and y of each */
  int n_points;
  VgFigureStyle style;
  char *text;
  double size; /* of a text */
  VgFigureAnchor anchor;
  gboolean bold;
} VgFigureItem;

typedef struct
{
  double width, height;
  char *title, *description; /* for people and programs that read the file */
  GArray *items;             /* of VgFigureItem, the first one lowest */
} VgFigure;

VgFigure *vg_figure_new (double width, double height);
void vg_figure_free (VgFigure *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFigure, vg_figure_free)

/* Adds COLUMNS x ROWS opaque pixels, copied, whose edges stay sharp.  FALSE: no memory. */
gboolean vg_figure_add_image (VgFigure *self, double x, double y, double width, double height,
                              const guint8 *rgba, int columns, int rows);
/* Adds a path of N points. */
void vg_figure_add_path (VgFigure *self, const double *points, int n, const VgFigureStyle *style);
void vg_figure_add_line (VgFigure *self, double x0, double y0, double x1, double y1, double width);
void vg_figure_add_box (VgFigure *self, double x, double y, double width, double height,
                        const VgFigureStyle *style);
/* Adds TEXT in COLOR, with its baseline at Y. */
void vg_figure_add_text (VgFigure *self, const char *text, double x, double y, double size,
                         VgFigureAnchor anchor, gboolean bold, gint32 color);
/* The width of TEXT. */
double vg_figure_measure (const char *text, double size, gboolean bold);

/* The figure as an SVG element, owned.  STANDALONE: as a file with a white page; else it is for a
 * page of HTML, whose colour its black text has. */
char *vg_figure_to_svg (const VgFigure *self, gboolean standalone);
/* NULL and an error: there is no memory. */
GBytes *vg_figure_to_pdf (const VgFigure *self, GError **error);
/* Opaque pixels at DPI, *COLUMNS x *ROWS of them.  NULL and an error: they are too many. */
guint8 *vg_figure_to_rgba (const VgFigure *self, double dpi, int *columns, int *rows,
                           GError **error);

G_END_DECLS
