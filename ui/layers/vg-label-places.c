/* SPDX-License-Identifier: MIT */
#include "ui/layers/vg-label-places.h"

static const float gap = 6;

static gboolean
is_free (const GArray *taken, const graphene_rect_t *place)
{
  for (guint i = 0; i < taken->len; i++)
    if (graphene_rect_intersection (&g_array_index (taken, graphene_rect_t, i), place, NULL))
      return FALSE;
  return TRUE;
}

graphene_rect_t
vg_label_places_take (GArray *taken, const graphene_rect_t *view, const graphene_rect_t *shape,
                      float x, float width, float height)
{
  float low = shape->origin.y, high = low + shape->size.height, left = shape->origin.x,
        right = left + shape->size.width;
  float end = view->origin.x + MAX (view->size.width - width, 0),
        middle = 0.5f * (low + high - height);
  float along = CLAMP (x, view->origin.x, end);
  const graphene_rect_t places[] = {
    GRAPHENE_RECT_INIT (along, low - gap - height, width, height),
    GRAPHENE_RECT_INIT (along, high + gap, width, height),
    GRAPHENE_RECT_INIT (right + gap, middle, width, height),
    GRAPHENE_RECT_INIT (left - gap - width, middle, width, height),
    /* inside: of what fills the view */
    GRAPHENE_RECT_INIT (along, MAX (low + gap, view->origin.y), width, height),
  };
  int seen = -1, found = -1;

  for (int i = 0; i < (int) G_N_ELEMENTS (places) && found < 0; i++)
    if (graphene_rect_contains_rect (view, &places[i]))
      {
        seen = seen < 0 ? i : seen;
        found = is_free (taken, &places[i]) ? i : -1;
      }
  found = found >= 0 ? found : seen >= 0 ? seen : (int) G_N_ELEMENTS (places) - 1;
  g_array_append_val (taken, places[found]);
  return places[found];
}
