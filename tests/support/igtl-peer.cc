/* SPDX-License-Identifier: MIT */
/* A peer of OpenIGTLink on the reference library, so that the messages of this program are checked
 * by code of others:
 *   igtl-peer serve PORT WIDTH HEIGHT RATE N [SECONDS]    sends N 16-bit images to who connects
 *   igtl-peer receive PORT N     connects, and checks N images and all that comes with them */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <openigtlink/igtlClientSocket.h>
#include <openigtlink/igtlImageMessage.h>
#include <openigtlink/igtlMessageHeader.h>
#include <openigtlink/igtlOSUtil.h>
#include <openigtlink/igtlSensorMessage.h>
#include <openigtlink/igtlServerSocket.h>
#include <openigtlink/igtlStringMessage.h>
#include <openigtlink/igtlTimeStamp.h>
#include <time.h>
#include <openigtlink/igtlObject.h>

static double
now ()
{
  timespec t;

  clock_gettime (CLOCK_REALTIME, &t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static int
serve (int port, int width, int height, double rate, int n)
{
  igtl::ServerSocket::Pointer server = igtl::ServerSocket::New ();
  igtl::ImageMessage::Pointer image = igtl::ImageMessage::New ();
  igtl::TimeStamp::Pointer stamp = igtl::TimeStamp::New ();
  igtl::Socket::Pointer peer;
  igtl::Matrix4x4 matrix;

  if (server->CreateServer (port) < 0)
    return 1;
  printf ("ready\n");
  fflush (stdout);
  peer = server->WaitForConnection (20000);
  if (peer.IsNull ())
    return 1;
  image->SetDimensions (width, height, 1);
  image->SetSpacing (0.5f, 0.25f, 1);
  image->SetScalarType (igtl::ImageMessage::TYPE_UINT16);
  image->SetDeviceName ("Camera");
  image->SetNumComponents (1);
  image->AllocateScalars ();
  igtl::IdentityMatrix (matrix);
  matrix[0][3] = 10;
  image->SetMatrix (matrix);
  unsigned short *samples = (unsigned short *) image->GetScalarPointer ();
  unsigned int seed = 1;
  for (int i = 0; i < width * height; i++)
    samples[i] = (unsigned short) (1000 + ((seed = seed * 1664525u + 1013904223u) >> 22));
  double begin = now ();
  for (int k = 0; k < n; k++)
    {
      double wait = begin + k / rate - now ();

      if (wait > 0)
        igtl::Sleep ((int) (wait * 1000));
      samples[k % (width * height)] ^= 1;
      stamp->SetTime (now ());
      image->SetTimeStamp (stamp);
      image->Pack ();
      if (!peer->Send (image->GetPackPointer (), image->GetPackSize ()))
        return 2;
    }
  printf ("sent %d in %.2f s\n", n, now () - begin);
  igtl::Sleep (1000);
  return 0;
}

/* The library's own call may return with a part. */
static bool
receive_all (igtl::ClientSocket *socket, void *to, igtlUint64 n)
{
  bool timeout = false;

  for (igtlUint64 done = 0; done < n;)
    {
      igtlUint64 got = socket->Receive ((char *) to + done, n - done, timeout);

      if (got == 0 || got > n - done)
        return false;
      done += got;
    }
  return true;
}

static int
receive (int port, int n)
{
  igtl::ClientSocket::Pointer socket = igtl::ClientSocket::New ();
  igtl::MessageHeader::Pointer header = igtl::MessageHeader::New ();
  std::map<std::string, int> good, bad;
  double latency = 0, begin = 0;
  int tries = 0;

  while (socket->ConnectToServer ("127.0.0.1", port) != 0)
    if (++tries > 400)
      return 1;
    else
      igtl::Sleep (50);
  while (good["IMAGE"] < n)
    {
      igtl::MessageBase::Pointer body;
      igtl::ImageMessage::Pointer image = igtl::ImageMessage::New ();
      igtl::StringMessage::Pointer text = igtl::StringMessage::New ();
      igtl::SensorMessage::Pointer sensor = igtl::SensorMessage::New ();

      header->InitPack ();
      if (!receive_all (socket, header->GetPackPointer (), header->GetPackSize ()))
        break;
      header->Unpack ();
      std::string type = header->GetDeviceType ();
      body = type == "IMAGE"    ? (igtl::MessageBase *) image.GetPointer ()
             : type == "STRING" ? (igtl::MessageBase *) text.GetPointer ()
                                : (igtl::MessageBase *) sensor.GetPointer ();
      body->SetMessageHeader (header);
      body->AllocatePack ();
      if (!receive_all (socket, body->GetPackBodyPointer (), body->GetPackBodySize ()))
        break;
      if (begin == 0)
        begin = now ();
      bool sound = body->Unpack (1) & igtl::MessageHeader::UNPACK_BODY;
      (sound ? good : bad)[type]++;
      if (type == "IMAGE" && sound)
        {
          igtl::TimeStamp::Pointer stamp = igtl::TimeStamp::New ();
          float spacing[3];
          int size[3];
          igtl::Matrix4x4 matrix;

          image->GetTimeStamp (stamp);
          latency += now () - stamp->GetTimeStamp ();
          if (good["IMAGE"] == 1)
            {
              image->GetSpacing (spacing);
              image->GetDimensions (size);
              image->GetMatrix (matrix);
              printf ("%s %dx%dx%d type %d spacing %g %g at %g\n", image->GetDeviceName (), size[0],
                      size[1], size[2], image->GetScalarType (), spacing[0], spacing[1],
                      matrix[0][3]);
            }
        }
      if (type == "STRING" && sound)
        printf ("STRING %s\n", text->GetString ());
      if (type == "SENSOR" && sound && good["SENSOR"] == 1)
        printf ("SENSOR %s %d values, %g\n", sensor->GetDeviceName (), sensor->GetLength (),
                sensor->GetValue (0));
    }
  double seconds = now () - begin;
  for (auto &item : good)
    printf ("good %s %d (%.1f/s)\n", item.first.c_str (), item.second, item.second / seconds);
  for (auto &item : bad)
    printf ("bad %s %d\n", item.first.c_str (), item.second);
  printf ("latency %.1f ms\n", 1e3 * latency / fmax (good["IMAGE"], 1));
  return bad.empty () && good["IMAGE"] == n ? 0 : 1;
}

int
main (int argc, char **argv)
{
  igtl::Object::GlobalWarningDisplayOff ();
  if (argc == 7 && strcmp (argv[1], "serve") == 0)
    return serve (atoi (argv[2]), atoi (argv[3]), atoi (argv[4]), atof (argv[5]), atoi (argv[6]));
  if (argc == 4 && strcmp (argv[1], "receive") == 0)
    return receive (atoi (argv[2]), atoi (argv[3]));
  return 1;
}
