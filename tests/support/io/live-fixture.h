/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/live/vg-live.h"
G_BEGIN_DECLS

/* Opens the live source ADDRESS, or fails the test with the message. */
VgSource *fixture_open_live (const char *address);

G_END_DECLS
