/* SPDX-License-Identifier: MIT */
#include "vg-suitable.h"
#include <string.h>
#include "vg-source.h"

const VgOperation *
vg_suitable_operation (const char *path, const char *reading, const VgOperation *present)
{
  VgSourceOptions options = { .reading = reading, .colour = TRUE };
  g_autoptr (VgSource) source = strcmp (path, "-") != 0 ? vg_source_open (path, &options, NULL) : NULL;
  const VgOperation *found = NULL;
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; source != NULL && i < n; i++)
    if (operations[i]->suits != NULL && operations[i]->suits (&source->info))
      {
        if (operations[i] == present || found != NULL)
          return NULL;
        found = operations[i];
      }
  return found;
}
