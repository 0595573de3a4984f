/* SPDX-License-Identifier: MIT */
#pragma once
#include <stdint.h>
#include <stdio.h>
#include "vivograph.h"
/* Data, and runs of the library, for programs that link nothing else of the project. */

extern int failures;

#define CHECK(condition)                                                                           \
  do                                                                                               \
    if (!(condition))                                                                              \
      {                                                                                            \
        failures++;                                                                                \
        fprintf (stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                 \
      }                                                                                            \
  while (0)

enum { WIDTH = 40, HEIGHT = 32, MOST_PAGES = 64, MOST_OUTPUTS = 64 };

typedef struct
{
  const char *operation;
  VivographData data;
  const char *reading;        /* options of `run` that describe the file */
  const char *settings[6][2]; /* parameters, ended by NULL */
} Case;

typedef struct
{
  float *pages[MOST_OUTPUTS][MOST_PAGES];
  VivographPlane planes[MOST_OUTPUTS];
  int n_pages;
} Maps;

/* Numbers that look like noise, the same on every machine. */
unsigned noise (void);
/* Speckle, a decay or an uptake curve in each pixel: samples of 16 bits, N pages; for free. */
void *make_pages (int n, double fall, unsigned level);
VivographData packed (int type, int64_t width, int64_t height, const void *samples);
/* Computes all maps; whether all went well. */
int compute (const Case *test, const VivographData *data, Maps *maps);
void free_maps (Maps *maps);
