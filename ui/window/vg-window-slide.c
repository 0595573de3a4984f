/* SPDX-License-Identifier: MIT */
/* A whole slide in the window, and the region of it that is analysed. */
#include "ui/window/vg-window-private.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/picture/vg-point-drawing.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/common/vg-object.h"

enum { MOST_SIDE = 4096 }; /* side of the largest square analysed at once, px */

static void
on_shown (VgWindow *self)
{
  double shown[4];
  gboolean any = vg_image_view_get_shown (vg_viewer_get_image (self->viewer), &shown[0], &shown[1],
                                          &shown[2], &shown[3]);

  vg_read_options_panel_set_shown (vg_window_get_read_options (self), any ? shown : NULL);
  if (!vg_image_view_has_slide (vg_viewer_get_image (self->viewer), NULL))
    return;
  vg_viewer_show_page (self->viewer, VG_VIEWER_IMAGE);
  vg_viewer_set_waiting (self->viewer, NULL);
}

static void
on_trouble (VgWindow *self, const char *why)
{
  g_autofree char *text = g_strdup_printf (_ ("The hatched parts of the slide cannot be shown: %s"),
                                           why);

  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_WARNING, text);
}

static void
on_outside (VgWindow *self)
{
  vg_window_message (self, FALSE,
                     _ ("This is outside the yellow frame. Press W to analyse what you see."));
}

void
vg_window_watch_slide (VgWindow *self)
{
  VgImageView *image = vg_viewer_get_image (self->viewer);

  vg_connect (image, "slide-shown", on_shown, self);
  vg_connect (image, "slide-trouble", on_trouble, self);
  vg_connect (image, "outside-part", on_outside, self);
}

void
vg_window_expect_slide (VgWindow *self)
{
  const char *const *inputs = vg_opening_get_inputs (self->opening);

  if (vg_input_spec_has_color (&vg_session_get_operation (self->session)->input) &&
      inputs[0] != NULL && inputs[1] == NULL && g_file_test (inputs[0], G_FILE_TEST_IS_REGULAR))
    vg_image_view_expect_slide (vg_viewer_get_image (self->viewer), inputs[0],
                                !g_strv_equal (vg_session_get_inputs (self->session), inputs));
}

void
vg_window_show_slide (VgWindow *self)
{
  const char *const *inputs = vg_session_get_inputs (self->session);
  VgImageInfo info;
  gboolean slide = vg_pipeline_get_info (self->pipeline, &info) && info.downsample > 0 &&
                   inputs[0] != NULL && inputs[1] == NULL;

  self->place = (VgSlidePlace){ .downsample = 0 };
  if (slide)
    self->place = (VgSlidePlace){ { info.origin[0], info.origin[1] }, info.downsample };
  vg_image_view_set_slide (vg_viewer_get_image (self->viewer), slide ? inputs[0] : NULL,
                           slide ? &info : NULL);
  on_shown (self);
}

/* ---- the analysed region ---- */

/* TRUE if the rectangle is the analysed region, to one pixel of its level. */
static gboolean
is_analysed (VgWindow *self, double x0, double y0, double x1, double y1)
{
  const VgSlidePlace *place = &self->place;
  const double pixel = place->downsample;
  VgImageInfo info;

  return vg_pipeline_get_info (self->pipeline, &info) && fabs (x0 - place->origin[0]) <= pixel &&
         fabs (y0 - place->origin[1]) <= pixel &&
         fabs (x1 - place->origin[0] - info.width * pixel) <= pixel &&
         fabs (y1 - place->origin[1] - info.height * pixel) <= pixel;
}

/* Read options for the rectangle (X0, Y0) to (X1, Y1), px of the finest level, read at the present
 * level; VIEW: it is what the image shows, else a region.  NULL: refused, which has been
 * reported. */
static char *
make_read_options (VgWindow *self, gboolean view, double x0, double y0, double x1, double y1)
{
  double width = ceil ((x1 - x0) / self->place.downsample),
         height = ceil ((y1 - y0) / self->place.downsample);
  g_autofree char *region = g_strdup_printf ("%.0f,%.0f,%.0f,%.0f", floor (x0), floor (y0),
                                             ceil (x1) - floor (x0), ceil (y1) - floor (y0));
  g_autofree char *read_options = vg_read_options_set (
      vg_session_get_read_options (self->session),
      vg_params_find (&vg_read_options_table, "region"), region, NULL);
  g_autofree char *refused = NULL;

  if (width * height > (double) MOST_SIDE * MOST_SIDE)
    refused = g_strdup_printf (
        view ? _ ("The view has %.0fx%.0f pixels at this level, but at most %dx%d can be analysed "
                  "at once. Zoom in, or choose a coarser Level.")
             : _ ("The region has %.0fx%.0f pixels at this level, but at most %dx%d can be "
                  "analysed at once. Draw a smaller one, or choose a coarser Level."),
        width, height, MOST_SIDE, MOST_SIDE);
  else if (read_options == NULL ||
           g_strcmp0 (read_options, vg_session_get_read_options (self->session)) == 0 ||
           is_analysed (self, x0, y0, x1, y1))
    refused = g_strdup (view ? _ ("The view is already analysed")
                             : _ ("The region is already analysed"));
  if (refused == NULL)
    return g_steal_pointer (&read_options);
  vg_window_message (self, FALSE, refused);
  return NULL;
}

char *
vg_window_analyse_shown (VgWindow *self)
{
  double x0, y0, x1, y1;

  if (self->place.downsample > 0 && !vg_opening_is_active (self->opening) &&
      vg_image_view_get_shown (vg_viewer_get_image (self->viewer), &x0, &y0, &x1, &y1))
    return make_read_options (self, TRUE, x0, y0, x1, y1);
  return NULL;
}

int
vg_window_selected_region (VgWindow *self)
{
  guint n = vg_session_get_n_regions (self->session);

  for (guint i = 0; i < n; i++)
    if (vg_session_get_region (self->session, i)->selected)
      return (int) i;
  return -1;
}

char *
vg_window_analyse_region (VgWindow *self)
{
  const VgSlidePlace *place = &self->place;
  int selected = vg_window_selected_region (self);
  VgPoint low, high;

  if (!(place->downsample > 0) || vg_opening_is_active (self->opening) || selected < 0)
    return NULL;
  vg_region_shape_box (&vg_session_get_region (self->session, (guint) selected)->region, &low,
                       &high);
  return make_read_options (self, FALSE, MAX (low.x * place->downsample + place->origin[0], 0),
                            MAX (low.y * place->downsample + place->origin[1], 0),
                            high.x * place->downsample + place->origin[0],
                            high.y * place->downsample + place->origin[1]);
}

/* ---- regions and points of another slide region ---- */

/* From pixels of one slide region to those of another. */
typedef struct
{
  double scale, dx, dy;
} Move;

static void
move_region (VgRegion *region, const Move *move)
{
  for (int i = 0; i < region->n_points; i++)
    {
      gboolean radii = region->kind == VG_REGION_ELLIPSE && i == 1;

      region->x[i] = region->x[i] * move->scale + (radii ? 0 : move->dx);
      region->y[i] = region->y[i] * move->scale + (radii ? 0 : move->dy);
    }
}

static void
move_points (VgWindow *self, VgPoints kind, const Move *move)
{
  const VgParam *param = vg_point_drawing_find (self->session, kind);
  const VgTable *table = vg_point_drawing_table (self->session, param);
  g_autofree char *text = NULL;
  VgTable *moved;

  if (table == NULL || table->rows == 0)
    return;
  moved = vg_table_copy (table);
  for (int row = 0; row < moved->rows; row++)
    {
      double *p = moved->values + row * moved->columns;

      p[0] = p[0] * move->scale + move->dx;
      p[1] = p[1] * move->scale + move->dy;
    }
  text = vg_table_format (moved);
  vg_session_set_text (self->session, param, text, NULL);
  vg_table_free (moved);
}

void
vg_window_move_points (VgWindow *self, const VgImageInfo *info)
{
  const VgSlidePlace *from = &self->place;
  guint n = vg_session_get_n_regions (self->session);
  Move move;

  if (!(from->downsample > 0) || !(info->downsample > 0))
    return;
  move = (Move){ from->downsample / info->downsample,
                 (from->origin[0] - info->origin[0]) / info->downsample,
                 (from->origin[1] - info->origin[1]) / info->downsample };
  if (move.scale == 1 && move.dx == 0 && move.dy == 0)
    return;
  for (guint i = 0; i < n; i++)
    {
      VgRegion region = vg_session_get_region (self->session, i)->region;

      move_region (&region, &move);
      vg_session_set_region (self->session, i, &region);
    }
  move_points (self, VG_POINTS_SET, &move);
  move_points (self, VG_POINTS_TAKEN_OUT, &move);
}
