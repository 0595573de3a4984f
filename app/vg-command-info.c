/* SPDX-License-Identifier: MIT */
/* `info`: what a file holds, and what had to be assumed about it. */
#include <stdio.h>
#include "vg-command.h"
#include "vg-source.h"

static const VgOption options[] = {
  { "geometry", "WxH:TYPE", "size and type of raw frames, such as 1392x1040:u16" },
};

static void
print_source (const VgSource *source)
{
  const VgImageInfo *info = &source->info;
  g_autofree char *line = vg_image_info_to_string (info);

  printf ("file:      %s\nformat:    %s\nholds:     %s\n", source->name, source->format, line);
  if (info->pixel_size[0] > 0)
    printf ("pixel:     %g x %g %s\n", info->pixel_size[0], info->pixel_size[1], info->pixel_unit);
  if (info->frame_interval_s > 0)
    printf ("interval:  %g s\n", info->frame_interval_s);
  if (info->exposure_ms > 0)
    printf ("exposure:  %g ms\n", info->exposure_ms);
  if (source->details != NULL)
    {
      g_auto (GStrv) lines = g_strsplit (source->details, "\n", -1);

      for (guint i = 0; lines[i] != NULL; i++)
        if (*lines[i] != '\0')
          printf ("%s%s\n", i == 0 ? "details:   " : "           ", lines[i]);
    }
}

static gboolean
print_info (const VgArguments *arguments, GError **error)
{
  VgSourceOptions open = { .geometry = vg_arguments_get (arguments, "geometry"), .colour = TRUE };
  const char *const *plain = (const char *const *) arguments->plain->pdata;

  if (plain[0] == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "info needs a file");
      return FALSE;
    }
  for (guint i = 0; plain[i] != NULL; i++)
    {
      g_autoptr (VgSource) source = vg_source_open (plain[i], &open, error);

      if (source == NULL)
        return FALSE;
      if (i > 0)
        putchar ('\n');
      print_source (source);
    }
  return TRUE;
}

static int
command_info (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgArguments) arguments = vg_arguments_parse (argc, argv, options, G_N_ELEMENTS (options), NULL, &error);

  if (arguments != NULL && arguments->help)
    vg_command_help (&vg_command_info, NULL);
  else if (arguments == NULL || !print_info (arguments, &error))
    return vg_command_fail (error);
  return VG_EXIT_DONE;
}

const VgCommand vg_command_info = {
  "info", "FILE... [--geometry WxH:TYPE]", "Say what a file holds.",
  command_info, options, G_N_ELEMENTS (options),
};
