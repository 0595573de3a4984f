/* SPDX-License-Identifier: MIT */
#include "io/dicom/vg-dicom-module.h"
#include "kernels/core/vg-module.h"
#include "vg-config.h"

#define MODULE_FILE "vivograph-dicom.so"

static const char not_installed[] =
    "the DICOM module " MODULE_FILE " is not installed; install libdcmtk-dev and build Vivograph "
    "again, or convert the folder with dcm2niix and open the .nii.gz file";

typedef struct
{
  const VgDicomModule *module;
  char *reason;
} Loaded;

static gpointer
load (gpointer data)
{
  Loaded *loaded = g_new0 (Loaded, 1);
  g_autofree char *path = NULL;
  const VgDicomModule *(*entry) (void) = (const VgDicomModule *(*) (void) ) vg_module_open (
      MODULE_FILE, VG_BUILD_IO_DIR, "vg_dicom_module", &path, &loaded->reason);
  const VgDicomModule *module = entry != NULL ? entry () : NULL;

  if (module != NULL && module->abi == VG_DICOM_ABI)
    loaded->module = module;
  else if (module != NULL)
    loaded->reason = g_strdup_printf (
        "%s has version %d, but Vivograph needs version %d; install both together", path,
        module->abi, VG_DICOM_ABI);
  else if (loaded->reason == NULL)
    loaded->reason = g_strdup (not_installed);
  return loaded;
}

gboolean
vg_dicom_module_is_there (const char **reason)
{
  g_autofree char *path = vg_module_find (MODULE_FILE, VG_BUILD_IO_DIR);

  *reason = path == NULL ? not_installed : NULL;
  return path != NULL;
}

const VgDicomModule *
vg_dicom_module_get (const char **reason)
{
  static GOnce once = G_ONCE_INIT;
  const Loaded *loaded = g_once (&once, load, NULL);

  if (reason != NULL)
    *reason = loaded->reason;
  return loaded->module;
}
