/* SPDX-License-Identifier: MIT */
/* Arrows and texts of the user over the picture of a figure, as large as the window shows them. */
#include "app/figure/vg-map-figure-private.h"
#include "app/annotation/vg-annotation.h"

#define SEAM 0.05 /* width of the dark line about an arrow, in sizes */
#define PAD 0.2   /* room about the words, in sizes */

static void
place (const VgMapLayout *self, double x, double y, double at[2])
{
  double pixel[2];

  vg_map_picture_place (self->picture, self->view, x, y, pixel);
  at[0] = self->left + CLAMP (pixel[0] / self->picture->width, 0, 1) * self->width;
  at[1] = self->top + CLAMP (pixel[1] / self->picture->height, 0, 1) * self->height;
}

static void
add_arrow (const VgMapLayout *self, const VgAnnotation *arrow, double size, gint32 color)
{
  double ends[2][2], points[2 * VG_ANNOTATION_POINTS];

  for (int i = 0; i < 2; i++)
    place (self, arrow->x[i], arrow->y[i], ends[i]);
  vg_annotation_outline (ends[0], ends[1], size, points);
  vg_figure_add_path (self->figure, points, VG_ANNOTATION_POINTS,
                      &(VgFigureStyle){ .fill = color,
                                        .stroke = VG_MAP_FIGURE_BLACK,
                                        .width = SEAM * size,
                                        .opacity = 1,
                                        .closed = TRUE });
}

static void
add_words (const VgMapLayout *self, const VgAnnotation *words, double size, gint32 color)
{
  double width = vg_figure_measure (words->text, size, FALSE) + 2 * PAD * size, at[2];

  place (self, words->x[0], words->y[0], at);
  vg_figure_add_box (self->figure, at[0], at[1], width, (1.1 + 2 * PAD) * size,
                     &(VgFigureStyle){ .fill = VG_MAP_FIGURE_BLACK, .stroke = -1, .opacity = 0.5 });
  vg_figure_add_text (self->figure, words->text, at[0] + PAD * size, at[1] + (0.9 + PAD) * size,
                      size, VG_FIGURE_LEFT, FALSE, color);
}

void
vg_map_layout_add_annotations (const VgMapLayout *self)
{
  const GPtrArray *annotations = self->view->annotations;
  double scale = self->height / (self->picture->height / self->picture->per_sample[1]);

  for (guint i = 0; annotations != NULL && i < annotations->len; i++)
    {
      const VgAnnotation *annotation = annotations->pdata[i];
      gint32 color = annotation->rgb[0] << 16 | annotation->rgb[1] << 8 | annotation->rgb[2];

      color = color != 0 ? color : VG_MAP_FIGURE_BLACK;
      if (annotation->slice != self->view->slice)
        continue;
      if (annotation->kind == VG_ANNOTATION_ARROW)
        add_arrow (self, annotation, annotation->size * scale, color);
      else
        add_words (self, annotation, annotation->size * scale, color);
    }
}
