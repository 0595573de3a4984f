/* SPDX-License-Identifier: MIT */
/* Addresses of OpenIGTLink peers, and the checksum of messages. */
#include <string.h>
#include "io/igtl/vg-igtl-address.h"
#include "io/igtl/vg-igtl-message.h"
#include "io/live/vg-live.h"

/* The value that the specification of ECMA-182 gives for these digits. */
static void
test_crc (void)
{
  const char digits[] = "123456789", longer[] = "123456789123456789123456789";

  g_assert_cmphex (vg_igtl_crc (0, digits, 9), ==, G_GUINT64_CONSTANT (0x6C40DF5F0B497347));
  for (gsize n = 0; n <= 27; n++)
    g_assert_cmphex (vg_igtl_crc (vg_igtl_crc (0, longer, n), longer + n, 27 - n), ==,
                     vg_igtl_crc (0, longer, 27));
}

static void
test_address (void)
{
  static const struct
  {
    const char *text, *host, *device;
    int port; /* 0: it is refused */
    gboolean listens;
  } cases[] = {
    { "igtl://slicer:1234", "slicer", NULL, 1234, FALSE },
    { "igtl://10.0.0.7", "10.0.0.7", NULL, VG_IGTL_PORT, FALSE },
    { "igtl://[::1]:99/US probe", "::1", "US probe", 99, FALSE },
    { "igtl-listen://18944", "127.0.0.1", NULL, 18944, TRUE },
    { "igtl-listen://0.0.0.0:5/A", "0.0.0.0", "A", 5, TRUE },
    { "igtl://host:1/12345678901234567890", "host", "12345678901234567890", 1, FALSE },
    { "igtl://host:1/123456789012345678901", NULL, NULL, 0, FALSE },
    { "igtl-listen://18988/data/set/spatial.tif", NULL, NULL, 0, TRUE },
    { "igtl://", NULL, NULL, 0, FALSE },
    { "igtl:host:1", NULL, NULL, 0, FALSE },
    { "igtl://host:0", NULL, NULL, 0, FALSE },
    { "igtl://host:65536", NULL, NULL, 0, FALSE },
    { "igtl://[::1", NULL, NULL, 0, FALSE },
    { "igtl-listen://", NULL, NULL, 0, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (VgIgtlAddress) address = { 0 };
      g_autoptr (GError) error = NULL;

      if (!vg_igtl_address_parse_whole (&address, cases[i].text, &error))
        {
          g_assert_error (error, VG_USAGE_ERROR, 0);
          g_assert_cmpint (cases[i].port, ==, 0);
          continue;
        }
      g_assert_cmpint (address.port, ==, cases[i].port);
      g_assert_cmpstr (address.host, ==, cases[i].host);
      g_assert_cmpstr (address.device, ==, cases[i].device);
      g_assert_cmpint (address.listens, ==, cases[i].listens);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/igtl/crc", test_crc);
  g_test_add_func ("/igtl/address", test_address);
  return g_test_run ();
}
