/* SPDX-License-Identifier: MIT */
#include "app/provenance/vg-commit.h"

static const char *built_from = "";

void
vg_commit_set (const char *commit)
{
  built_from = commit;
}

const char *
vg_commit_get (void)
{
  return built_from;
}
