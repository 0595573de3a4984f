/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/base/vg-scalar.h"
/* Formulas of the motion correction, compiled by gcc and nvcc (docs/internals/flow.md).
 *
 * A shift maps the point p of the reference frame to the point
 *   T(p) = c + R (p - c) + d
 * of a frame, where c is the centre, R turns by the angle and d is the displacement.  Tiles of the
 * frame, read at T(p), are compared with the same tiles of the reference frame by phase
 * correlation (Kuglin and Hines 1975): the inverse Fourier transform of W F conj (G) / |F G|^g has
 * its maximum where the tile is displaced to.  With g = 1/2 frequencies that have structure count
 * for more than those that have noise alone.  The weight W leaves out the illumination (low
 * frequencies) and the noise (high ones), so that the peak is smooth between its samples. */

typedef struct
{
  float dx, dy;  /* displacement, px */
  float angle;   /* rad, from x to y */
  float quality; /* height of the peak over that below which frames of noise stay */
} VgFlowShift;

/* Side of the transforms: a power of two between these.  Smaller frames are not corrected. */
enum { VG_FLOW_MOTION_LEAST = 64, VG_FLOW_MOTION_MOST = 512 };
enum { VG_FLOW_MOTION_TILES = 4 };
/* Looks at the rotation: each reads the frame where the last one found it. */
enum { VG_FLOW_MOTION_LOOKS = 3 };
/* Frames over which the mean reference extends. */
enum { VG_FLOW_MOTION_MEAN = 256 };

/* Square tiles in the middle of the frame, one or two by two, each of SIDE squared means of BIN
 * squared pixels. */
typedef struct
{
  int side, bin, tiles;
  int left, top; /* first pixel of the first tile */
} VgFlowMotionGrid;

/* Lowest quality at which a shift is believed. */
#define VG_FLOW_MOTION_SURE 1.0f

/* The quality of a peak of height BEST in tiles of SIDE, if the correlation of two that have
 * nothing in common has the standard deviation NOISE.  In 1000 pairs of independent speckle the
 * largest peak was 7.5 NOISE with a SIDE of 64, and 9.8 with 512.  Each further factor of 10 in the
 * number of pairs adds 1 to that, because the Hann window concentrates the correlation's variance
 * near its centre.  The limit leaves about one false shift in a million frames. */
VG_SCALAR float
vg_flow_motion_quality (float best, float noise, int side)
{
  return noise > 0.0f ? best / (noise * (4.5f + 0.9f * log2f ((float) side))) : 0.0f;
}

VG_SCALAR int
vg_flow_motion_frequency (int k, int side)
{
  return k <= side / 2 ? k : k - side;
}

/* W at the frequency (KX, KY), in cycles per tile. */
VG_SCALAR float
vg_flow_motion_weight (int kx, int ky, int side)
{
  float k2 = (float) (kx * kx + ky * ky);
  float f2 = k2 / ((float) side * (float) side);

  /* The Hann window spreads the mean over these. */
  if (kx >= -1 && kx <= 1 && ky >= -1 && ky <= 1)
    return 0.0f;
  return (1.0f - expf (-k2 / 18.0f)) * expf (-50.0f * f2);
}

/* The Hann window. */
VG_SCALAR float
vg_flow_motion_window (int i, int side)
{
  return 0.5f - 0.5f * cosf (6.2831853f * (float) i / (float) side);
}

/* The five polynomials of degree 4 that are 1 at one of -2 to 2 and 0 at the others, at X, and
 * their first and second derivatives. */
VG_SCALAR void
vg_flow_motion_lagrange (float x, float *value, float *slope, float *bend)
{
  float a = x * x, b = a * x, c = a * a;

  value[0] = (c - 2 * b - a + 2 * x) / 24;
  value[1] = (-c + b + 4 * a - 4 * x) / 6;
  value[2] = (c - 5 * a + 4) / 4;
  value[3] = (-c - b + 4 * a + 4 * x) / 6;
  value[4] = (c + 2 * b - a - 2 * x) / 24;
  slope[0] = (4 * b - 6 * a - 2 * x + 2) / 24;
  slope[1] = (-4 * b + 3 * a + 8 * x - 4) / 6;
  slope[2] = (4 * b - 10 * x) / 4;
  slope[3] = (-4 * b - 3 * a + 8 * x + 4) / 6;
  slope[4] = (4 * b + 6 * a - 2 * x - 2) / 24;
  bend[0] = (12 * a - 12 * x - 2) / 24;
  bend[1] = (-12 * a + 6 * x + 8) / 6;
  bend[2] = (12 * a - 10) / 4;
  bend[3] = (-12 * a - 6 * x + 8) / 6;
  bend[4] = (12 * a + 12 * x - 2) / 24;
}

/* Where the polynomial through the 5 x 5 values of PATCH has its maximum, from its middle, the
 * largest sample; -0.5 to 0.5.  Newton's method. */
VG_SCALAR void
vg_flow_motion_top (const float *patch, float *x, float *y)
{
  enum { STEPS = 6 };
  float u = 0, v = 0;

  for (int step = 0; step < STEPS; step++)
    {
      float p[3][5], q[3][5], fx = 0, fy = 0, fxx = 0, fyy = 0, fxy = 0, det;

      vg_flow_motion_lagrange (u, p[0], p[1], p[2]);
      vg_flow_motion_lagrange (v, q[0], q[1], q[2]);
      for (int i = 0; i < 25; i++)
        {
          int column = i % 5, row = i / 5;

          fx += p[1][column] * q[0][row] * patch[i];
          fy += p[0][column] * q[1][row] * patch[i];
          fxx += p[2][column] * q[0][row] * patch[i];
          fyy += p[0][column] * q[2][row] * patch[i];
          fxy += p[1][column] * q[1][row] * patch[i];
        }
      det = fxx * fyy - fxy * fxy;
      if (!(fxx < 0) || !(det > 0))
        break;
      u -= (fyy * fx - fxy * fy) / det;
      v -= (fxx * fy - fxy * fx) / det;
      u = u < -0.5f ? -0.5f : u > 0.5f ? 0.5f : u;
      v = v < -0.5f ? -0.5f : v > 0.5f ? 0.5f : v;
    }
  *x = u;
  *y = v;
}

/* T, with its sine and cosine. */
typedef struct
{
  float cx, cy, c, s, dx, dy;
} VgFlowMove;

/* Frames turn about the middle of the grid. */
VG_SCALAR VgFlowMove
vg_flow_motion_move (const VgFlowShift *shift, const VgFlowMotionGrid *grid)
{
  float extent = (float) (grid->side * grid->bin) * (grid->tiles > 1 ? 2.0f : 1.0f);
  VgFlowMove move;

  move.cx = (float) grid->left + 0.5f * extent - 0.5f;
  move.cy = (float) grid->top + 0.5f * extent - 0.5f;
  move.c = cosf (shift->angle);
  move.s = sinf (shift->angle);
  move.dx = shift->dx;
  move.dy = shift->dy;
  return move;
}

/* T at (*X, *Y). */
VG_SCALAR void
vg_flow_motion_apply (const VgFlowMove *move, float *x, float *y)
{
  float u = *x - move->cx, v = *y - move->cy;

  *x = move->cx + move->c * u - move->s * v + move->dx;
  *y = move->cy + move->s * u + move->c * v + move->dy;
}

/* Adds to SHIFT what its tiles were displaced by beyond it: tile i of GRID by (X[i], Y[i]) px.
 * Tiles of low QUALITY are left out; without any SHIFT keeps its place and gets quality 0. */
VG_SCALAR void
vg_flow_motion_add (VgFlowShift *shift, const VgFlowMotionGrid *grid, const float *x,
                    const float *y, const float *quality)
{
  float arm = 0.5f * (float) (grid->side * grid->bin);
  float n = 0, mx = 0, my = 0, qx = 0, qy = 0, moment = 0, turn = 0, sure = 0, c, s;

  for (int i = 0; i < grid->tiles; i++)
    if (quality[i] >= VG_FLOW_MOTION_SURE)
      {
        n += 1;
        mx += x[i];
        my += y[i];
        qx += grid->tiles > 1 ? (i % 2 ? arm : -arm) : 0;
        qy += grid->tiles > 1 ? (i / 2 ? arm : -arm) : 0;
        sure += quality[i];
      }
  shift->quality = n > 0 ? sure / n : 0.0f;
  if (!(n > 0))
    return;
  mx /= n;
  my /= n;
  qx /= n;
  qy /= n;
  for (int i = 0; i < grid->tiles && grid->tiles > 1; i++)
    if (quality[i] >= VG_FLOW_MOTION_SURE)
      {
        float u = (i % 2 ? arm : -arm) - qx, v = (i / 2 ? arm : -arm) - qy;

        turn += u * (y[i] - my) - v * (x[i] - mx);
        moment += u * u + v * v;
      }
  turn = moment > 0 ? turn / moment : 0.0f;
  mx += turn * qy;
  my -= turn * qx;
  c = cosf (shift->angle);
  s = sinf (shift->angle);
  shift->dx += c * mx - s * my;
  shift->dy += s * mx + c * my;
  shift->angle += turn;
}

/* The weight of frame N, from 1, in the reference. */
VG_SCALAR float
vg_flow_motion_share (int n)
{
  return 1.0f / (float) (n < VG_FLOW_MOTION_MEAN ? n : VG_FLOW_MOTION_MEAN);
}

/* Replaces the spectrum *RE + i *IM by its correlation with that of the reference, divided by the
 * root of its size, times WEIGHT; returns its size squared. */
VG_SCALAR float
vg_flow_motion_cross (float *re, float *im, float mean_re, float mean_im, float weight)
{
  float a = *re * mean_re + *im * mean_im, b = *im * mean_re - *re * mean_im;
  float size = sqrtf (sqrtf (a * a + b * b));

  *re = size > 0.0f ? weight * (a / size) : 0.0f;
  *im = size > 0.0f ? weight * (b / size) : 0.0f;
  return *re * *re + *im * *im;
}

/* Makes FOUND the shift NOW if it is sure; else the frame stays where the last one was. */
VG_SCALAR void
vg_flow_motion_settle (VgFlowShift *now, VgFlowShift found)
{
  if (found.quality >= VG_FLOW_MOTION_SURE)
    *now = found;
  else
    now->quality = found.quality;
}

/* The shift by which a frame is read for its second look: a translation by whole pixels needs no
 * interpolation. */
VG_SCALAR VgFlowShift
vg_flow_motion_whole (VgFlowShift shift)
{
  shift.dx = rintf (shift.dx);
  shift.dy = rintf (shift.dy);
  return shift;
}

/* Narrows LOW to HIGH to where LEAST <= slope x + start < MOST. */
VG_SCALAR void
vg_flow_motion_narrow (float slope, float start, float least, float most, float *low, float *high)
{
  float a, b;

  if (fabsf (slope) < 1e-7f)
    {
      if (!(start >= least && start < most))
        *high = *low - 1.0f;
      return;
    }
  a = (slope > 0 ? least - start : most - start) / slope;
  b = (slope > 0 ? most - start : least - start) / slope;
  *low = fmaxf (*low, ceilf (a));
  *high = fminf (*high, ceilf (b) - 1.0f);
}

/* The columns LOW to HIGH of row Y whose samples come from inside a frame of WIDTH x HEIGHT that is
 * moved back by MOVE, if these were all columns before; the same for several frames in turn. */
VG_SCALAR void
vg_flow_motion_inside (const VgFlowMove *move, int y, int width, int height, float *low,
                       float *high)
{
  float x = 0.0f, v = (float) y;

  vg_flow_motion_apply (move, &x, &v);
  vg_flow_motion_narrow (move->c, x, -0.5f, (float) width - 0.5f, low, high);
  vg_flow_motion_narrow (move->s, v, -0.5f, (float) height - 0.5f, low, high);
}

/* Whether the window of RADIUS around column X lies in the spans of columns [low, high] of its top
 * and bottom row.  Columns outside the frame of WIDTH do not count. */
VG_SCALAR int
vg_flow_motion_covers (const float *top, const float *bottom, int x, int radius, int width)
{
  float first = (float) (x - radius > 0 ? x - radius : 0);
  float last = (float) (x + radius < width - 1 ? x + radius : width - 1);

  return first >= top[0] && last <= top[1] && first >= bottom[0] && last <= bottom[1];
}
