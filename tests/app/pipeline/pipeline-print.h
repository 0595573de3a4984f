/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline-private.h"
G_BEGIN_DECLS

/* A fingerprint of everything that decides what a pipeline of fake operations does next, except
 * what its threads wait for and have in local variables.  Times count as set or not set.  The
 * counts of frames decide nothing. */
guint64 pipeline_print (VgPipeline *pipeline);

/* For interleave_begin: what the local variables of a thread of PIPELINE depend on. */
void pipeline_print_begin (VgPipeline *pipeline);
guint64 pipeline_print_read (gpointer data, guint64 past, guint64 place);

G_END_DECLS
