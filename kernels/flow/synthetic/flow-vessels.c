/* SPDX-License-Identifier: MIT */
#include "kernels/flow/synthetic/flow-vessels.h"
#include "kernels/base/vg-random.h"
#include <math.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, frames are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif
/* An arterial and a venous tree on tissue.  A tree grows towards points that have no vessel near
 * them (space colonisation: Runions et al., Eurographics Workshop on Natural Phenomena 2007), until
 * there is none left.  The radius of a branch follows from the number of its leaves, so that the
 * trunk is 24 px wide and the leaves are 4 px wide in a picture of 512 px.  Lengths are in units of
 * the picture's side; the picture may have any shape. */

#define STEP 0.0125 /* length of a segment */
#define REACH 0.022 /* a point closer than this has a vessel */
#define LEAF (2.0 / 512.0)
#define TRUNK (12.0 / 512.0)
#define TISSUE_MS 5.0
#define WANDER 0.35 /* of a segment's direction */
enum {
  SIDE = 17,
  N_POINTS = SIDE * SIDE,
  MOST_NODES = 4096,
  TRUNK_NODES = 22,
  SHORTEST = 6, /* a branch of fewer segments is dropped */
  GRID = 33,
  SHARES = 4,
  STEPS = 64 /* of the correlation time, each an eighth, from 0.2 ms */
};

typedef struct
{
  double x, y, radius;
  int parent, first_child, children, leaves;
  gboolean dropped, clamped; /* its blood comes through the clamped branch */
} Node;

typedef struct
{
  Node nodes[MOST_NODES];
  int n;
} Tree;

/* ---- growth ---- */

typedef struct
{
  double x, y, distance; /* to the nearest node */
  int nearest;
} Point;

static void
look (Point *points, const Tree *tree, int from)
{
  for (int i = 0; i < N_POINTS; i++)
    for (int k = from; k < tree->n; k++)
      {
        double dx = tree->nodes[k].x - points[i].x, dy = tree->nodes[k].y - points[i].y, distance;

        if (fabs (dx) >= points[i].distance || fabs (dy) >= points[i].distance)
          continue; /* most are, and hypot is slow */
        distance = hypot (dx, dy);
        if (distance < points[i].distance)
          {
            points[i].distance = distance;
            points[i].nearest = k;
          }
      }
}

static void
add_node (Tree *self, int parent, double x, double y)
{
  self->nodes[self->n++] = (Node){ .x = x, .y = y, .parent = parent };
}

/* Whether a child of NODE is there already: points on both sides can hold a branch in place. */
static gboolean
has_child_near (const Tree *self, int node, double x, double y)
{
  for (int k = node + 1; k < self->n; k++)
    if (self->nodes[k].parent == node &&
        hypot (self->nodes[k].x - x, self->nodes[k].y - y) < 0.7 * STEP)
      return TRUE;
  return FALSE;
}

/* Each node that is the nearest of some points grows a segment towards them. */
static gboolean
grow_once (Tree *self, const Point *points, guint64 seed)
{
  double dx[MOST_NODES] = { 0.0 }, dy[MOST_NODES] = { 0.0 };
  int n = self->n;

  for (int i = 0; i < N_POINTS; i++)
    if (points[i].distance > REACH)
      {
        const Node *node = &self->nodes[points[i].nearest];

        dx[points[i].nearest] += (points[i].x - node->x) / points[i].distance;
        dy[points[i].nearest] += (points[i].y - node->y) / points[i].distance;
      }
  for (int k = 0; k < n && self->n < MOST_NODES; k++)
    {
      double length = hypot (dx[k], dy[k]), turn, ahead, aside, x, y;

      if (length < 1e-6)
        continue;
      turn = WANDER * (2.0 * vg_random_uniform (seed + (guint64) self->n) - 1.0);
      ahead = STEP * cos (turn) / length;
      aside = STEP * sin (turn) / length;
      x = self->nodes[k].x + ahead * dx[k] - aside * dy[k];
      y = self->nodes[k].y + ahead * dy[k] + aside * dx[k];
      if (!has_child_near (self, k, x, y))
        add_node (self, k, x, y);
    }
  return self->n > n;
}

/* Drops twigs. */
static void
prune (Tree *self)
{
  int kept[MOST_NODES] = { 0 }, n = 0;

  for (int k = 1; k < self->n; k++)
    self->nodes[self->nodes[k].parent].children++;
  for (int k = TRUNK_NODES; k < self->n; k++)
    {
      int length = 0, at = k;

      if (self->nodes[k].children > 0)
        continue;
      for (; length < SHORTEST && self->nodes[at].children < 2; at = self->nodes[at].parent)
        length++;
      for (int i = k; length < SHORTEST && i != at; i = self->nodes[i].parent)
        self->nodes[i].dropped = TRUE;
    }
  for (int k = 0; k < self->n; k++)
    if (!self->nodes[k].dropped)
      {
        kept[k] = n;
        self->nodes[n] = self->nodes[k];
        self->nodes[n].parent = kept[self->nodes[n].parent];
        self->nodes[n++].children = 0;
      }
  self->n = n;
}

/* Leaves, radii, and which nodes are the first child: the one with most leaves continues the
 * branch. */
static void
measure (Tree *self)
{
  Node *nodes = self->nodes;

  for (int k = self->n - 1; k >= 0; k--)
    {
      nodes[k].leaves = MAX (nodes[k].leaves, 1);
      if (k > 0)
        {
          Node *parent = &nodes[nodes[k].parent];

          if (parent->children++ == 0 || nodes[k].leaves > nodes[parent->first_child].leaves)
            parent->first_child = k;
          parent->leaves += nodes[k].leaves;
        }
    }
  for (int k = 0; k < self->n; k++)
    nodes[k].radius = LEAF + (TRUNK - LEAF) *
                                 pow (log (nodes[k].leaves) / log (MAX (nodes[0].leaves, 2)), 1.2);
}

/* A node moves to the middle between its parent and the child that continues its branch, so that
 * branches leave gently. */
static void
smooth (Tree *self)
{
  for (int pass = 0; pass < 6; pass++)
    for (int k = 1; k < self->n; k++)
      if (self->nodes[k].children > 0)
        {
          Node *node = &self->nodes[k];
          const Node *before = &self->nodes[node->parent], *after = &self->nodes[node->first_child];

          node->x = 0.5 * node->x + 0.25 * (before->x + after->x);
          node->y = 0.5 * node->y + 0.25 * (before->y + after->y);
          node->radius = 0.5 * node->radius + 0.25 * (before->radius + after->radius);
        }
}

static void
grow (Tree *self, double x, double y, double to_x, double to_y, guint64 seed)
{
  g_autofree Point *points = g_new (Point, N_POINTS);
  int before = TRUNK_NODES;

  for (int i = 0; i < N_POINTS; i++)
    points[i] = (Point){
      .x = 1.1 * (i % SIDE + vg_random_uniform (2 * seed * N_POINTS + 2 * (guint64) i)) / SIDE -
           0.05,
      .y = 1.1 * (i / SIDE + vg_random_uniform (2 * seed * N_POINTS + 2 * (guint64) i + 1)) / SIDE -
           0.05,
      .distance = G_MAXDOUBLE
    };
  self->n = 0;
  add_node (self, 0, x, y);
  /* the trunk, which bends once */
  for (int k = 1; k <= TRUNK_NODES; k++)
    {
      double t = (double) k / TRUNK_NODES, bend = 0.035 * sin (2.0 * G_PI * t);

      add_node (self, k - 1, x + t * (to_x - x) - bend * (to_y - y) / 0.4,
                y + t * (to_y - y) + bend * (to_x - x) / 0.4);
    }
  do
    {
      look (points, self, before);
      before = self->n;
    }
  while (grow_once (self, points, seed << 32));
  prune (self);
  measure (self);
  smooth (self);
}

/* Clamps the branch with about two fifths of the leaves. */
static void
clamp_branch (Tree *self)
{
  int best = 0;

  for (int k = 1; k < self->n; k++)
    if (abs (5 * self->nodes[k].leaves - 2 * self->nodes[0].leaves) <
        abs (5 * self->nodes[best].leaves - 2 * self->nodes[0].leaves))
      best = k;
  for (int k = best; k < self->n; k++)
    self->nodes[k].clamped = k == best || self->nodes[self->nodes[k].parent].clamped;
}

/* ---- time ---- */

double
vg_flow_tissue_speed (const VgFlowTissue *self, double time_s, double clamp)
{
  double beat = 2.0 * G_PI * 1.2 * time_s, speed = 1.0 - self->supplied + self->supplied * clamp;

  switch (self->rhythm)
    {
    case VG_FLOW_STEADY:
      break;
    case VG_FLOW_PULSE:
      return speed * (1.0 + 0.3 * sin (beat));
    case VG_FLOW_ARTERY:
      return speed * (1.0 + 0.25 * sin (beat) + 0.1 * sin (2.0 * beat + 0.6));
    case VG_FLOW_VEIN:
      return speed * (1.0 + 0.1 * sin (0.25 * beat));
    }
  return speed;
}

/* ---- drawing ---- */

typedef struct
{
  int width, height;
  guint8 *map;
  GArray *tissues;
  guint16 found[VG_FLOW_VEIN + 1][SHARES + 1][STEPS]; /* index + 1; 0: none yet */
  /* coarse maps of the tissue, in steps */
  double step[GRID * GRID], share[GRID * GRID];
} Canvas;

/* The index of pixels with a correlation time of STEP eighths and a clamped share of SHARE
 * quarters. */
static guint8
find_tissue (Canvas *self, double step, VgFlowRhythm rhythm, double share)
{
  int s = CLAMP ((int) rint (step), 0, STEPS - 1), q = CLAMP ((int) rint (share), 0, SHARES);
  guint16 *found = &self->found[rhythm][q][s];

  if (*found == 0)
    {
      VgFlowTissue tissue = { 0.2 * pow (1.125, s), rhythm, (double) q / SHARES };

      if (self->tissues->len < VG_FLOW_MOST_TISSUES)
        g_array_append_val (self->tissues, tissue);
      *found = (guint16) self->tissues->len;
    }
  return (guint8) (*found - 1);
}

/* A coarse map at (U, V), both 0 to 1. */
static double
sample (const double *grid, double u, double v)
{
  double x = u * (GRID - 1), y = v * (GRID - 1);
  int i = CLAMP ((int) x, 0, GRID - 2), k = CLAMP ((int) y, 0, GRID - 2);
  const double *at = grid + k * GRID + i;

  x -= i;
  y -= k;
  return (1.0 - y) * ((1.0 - x) * at[0] + x * at[1]) +
         y * ((1.0 - x) * at[GRID] + x * at[GRID + 1]);
}

static double
step_of (double tau_ms)
{
  return log (tau_ms / 0.2) / log (1.125);
}

/* How much of the tissue the clamped branch supplies: near arteries count most. */
static void
share_out (Canvas *self, const Tree *arteries)
{
  for (int i = 0; i < GRID * GRID; i++)
    {
      double x = (double) (i % GRID) / (GRID - 1), y = (double) (i / GRID) / (GRID - 1);
      double sum = 0.0, clamped = 0.0;

      for (int k = 0; k < arteries->n; k++)
        {
          double dx = arteries->nodes[k].x - x, dy = arteries->nodes[k].y - y;
          double near = 1.0 / (dx * dx + dy * dy + 1e-3);

          near *= near * near;
          sum += near;
          clamped += arteries->nodes[k].clamped ? near : 0.0;
        }
      self->share[i] = SHARES * clamped / sum;
      self->step[i] = step_of (TISSUE_MS) + 3.0 * (vg_random_uniform (977 + (guint64) i) - 0.5);
    }
}

/* The pixels of one round piece of a vessel, unless their flow is faster.  RING_TISSUE: from the
 * axis to the wall. */
static void
stamp (Canvas *self, double x, double y, double radius, const guint8 *ring_tissue)
{
  const VgFlowTissue *tissues = (const VgFlowTissue *) self->tissues->data;
  double across = self->width, down = self->height, scale = MIN (across, down);
  double r = MAX (radius * scale, 0.5);
  int left = MAX ((int) floor (x * across - r), 0),
      right = MIN ((int) ceil (x * across + r), self->width),
      top = MAX ((int) floor (y * down - r), 0),
      bottom = MIN ((int) ceil (y * down + r), self->height);

  for (int py = top; py < bottom; py++)
    for (int px = left; px < right; px++)
      {
        double dx = px + 0.5 - x * across, dy = py + 0.5 - y * down;
        int ring = (int) (4.0 * sqrt (dx * dx + dy * dy) / r);
        guint8 *pixel = self->map + (gsize) py * (gsize) self->width + px;

        if (ring < 4 && tissues[ring_tissue[ring]].tau_ms < tissues[*pixel].tau_ms)
          *pixel = ring_tissue[ring];
      }
}

static void
draw_tree (Canvas *self, const Tree *tree, VgFlowRhythm rhythm)
{
  double pixel = 1.0 / MAX (MIN (self->width, self->height), 1);

  for (int k = 1; k < tree->n; k++)
    {
      const Node *to = &tree->nodes[k], *from = &tree->nodes[to->parent];
      int pieces = 1 + (int) (STEP / MAX (pixel, STEP / 64));
      guint8 ring_tissue[4];
      /* a vein has its blood from the tissue around it */
      double share = rhythm != VG_FLOW_ARTERY ? sample (self->share, to->x, to->y)
                     : to->clamped            ? SHARES
                                              : 0.0;
      /* 0.2 ms in the trunk, 2 ms in the leaves */
      double step = step_of (2.0) * log (TRUNK / to->radius) / log (TRUNK / LEAF);

      /* blood flows fastest at the axis, and slow at the wall */
      for (int i = 0; i < 4; i++)
        ring_tissue[i] = find_tissue (self, step + 0.02 * i * i * i * (step_of (TISSUE_MS) - step),
                                      rhythm, share);
      for (int i = 0; i < pieces; i++)
        {
          double t = (double) i / pieces, r = to->parent == 0 ? to->radius : from->radius;

          stamp (self, from->x + t * (to->x - from->x), from->y + t * (to->y - from->y),
                 MIN (r, 1.25 * to->radius) * (1.0 - t) + t * to->radius, ring_tissue);
        }
    }
}

static void
draw_tissue (Canvas *self)
{
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      {
        double u = (x + 0.5) / self->width, v = (y + 0.5) / self->height;

        self->map[(gsize) y * (gsize) self->width + (gsize) x] = find_tissue (
            self, sample (self->step, u, v), VG_FLOW_STEADY, sample (self->share, u, v));
      }
}

GArray *
vg_flow_vessels_draw (int width, int height, guint8 *map)
{
  g_autofree Tree *arteries = g_new0 (Tree, 1), *veins = g_new0 (Tree, 1);
  g_autofree Canvas *canvas = g_new0 (Canvas, 1);

  canvas->width = width;
  canvas->height = height;
  canvas->map = map;
  canvas->tissues = g_array_new (FALSE, FALSE, sizeof (VgFlowTissue));
  grow (arteries, -0.03, 0.66, 0.24, 0.46, 31);
  grow (veins, 0.80, -0.03, 0.62, 0.25, 32);
  clamp_branch (arteries);
  share_out (canvas, arteries);
  draw_tissue (canvas);
  draw_tree (canvas, veins, VG_FLOW_VEIN);
  draw_tree (canvas, arteries, VG_FLOW_ARTERY);
  return canvas->tissues;
}
