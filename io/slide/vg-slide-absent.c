/* SPDX-License-Identifier: MIT */
/* In a build without OpenSlide, files that only it reads are recognised by
 * their name, so that a message says what is missing. */
#include "io/source/vg-source-private.h"

VgSource *
vg_slide_source_open (const VgSourceFile *file, GError **error)
{
  static const char *const endings[] = { ".svs", ".ndpi", ".mrxs", ".scn",
                                         ".vms", ".vmu",  ".bif",  ".svslide" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *lower = g_ascii_strdown (file->path, -1);

      if (!g_str_has_suffix (lower, endings[i]))
        continue;
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" looks like a whole slide, which this build of Vivograph cannot read; "
                   "install libopenslide-dev and build again",
                   file->name);
      break;
    }
  return NULL;
}
