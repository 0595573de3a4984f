/* SPDX-License-Identifier: MIT */
/* A tile of a slide: a rectangle of the viewport. */
uniform vec4 box;                         /* left, top, right, bottom, pixels from the viewport's middle */
uniform vec2 viewport;
uniform vec2 part;                        /* of the texture that is shown */

out vec2 place;

void
main ()
{
  vec2 corner = vec2 (gl_VertexID & 1, gl_VertexID >> 1);
  vec2 pixel = mix (box.xy, box.zw, corner);

  place = corner * part;
  gl_Position = vec4 (2.0 * pixel.x / viewport.x, -2.0 * pixel.y / viewport.y, 0.0, 1.0);
}
