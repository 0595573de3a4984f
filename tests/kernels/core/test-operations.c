/* SPDX-License-Identifier: MIT */
/* A loop over the registry: what every operation has to do, whatever it is. */
#include "tests/kernels/core/operation-run.h"
#include <malloc.h>

/* Fresh memory holds POISON under the sanitizer's allocator too, and an
 * allocation that is too large fails as it does elsewhere. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "malloc_fill_byte=165:max_malloc_fill_size=1073741824:allocator_may_return_null=1";
}

static const struct
{
  const char *name;
  GTestDataFunc function;
} checks[] = {
  { "words", check_words },       { "parameters", check_parameters }, { "outputs", check_outputs },
  { "members", check_members },   { "hostile", check_hostile },       { "sizes", check_sizes },
  { "settings", check_settings }, { "update", check_update },         { "repeat", check_repeat },
  { "cancel", check_cancel },     { "queries", check_queries },       { "truth", check_truth },
  { "backends", check_backends },
};

static void
test_registry (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  g_assert_cmpuint (n, >, 0);
  g_assert_null (operations[n]);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < i; k++)
      g_assert_cmpstr (operations[i]->id, !=, operations[k]->id);
  g_assert_null (vg_operation_find ("no-such-operation"));
  g_assert_null (vg_operation_find (""));
  g_assert_cmpint (vg_operation_find_output (operations[0], "no-such-output"), ==, -1);
}

int
main (int argc, char **argv)
{
  const VgOperation *const *operations;
  guint n;

  g_test_init (&argc, &argv, NULL);
  mallopt (M_PERTURB, POISON ^ 0xff);
  operations = vg_operations (&n);
  g_test_add_func ("/operations/registry", test_registry);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (checks); k++)
      {
        g_autofree char *path = g_strdup_printf ("/operations/%s/%s", operations[i]->id,
                                                 checks[k].name);

        g_test_add_data_func (path, operations[i], checks[k].function);
      }
  return g_test_run ();
}
