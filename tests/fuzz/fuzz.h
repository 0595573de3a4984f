/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A fuzz target: libFuzzer calls it through fuzz-main.c when built with
 * -Dfuzz=true; else the runner there calls it with the corpus and with
 * mutations of it from a fixed seed. */
G_BEGIN_DECLS

void fuzz_one (const guint8 *data, gsize length);

G_END_DECLS
