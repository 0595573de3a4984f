/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Messages of OpenIGTLink (openigtlink.org, protocol versions 1 to 3), with which programs of
 * image-guided therapy exchange images, transforms and values over the network: a header, then a
 * body whose CRC the header has.  All numbers but the samples of an image are big-endian. */
G_BEGIN_DECLS

enum {
  VG_IGTL_HEADER_BYTES = 58,
  VG_IGTL_EXTENDED_BYTES = 12, /* at the beginning of a body, from version 2 on */
  VG_IGTL_IMAGE_BYTES = 72,    /* of an IMAGE before its samples */
  VG_IGTL_MOST_TEXT = 65535,   /* bytes of a STRING */
  VG_IGTL_MOST_VALUES = 255,   /* of a SENSOR */
  VG_IGTL_MOST_SIDE = 65535,   /* of an image, px */
};

typedef struct
{
  int version;
  char type[13];   /* "IMAGE" */
  char device[21]; /* name that the sender gave, valid UTF-8 */
  gint64 time_ns;  /* Unix time; 0: not known */
  guint64 body_bytes, crc;
} VgIgtlHeader;

/* The sample types that an IMAGE can have. */
typedef enum {
  VG_IGTL_INT8 = 2,
  VG_IGTL_UINT8,
  VG_IGTL_INT16,
  VG_IGTL_UINT16,
  VG_IGTL_INT32,
  VG_IGTL_UINT32,
  VG_IGTL_FLOAT32 = 10,
  VG_IGTL_FLOAT64,
} VgIgtlType;

/* The first 72 bytes of an IMAGE. */
typedef struct
{
  int components; /* samples per pixel */
  VgIgtlType type;
  gboolean big_endian;
  int size[3];
  /* from the index of a pixel to mm, right, anterior and superior: columns are the steps to the
   * next pixel along each axis, and the middle of the image */
  float matrix[3][4];
} VgIgtlImage;

/* FALSE: BYTES are not the header of a message. */
gboolean vg_igtl_header_unpack (VgIgtlHeader *self, const guint8 bytes[VG_IGTL_HEADER_BYTES]);
void vg_igtl_header_pack (const VgIgtlHeader *self, guint8 bytes[VG_IGTL_HEADER_BYTES]);

/* The CRC of a body that continues CRC, 0 at its beginning, with N bytes. */
guint64 vg_igtl_crc (guint64 crc, gconstpointer data, gsize n);

/* From the extended header of a body of BODY_BYTES: the bytes of it that are still before the
 * content, and those of the content.  FALSE: they do not fit. */
gboolean vg_igtl_extended_unpack (const guint8 bytes[VG_IGTL_EXTENDED_BYTES], guint64 body_bytes,
                                  guint64 *skip, guint64 *content_bytes);

/* Bytes of a sample; 0: there is no such type. */
gsize vg_igtl_type_size (VgIgtlType type);
/* FALSE: impossible, or only a part of the image. */
gboolean vg_igtl_image_unpack (VgIgtlImage *self, const guint8 bytes[VG_IGTL_IMAGE_BYTES]);
void vg_igtl_image_pack (const VgIgtlImage *self, guint8 bytes[VG_IGTL_IMAGE_BYTES]);
/* Bytes of all samples; 0: they overflow. */
guint64 vg_igtl_image_sample_bytes (const VgIgtlImage *self);

/* A whole message of TYPE whose body of BODY_BYTES follows the header in MESSAGE already. */
void vg_igtl_finish (guint8 *message, const char *type, const char *device, gint64 time_ns,
                     gsize body_bytes);
/* Appends a whole message with a text, cut to what fits; or with N values. */
void vg_igtl_append_string (GByteArray *to, const char *device, gint64 time_ns, const char *text);
void vg_igtl_append_values (GByteArray *to, const char *device, gint64 time_ns,
                            const double *values, guint n);

G_END_DECLS
