/* SPDX-License-Identifier: MIT */
/* The zero level of an object's field as a line with a dark seam, so that it
 * is seen on any picture; vg_outlines_draw() once more.  The field is
 * interpolated from four samples, and its slope tells how many pixels away
 * the level is. */
uniform samplerBuffer values;
uniform vec2 zoom;
uniform vec4 disc;         /* the part of the window that is drawn: middle, radii */

flat in ivec2 size;
flat in ivec2 source;      /* offset, stride */
flat in vec3 ink;
flat in int dashes;
flat in float periods;
flat in float thick;
flat in float strength;
flat in float dot_radius;
in vec2 place;

out vec4 color;            /* premultiplied */

void
main ()
{
  vec2 at = clamp (place - 0.5, vec2 (0.0), vec2 (size - 1));
  ivec2 corner = min (ivec2 (at), max (size - 2, 0));
  vec2 part = at - vec2 (corner);
  int first = source.x + corner.y * source.y + corner.x;
  int right = size.x > 1 ? 1 : 0, below = size.y > 1 ? source.y : 0;
  float a = texelFetch (values, first).r, b = texelFetch (values, first + right).r;
  float c = texelFetch (values, first + below).r, d = texelFetch (values, first + below + right).r;
  float value = mix (mix (a, b, part.x), mix (c, d, part.x), part.y);
  vec2 slope = vec2 (mix (b - a, d - c, part.y), mix (c - a, d - b, part.x)) / zoom;
  float distance = abs (value) / max (length (slope), 1e-9);
  float line = strength * clamp (0.5 * thick + 0.5 - distance, 0.0, 1.0);
  float seam = strength * 0.45 * clamp (0.5 * thick + 1.5 - distance, 0.0, 1.0);

  if (dot_radius > 0.0)
    {
      vec2 from = (place - 0.5 * vec2 (size)) * zoom;
      line = seam = strength * clamp (dot_radius + 0.5 - length (from), 0.0, 1.0);
    }
  vec2 inside = (gl_FragCoord.xy - disc.xy) / disc.zw;

  if (!(seam > 0.0) || dot (inside, inside) > 1.0)
    discard;
  if (dashes != 255 && dot_radius == 0.0)
    {
      vec2 from = (place - 0.5 * vec2 (size)) * zoom;
      float turn = (atan (from.y, from.x) / 6.28318531 + 0.5) * periods;

      if ((dashes >> (int (fract (turn) * 8.0) & 7) & 1) == 0)
        discard;
    }
  color = vec4 (line * ink, dot_radius > 0.0 ? line : line + (1.0 - line) * seam);
}
