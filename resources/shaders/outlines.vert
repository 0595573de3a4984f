/* SPDX-License-Identifier: MIT */
/* A rectangle for each object's tile. */
layout (location = 0) in ivec4 box;       /* x, y, width, height in samples */
layout (location = 1) in ivec3 pool;      /* offset, stride, id */
layout (location = 2) in vec4 color;       /* its last is the dashes, as bits */

uniform vec2 viewport;                    /* pixels */
uniform vec2 zoom;
uniform ivec2 center_whole;               /* the point at the middle of the viewport */
uniform vec2 center_part;
uniform vec2 widths;                      /* of a solid and a dashed line, pixels */
uniform int selected;
uniform int on_top;                       /* 1: the selected one, 0: the others */

flat out ivec2 size;
flat out ivec2 source;
flat out vec3 ink;
flat out int dashes;
flat out float periods;                   /* of dashes, around the object */
flat out float thick;
flat out float strength;
flat out float dot_radius;                /* pixels; 0: a line */
out vec2 place;                           /* in the tile */

void
main ()
{
  vec2 corner = vec2 (gl_VertexID & 1, gl_VertexID >> 1);
  vec2 pixel;

  size = box.zw;
  source = pool.xy;
  ink = color.rgb;
  dashes = int (color.a * 255.0 + 0.5);
  float width = dashes == 255 ? widths.x : widths.y;
  float span = sqrt (float (box.z) * zoom.x * float (box.w) * zoom.y);
  float share = clamp (0.14 * span, 0.5, 1.0);   /* vg_outlines_strength() */
  periods = max (floor (1.75929189 * span / max (8.0 * width, 16.0) + 0.5), 1.0);   /* vg_outlines_periods() */
  strength = share * share;
  thick = max (share, 0.5) * width;
  if (pool.z == selected)
    {
      strength = 1.0;
      thick = 2.0 * width + 1.0;
    }
  float radius = 0.28 * span;   /* vg_outlines_dot() */
  dot_radius = radius < 1.5 ? max (radius, 1.0) : 0.0;
  if (dot_radius > 0.0)
    {
      strength = pool.z == selected ? 1.0 : 0.8;
      dot_radius += pool.z == selected ? 1.0 : 0.0;
    }
  vec2 half_size = dot_radius > 0.0 ? (dot_radius + 1.0) / zoom : 0.5 * vec2 (box.zw);
  place = 0.5 * vec2 (box.zw) + (2.0 * corner - 1.0) * half_size;
  pixel = (vec2 (box.xy - center_whole) + place - center_part) * zoom;
  if ((pool.z == selected) != (on_top == 1))
    gl_Position = vec4 (2.0, 2.0, 2.0, 1.0);   /* nothing to see */
  else
    gl_Position = vec4 (2.0 * pixel.x / viewport.x, -2.0 * pixel.y / viewport.y, 0.0, 1.0);
}
