/* SPDX-License-Identifier: MIT */
/* A small state machine between press and release.  Dragging writes straight
 * into the session, so that statistics follow; the release commits. */
#include "ui/picture/vg-region-drawing.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-object.h"
#include <math.h>
#include <string.h>

enum { LARGE = 12 }; /* times the reach of the pointer: 84 px on the screen */

typedef enum { DRAG_NONE, DRAG_DRAW, DRAG_VERTEX, DRAG_HANDLE, DRAG_MOVE } Drag;

struct _VgRegionDrawing
{
  GObject parent_instance;

  VgSession *session;
  VgTool tool;
  VgExtent extent;
  int slice;

  Drag drag;
  VgPoint start;   /* of the press */
  VgRegion before; /* the selected region at the press */
  int handle;
  VgRegion draft; /* kind NONE: nothing is being drawn */
};

G_DEFINE_FINAL_TYPE (VgRegionDrawing, vg_region_drawing, G_TYPE_OBJECT)

static void
changed (VgRegionDrawing *self)
{
  g_signal_emit_by_name (self, "changed");
}

static void
drop_draft (VgRegionDrawing *self)
{
  if (self->draft.kind == VG_REGION_NONE)
    return;
  self->draft = (VgRegion){ .kind = VG_REGION_NONE };
  changed (self);
}

static VgPoint
clamp_point (VgRegionDrawing *self, VgPoint at)
{
  return (VgPoint){ CLAMP (at.x, self->extent.left, self->extent.right),
                    CLAMP (at.y, self->extent.top, self->extent.bottom) };
}

static gboolean
is_near (VgRegionDrawing *self, VgPoint a, VgPoint b, double reach)
{
  return fabs (a.x - b.x) <= reach &&
         fabs (a.y - b.y) * (self->extent.aspect > 0 ? self->extent.aspect : 1) <= reach;
}

static gboolean
is_shown (VgRegionDrawing *self, guint i)
{
  const VgRegion shape = vg_session_get_shape (self->session, i);

  return vg_region_is_in_slice (&shape, self->slice);
}

int
vg_region_drawing_get_selected (VgRegionDrawing *self)
{
  guint n = vg_session_get_n_regions (self->session);

  for (guint i = 0; i < n; i++)
    if (vg_session_get_region (self->session, i)->selected && is_shown (self, i))
      return (int) i;
  return -1;
}

/* The handle of the selected region at a point, or -1. */
static int
handle_at (VgRegionDrawing *self, VgPoint at, double reach)
{
  VgPoint handles[VG_REGION_MAX_POINTS];
  int selected = vg_region_drawing_get_selected (self), n = 0;

  if (selected >= 0)
    {
      const VgRegion *region = &vg_session_get_region (self->session, selected)->region;

      n = vg_region_shape_handles (region, handles);
      reach = vg_region_shape_reach (region, at, self->extent.aspect, reach);
    }
  for (int i = 0; i < n; i++)
    if (is_near (self, handles[i], at, reach))
      return i;
  return -1;
}

/* TRUE: AT is inside the region and a point at the distance REACH is not, or vice versa. */
static gboolean
is_on_outline (const VgRegion *region, VgPoint at, double reach)
{
  gboolean inside = vg_region_contains (region, at.x, at.y);

  for (int i = 0; i < 16; i++)
    if (vg_region_contains (region, at.x + reach * cos (i * G_PI / 8),
                            at.y + reach * sin (i * G_PI / 8)) != inside)
      return TRUE;
  return FALSE;
}

/* TRUE: a drag from AT moves the selected region.  The hand tool moves a large one only by its
 * outline, so that a drag inside moves the image; the drawing tools move it from any point inside.
 */
static gboolean
grabs_selected (VgRegionDrawing *self, VgPoint at, double reach)
{
  int selected = vg_region_drawing_get_selected (self);
  const VgRegion *region;
  VgPoint low, high;

  if (selected < 0)
    return FALSE;
  region = &vg_session_get_region (self->session, selected)->region;
  vg_region_shape_box (region, &low, &high);
  if (self->tool == VG_TOOL_PAN && MAX (high.x - low.x, high.y - low.y) > LARGE * reach)
    return is_on_outline (region, at, reach);
  return vg_region_contains (region, at.x, at.y);
}

/* Adds, selects and commits what was drawn, when it holds a pixel. */
static gboolean
take_draft (VgRegionDrawing *self, const char *what)
{
  VgRegion region = self->draft, inside = region;
  double left = self->extent.slide ? self->extent.left : 0,
         top = self->extent.slide ? self->extent.top : 0;
  int width = (int) (self->extent.right - left), height = (int) (self->extent.bottom - top);
  int x0, y0, x1, y1;
  guint i;

  region.slice = self->slice;
  drop_draft (self);
  vg_region_shape_translate (&inside, -left, -top);
  if (!vg_region_bounds (&inside, width, height, &x0, &y0, &x1, &y1))
    return FALSE;
  i = vg_session_add_region (self->session, &region);
  vg_session_select_region (self->session, (int) i);
  vg_session_commit (self->session, what);
  return TRUE;
}

gboolean
vg_region_drawing_finish (VgRegionDrawing *self)
{
  if (self->draft.kind != VG_REGION_POLYGON)
    return FALSE;
  self->draft.n_points--; /* the one that follows the pointer */
  if (self->draft.n_points < 3)
    drop_draft (self);
  else
    take_draft (self, _ ("Draw polygon"));
  return TRUE;
}

static void
add_vertex (VgRegionDrawing *self, VgPoint at)
{
  VgRegion *draft = &self->draft;

  if (draft->kind != VG_REGION_POLYGON)
    *draft = (VgRegion){ .kind = VG_REGION_POLYGON, .n_points = 1 };
  draft->x[draft->n_points - 1] = round (at.x * 10) / 10;
  draft->y[draft->n_points - 1] = round (at.y * 10) / 10;
  draft->x[draft->n_points] = at.x;
  draft->y[draft->n_points] = at.y;
  draft->n_points++;
  if (draft->n_points >= VG_REGION_MAX_POINTS)
    vg_region_drawing_finish (self);
  else
    changed (self);
}

static void
click_vertex (VgRegionDrawing *self, VgPoint at, double reach, int n_press)
{
  const VgRegion *draft = &self->draft;
  int n = draft->kind == VG_REGION_POLYGON ? draft->n_points - 1 : 0;
  gboolean closes = n >= 3 && is_near (self, at, (VgPoint){ draft->x[0], draft->y[0] }, reach);

  /* the second click of a double click is where the first was */
  if (closes || (n_press >= 2 && n > 0))
    vg_region_drawing_finish (self);
  else
    add_vertex (self, clamp_point (self, at));
}

gboolean
vg_region_drawing_press (VgRegionDrawing *self, VgPoint at, double reach)
{
  int selected;

  self->start = at;
  self->drag = DRAG_NONE;
  if (self->draft.kind == VG_REGION_POLYGON)
    {
      self->drag = DRAG_VERTEX;
      return TRUE;
    }
  selected = vg_region_drawing_get_selected (self);
  self->handle = handle_at (self, at, reach);
  if (self->handle >= 0)
    self->drag = DRAG_HANDLE;
  else if (grabs_selected (self, at, reach))
    self->drag = DRAG_MOVE;
  else if (self->tool == VG_TOOL_POLYGON)
    self->drag = DRAG_VERTEX;
  else if (self->tool == VG_TOOL_RECTANGLE || self->tool == VG_TOOL_ELLIPSE)
    self->drag = DRAG_DRAW;
  if (selected >= 0)
    self->before = vg_session_get_region (self->session, selected)->region;
  return self->drag != DRAG_NONE;
}

void
vg_region_drawing_drag (VgRegionDrawing *self, VgPoint at, gboolean square)
{
  int selected = vg_region_drawing_get_selected (self);
  VgPoint inside = clamp_point (self, at);
  VgRegion region = self->before;

  if (self->drag == DRAG_DRAW)
    {
      vg_region_shape_from_corners (
          &self->draft, self->tool == VG_TOOL_ELLIPSE ? VG_REGION_ELLIPSE : VG_REGION_RECTANGLE,
          clamp_point (self, self->start), inside, square);
      changed (self);
    }
  else if (self->drag == DRAG_VERTEX)
    vg_region_drawing_hover (self, at);
  else if (self->drag == DRAG_HANDLE && selected >= 0)
    {
      vg_region_shape_move_handle (&region, &self->before, self->handle, inside, square);
      vg_session_set_region (self->session, selected, &region);
    }
  else if (self->drag == DRAG_MOVE && selected >= 0)
    {
      vg_region_shape_translate (&region, round (inside.x - self->start.x),
                                 round (inside.y - self->start.y));
      vg_session_set_region (self->session, selected, &region);
    }
}

void
vg_region_drawing_release (VgRegionDrawing *self, VgPoint at, double reach, gboolean moved,
                           int n_press)
{
  Drag drag = self->drag;

  self->drag = DRAG_NONE;
  if (drag == DRAG_VERTEX)
    click_vertex (self, at, reach, n_press);
  else if (drag == DRAG_DRAW && moved)
    take_draft (self, self->tool == VG_TOOL_ELLIPSE ? _ ("Draw ellipse") : _ ("Draw rectangle"));
  else if (drag == DRAG_DRAW && !vg_region_drawing_select_at (self, at))
    vg_session_select_region (self->session, -1);
  else if (drag == DRAG_HANDLE && moved)
    vg_session_commit (self->session, _ ("Change region"));
  else if (drag == DRAG_MOVE && moved)
    vg_session_commit (self->session, _ ("Move region"));
  else if (drag == DRAG_MOVE && (self->tool != VG_TOOL_PAN || n_press > 1))
    vg_region_drawing_select_at (self, at);
}

void
vg_region_drawing_hover (VgRegionDrawing *self, VgPoint at)
{
  if (self->draft.kind != VG_REGION_POLYGON)
    return;
  at = clamp_point (self, at);
  self->draft.x[self->draft.n_points - 1] = at.x;
  self->draft.y[self->draft.n_points - 1] = at.y;
  changed (self);
}

const char *
vg_region_drawing_cursor (VgRegionDrawing *self, VgPoint at, double reach)
{
  static const char *const names[] = { "nwse-resize", "ns-resize", "nesw-resize", "ew-resize" };
  int handle, selected;

  if (self->draft.kind == VG_REGION_POLYGON)
    return "crosshair";
  handle = handle_at (self, at, reach);
  if (handle >= 0)
    {
      selected = vg_region_drawing_get_selected (self);
      return vg_session_get_region (self->session, selected)->region.kind == VG_REGION_POLYGON
                 ? "crosshair"
                 : names[handle % 4];
    }
  if (grabs_selected (self, at, reach))
    return "move";
  return self->tool == VG_TOOL_PAN ? NULL : "crosshair";
}

gboolean
vg_region_drawing_select_outline (VgRegionDrawing *self, VgPoint at, double reach)
{
  for (guint i = vg_session_get_n_regions (self->session); i-- > 0;)
    if (is_shown (self, i) &&
        is_on_outline (&vg_session_get_region (self->session, i)->region, at, reach))
      {
        vg_session_select_region (self->session, (int) i);
        return TRUE;
      }
  return FALSE;
}

gboolean
vg_region_drawing_select_at (VgRegionDrawing *self, VgPoint at)
{
  guint n = vg_session_get_n_regions (self->session);
  double smallest = INFINITY;
  int found = -1;

  for (guint i = 0; i < n; i++)
    {
      const VgRegion *region = &vg_session_get_region (self->session, i)->region;
      VgPoint low, high;
      double area;

      if (!is_shown (self, i) || !vg_region_contains (region, at.x, at.y))
        continue;
      vg_region_shape_box (region, &low, &high);
      area = (high.x - low.x) * (high.y - low.y);
      if (area <= smallest)
        {
          smallest = area;
          found = (int) i;
        }
    }
  if (found >= 0)
    vg_session_select_region (self->session, found);
  return found >= 0;
}

gboolean
vg_region_drawing_cancel (VgRegionDrawing *self)
{
  int selected = vg_region_drawing_get_selected (self);
  Drag drag = self->drag;

  self->drag = DRAG_NONE;
  if (self->draft.kind != VG_REGION_NONE)
    {
      drop_draft (self);
      return TRUE;
    }
  if (selected < 0)
    return FALSE;
  if (drag == DRAG_HANDLE || drag == DRAG_MOVE)
    vg_session_set_region (self->session, selected, &self->before);
  else
    vg_session_select_region (self->session, -1);
  return TRUE;
}

gboolean
vg_region_drawing_remove (VgRegionDrawing *self)
{
  int selected = vg_region_drawing_get_selected (self);

  if (self->draft.kind == VG_REGION_POLYGON)
    {
      VgRegion *draft = &self->draft;
      int last = --draft->n_points;

      if (last < 2)
        {
          drop_draft (self);
          return TRUE;
        }
      draft->x[last - 1] = draft->x[last];
      draft->y[last - 1] = draft->y[last];
      changed (self);
      return TRUE;
    }
  if (selected < 0 || self->drag != DRAG_NONE)
    return FALSE;
  vg_session_remove_region (self->session, selected);
  vg_session_commit (self->session, _ ("Remove region"));
  return TRUE;
}

/* The tool's shape about MIDDLE, SIZE pixels across: drawing without a mouse. */
gboolean
vg_region_drawing_add_at (VgRegionDrawing *self, VgPoint middle, double size)
{
  double half = MAX (0.5 * size, 1);

  if (self->tool == VG_TOOL_PAN || self->tool >= VG_TOOL_POINT)
    return FALSE;
  if (self->tool == VG_TOOL_POLYGON)
    {
      self->draft = (VgRegion){ .kind = VG_REGION_POLYGON, .n_points = 6 };
      for (int i = 0; i < 6; i++)
        {
          self->draft.x[i] = round (10 * (middle.x + half * cos (i * G_PI / 3))) / 10;
          self->draft.y[i] = round (10 * (middle.y + half * sin (i * G_PI / 3))) / 10;
        }
    }
  else
    vg_region_shape_from_corners (
        &self->draft, self->tool == VG_TOOL_ELLIPSE ? VG_REGION_ELLIPSE : VG_REGION_RECTANGLE,
        clamp_point (self, (VgPoint){ middle.x - half, middle.y - half }),
        clamp_point (self, (VgPoint){ middle.x + half, middle.y + half }), FALSE);
  return take_draft (self, _ ("Add region"));
}

gboolean
vg_region_drawing_nudge (VgRegionDrawing *self, double dx, double dy, gboolean grow)
{
  int selected = vg_region_drawing_get_selected (self);
  VgRegion region;

  if (selected < 0)
    return FALSE;
  region = vg_session_get_region (self->session, selected)->region;
  if (grow)
    vg_region_shape_grow (&region, dx, dy);
  else
    vg_region_shape_translate (&region, dx, dy);
  vg_session_set_region (self->session, selected, &region);
  vg_session_commit (self->session, grow ? _ ("Change region") : _ ("Move region"));
  return TRUE;
}

gboolean
vg_region_drawing_select_next (VgRegionDrawing *self, int step)
{
  int n = (int) vg_session_get_n_regions (self->session),
      at = vg_region_drawing_get_selected (self);

  if (at < 0)
    at = step > 0 ? -1 : n;
  for (int tried = 0; tried < n; tried++)
    {
      at = (at + step + n) % n;
      if (is_shown (self, at))
        {
          vg_session_select_region (self->session, at);
          return TRUE;
        }
    }
  return FALSE;
}

const VgRegion *
vg_region_drawing_get_draft (VgRegionDrawing *self)
{
  return self->draft.kind == VG_REGION_NONE ? NULL : &self->draft;
}

void
vg_region_drawing_set_tool (VgRegionDrawing *self, VgTool tool)
{
  drop_draft (self);
  self->drag = DRAG_NONE;
  self->tool = tool;
}

VgTool
vg_region_drawing_get_tool (VgRegionDrawing *self)
{
  return self->tool;
}

void
vg_region_drawing_set_extent (VgRegionDrawing *self, const VgExtent *extent, int slice)
{
  if (self->slice != slice)
    drop_draft (self);
  self->extent = *extent;
  self->slice = slice;
}

static void
vg_region_drawing_dispose (GObject *object)
{
  g_clear_object (&VG_REGION_DRAWING (object)->session);
  G_OBJECT_CLASS (vg_region_drawing_parent_class)->dispose (object);
}

static void
vg_region_drawing_class_init (VgRegionDrawingClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_region_drawing_dispose;
  vg_signal_new (VG_TYPE_REGION_DRAWING, "changed", 0);
}

static void
vg_region_drawing_init (VgRegionDrawing *self)
{
}

VgRegionDrawing *
vg_region_drawing_new (VgSession *session)
{
  VgRegionDrawing *self = g_object_new (VG_TYPE_REGION_DRAWING, NULL);

  self->session = g_object_ref (session);
  return self;
}
