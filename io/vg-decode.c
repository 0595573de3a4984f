/* SPDX-License-Identifier: MIT */
/* The program vivograph-decode: the child process in which io/fence reads files of others. */
#include "io/fence/vg-fence-child.h"
#include "vg-config.h"
#include "io/slide/vg-slide-decoder.h"
#include <unistd.h>

int
main (int argc, char **argv)
{
  static const VgDecoder *const decoders[] = { &vg_dicom_decoder,
#ifdef VG_HAVE_OPENSLIDE
                                               &vg_slide_decoder,
#endif
                                               NULL };

  _exit (vg_fence_serve (decoders, argc, argv)); /* nothing else may be done any more */
}
