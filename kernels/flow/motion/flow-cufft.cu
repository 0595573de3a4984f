/* SPDX-License-Identifier: MIT */
/* cuFFT is loaded at run time, so that the program starts without it. */
#include "kernels/flow/motion/flow-cufft.cuh"
#include <dlfcn.h>

struct Library
{
  cufftResult (*plan_many) (cufftHandle *, int, int *, int *, int, int, int *, int, int, cufftType,
                            int);
  cufftResult (*forward) (cufftHandle, cufftReal *, cufftComplex *);
  cufftResult (*inverse) (cufftHandle, cufftComplex *, cufftReal *);
  cufftResult (*set_stream) (cufftHandle, cudaStream_t);
  cufftResult (*destroy) (cufftHandle);
};

/* NULL: the library or one of its functions is missing. */
static const Library *
load (void)
{
  static Library table;
  static gsize once;
  static const char *const names[] = { "libcufft.so.12", "libcufft.so.11", "libcufft.so" };

  if (g_once_init_enter (&once))
    {
      void *library = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (names) && library == NULL; i++)
        library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
      if (library != NULL)
        {
          *(void **) &table.plan_many = dlsym (library, "cufftPlanMany");
          *(void **) &table.forward = dlsym (library, "cufftExecR2C");
          *(void **) &table.inverse = dlsym (library, "cufftExecC2R");
          *(void **) &table.set_stream = dlsym (library, "cufftSetStream");
          *(void **) &table.destroy = dlsym (library, "cufftDestroy");
        }
      g_once_init_leave (&once, 1);
    }
  return table.plan_many != NULL && table.forward != NULL && table.inverse != NULL &&
                 table.set_stream != NULL && table.destroy != NULL
             ? &table
             : NULL;
}

gboolean
flow_fft_init (FlowFft *self, int side, int tiles, cudaStream_t stream, GError **error)
{
  const Library *library = load ();
  int sides[] = { side, side };

  *self = {};
  if (library == NULL)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT,
                   "libcufft.so.12, which motion correction needs on the GPU, is not installed; "
                   "install cuFFT, set Motion correction to None, or compute on the CPU");
      return FALSE;
    }
  self->have_forward = library->plan_many (&self->forward, 2, sides, NULL, 1, 0, NULL, 1, 0,
                                           CUFFT_R2C, tiles) == CUFFT_SUCCESS;
  self->have_inverse = library->plan_many (&self->inverse, 2, sides, NULL, 1, 0, NULL, 1, 0,
                                           CUFFT_C2R, tiles) == CUFFT_SUCCESS;
  if (self->have_forward && self->have_inverse &&
      library->set_stream (self->forward, stream) == CUFFT_SUCCESS &&
      library->set_stream (self->inverse, stream) == CUFFT_SUCCESS)
    return TRUE;
  g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
               "cuFFT cannot plan %d tiles of %dx%d for motion correction; set Motion correction "
               "to None, or compute on the CPU",
               tiles, side, side);
  return FALSE;
}

void
flow_fft_clear (FlowFft *self)
{
  if (self->have_forward)
    load ()->destroy (self->forward);
  if (self->have_inverse)
    load ()->destroy (self->inverse);
  *self = {};
}

static gboolean
check (cufftResult result, GError **error)
{
  if (result == CUFFT_SUCCESS)
    return TRUE;
  g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
               "cuFFT failed with error %d in the motion correction; set Motion correction to None",
               (int) result);
  return FALSE;
}

gboolean
flow_fft_forward (FlowFft *self, float *samples, float2 *spectrum, GError **error)
{
  return check (load ()->forward (self->forward, samples, spectrum), error);
}

gboolean
flow_fft_inverse (FlowFft *self, float2 *spectrum, float *samples, GError **error)
{
  return check (load ()->inverse (self->inverse, spectrum, samples), error);
}
