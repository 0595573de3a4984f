/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* TRUE for a program in the folder it was built in: it uses the CUDA module and the catalogues
 * there, not those of an installation. */
gboolean vg_program_is_in_build_folder (void);

G_END_DECLS
