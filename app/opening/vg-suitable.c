/* SPDX-License-Identifier: MIT */
#include "app/opening/vg-suitable.h"
#include <string.h>
#include "io/source/vg-source.h"

const VgOperation *
vg_suitable_operation (const char *const *paths, const char *read_options,
                       const VgOperation *present)
{
  VgSourceOptions options = { .read_options = read_options, .colour = TRUE };
  g_autoptr (VgSource)
      source = strcmp (paths[0], "-") != 0 ? vg_source_open (paths[0], &options, NULL) : NULL;
  const VgOperation *found = NULL;
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  VgImageInfo info = source != NULL ? source->info : (VgImageInfo){ 0 };

  if (info.frames == 1)
    info.frames = g_strv_length ((char **) paths); /* a series of single frames */
  for (guint i = 0; source != NULL && i < n; i++)
    if (vg_input_spec_accepts (&operations[i]->input, &info))
      {
        if (operations[i] == present || found != NULL)
          return NULL;
        found = operations[i];
      }
  return found;
}
