/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/core/vg-operation.h"
/* A button that shows a sample: its picture, its title, a sentence, its source and licence. */
G_BEGIN_DECLS

#define VG_TYPE_SAMPLE_CARD (vg_sample_card_get_type ())
G_DECLARE_FINAL_TYPE (VgSampleCard, vg_sample_card, VG, SAMPLE_CARD, GtkButton)

/* Sample data that OPERATION computes. */
GtkWidget *vg_sample_card_new_made (const VgOperation *operation, const VgSample *sample);
/* A recording of OPERATION in the file PATH. */
GtkWidget *vg_sample_card_new_real (const VgOperation *operation, const VgExample *example,
                                    const char *path);

const VgOperation *vg_sample_card_get_operation (VgSampleCard *self);
const char *vg_sample_card_get_path (VgSampleCard *self);         /* NULL: sample data */
const char *vg_sample_card_get_read_options (VgSampleCard *self); /* NULL: none */

/* The names in the program's resources of the pictures; owned. */
char *vg_sample_picture (const VgOperation *operation, const VgSample *sample);
char *vg_example_picture (const VgOperation *operation, const VgExample *example);

G_END_DECLS
