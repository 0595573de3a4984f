/* SPDX-License-Identifier: MIT */
/* An operation's own numbers, in the order they were added. */
#include "kernels/base/vg-numbers.h"
#include <math.h>
#include "kernels/base/vg-text.h"

static void
clear_number (gpointer number)
{
  g_free (((VgNumber *) number)->advice);
}

VgNumbers *
vg_numbers_new (void)
{
  VgNumbers *self = g_new0 (VgNumbers, 1);

  self->items = g_array_new (FALSE, FALSE, sizeof (VgNumber));
  g_array_set_clear_func (self->items, clear_number);
  return self;
}

void
vg_numbers_free (VgNumbers *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_free (self);
}

void
vg_numbers_add (VgNumbers *self, const char *id, const char *label, const char *unit, double value,
                const char *advice)
{
  VgNumber number = { id, label, unit, value, g_strdup (advice), 0 };

  g_array_append_val (self->items, number);
}

void
vg_numbers_mark (VgNumbers *self, VgNumberFlags flags)
{
  g_return_if_fail (self->items->len > 0);
  g_array_index (self->items, VgNumber, self->items->len - 1).flags |= flags;
}

const VgNumber *
vg_numbers_find (const VgNumbers *self, const char *id)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const VgNumber *number = &g_array_index (self->items, VgNumber, i);

      if (g_str_equal (number->id, id))
        return number;
    }
  return NULL;
}

const VgNumber *
vg_numbers_find_error (const VgNumbers *self, const VgNumber *number)
{
  g_autofree char *id = g_strconcat (number->id, "_error", NULL);

  return vg_numbers_find (self, id);
}

/* Told beside what it is the error of. */
static gboolean
is_error (const VgNumbers *self, const VgNumber *number)
{
  g_autofree char *of = g_str_has_suffix (number->id, "_error")
                            ? g_strndup (number->id, strlen (number->id) - strlen ("_error"))
                            : NULL;

  return of != NULL && vg_numbers_find (self, of) != NULL;
}

gboolean
vg_numbers_is_shown (const VgNumbers *self, const VgNumber *number)
{
  return !is_error (self, number) &&
         !((number->flags & VG_NUMBER_QUIET) && number->value == 0.0 && number->advice == NULL);
}

char *
vg_numbers_to_csv (const VgNumbers *self)
{
  GString *csv = g_string_new ("name,value,standard error,unit\n");

  for (guint i = 0; i < self->items->len; i++)
    {
      const VgNumber *number = &g_array_index (self->items, VgNumber, i),
                     *error = vg_numbers_find_error (self, number);

      if (is_error (self, number))
        continue;
      g_string_append_printf (csv, "\"%s\",", number->label);
      if (isfinite (number->value))
        vg_text_append_float (csv, (float) number->value);
      g_string_append_c (csv, ',');
      if (error != NULL && isfinite (error->value))
        vg_text_append_float (csv, (float) error->value);
      g_string_append_printf (csv, ",\"%s\"\n", number->unit != NULL ? number->unit : "");
    }
  return g_string_free (csv, FALSE);
}
