# SPDX-License-Identifier: MIT
"""A series that storescu sends is shown and fitted while it arrives, with the settings kept, though
its folder has a larger one."""
import os
import shutil
import subprocess
import sys
import threading
import vg_gui
from test_finder import find
from test_perfusion import draw, use_region
from test_send import free_port

try:
    import numpy as np
    from pydicom.dataset import FileDataset, FileMetaDataset
    from pydicom.uid import ExplicitVRLittleEndian, generate_uid
except ImportError as missing:
    print(f"{missing}: apt install python3-pydicom")
    sys.exit(77)
if not shutil.which("storescu"):
    print("storescu is not installed: apt install dcmtk")
    sys.exit(77)

HOME = os.environ.get("VG_GUI_INSIDE", "/tmp")
WIDE, HIGH, SLICES, TIMES, FIRST, LARGER = 32, 24, 3, 16, 10, 20
MR = "1.2.840.10008.5.1.4.1.1.4"


def signal(t):
    """An artery in the middle, tissue elsewhere."""
    image = np.full((HIGH, WIDE), 300.0 + 20 * max(t - 5, 0))
    image[:, 8:24] = 300 + (900 * np.exp(-(t - 4) / 4) if t >= 4 else 0)
    return image


def write_series(folder, times):
    """The paths of all images of a gradient echo series, in the order of time."""
    os.makedirs(folder)
    study, series, frame = generate_uid(), generate_uid(), generate_uid()
    paths = []
    for number in range(times * SLICES):
        t, z = divmod(number, SLICES)
        meta = FileMetaDataset()
        meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = MR, generate_uid()
        meta.TransferSyntaxUID = ExplicitVRLittleEndian
        data = FileDataset(None, {}, file_meta=meta, preamble=b"\0" * 128)
        data.is_little_endian, data.is_implicit_VR = True, False
        data.SOPClassUID, data.SOPInstanceUID = MR, meta.MediaStorageSOPInstanceUID
        data.StudyInstanceUID, data.SeriesInstanceUID = study, series
        data.FrameOfReferenceUID, data.Modality, data.PatientName = frame, "MR", "Doe^Jane"
        data.SeriesDescription, data.SeriesNumber, data.InstanceNumber = "dyn", 5, number + 1
        data.AcquisitionDate, data.AcquisitionTime = "20261129", f"1200{2.5 * t:09.6f}"
        data.ImageType = ["ORIGINAL", "PRIMARY", "M"]
        data.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
        data.ImagePositionPatient = [0, 0, 4 * z]
        data.PixelSpacing, data.SliceThickness = [2, 2], 4
        data.RepetitionTime, data.EchoTime, data.FlipAngle = 4, 1.5, 15
        data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
        data.Rows, data.Columns, data.BitsAllocated, data.BitsStored = HIGH, WIDE, 16, 12
        data.HighBit, data.PixelRepresentation = 11, 0
        data.PixelData = signal(t).astype("<u2").tobytes()
        paths.append(f"{folder}/{number:03d}.dcm")
        data.save_as(paths[-1], write_like_original=False)
    return paths


def send(port, paths):
    subprocess.run(["storescu", "127.0.0.1", str(port), *paths], check=True, timeout=vg_gui.LATE)


def keep_sending(port, paths, seen):
    """Sends again and again without a rest."""
    while not seen.is_set():
        send(port, paths)


def series_arrives(program):
    folder, received = HOME + "/series", HOME + "/received"
    write_series(received, LARGER)
    paths = write_series(folder, TIMES)
    app = vg_gui.App(program, "--operation", "perfusion", "--sample", "ellipse", "--backend", "cpu")
    vg_gui.wait_for("the sample", lambda: app.has_label("Sample data"))
    port = free_port()
    find(app, "receive dicom", "Receive DICOM Images\u2026")
    app.wait_for_dialog()
    app.keys("ctrl+a")
    app.type("dicom-listen://%d" % port)
    app.keys("Return")
    vg_gui.wait_for("the reason", lambda: app.has_label("is not an address for receiving"))
    app.keys("ctrl+a")
    app.type("dicom-listen://%d%s" % (port, received))
    app.keys("Return")
    vg_gui.wait_for("where it listens",
                    lambda: app.has_label("Only programs on this computer can send")
                    and app.has_label("127.0.0.1, port %d" % port))
    seen = threading.Event()
    sender = threading.Thread(target=keep_sending, args=(port, paths[:FIRST * SLICES], seen))
    sender.start()
    try:
        vg_gui.wait_for("the first part", lambda: app.has_label("%d frames" % FIRST))
    finally:
        seen.set()
        sender.join()
    draw(app, 0.4, 0.62, 0.45, 0.72)      # below the dialog
    use_region(app, 0)
    vg_gui.wait_for("the artery", lambda: app.has_label("Peak in the artery"))
    send(port, paths[FIRST * SLICES:] + paths[:2])
    vg_gui.wait_for("the whole series", lambda: app.has_label("%d frames" % TIMES))
    vg_gui.wait_for("the count", lambda: app.has_label(
        "%d images received, " % (TIMES * SLICES)))
    assert app.has_label("Peak in the artery"), app.labels()      # the region has stayed
    assert len(os.listdir(received)) == (LARGER + TIMES) * SLICES
    app.close()


if __name__ == "__main__":
    vg_gui.enter()
    vg_gui.run(series_arrives)
