/* SPDX-License-Identifier: MIT */
#pragma once
#include <GL/glew.h>
#include <glib.h>
#include "render/vg-pane.h"
/* OpenGL entry points, programs and errors for this folder.  Internal to render/; GLEW must be
 * included before any other header of OpenGL. */
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
/* Sets the uniform "disc" of the program in use, which limits drawing to a round pane, whose y is
 * counted from below. */
void vg_gl_set_disc (GLint uniform, const VgPane *pane);
/* FALSE with a GError if OpenGL errors are pending; WHAT names the attempted action. */
gboolean vg_gl_check (const char *what, GError **error);
/* Discards pending OpenGL errors of other code. */
void vg_gl_clear_errors (void);

G_END_DECLS
