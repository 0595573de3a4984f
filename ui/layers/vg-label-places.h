/* SPDX-License-Identifier: MIT */
#pragma once
#include <graphene.h>
#include <glib.h>
/* Labels beside what they name, none over another. */
G_BEGIN_DECLS

/* Where a label of WIDTH and HEIGHT goes: over the upper side of SHAPE from X
 * on, else under its lower side, else right or left of it; in VIEW and off all
 * of TAKEN (graphene_rect_t), which it joins.  Where there is no such place the
 * first one that is in VIEW at all. */
graphene_rect_t vg_label_places_take (GArray *taken, const graphene_rect_t *view,
                                      const graphene_rect_t *shape, float x, float width,
                                      float height);

G_END_DECLS
