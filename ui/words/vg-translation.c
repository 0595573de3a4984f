/* SPDX-License-Identifier: MIT */
#include "ui/words/vg-translation.h"
#include "kernels/base/vg-program.h"
#include "vg-config.h"

void
vg_translation_init (void)
{
  const char *folder = g_getenv ("VIVOGRAPH_LOCALE_DIR");

  if (folder == NULL)
    folder = vg_program_is_in_build_folder () ? VG_BUILD_LOCALE_DIR : VG_LOCALE_DIR;
  bindtextdomain (VG_GETTEXT_DOMAIN, folder);
  bind_textdomain_codeset (VG_GETTEXT_DOMAIN, "UTF-8");
  textdomain (VG_GETTEXT_DOMAIN);
}

const char *
vg_translate (const char *text)
{
  const char *found = NULL;

  /* The translation of the empty text is the head of the catalogue. */
  if (text == NULL || *text == '\0')
    return text;
  if (gettext (text) != text)
    return gettext (text);
  found = vg_composed_text_translate (text);
  return found != NULL ? found : text;
}
