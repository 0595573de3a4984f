/* SPDX-License-Identifier: MIT */
#pragma once
#include <GL/glew.h>
#include <glib.h>
/* What every user of GL in this folder needs: entry points, programs, errors.
 * Internal to render/; GLEW must come before any header that brings GL. */
G_BEGIN_DECLS

/* Loads the entry points of the current context, which must be desktop GL 3.3
 * or later. */
gboolean vg_gl_init (GError **error);
/* "llvmpipe (LLVM 15.0.6, 256 bits)" */
const char *vg_gl_renderer_name (void);
/* Compiles GLSL 3.30 without its #version line and links; DEFINES are lines
 * put before the fragment shader.  0 and the compiler's message on failure. */
GLuint vg_gl_program (const char *vertex, const char *defines, const char *fragment,
                      GError **error);
/* Turns pending GL errors into a GError; WHAT says what was tried. */
gboolean vg_gl_check (const char *what, GError **error);
/* Forgets errors of others. */
void vg_gl_clear_errors (void);

G_END_DECLS
