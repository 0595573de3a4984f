/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/core/vg-bench.h"
#include "kernels/core/vg-operation.h"
/* The command line of docs/ARCHITECTURE.md: run, demo, bench, describe, info,
 * devices.  Returns the exit status; -1: not a command, open the window. */
G_BEGIN_DECLS

enum {
  VG_EXIT_DONE = 0,
  VG_EXIT_FAILED = 1,
  VG_EXIT_USAGE = 2,
  VG_EXIT_INPUT = 3,
  VG_EXIT_CANCELLED = 130,
};

/* Rows that need a GL context, added by the program (main.c knows render). */
typedef void (*VgDisplayBench) (const VgOperation *operation, VgBench *bench);

int vg_command_line_run (int argc, char **argv, VgDisplayBench display_bench);

G_END_DECLS
