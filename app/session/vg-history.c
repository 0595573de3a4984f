/* SPDX-License-Identifier: MIT */
#include "app/session/vg-history.h"
#include <string.h>

typedef struct
{
  char *text, *label; /* the state after the step; label NULL: the start */
} Step;

struct _VgHistory
{
  GPtrArray *steps; /* of Step, oldest first */
  guint at;         /* the step whose state is the present one */
};

static void
step_free (gpointer data)
{
  Step *step = data;

  g_free (step->text);
  g_free (step->label);
  g_free (step);
}

static void
add (VgHistory *self, char *text, const char *label)
{
  Step *step = g_new (Step, 1);

  *step = (Step){ text, g_strdup (label) };
  g_ptr_array_add (self->steps, step);
}

VgHistory *
vg_history_new (char *text)
{
  VgHistory *self = g_new0 (VgHistory, 1);

  self->steps = g_ptr_array_new_with_free_func (step_free);
  add (self, text, NULL);
  return self;
}

VgHistory *
vg_history_copy (const VgHistory *self)
{
  const Step *start = self->steps->pdata[0];
  VgHistory *copy = vg_history_new (g_strdup (start->text));

  for (guint i = 1; i < self->steps->len; i++)
    {
      const Step *step = self->steps->pdata[i];

      add (copy, g_strdup (step->text), step->label);
    }
  copy->at = self->at;
  return copy;
}

void
vg_history_free (VgHistory *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->steps);
  g_free (self);
}

/* The step OFFSET steps from the present state, or NULL. */
static const Step *
get_step (const VgHistory *self, int offset)
{
  guint at = self->at + (guint) offset; /* wraps to a large number below 0 */

  return at < self->steps->len ? self->steps->pdata[at] : NULL;
}

gboolean
vg_history_commit (VgHistory *self, char *text, const char *label)
{
  if (strcmp (text, get_step (self, 0)->text) == 0)
    {
      g_free (text);
      return FALSE;
    }
  g_ptr_array_set_size (self->steps, (int) self->at + 1);
  add (self, text, label);
  if (self->steps->len > VG_HISTORY_STEPS + 1)
    g_ptr_array_remove_index (self->steps, 0);
  self->at = self->steps->len - 1;
  return TRUE;
}

static const char *
move (VgHistory *self, int by)
{
  const Step *step = get_step (self, by);

  if (step == NULL)
    return NULL;
  self->at += (guint) by;
  return step->text;
}

const char *
vg_history_undo (VgHistory *self)
{
  return move (self, -1);
}

const char *
vg_history_redo (VgHistory *self)
{
  return move (self, 1);
}

const char *
vg_history_undo_label (VgHistory *self)
{
  return self->at > 0 ? get_step (self, 0)->label : NULL;
}

const char *
vg_history_redo_label (VgHistory *self)
{
  const Step *step = get_step (self, 1);

  return step != NULL ? step->label : NULL;
}
