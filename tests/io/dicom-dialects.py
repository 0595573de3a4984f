#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes contrast series with pydicom in the way of the scanners of four makers.  Each series NAME
is a folder in FOLDER.  Beside it, NAME.times has the time of each volume in s, and NAME.truth all
values as 32-bit floats."""

import pathlib
import sys

try:
    import numpy as np
    import pydicom
    from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
    from pydicom.sequence import Sequence
    from pydicom.uid import ExplicitVRLittleEndian, generate_uid
except ImportError as missing:
    sys.exit(f"{missing}: apt install python3-pydicom")

WIDE, HIGH, SLICES, TIMES = 18, 14, 5, 4
CLASSIC_MR, ENHANCED_MR = "1.2.840.10008.5.1.4.1.1.4", "1.2.840.10008.5.1.4.1.1.4.1"
CLASSIC_CT, ENHANCED_CT = "1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.5.1.4.1.1.2.1"
AXIAL, CORONAL, SAGITTAL = [1, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, -1], [0, 1, 0, 0, 0, -1]
OBLIQUE = [0.96, 0.28, 0, -0.168, 0.576, 0.8]
BEGIN = 9 * 3600 + 58 * 60 + 50.25  # s since midnight, so that the hour changes during the series


def clock(seconds):
    return f"{int(seconds) // 3600:02d}{int(seconds) // 60 % 60:02d}{seconds % 60:09.6f}"


def samples(series, t, z, lowest=0, highest=4000):
    """Samples that differ at every position and time."""
    return np.random.default_rng([series, t, z]).integers(lowest, highest, (HIGH, WIDE))


def position(turn, z, step=3.0):
    row, down = np.array(turn[:3], float), np.array(turn[3:], float)
    return [round(float(v), 6) for v in [-12.5, 7.25, 40] + z * step * np.cross(row, down)]


def private(item, group, creator, tag, vr, value):
    item.private_block(group, creator, create=True).add_new(tag & 0xFF, vr, value)


class Series:
    """The elements that all images of a series have in common."""

    def __init__(self, folder, number, name, maker, model, turn=AXIAL, ct=False):
        self.folder, self.number, self.turn, self.ct = folder / name, number, turn, ct
        self.name, self.maker, self.model = name, maker, model
        self.study, self.uid, self.frame = generate_uid(), generate_uid(), generate_uid()
        self.times = [2.5 * t for t in range(TIMES)]
        self.truth = np.zeros((TIMES, SLICES, HIGH, WIDE))
        self.folder.mkdir()

    def begin(self, sop_class, instance):
        meta = FileMetaDataset()
        meta.MediaStorageSOPClassUID = sop_class
        meta.MediaStorageSOPInstanceUID = generate_uid()
        meta.TransferSyntaxUID = ExplicitVRLittleEndian
        data = FileDataset(None, {}, file_meta=meta, preamble=b"\0" * 128)
        data.is_little_endian, data.is_implicit_VR = True, False
        data.SOPClassUID, data.SOPInstanceUID = sop_class, meta.MediaStorageSOPInstanceUID
        data.StudyInstanceUID, data.SeriesInstanceUID = self.study, self.uid
        data.FrameOfReferenceUID = self.frame
        data.Manufacturer, data.ManufacturerModelName = self.maker, self.model
        data.Modality = "CT" if self.ct else "MR"
        data.PatientName, data.PatientID, data.PatientSex = "Phantom^Made", "made", "F"
        data.StudyDate = data.SeriesDate = data.AcquisitionDate = data.ContentDate = "20250306"
        data.StudyTime = data.SeriesTime = data.ContentTime = clock(BEGIN - 60)
        data.SeriesDescription = data.ProtocolName = self.name
        data.SeriesNumber, data.InstanceNumber = self.number, instance
        data.PatientPosition = "HFS"
        data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
        data.Rows, data.Columns = HIGH, WIDE
        return data

    def classic(self, t, z, instance, signed=False, stored=12, lowest=0, highest=4000):
        data = self.begin(CLASSIC_CT if self.ct else CLASSIC_MR, instance)
        data.ImageType = ["ORIGINAL", "PRIMARY", "AXIAL" if self.ct else "M"]
        data.ImageOrientationPatient = self.turn
        data.ImagePositionPatient = position(self.turn, z)
        data.PixelSpacing, data.SliceThickness = [1.75, 1.5], 3
        data.AcquisitionTime = clock(BEGIN + self.times[t])
        data.AcquisitionNumber = t + 1
        data.BitsAllocated, data.BitsStored, data.HighBit = 16, stored, stored - 1
        data.PixelRepresentation = int(signed)
        if self.ct:
            data.KVP = 80
        else:
            data.RepetitionTime, data.EchoTime, data.FlipAngle = 3.79, 1.28, 12
            data.MagneticFieldStrength, data.MRAcquisitionType = 1.5, "3D"
            data.ScanningSequence, data.SequenceVariant = "GR", "SP"
            data.EchoNumbers, data.SpacingBetweenSlices = 1, 3
        whole = self.truth[t, z] = samples(self.number, t, z, lowest, highest)
        data.PixelData = (whole & 0xFFFF).astype("<u2").tobytes()
        return data

    def save(self, data, name):
        data.save_as(self.folder / name, write_like_original=False)

    def finish(self, slope=1, intercept=0):
        """Slope and intercept give the values that the samples stand for."""
        values = (self.truth * slope + intercept).astype("<f4")
        values.tofile(self.folder.parent / f"{self.name}.truth")
        text = "".join(f"{time:.6f}\n" for time in self.times)
        (self.folder.parent / f"{self.name}.times").write_text(text)

    def scrambled(self):
        """Yields time, slice, instance number and file name; the names do not tell the order."""
        for t in range(TIMES):
            for z in range(SLICES):
                yield t, z, t * SLICES + z + 1, f"I{(7 * (t * SLICES + z) + 3) % 23:03d}"

    def group(self, **elements):
        item = Dataset()
        for key, value in elements.items():
            setattr(item, key, value)
        return Sequence([item])

    def enhanced(self, per_frame, shared=None, order=None, number=1):
        """Writes a file with the frames ORDER (or all).  PER_FRAME adds to the functional groups of
        time T, slice Z."""
        pairs = order or [(t, z) for t in range(TIMES) for z in range(SLICES)]
        data = self.begin(ENHANCED_CT if self.ct else ENHANCED_MR, number)
        data.ImageType = ["ORIGINAL", "PRIMARY", "VOLUME", "NONE"]
        start = clock(BEGIN + self.times[pairs[0][0]])
        data.AcquisitionDateTime, data.AcquisitionTime = "20250306" + start, start
        data.AcquisitionNumber, data.NumberOfFrames = number, len(pairs)
        data.BitsAllocated, data.BitsStored, data.HighBit = 16, 12, 11
        data.PixelRepresentation = 0
        common, items, pixels = Dataset(), [], b""
        common.PixelMeasuresSequence = self.group(
            PixelSpacing=[1.75, 1.5], SliceThickness=3, SpacingBetweenSlices=3)
        common.PlaneOrientationSequence = self.group(ImageOrientationPatient=self.turn)
        if not self.ct:
            data.MagneticFieldStrength, data.MRAcquisitionType = 1.5, "3D"
            common.MRTimingAndRelatedParametersSequence = self.group(
                RepetitionTime=3.79, FlipAngle=12, EchoTrainLength=1)
            common.MREchoSequence = self.group(EffectiveEchoTime=1.28)
            common.MRImageFrameTypeSequence = self.group(
                FrameType=data.ImageType, ComplexImageComponent="MAGNITUDE")
        if shared:
            shared(common)
        for t, z in pairs:
            item = Dataset()
            item.FrameContentSequence = self.group(
                FrameAcquisitionDateTime="20250306" + clock(BEGIN + self.times[t]),
                FrameReferenceDateTime="20250306" + clock(BEGIN + self.times[t]),
                FrameAcquisitionDuration=2500.0, StackID="1", InStackPositionNumber=z + 1,
                TemporalPositionIndex=t + 1, DimensionIndexValues=[1, z + 1, t + 1])
            item.PlanePositionSequence = self.group(ImagePositionPatient=position(self.turn, z))
            per_frame(item, t, z)
            items.append(item)
            whole = self.truth[t, z] = samples(self.number, t, z)
            pixels += (whole & 0xFFFF).astype("<u2").tobytes()
        organization = generate_uid()
        data.DimensionOrganizationSequence = self.group(DimensionOrganizationUID=organization)
        pointers = [(0x00209056, 0x00209111), (0x00209057, 0x00209111), (0x00209128, 0x00209111)]
        data.DimensionIndexSequence = Sequence()
        for pointer, parent in pointers:
            data.DimensionIndexSequence.append(self.group(
                DimensionOrganizationUID=organization, DimensionIndexPointer=pointer,
                FunctionalGroupPointer=parent)[0])
        data.SharedFunctionalGroupsSequence = Sequence([common])
        data.PerFrameFunctionalGroupsSequence = Sequence(items)
        data.PixelData = pixels
        self.save(data, f"{9 - number}.dcm")


def siemens_vibe(folder, number, name, turn):
    """No rescaling, an acquisition time and number for each volume, uneven times."""
    series = Series(folder, number, name, "SIEMENS", "Avanto", turn)
    series.times = [0, 2.6125, 5.2225, 9.94]
    for t, z, instance, file in series.scrambled():
        data = series.classic(t, z, instance)
        data.SoftwareVersions = "syngo MR B17"
        series.save(data, file)
    series.finish()


def siemens_ct(folder, number, name):
    """Each slice has its own time; the rescale intercept is -1024 or, in newer software, -8192."""
    series = Series(folder, number, name, "SIEMENS", "SOMATOM Definition Flash", ct=True)
    for t, z, instance, file in series.scrambled():
        data = series.classic(t, z, instance, stored=16 if number % 2 else 12)
        data.AcquisitionTime = clock(BEGIN + series.times[t] + 0.011 * z)
        data.RescaleSlope, data.RescaleIntercept = 1, -8192 if number % 2 else -1024
        series.save(data, file)
    series.finish(1, -8192 if number % 2 else -1024)


def siemens_enhanced(folder, number, name):
    """A file for each volume."""
    series = Series(folder, number, name, "Siemens Healthineers", "MAGNETOM Vida", CORONAL)
    series.times = [0, 2.6125, 5.2225, 9.94]
    for t in range(TIMES):
        order = [(t, z) for z in range(SLICES)]
        series.enhanced(lambda item, t, z: None, order=order, number=t + 1)
    series.finish()


def ge_lava(folder, number, name, turn, trigger):
    """Signed samples; all volumes have the acquisition time of the first.  The trigger time or the
    duration of the series tells the others."""
    series = Series(folder, number, name, "GE MEDICAL SYSTEMS", "SIGNA HDxt", turn)
    for t, z, instance, file in series.scrambled():
        data = series.classic(t, SLICES - 1 - z, instance, True, 16, -50, 30000)
        data.AcquisitionTime, data.AcquisitionNumber = clock(BEGIN), 1
        data.TemporalPositionIdentifier, data.NumberOfTemporalPositions = t + 1, TIMES
        data.ImagesInAcquisition = SLICES * TIMES
        if trigger:
            data.TriggerTime = 1000 * series.times[t]
        private(data, 0x0019, "GEMS_ACQU_01", 0x105A, "FL", 1e6 * 2.5 * TIMES)
        series.save(data, file)
    series.finish()


def ge_cine_ct(folder, number, name):
    """The slices of a volume are acquired together.  The instance numbers count all times of a
    slice before those of the next."""
    series = Series(folder, number, name, "GE MEDICAL SYSTEMS", "Revolution CT", ct=True)
    for t, z, _, file in series.scrambled():
        data = series.classic(t, z, z * TIMES + t + 1, True, 16, -2000, 3000)
        data.AcquisitionNumber = 1
        data.PixelPaddingValue = -2000
        data.RescaleSlope, data.RescaleIntercept = 1, 0
        series.save(data, file)
    series.finish()


class Philips(Series):
    """The measured signal is the displayed value, which slope and intercept give, divided by the
    slope and by a scale (Chenevert et al., Transl. Oncol. 7 (2014) 65).  All three may differ
    between volumes."""

    def __init__(self, folder, number, name, turn, changing):
        super().__init__(folder, number, name, "Philips Medical Systems", "Ingenia", turn)
        step = np.arange(TIMES) * int(changing)
        self.slopes = 1.25 + 0.25 * step
        self.intercepts = -12.5 * (1 + step)
        self.scales = 0.0078125 * (1 + step % 2)

    def scale(self, item, t):
        item.RescaleSlope, item.RescaleIntercept = self.slopes[t], self.intercepts[t]
        item.RescaleType = "normalized"

    def add_own(self, item, t):
        private(item, 0x2005, "Philips MR Imaging DD 001", 0x100E, "FL", self.scales[t])
        private(item, 0x2005, "Philips MR Imaging DD 001", 0x10A0, "FL", self.times[t])

    def finish(self):
        shape = (TIMES, 1, 1, 1)
        super().finish((1 / self.scales).reshape(shape),
                       (self.intercepts / (self.slopes * self.scales)).reshape(shape))


def philips_classic(folder, number, name, turn, changing=False):
    series = Philips(folder, number, name, turn, changing)
    for t, z, _, file in series.scrambled():
        data = series.classic(t, z, z * TIMES + t + 1)
        data.AcquisitionTime, data.AcquisitionNumber = clock(BEGIN), number
        data.ImageType = ["ORIGINAL", "PRIMARY", "M_FFE", "M", "FFE"]
        data.TemporalPositionIdentifier, data.NumberOfTemporalPositions = t + 1, TIMES
        series.scale(data, t)
        series.add_own(data, t)
        private(data, 0x2001, "Philips Imaging DD 001", 0x1018, "SL", SLICES)
        series.save(data, file)
    series.finish()


def philips_enhanced(folder, number, name, changing=False):
    """Frames of one slice follow one another in time."""
    series = Philips(folder, number, name, OBLIQUE, changing)

    def add(item, t, z):
        item.PixelValueTransformationSequence = series.group()
        series.scale(item.PixelValueTransformationSequence[0], t)
        own = Dataset()
        series.add_own(own, t)
        private(item, 0x2005, "Philips MR Imaging DD 005", 0x140F, "SQ", Sequence([own]))

    series.enhanced(add, order=[(t, z) for z in range(SLICES) for t in range(TIMES)])
    series.finish()


def canon_classic(folder, number, name):
    series = Series(folder, number, name, "TOSHIBA", "Vantage Titan", SAGITTAL)
    for t, z, instance, file in series.scrambled():
        data = series.classic(t, z, instance, True, 16, 0, 20000)
        data.RescaleSlope, data.RescaleIntercept = 0.5, 0
        series.save(data, file)
    series.finish(0.5)


def canon_ct(folder, number, name):
    """A volume takes one rotation, so all its slices have the same time.  The times are uneven."""
    series = Series(folder, number, name, "TOSHIBA", "Aquilion ONE", ct=True)
    series.times = [0, 2, 4, 7.5]
    for t, z, instance, file in series.scrambled():
        data = series.classic(t, SLICES - 1 - z, instance, True, 16, -1000, 2000)
        data.RescaleSlope, data.RescaleIntercept = 1, 0
        series.save(data, file)
    series.finish()


def canon_enhanced_ct(folder, number, name):
    series = Series(folder, number, name, "CANON_MEC", "Aquilion ONE GENESIS", ct=True)

    def share(common):
        common.PixelValueTransformationSequence = series.group(
            RescaleSlope=1, RescaleIntercept=-1024, RescaleType="HU")
        common.CTImageFrameTypeSequence = series.group(
            FrameType=["ORIGINAL", "PRIMARY", "VOLUME", "NONE"])

    series.enhanced(lambda item, t, z: None, share)
    series.finish(1, -1024)


def main():
    folder = pathlib.Path(sys.argv[1])
    siemens_vibe(folder, 1, "siemens-axial", AXIAL)
    siemens_vibe(folder, 2, "siemens-oblique", OBLIQUE)
    siemens_ct(folder, 3, "siemens-ct-8192")
    siemens_ct(folder, 4, "siemens-ct-1024")
    siemens_enhanced(folder, 5, "siemens-enhanced")
    ge_lava(folder, 6, "ge-trigger", CORONAL, True)
    ge_lava(folder, 7, "ge-duration", AXIAL, False)
    ge_cine_ct(folder, 8, "ge-ct-cine")
    philips_classic(folder, 9, "philips-axial", AXIAL)
    philips_classic(folder, 10, "philips-coronal", CORONAL)
    philips_enhanced(folder, 11, "philips-enhanced")
    philips_classic(folder, 15, "philips-scales", AXIAL, True)
    philips_enhanced(folder, 16, "philips-enhanced-scales", True)
    canon_classic(folder, 12, "canon-sagittal")
    canon_ct(folder, 13, "canon-ct")
    canon_enhanced_ct(folder, 14, "canon-ct-enhanced")


main()
