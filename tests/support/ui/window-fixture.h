/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/window/vg-window-private.h"
/* The program's window in a test, with files of its own. */
G_BEGIN_DECLS

typedef struct
{
  GtkApplication *application;
  VgSettings *settings;
  VgWindow *window; /* NULL once it is gone */
  char *folder;
} WindowFixture;

/* Runs the main loop until CONDITION. */
void window_go_on_until (gboolean (*condition) (WindowFixture *self), WindowFixture *self);
/* Conditions. */
gboolean window_is_done (WindowFixture *self);
gboolean window_has_opened (WindowFixture *self);
/* On the CPU, the sample data of contour, until its work is done. */
void window_begin (WindowFixture *self);
/* Waits until the window, closed before, is gone. */
void window_end (WindowFixture *self);
/* The first widget of TYPE below ROOT, or ROOT itself; NULL: none. */
GtkWidget *window_find (GtkWidget *root, GType type);
/* A label below ROOT, or ROOT itself, is visible and contains TEXT. */
gboolean window_tells (GtkWidget *root, const char *text);
int window_main (int argc, char **argv, void (*add_tests) (void));

G_END_DECLS
