/* SPDX-License-Identifier: MIT */
#include "kernels/shared/vg-cufft.cuh"
#include <dlfcn.h>

struct Library
{
  cufftResult (*plan_many) (cufftHandle *, int, int *, int *, int, int, int *, int, int, cufftType,
                            int);
  cufftResult (*r2c) (cufftHandle, cufftReal *, cufftComplex *);
  cufftResult (*c2r) (cufftHandle, cufftComplex *, cufftReal *);
  cufftResult (*d2z) (cufftHandle, cufftDoubleReal *, cufftDoubleComplex *);
  cufftResult (*z2d) (cufftHandle, cufftDoubleComplex *, cufftDoubleReal *);
  cufftResult (*set_stream) (cufftHandle, cudaStream_t);
  cufftResult (*destroy) (cufftHandle);
};

/* NULL: the library or one of its functions is missing. */
static const Library *
load (void)
{
  static Library table;
  static gsize once;
  static gboolean complete;
  static const char *const names[] = { "libcufft.so.12", "libcufft.so.11", "libcufft.so" };
  const struct
  {
    void *function;
    const char *name;
  } functions[] = {
    { &table.plan_many, "cufftPlanMany" }, { &table.r2c, "cufftExecR2C" },
    { &table.c2r, "cufftExecC2R" },        { &table.d2z, "cufftExecD2Z" },
    { &table.z2d, "cufftExecZ2D" },        { &table.set_stream, "cufftSetStream" },
    { &table.destroy, "cufftDestroy" },
  };

  if (g_once_init_enter (&once))
    {
      void *library = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (names) && library == NULL; i++)
        library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
      complete = library != NULL;
      for (guint i = 0; complete && i < G_N_ELEMENTS (functions); i++)
        {
          void *function = dlsym (library, functions[i].name);

          *(void **) functions[i].function = function;
          complete = function != NULL;
        }
      g_once_init_leave (&once, 1);
    }
  return complete ? &table : NULL;
}

static gboolean
check (const VgCufft *self, cufftResult result, GError **error)
{
  if (result == CUFFT_SUCCESS)
    return TRUE;
  g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
               "cuFFT failed with error %d in the %s; set %s", (int) result, self->purpose,
               self->advice);
  return FALSE;
}

gboolean
vg_cufft_init (VgCufft *self, int rank, const int *sizes, int count, gboolean is_double,
               const char *purpose, const char *advice, cudaStream_t stream, GError **error)
{
  const Library *library = load ();
  cufftType there = is_double ? CUFFT_D2Z : CUFFT_R2C, back = is_double ? CUFFT_Z2D : CUFFT_C2R;

  *self = { purpose, advice };
  self->is_double = is_double;
  if (library == NULL)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT,
                   "libcufft.so.12, which the %s needs on the GPU, is not installed; install it, "
                   "or set %s",
                   purpose, advice);
      return FALSE;
    }
  self->have_forward = library->plan_many (&self->forward, rank, (int *) sizes, NULL, 1, 0, NULL, 1,
                                           0, there, count) == CUFFT_SUCCESS;
  self->have_inverse = library->plan_many (&self->inverse, rank, (int *) sizes, NULL, 1, 0, NULL, 1,
                                           0, back, count) == CUFFT_SUCCESS;
  if (self->have_forward && self->have_inverse)
    return check (self, library->set_stream (self->forward, stream), error) &&
           check (self, library->set_stream (self->inverse, stream), error);
  g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
               "cuFFT cannot plan %d transforms for the %s; set %s", count, purpose, advice);
  return FALSE;
}

void
vg_cufft_clear (VgCufft *self)
{
  if (self->have_forward)
    load ()->destroy (self->forward);
  if (self->have_inverse)
    load ()->destroy (self->inverse);
  *self = {};
}

gboolean
vg_cufft_forward (const VgCufft *self, void *samples, void *spectrum, GError **error)
{
  return check (self,
                self->is_double
                    ? load ()->d2z (self->forward, (double *) samples, (double2 *) spectrum)
                    : load ()->r2c (self->forward, (float *) samples, (float2 *) spectrum),
                error);
}

gboolean
vg_cufft_inverse (const VgCufft *self, void *spectrum, void *samples, GError **error)
{
  return check (self,
                self->is_double
                    ? load ()->z2d (self->inverse, (double2 *) spectrum, (double *) samples)
                    : load ()->c2r (self->inverse, (float2 *) spectrum, (float *) samples),
                error);
}
