/* SPDX-License-Identifier: MIT */
#include "ui/sweep/vg-sweep.h"
#include <math.h>

typedef struct
{
  double value;
  VgResult *result;
  char *error;
} Value;

struct _VgSweep
{
  const VgOperation *operation;
  const VgParam *param;
  void *params, *next_params;
  Value values[VG_SWEEP_MOST];
  int n, next;
  guint64 serial;  /* of the value that is computed; 0: none is */
  double progress; /* of that value */
};

gboolean
vg_sweep_accepts (const VgParam *param)
{
  return param->kind == VG_PARAM_INT || param->kind == VG_PARAM_FLOAT ||
         param->kind == VG_PARAM_DOUBLE;
}

static void
find_limits (const VgParam *param, double *low, double *high)
{
  gboolean own = param->slider.max > param->slider.min;

  *low = own ? param->slider.min : param->min;
  *high = own ? param->slider.max : param->max;
}

void
vg_sweep_find_range (const VgParam *param, const void *params, double *from, double *to)
{
  double value = vg_param_get_number (param, params), low, high;

  find_limits (param, &low, &high);
  *from = MAX (0.5 * value, low);
  *to = MIN (2 * value, high);
  if (param->kind == VG_PARAM_INT && *to - *from < VG_SWEEP_MOST - 1)
    {
      *from = MAX (rint (value) - VG_SWEEP_MOST / 2, low);
      *to = MIN (*from + VG_SWEEP_MOST - 1, high);
    }
  if (!(*to > *from))
    {
      *from = low;
      *to = high;
    }
}

/* Between the ends values have three digits, or are steps of the slider. */
static double
value_at (const VgParam *param, double from, double to, int i)
{
  double part = (double) i / (VG_SWEEP_MOST - 1), value = from + (to - from) * part,
         step = param->slider.step;

  if (i == 0 || i == VG_SWEEP_MOST - 1)
    return i == 0 ? from : to;
  if (param->slider.log_scale && from > 0 && to > 0)
    {
      value = from * pow (to / from, part);
      step = pow (10, floor (log10 (value)) - 2);
    }
  return step > 0 && fabs (to - from) >= VG_SWEEP_MOST * step ? round (value / step) * step : value;
}

VgSweep *
vg_sweep_new (const VgOperation *operation, const void *params, const VgParam *param, double from,
              double to)
{
  VgSweep *self = g_new0 (VgSweep, 1);

  self->operation = operation;
  self->param = param;
  self->params = vg_params_copy (&operation->params, params);
  self->next_params = vg_params_copy (&operation->params, params);
  for (int i = 0; i < VG_SWEEP_MOST; i++)
    {
      double value;

      vg_param_set_number (param, self->next_params, value_at (param, from, to, i));
      value = vg_param_get_number (param, self->next_params);
      if (self->n == 0 || value != self->values[self->n - 1].value)
        self->values[self->n++].value = value;
    }
  return self;
}

void
vg_sweep_free (VgSweep *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    {
      vg_result_unref (self->values[i].result);
      g_free (self->values[i].error);
    }
  vg_params_free (&self->operation->params, self->params);
  vg_params_free (&self->operation->params, self->next_params);
  g_free (self);
}

int
vg_sweep_count (const VgSweep *self)
{
  return self->n;
}

double
vg_sweep_get_value (const VgSweep *self, int i)
{
  return self->values[i].value;
}

int
vg_sweep_get_next (const VgSweep *self)
{
  return self->next;
}

static void
complete (VgSweep *self)
{
  self->next++;
  self->serial = 0;
  self->progress = 0;
}

/* The parameters of the next value, with those that depend on it. */
static void
set_next_params (VgSweep *self)
{
  const VgParamTable *table = &self->operation->params;
  g_autofree gboolean *changed = g_new0 (gboolean, table->n_items);

  vg_params_free (table, self->next_params);
  self->next_params = vg_params_copy (table, self->params);
  vg_param_set_number (self->param, self->next_params, self->values[self->next].value);
  changed[self->param - table->items] = TRUE;
  if (self->operation->on_params_changed != NULL)
    self->operation->on_params_changed (self->next_params, changed);
}

const void *
vg_sweep_next_params (VgSweep *self)
{
  while (self->next < self->n)
    {
      g_autoptr (GError) error = NULL;

      set_next_params (self);
      if (self->operation->validate == NULL ||
          self->operation->validate (self->next_params, &error))
        return self->next_params;
      self->values[self->next].error = g_strdup (error->message);
      complete (self);
    }
  return NULL;
}

void
vg_sweep_sent (VgSweep *self, guint64 serial)
{
  self->serial = serial;
}

void
vg_sweep_use (VgSweep *self, VgResult *result)
{
  self->values[self->next].result = vg_result_ref (result);
  complete (self);
}

/* A stream has a map for each frame, and any will do. */
gboolean
vg_sweep_take (VgSweep *self, VgResult *result)
{
  if (self->serial == 0 || result->serial != self->serial || result->input_only ||
      result->operation != self->operation)
    return FALSE;
  self->progress = CLAMP (result->progress, 0, 1);
  if (self->operation->input.kind != VG_INPUT_STREAM && !result->final)
    return FALSE;
  vg_sweep_use (self, result);
  return TRUE;
}

gboolean
vg_sweep_refuse (VgSweep *self, guint64 serial, const char *why)
{
  if (self->serial == 0 || serial != self->serial)
    return FALSE;
  self->values[self->next].error = g_strdup (why);
  complete (self);
  return TRUE;
}

VgResult *
vg_sweep_get_result (const VgSweep *self, int i)
{
  return self->values[i].result;
}

const char *
vg_sweep_get_error (const VgSweep *self, int i)
{
  return self->values[i].error;
}

double
vg_sweep_get_progress (const VgSweep *self)
{
  return self->n > 0 ? (self->next + self->progress) / self->n : 1;
}
