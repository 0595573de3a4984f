/* SPDX-License-Identifier: MIT */
/* The program vivograph-decode of test-fence. */
#include "io/fence/vg-fence-child.h"
#include "tests/io/fence-decoder.h"
#include <unistd.h>

int
main (int argc, char **argv)
{
  static const VgDecoder *const decoders[] = { &fence_decoder, NULL };

  _exit (vg_fence_serve (decoders, argc, argv));
}
