/* SPDX-License-Identifier: MIT */
/* Undo and redo by texts. */
#include "app/session/vg-history.h"

#include <string.h>

typedef struct
{
  char *text, *label;
} Step;

struct _VgHistory
{
  char *text;  /* the last committed state */
  GQueue undo; /* of Step: the state to go back to; newest at the tail */
  GQueue redo; /* of Step: the state to go forward to */
};

static void
step_free (gpointer data)
{
  Step *step = data;

  g_free (step->text);
  g_free (step->label);
  g_free (step);
}

VgHistory *
vg_history_new (char *text)
{
  VgHistory *self = g_new0 (VgHistory, 1);

  self->text = text;
  return self;
}

void
vg_history_free (VgHistory *self)
{
  if (!self)
    return;
  vg_history_reset (self, NULL);
  g_free (self);
}

void
vg_history_reset (VgHistory *self, char *text)
{
  g_queue_clear_full (&self->undo, step_free);
  g_queue_clear_full (&self->redo, step_free);
  g_free (self->text);
  self->text = text;
}

static Step *
step_copy (const Step *step)
{
  Step *copy = g_new (Step, 1);

  *copy = (Step){ g_strdup (step->text), g_strdup (step->label) };
  return copy;
}

VgHistory *
vg_history_copy (const VgHistory *self)
{
  VgHistory *copy = vg_history_new (g_strdup (self->text));

  for (const GList *link = self->undo.head; link; link = link->next)
    g_queue_push_tail (&copy->undo, step_copy (link->data));
  for (const GList *link = self->redo.head; link; link = link->next)
    g_queue_push_tail (&copy->redo, step_copy (link->data));
  return copy;
}

static void
push (GQueue *queue, char *text, char *label)
{
  Step *step = g_new (Step, 1);

  *step = (Step){ text, label };
  g_queue_push_tail (queue, step);
}

gboolean
vg_history_commit (VgHistory *self, char *text, const char *label)
{
  if (strcmp (text, self->text) == 0)
    {
      g_free (text);
      return FALSE;
    }
  g_queue_clear_full (&self->redo, step_free);
  push (&self->undo, self->text, g_strdup (label));
  self->text = text;
  if (self->undo.length > VG_HISTORY_STEPS)
    step_free (g_queue_pop_head (&self->undo));
  return TRUE;
}

/* A step taken from one side goes to the other with the state it leaves. */
static const char *
move (VgHistory *self, GQueue *from, GQueue *to)
{
  Step *step = g_queue_pop_tail (from);

  if (!step)
    return NULL;
  push (to, self->text, step->label);
  self->text = step->text;
  g_free (step);
  return self->text;
}

const char *
vg_history_undo (VgHistory *self)
{
  return move (self, &self->undo, &self->redo);
}

const char *
vg_history_redo (VgHistory *self)
{
  return move (self, &self->redo, &self->undo);
}

static const char *
label_of (GQueue *queue)
{
  Step *step = g_queue_peek_tail (queue);

  return step ? step->label : NULL;
}

const char *
vg_history_undo_label (VgHistory *self)
{
  return label_of (&self->undo);
}

const char *
vg_history_redo_label (VgHistory *self)
{
  return label_of (&self->redo);
}
