/* SPDX-License-Identifier: MIT */
/* The one file that knows both the command line and the window. */
#include <locale.h>
#include "vg-application.h"
#include "vg-command-line.h"
#include "vg-renderer.h"

int
main (int argc, char **argv)
{
  int status = vg_command_line_run (argc, argv, vg_render_bench);
  VgApplicationOptions options = { 0 };

  return status >= 0 ? status : vg_application_run (&options, argc, argv);
}
