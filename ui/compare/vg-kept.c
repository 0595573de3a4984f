/* SPDX-License-Identifier: MIT */
#include "ui/compare/vg-kept.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-number-format.h"

typedef struct
{
  VgReference *reference;
  char *input, *time;
  char *misfit;     /* why it cannot be compared with the shown map; NULL: it can */
  VgResult *result; /* of one output; NULL: none was asked for */
} Item;

struct _VgKept
{
  GPtrArray *items; /* of Item, of all operations */
  VgResultPool *pool;
};

static void
item_free (gpointer data)
{
  Item *item = data;

  vg_result_unref (item->result);
  vg_reference_unref (item->reference);
  g_free (item->input);
  g_free (item->time);
  g_free (item->misfit);
  g_free (item);
}

VgKept *
vg_kept_new (void)
{
  VgKept *self = g_new0 (VgKept, 1);

  self->items = g_ptr_array_new_with_free_func (item_free);
  self->pool = vg_result_pool_new ();
  return self;
}

void
vg_kept_free (VgKept *self)
{
  g_ptr_array_unref (self->items);
  vg_result_pool_unref (self->pool);
  g_free (self);
}

/* Number I of OPERATION; NULL: there is none. */
static Item *
find (const VgKept *self, const VgOperation *operation, int i)
{
  for (guint k = 0; k < self->items->len && i >= 0; k++)
    {
      Item *item = self->items->pdata[k];

      if (vg_reference_get_operation (item->reference) == operation && i-- == 0)
        return item;
    }
  return NULL;
}

int
vg_kept_count (const VgKept *self, const VgOperation *operation)
{
  int n = 0;

  while (find (self, operation, n) != NULL)
    n++;
  return n;
}

int
vg_kept_add (VgKept *self, VgReference *reference, const char *input, const char *time)
{
  int n = vg_kept_count (self, vg_reference_get_operation (reference));
  Item *item;

  if (n == VG_KEPT_MOST)
    {
      vg_reference_unref (reference);
      return -1;
    }
  item = g_new0 (Item, 1);
  item->reference = reference;
  item->input = g_strdup (input);
  item->time = g_strdup (time);
  g_ptr_array_add (self->items, item);
  return n;
}

void
vg_kept_remove (VgKept *self, const VgOperation *operation, int i)
{
  Item *item = find (self, operation, i);

  if (item != NULL)
    g_ptr_array_remove (self->items, item);
}

VgReference *
vg_kept_get (const VgKept *self, const VgOperation *operation, int i)
{
  Item *item = find (self, operation, i);

  return item != NULL ? item->reference : NULL;
}

VgResult *
vg_kept_get_result (VgKept *self, const VgOperation *operation, int i, int output)
{
  Item *item = find (self, operation, i);

  if (item == NULL)
    return NULL;
  if (item->result == NULL || item->result->output != output)
    {
      g_clear_pointer (&item->result, vg_result_unref);
      item->result = vg_reference_get_result (item->reference, (guint) output, self->pool);
    }
  return item->result;
}

/* Why output OUTPUT of ITEM cannot be compared with PLANE in UNIT, owned; NULL: it can. */
static char *
find_misfit (const Item *item, int output, const VgPlane *plane, const char *unit)
{
  g_autoptr (GError) why = NULL;

  return vg_reference_fits (item->reference, (guint) output, plane, unit, &why)
             ? NULL
             : g_strdup (why->message);
}

gboolean
vg_kept_fit (VgKept *self, const VgResult *result, const void *params)
{
  gboolean changed = FALSE;

  for (guint k = 0; k < self->items->len; k++)
    {
      Item *item = self->items->pdata[k];
      g_autofree char *misfit = NULL;

      if (vg_reference_get_operation (item->reference) != result->operation)
        continue;
      if (result->plane.data != NULL && !result->input_only)
        misfit = find_misfit (
            item, result->output, &result->plane,
            vg_operation_output_unit (result->operation, (guint) result->output, params));
      changed |= g_strcmp0 (misfit, item->misfit) != 0;
      g_free (item->misfit);
      item->misfit = g_steal_pointer (&misfit);
    }
  return changed;
}

const char *
vg_kept_get_misfit (const VgKept *self, const VgOperation *operation, int i)
{
  const Item *item = find (self, operation, i);

  return item != NULL ? item->misfit : NULL;
}

/* --- names --- */

static char *
format_number (const VgParam *param, double value)
{
  const char *zero = param->zero != NULL          ? param->zero
                     : param->auto_metric != NULL ? N_ ("Automatic")
                                                  : NULL;

  return value == 0 && zero != NULL ? g_strdup (vg_translate (zero)) : vg_format_number (value);
}

/* The value with PARAMS; NULL: it has no short text. */
static char *
format_value (const VgParam *param, const void *params)
{
  double value = vg_param_get_number (param, params);

  switch (param->kind)
    {
    case VG_PARAM_INT:
    case VG_PARAM_FLOAT:
    case VG_PARAM_DOUBLE:
      return format_number (param, value);
    case VG_PARAM_BOOL:
      return g_strdup (value != 0 ? _ ("on") : _ ("off"));
    case VG_PARAM_CHOICE:
      return g_strdup (vg_translate (param->choice_labels != NULL
                                         ? param->choice_labels[(int) value]
                                         : param->choices[(int) value]));
    default:
      return NULL;
    }
}

/* "Radius 2 px" or, with what it is NOW, "Radius 2 → 4 px"; "Artery". */
static char *
describe (const VgParam *param, const void *then, const void *now)
{
  g_autofree char *before = format_value (param, then),
                  *after = now != NULL ? format_value (param, now) : NULL;
  gboolean unit = param->unit != NULL && *param->unit != '\0';

  return before == NULL
             ? g_strdup (vg_translate (param->label))
             : g_strconcat (vg_translate (param->label), " ", before, after != NULL ? " → " : "",
                            after != NULL ? after : "", unit ? " " : NULL, param->unit, NULL);
}

static gboolean
differs (const VgParam *param, const void *then, const void *now)
{
  g_autofree char *a = NULL, *b = NULL;

  if (param->kind == VG_PARAM_ACTION)
    return FALSE;
  a = vg_param_format (param, then);
  b = vg_param_format (param, now);
  return g_strcmp0 (a, b) != 0;
}

char *
vg_kept_get_name (const VgKept *self, const VgOperation *operation, int i, const void *params,
                  const char *input)
{
  const Item *item = find (self, operation, i);
  const VgParamTable *table = &operation->params;
  g_autoptr (GString) name = g_string_new (NULL);
  const void *then;
  int n = 0;

  if (item == NULL)
    return NULL;
  then = vg_reference_get_params (item->reference);
  if (g_strcmp0 (item->input, input) != 0)
    {
      g_autofree char *file = item->input != NULL ? g_path_get_basename (item->input)
                                                  : g_strdup (_ ("sample data"));

      g_string_append (name, file);
    }
  for (guint k = 0; k < table->n_items; k++)
    if (differs (&table->items[k], then, params) && n++ < 2)
      {
        g_autofree char *text = describe (&table->items[k], then, NULL);

        g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", text);
      }
  if (n > 2)
    g_string_append_printf (
        name, g_dngettext (NULL, " and %d more", " and %d more", (gulong) n - 2), n - 2);
  return g_strdup_printf (name->len > 0 ? _ ("Kept: %s") : _ ("Kept at %s"),
                          name->len > 0 ? name->str : item->time);
}

char *
vg_kept_get_changes (const VgKept *self, const VgOperation *operation, int i, const void *params)
{
  const Item *item = find (self, operation, i);
  const VgParamTable *table = &operation->params;
  g_autoptr (GString) text = g_string_new (NULL);

  if (item == NULL)
    return NULL;
  g_string_append_printf (text, _ ("Kept at %s"), item->time);
  for (guint k = 0; k < table->n_items; k++)
    if (differs (&table->items[k], vg_reference_get_params (item->reference), params))
      {
        g_autofree char *line = describe (&table->items[k],
                                          vg_reference_get_params (item->reference), params);

        g_string_append_printf (text, "\n%s", line);
      }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
