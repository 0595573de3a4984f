/* SPDX-License-Identifier: MIT */
/* Every sample of the gallery has its picture. */
#include "ui/gallery/vg-sample-card.h"
#include "ui/welcome/vg-drop-sign.h"

/* Of the generated vivograph-resources.h, which is not built before this file. */
GResource *vg_resources_get_resource (void);

static void
check (char *picture /* owned */)
{
  g_test_message ("%s", picture);
  g_assert_true (g_resources_get_info (picture, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL));
  g_free (picture);
}

static void
test_pictures (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    {
      const VgSynthetic *synthetic = operations[i]->synthetic;

      for (const VgSample *it = synthetic ? synthetic->samples : NULL; it && it->id != NULL; it++)
        check (vg_sample_picture (operations[i], it));
      for (const VgExample *it = operations[i]->examples; it && it->path != NULL; it++)
        check (vg_example_picture (operations[i], it));
    }
}

/* A dropped file is announced in the view that will take it. */
static void
test_drop (void)
{
  const VgOperation *flow = vg_operation_find ("flow");
  static const char *const stack[] = { "a.TIF", NULL }, *const photons[] = { "b.sdt", NULL },
                           *const both[] = { "a.tif", "b.sdt", NULL }, *const none[] = { NULL },
                           *const nuclei[] = { "slide.svs", NULL },
                           *const ending[] = { "tif", NULL };

  g_assert_true (vg_drop_sign_find (stack, flow) == flow);
  g_assert_cmpstr (vg_drop_sign_find (photons, flow)->id, ==, "lifetime");
  g_assert_cmpstr (vg_drop_sign_find (both, flow)->id, ==, "lifetime");
  g_assert_cmpstr (vg_drop_sign_find (nuclei, flow)->id, ==, "contour");
  g_assert_null (vg_drop_sign_find (none, flow));
  g_assert_null (vg_drop_sign_find (ending, flow));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_resources_register (vg_resources_get_resource ());
  g_test_add_func ("/gallery/pictures", test_pictures);
  g_test_add_func ("/gallery/drop", test_drop);
  return g_test_run ();
}
