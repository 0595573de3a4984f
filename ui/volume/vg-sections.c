/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-sections.h"
#include <math.h>
#include <string.h>
#include "app/compute/vg-steady-limits.h"
#include "ui/common/vg-capture.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/layers/vg-color-bar.h"
#include "ui/volume/vg-host-copy.h"
#include "ui/volume/vg-mask-panel.h"
#include "ui/volume/vg-section-view.h"
#include "ui/volume/vg-volume-look.h"

enum { GAP_PX = 2, MOST_ZOOM = 32 };

struct _VgSections
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *image; /* NULL: not set */
  const VgCuda *cuda;
  VgResult *result; /* NULL: none */
  VgVolumeGrid grid;
  VgSection sections[VG_N_SECTIONS];
  VgVolumeLook look;
  VgHostCopy copy;
  gboolean fresh;  /* the views do not show the result yet */
  gboolean failed; /* and cannot */
  double zoom, center[3];
  GtkWidget *cells, *views[VG_N_SECTIONS], *voxel, *place, *room, *bar, *mask;
};

G_DEFINE_FINAL_TYPE (VgSections, vg_sections, VG_TYPE_BIN)

/* ---- the volume ---- */

static gboolean
can_show (VgSections *self)
{
  const VgPlane *plane = self->result != NULL ? &self->result->plane : NULL;

  return plane != NULL && plane->data != NULL && plane->slices > 1 && !plane->mirrored &&
         vg_session_get_view (self->session)->volume.planes;
}

static void
fail (VgSections *self, const char *why)
{
  if (!self->failed)
    g_signal_emit_by_name (self, "failed", why);
  self->failed = TRUE;
}

static void
take_volume (VgSections *self, VgVolumeLook *look)
{
  const VgResult *result = self->result;
  const VgUnderlay *under = result->underlay;
  g_autoptr (GError) error = NULL;

  look->map = vg_host_copy_take (&self->copy, 0, &result->plane, self->cuda, &error);
  look->light = result->brightness.data != NULL && look->map != NULL
                    ? vg_host_copy_take (&self->copy, 1, &result->brightness, self->cuda, NULL)
                    : NULL;
  if (under != NULL && (under->width != self->grid.size[0] || under->height != self->grid.size[1] ||
                        under->slices != self->grid.size[2]))
    under = NULL;
  look->grey = under != NULL ? under->grey : NULL;
  look->under = under != NULL && under->grey == NULL ? under->rgba : NULL;
  if (look->map == NULL)
    fail (self,
          error != NULL ? error->message : _ ("The map could not be copied for the three planes."));
}

/* ---- how it is drawn ---- */

/* While a mask is edited its tools take the room of the bar. */
static void
show_bar (VgSections *self)
{
  VgColorBarContent content;
  gboolean any = vg_volume_look_get_bar (&self->look, self->session, self->result, &content);

  gtk_widget_set_visible (self->bar, any && !gtk_widget_get_visible (self->mask));
  vg_color_bar_set (VG_COLOR_BAR (self->bar), &content);
}

static void
show_look (VgSections *self)
{
  VgVolumeLook look = self->look;

  if (self->fresh)
    take_volume (self, &look);
  vg_volume_look_take_colors (&look, self->session, self->result);
  if (!self->fresh && memcmp (&look, &self->look, sizeof look) == 0)
    return;
  self->look = look;
  self->fresh = FALSE;
  for (int i = 0; i < VG_N_SECTIONS; i++)
    vg_section_view_set_look (VG_SECTION_VIEW (self->views[i]), &self->look);
  vg_mask_panel_set_values (VG_MASK_PANEL (self->mask), self->look.grey, self->look.map,
                            vg_session_get_output (self->session)->unit);
  show_bar (self);
}

/* ---- where the crosshair is ---- */

static void
get_place (VgSections *self, int at[3])
{
  const VgView *view = vg_session_get_view (self->session);

  at[0] = view->volume.column > 0 ? view->volume.column - 1 : self->grid.size[0] / 2;
  at[1] = view->volume.row > 0 ? view->volume.row - 1 : self->grid.size[1] / 2;
  at[2] = view->slice;
  vg_volume_grid_clamp (&self->grid, at);
}

static void
set_text (GtkWidget *label, const char *text)
{
  if (strcmp (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

static void
show_place (VgSections *self)
{
  g_autofree char *voxel = NULL, *place = NULL;
  int at[3];

  get_place (self, at);
  for (int i = 0; i < VG_N_SECTIONS; i++)
    vg_section_view_set_place (VG_SECTION_VIEW (self->views[i]), at, self->zoom, self->center);
  voxel = g_strdup_printf (_ ("Voxel %d, %d, slice %d"), at[0], at[1], at[2] + 1);
  place = vg_volume_grid_describe (&self->grid, at,
                                   vg_session_get_view (self->session)->length_unit);
  set_text (self->voxel, voxel);
  set_text (self->place, place != NULL ? place : _ ("Voxel size unknown"));
}

/* ---- what it follows ---- */

static void
show_sections (VgSections *self, gboolean shown)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean focus = self->image != NULL && gtk_widget_has_focus (self->image);

  if (self->image != NULL)
    gtk_widget_set_child_visible (self->image, !shown);
  if (gtk_widget_get_visible (widget) == shown)
    return;
  gtk_widget_set_visible (widget, shown);
  if (shown && focus)
    gtk_widget_grab_focus (self->views[VG_SECTION_AXIAL]);
  else if (!shown && self->image != NULL)
    gtk_widget_grab_focus (self->image);
}

static void
update (VgSections *self)
{
  gboolean shown = can_show (self) && !self->failed;

  if (shown)
    show_look (self);
  shown = shown && !self->failed;
  if (shown)
    show_place (self);
  else
    {
      vg_host_copy_clear (&self->copy);
      self->fresh = TRUE;
    }
  show_sections (self, shown);
}

static void
set_volume (VgSections *self, const VgImageInfo *info)
{
  gboolean as_stored = vg_session_get_view (self->session)->as_stored;
  VgSection sections[VG_N_SECTIONS];
  VgVolumeGrid grid;

  memset (&grid, 0, sizeof grid);
  vg_volume_grid_init (&grid, &self->result->plane, info);
  memset (sections, 0, sizeof sections);
  for (int i = 0; i < VG_N_SECTIONS; i++)
    vg_section_init (&sections[i], (VgSectionKind) i, &self->result->orientation, as_stored);
  vg_mask_panel_set_volume (VG_MASK_PANEL (self->mask), &grid, info);
  if (memcmp (&grid, &self->grid, sizeof grid) == 0 &&
      memcmp (sections, self->sections, sizeof sections) == 0)
    return;
  self->grid = grid;
  memcpy (self->sections, sections, sizeof sections);
  self->zoom = 1;
  for (int i = 0; i < VG_N_SECTIONS; i++)
    vg_section_view_set_volume (VG_SECTION_VIEW (self->views[i]), &self->grid, self->sections);
}

void
vg_sections_show (VgSections *self, VgResult *result, const VgImageInfo *info)
{
  if (result != NULL)
    vg_result_ref (result);
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
  self->failed = FALSE;
  self->fresh = TRUE;
  if (result != NULL && result->plane.data != NULL)
    set_volume (self, info);
  update (self);
}

static void
on_changed (VgSections *self, guint flags)
{
  for (int i = 0; i < VG_N_SECTIONS && flags & VG_CHANGED_REGIONS; i++)
    gtk_widget_queue_draw (self->views[i]);
  if (!(flags & (VG_CHANGED_VIEW | VG_CHANGED_OPERATION)))
    return;
  if (self->result != NULL && self->result->plane.data != NULL)
    for (int i = 0; i < VG_N_SECTIONS; i++)
      {
        VgSection section;

        memset (&section, 0, sizeof section);
        vg_section_init (&section, (VgSectionKind) i, &self->result->orientation,
                         vg_session_get_view (self->session)->as_stored);
        if (memcmp (&section, &self->sections[i], sizeof section) == 0)
          continue;
        self->sections[i] = section;
        for (int k = 0; k < VG_N_SECTIONS; k++)
          vg_section_view_set_volume (VG_SECTION_VIEW (self->views[k]), &self->grid,
                                      self->sections);
      }
  update (self);
}

static void
on_chosen (VgSections *self, int x, int y, int z)
{
  VgView view = *vg_session_get_view (self->session);
  float value = NAN;

  if (!vg_sections_is_shown (self))
    return;
  view.slice = z;
  view.volume.column = x + 1;
  view.volume.row = y + 1;
  vg_session_set_view (self->session, &view);
  if (self->look.map != NULL)
    value = self->look.map[vg_volume_grid_index (&self->grid, (const int[]){ x, y, z })];
  g_signal_emit_by_name (self, "moved", x, y, z, (double) value);
}

/* ---- the mask ---- */

static void
show_mask (VgSections *self)
{
  VgMaskPanel *panel = VG_MASK_PANEL (self->mask);
  gboolean edited = gtk_widget_get_visible (self->mask);

  for (int i = 0; i < VG_N_SECTIONS; i++)
    {
      VgSectionView *view = VG_SECTION_VIEW (self->views[i]);

      vg_section_view_set_mask (view, edited ? vg_mask_panel_get_voxels (panel) : NULL);
      vg_section_view_set_painting (view, vg_mask_panel_is_painting (panel));
    }
}

static void
on_painted (VgSectionView *view, int x, int y, int z, int phase, VgSections *self)
{
  VgMaskPanel *panel = VG_MASK_PANEL (self->mask);
  const int at[] = { x, y, z };
  int i = 0;

  while (GTK_WIDGET (view) != self->views[i])
    i++;
  if (phase == VG_STROKE_BEGIN)
    vg_mask_panel_begin (panel, &self->sections[i], at);
  else if (phase == VG_STROKE_GO_ON)
    vg_mask_panel_go_on (panel, &self->sections[i], at);
  else
    vg_mask_panel_end (panel);
}

static void
on_edit (GtkToggleButton *button, GParamSpec *property, VgSections *self)
{
  gboolean edited = gtk_toggle_button_get_active (button);

  gtk_widget_set_visible (self->mask, edited);
  gtk_widget_set_visible (self->room, !edited);
  if (self->result != NULL)
    show_bar (self);
  show_mask (self);
}

GtkWidget *
vg_sections_get_mask (VgSections *self)
{
  return self->mask;
}

void
vg_sections_zoom (VgSections *self, double factor)
{
  int at[3];

  get_place (self, at);
  for (int axis = 0; axis < 3; axis++)
    self->center[axis] = at[axis] + 0.5;
  self->zoom = factor > 0 ? CLAMP (self->zoom * factor, 1, MOST_ZOOM) : 1;
  if (vg_sections_is_shown (self))
    show_place (self);
}

gboolean
vg_sections_is_shown (VgSections *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self));
}

void
vg_sections_set_image (VgSections *self, GtkWidget *image)
{
  self->image = image;
  gtk_widget_set_child_visible (image, !vg_sections_is_shown (self));
}

void
vg_sections_set_cuda (VgSections *self, const VgCuda *cuda)
{
  self->cuda = cuda;
}

void
vg_sections_set_ground (VgSections *self, double grey)
{
  for (int k = 0; k < 3; k++)
    self->look.scene.background[k] = (float) grey;
  self->fresh = TRUE;
  update (self);
}

GdkTexture *
vg_sections_capture (VgSections *self, GError **error)
{
  GtkWidget *const parts[] = {
    self->views[0], self->views[1], self->views[2], self->voxel, self->place, self->bar, NULL
  };
  const float *ground = self->look.scene.background;
  GdkTexture *texture;

  vg_color_bar_set_plain (VG_COLOR_BAR (self->bar), TRUE);
  texture = vg_widgets_capture (self->cells, parts,
                                &(GdkRGBA){ ground[0], ground[1], ground[2], 1 }, error);
  vg_color_bar_set_plain (VG_COLOR_BAR (self->bar), FALSE);
  return texture;
}

GtkWidget *
vg_sections_get_room (VgSections *self)
{
  return self->room;
}

/* ---- layout ---- */

static void
on_limits_fixed (VgSections *self, gboolean fixed)
{
  const VgColoring *shown = &self->look.scene.coloring;

  if (fixed)
    vg_steady_limits_fix (self->session, MIN (shown->low, shown->high),
                          MAX (shown->low, shown->high));
  else
    vg_steady_limits_release (self->session);
}

static GtkWidget *
make_corner (VgSections *self)
{
  GtkWidget *corner = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2),
            *below = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *edit = gtk_toggle_button_new_with_label (_ ("Edit Mask"));

  self->voxel = vg_label_new ("", NULL);
  self->place = vg_label_new ("", "dim-label");
  self->room = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->bar = vg_color_bar_new ();
  gtk_widget_set_hexpand (self->room, TRUE);
  gtk_widget_set_hexpand (self->mask, TRUE);
  gtk_widget_set_hexpand (self->voxel, TRUE);
  gtk_widget_set_visible (self->mask, FALSE);
  vg_widget_describe (edit, _ ("Edit Mask"),
                      _ ("Paint a mask in several slices, and use it as a setting"));
  g_signal_connect (edit, "notify::active", G_CALLBACK (on_edit), self);
  gtk_widget_set_vexpand (below, TRUE);
  gtk_widget_set_margin_start (corner, 8);
  gtk_widget_set_margin_top (corner, 2);
  gtk_box_append (GTK_BOX (below), self->room);
  gtk_box_append (GTK_BOX (below), self->mask);
  gtk_box_append (GTK_BOX (below), self->bar);
  gtk_box_append (GTK_BOX (head), self->voxel);
  gtk_box_append (GTK_BOX (head), edit);
  gtk_box_append (GTK_BOX (corner), head);
  gtk_box_append (GTK_BOX (corner), self->place);
  gtk_box_append (GTK_BOX (corner), below);
  return corner;
}

static void
vg_sections_dispose (GObject *object)
{
  VgSections *self = VG_SECTIONS (object);

  g_clear_pointer (&self->result, vg_result_unref);
  vg_host_copy_clear (&self->copy);
  G_OBJECT_CLASS (vg_sections_parent_class)->dispose (object);
}

static void
vg_sections_class_init (VgSectionsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_sections_dispose;
  vg_signal_new (VG_TYPE_SECTIONS, "moved", 4, G_TYPE_INT, G_TYPE_INT, G_TYPE_INT, G_TYPE_DOUBLE);
  vg_signal_new (VG_TYPE_SECTIONS, "failed", 1, G_TYPE_STRING);
}

static void
vg_sections_init (VgSections *self)
{
  GtkWidget *grid = self->cells = gtk_grid_new ();

  self->zoom = 1;
  for (int k = 0; k < 3; k++)
    self->look.scene.background[k] = 0.105f;
  gtk_grid_set_column_homogeneous (GTK_GRID (grid), TRUE);
  gtk_grid_set_row_homogeneous (GTK_GRID (grid), TRUE);
  gtk_grid_set_column_spacing (GTK_GRID (grid), GAP_PX);
  gtk_grid_set_row_spacing (GTK_GRID (grid), GAP_PX);
  gtk_widget_set_parent (grid, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-sections");
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_sections_new (VgSession *session)
{
  VgSections *self = g_object_new (VG_TYPE_SECTIONS, NULL);

  self->session = vg_hold (self, session);
  for (int i = 0; i < VG_N_SECTIONS; i++)
    {
      self->views[i] = vg_section_view_new (session, (VgSectionKind) i);
      vg_connect (self->views[i], "chosen", on_chosen, self);
      vg_connect (self->views[i], "zoomed", vg_sections_zoom, self);
      g_signal_connect_object (self->views[i], "painted", G_CALLBACK (on_painted), self, 0);
    }
  gtk_grid_attach (GTK_GRID (self->cells), self->views[VG_SECTION_AXIAL], 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (self->cells), self->views[VG_SECTION_SAGITTAL], 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (self->cells), self->views[VG_SECTION_CORONAL], 0, 1, 1, 1);
  self->mask = vg_mask_panel_new (session);
  gtk_grid_attach (GTK_GRID (self->cells), make_corner (self), 1, 1, 1, 1);
  vg_connect (self->mask, "changed", show_mask, self);
  vg_connect (session, "changed", on_changed, self);
  vg_connect (self->bar, "limits-fixed", on_limits_fixed, self);
  g_signal_connect_object (self->bar, "limits-changed", G_CALLBACK (vg_steady_limits_fix), session,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "limits-done", G_CALLBACK (vg_session_commit_waiting),
                           session, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
