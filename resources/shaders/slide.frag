/* SPDX-License-Identifier: MIT */
uniform sampler2D tile;

in vec2 place;

out vec4 color;

void
main ()
{
  color = vec4 (texture (tile, place).rgb, 1.0);
}
