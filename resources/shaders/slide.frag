/* SPDX-License-Identifier: MIT */
uniform sampler2D tile;
uniform vec4 disc;                        /* the part of the window that is drawn: middle, radii */

in vec2 place;

out vec4 color;

void
main ()
{
  vec2 inside = (gl_FragCoord.xy - disc.xy) / disc.zw;

  if (dot (inside, inside) > 1.0)
    discard;
  color = vec4 (texture (tile, place).rgb, 1.0);
}
