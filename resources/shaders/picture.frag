/* SPDX-License-Identifier: MIT */
/* A plane of values to a picture: zoom and pan, colour map, limits, gamma,
 * logarithm, colour of invalid samples, isolines, brightness by a second
 * plane, a picture under it.  The position on the map is vg_coloring_position() once more.
 *
 * Samples are fetched one by one and weighed here, because the texture unit
 * would spread one NaN over its neighbours.
 *
 * Compiled once for each way of drawing that is used (a software renderer
 * would pay for every branch):
 *   SAMPLING    0 nearest, 1 linear, 2 mean of what a pixel covers
 *   ISOLINES    0 or 1
 *   BRIGHTNESS  0 or 1
 *   UNDERLAY    0 or 1
 *   MOSAIC      0 or 1: planes hold slices one above the other, seen as tiles */

const int MAX_TAPS = 8;
const int MAX_ISOLINES = 32;

uniform sampler2D plane;
uniform sampler2D brightness_plane;
uniform sampler2D colormap;       /* 256 x 1 */

uniform ivec2 size;               /* samples in the plane, or in a slice of it, as it is seen */
uniform ivec3 mosaic;             /* columns, slices, and the gap between them */
uniform bool mirrored;            /* x < 0 shows -x */
uniform bvec2 turned;             /* columns, rows of a slice the other way round, */
uniform bool swapped;             /* and then rows as columns */
uniform vec2 viewport;            /* pixels */
uniform vec2 corner;              /* of it in the window, lower left */
uniform vec4 disc;                /* the part of the window that is drawn: middle, radii */
uniform vec2 zoom;                /* viewport pixels per sample */
uniform ivec2 center_whole;       /* the point at the middle of the viewport: */
uniform vec2 center_part;         /* whole and part, so that large images stay exact */

uniform vec2 limits;
uniform float gamma;
uniform bool log_scale;
uniform vec3 invalid_color;
uniform vec3 background;

uniform float isolines[MAX_ISOLINES];   /* on a log scale logarithms */
uniform float isoline_floor;            /* log scale: what is below counts as this */
uniform int n_isolines;
uniform vec2 brightness_limits;

uniform sampler2D underlay;       /* colours, of the plane's size */
uniform float opacity;            /* of the plane over it */
uniform bool skip_zero;           /* 0 is no value either */
uniform bool see_through;         /* what is under it is in the frame already */

out vec4 color;

/* center_whole on the tile at hand, and the row where its slice begins. */
ivec2 whole;
int first_row = 0;

/* By bits: a driver may take the liberty to fold isnan() away. */
bool
valid (float value)
{
  return (floatBitsToUint (value) & 0x7f800000u) != 0x7f800000u;
}

bool
shown (float value)
{
  return valid (value) && !(skip_zero && value == 0.0);
}

/* The texel of a place in the slice at hand. */
ivec2
texel (ivec2 at)
{
  at = clamp (at, ivec2 (0), size - 1);
  ivec2 stored = swapped ? size.yx : size;
  if (swapped)
    at = at.yx;
  if (turned.x)
    at.x = stored.x - 1 - at.x;
  if (turned.y)
    at.y = stored.y - 1 - at.y;
  return at + ivec2 (0, first_row);
}

float
fetch (sampler2D samples, ivec2 at)
{
  if (mirrored && at.x < 0)
    at.x = -1 - at.x;
  return texelFetch (samples, texel (at), 0).r;
}

/* Weighs the valid ones of the four samples around POINT; the second member
 * is the weight they had. */
vec2
bilinear (sampler2D samples, vec2 point)
{
  vec2 corner = floor (point - 0.5);
  vec2 part = point - 0.5 - corner;
  ivec2 at = whole + ivec2 (corner);
  vec2 sum = vec2 (0.0);

  for (int i = 0; i < 4; i++)
    {
      ivec2 next = ivec2 (i & 1, i >> 1);
      vec2 weights = mix (1.0 - part, part, vec2 (next));
      float value = fetch (samples, at + next);

      if (shown (value))
        sum += weights.x * weights.y * vec2 (value, 1.0);
    }
  return sum.y > 0.0 ? vec2 (sum.x / sum.y, sum.y) : vec2 (0.0);
}

/* A cubic B-spline: 1 wide at 0, nothing from 2 on. */
float
spline (float at)
{
  float x = abs (at);

  if (x >= 2.0)
    return 0.0;
  return x < 1.0 ? (4.0 - 6.0 * x * x + 3.0 * x * x * x) / 6.0 : (2.0 - x) * (2.0 - x) * (2.0 - x) / 6.0;
}

/* What isolines follow: the valid samples within two samples (or three pixels,
 * where a pixel covers several; on a log scale four samples, of logarithms, and
 * as far where samples are shorter, up to eight),
 * weighed by a spline, so that noise from sample to sample makes no lines; the
 * second member is the part of the weight that is valid. */
vec2
smoothed (sampler2D samples, vec2 point)
{
  vec2 reach = log_scale ? clamp (2.0 * max (zoom.x, zoom.y) / zoom, 2.0, 4.0) : clamp (1.5 / zoom, 1.0, 2.0);
  vec2 first = floor (point - 2.0 * reach);
  ivec2 n = ivec2 (ceil (4.0 * reach)) + 1;
  vec3 sum = vec3 (0.0);

  for (int y = 0; y < n.y; y++)
    {
      float row = spline ((first.y + float (y) + 0.5 - point.y) / reach.y);

      for (int x = 0; x < n.x; x++)
        {
          vec2 at = first + vec2 (x, y);
          float weight = row * spline ((at.x + 0.5 - point.x) / reach.x);

          if (mirrored)           /* a ring: the further out the larger */
            weight *= abs (at.x + float (whole.x) + 0.5);
          float value = weight > 0.0 ? fetch (samples, whole + ivec2 (at)) : 0.0;

          if (valid (value))
            sum += weight * vec3 (log_scale ? log (max (value, isoline_floor)) : value, 1.0, 0.0);
          sum.z += weight;
        }
    }
  return sum.y > 0.0 ? vec2 (sum.x / sum.y, sum.y / sum.z) : vec2 (0.0);
}

/* The mean of the valid samples under one viewport pixel. */
vec2
box (sampler2D samples, vec2 point)
{
  vec2 width = 1.0 / zoom;
  ivec2 taps = clamp (ivec2 (ceil (width - 1e-3)), 1, MAX_TAPS);
  vec2 pace = width / vec2 (taps);
  vec2 first = point - 0.5 * width + 0.5 * pace;
  vec2 sum = vec2 (0.0);

  for (int y = 0; y < taps.y; y++)
    for (int x = 0; x < taps.x; x++)
      {
        float value = fetch (samples, whole + ivec2 (floor (first + pace * vec2 (x, y))));

        if (shown (value))
          sum += vec2 (value, 1.0);
      }
  return sum.y > 0.0 ? vec2 (sum.x / sum.y, sum.y / float (taps.x * taps.y)) : vec2 (0.0);
}

/* The value at a point, and how much of it is valid. */
vec2
sample_at (sampler2D samples, vec2 point)
{
#if SAMPLING == 2
  return box (samples, point);
#else
  float value = fetch (samples, whole + ivec2 (floor (point)));

  if (!shown (value))
    return vec2 (0.0);
#if SAMPLING == 1
  value = bilinear (samples, point).x;
#endif
  return vec2 (value, 1.0);
#endif
}

#if UNDERLAY
vec3
fetch_under (ivec2 at)
{
  return texelFetch (underlay, texel (at), 0).rgb;
}

/* The colour under a point, sampled as the plane is. */
vec3
under_at (vec2 point)
{
#if SAMPLING == 2
  vec2 width = 1.0 / zoom;
  ivec2 taps = clamp (ivec2 (ceil (width - 1e-3)), 1, MAX_TAPS);
  vec2 pace = width / vec2 (taps);
  vec2 first = point - 0.5 * width + 0.5 * pace;
  vec3 sum = vec3 (0.0);

  for (int y = 0; y < taps.y; y++)
    for (int x = 0; x < taps.x; x++)
      sum += fetch_under (whole + ivec2 (floor (first + pace * vec2 (x, y))));
  return sum / float (taps.x * taps.y);
#elif SAMPLING == 1
  vec2 corner = floor (point - 0.5);
  vec2 part = point - 0.5 - corner;
  ivec2 at = whole + ivec2 (corner);

  return mix (mix (fetch_under (at), fetch_under (at + ivec2 (1, 0)), part.x),
              mix (fetch_under (at + ivec2 (0, 1)), fetch_under (at + ivec2 (1, 1)), part.x), part.y);
#else
  return fetch_under (whole + ivec2 (floor (point)));
#endif
}
#endif

/* vg_coloring_formula(): the limits are logarithms when log_scale is set. */
float
position (float value)
{
  float range = limits.y - limits.x, t;

  if (log_scale)
    value = value > 0.0 ? log (value) : -1e9;
  if (range != 0.0)
    t = (value - limits.x) / range;
  else
    t = value < limits.x ? 0.0 : value > limits.x ? 1.0 : 0.5;
  t = clamp (t, 0.0, 1.0);
  return gamma == 1.0 ? t : pow (t, gamma);
}

vec3
map_color (float t)
{
  return texelFetch (colormap, ivec2 (int (t * 255.0 + 0.5), 0), 0).rgb;
}

/* How much of this pixel the nearest line covers: a line is 1.5 pixels wide.
 * FIELD is of logarithms on a log scale, where the values of neighbours may
 * differ by decades. */
float
isoline_cover (vec2 field)
{
  vec2 slope = vec2 (dFdx (field.x), dFdy (field.x));
  float steepness = length (slope);
  float cover = 0.0;

  if (!(steepness > 0.0) || field.y <= 0.5)
    return 0.0;
  for (int i = 0; i < n_isolines; i++)
    cover = max (cover, clamp (1.25 - abs (field.x - isolines[i]) / steepness, 0.0, 1.0));
  return cover;
}

void
main ()
{
  vec2 inside = (gl_FragCoord.xy - disc.xy) / disc.zw;
  vec2 drawn = gl_FragCoord.xy - corner;
  vec2 pixel = vec2 (drawn.x, viewport.y - drawn.y);
  vec2 point = center_part + (pixel - 0.5 * viewport) / zoom;
  ivec2 at = center_whole + ivec2 (floor (point));
  bool outside = any (lessThan (at, ivec2 (mirrored ? -size.x : 0, 0)));
  vec2 value;

  whole = center_whole;
#if MOSAIC
  {
    ivec2 tile = max (at, ivec2 (0)) / (size + mosaic.z);
    int slice = tile.y * mosaic.x + tile.x;

    outside = outside || tile.x >= mosaic.x || slice >= mosaic.y;
    at -= tile * (size + mosaic.z);
    whole -= tile * (size + mosaic.z);
    first_row = min (slice, mosaic.y - 1) * (swapped ? size.x : size.y);
  }
#endif
  outside = outside || any (greaterThanEqual (at, size));
  value = sample_at (plane, point);

  vec3 shade = map_color (position (value.x));
  float cover = 1.0;              /* of what is in the frame */

#if !UNDERLAY
  shade = mix (invalid_color, shade, value.y);
#endif
#if BRIGHTNESS
  {
    vec2 light = sample_at (brightness_plane, point);

    shade *= light.y * clamp ((light.x - brightness_limits.x) / (brightness_limits.y - brightness_limits.x), 0.0, 1.0);
  }
#endif
#if UNDERLAY
  if (see_through)
    cover = value.y * opacity;
  else
    shade = mix (under_at (point), shade, value.y * opacity);
#endif
#if ISOLINES
  {
    float line = 0.9 * isoline_cover (smoothed (plane, point));
    float ink = dot (shade, vec3 (0.2126, 0.7152, 0.0722)) > 0.4 ? 0.0 : 1.0;
    float both = cover + line - cover * line;

    shade = mix (shade, vec3 (ink), line / max (both, 1e-6));
    cover = both;
  }
#endif
  if (outside)
    {
      shade = background;
      cover = 1.0;
    }
  if (dot (inside, inside) > 1.0)
    discard;
  color = vec4 (shade, cover);
}
