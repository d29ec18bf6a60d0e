import SluiceAnalysis
import SluiceDevices
import SluicePipeline

/// A kind of device, for `sluice list`, `sluice doctor` and `sluice bench`.
///
/// A new kind is a file with a type of this protocol, and a line in ``DeviceKinds``.
protocol DeviceKind: DeviceWords, Sendable {
  /// `NAME` in `sluice list NAME`, and the section of its sources in the JSON of `sluice bench`.
  var name: String { get }
  /// Its name in sentences and titles: `GPIO`.
  var title: String { get }
  /// The kinds of source that record from it, the most usual one first.
  var sources: [any SourceKind.Type] { get }

  func list(_ roots: DeviceRoots) -> any DeviceListing

  /// The files that a recording opens; nil if every user may open them.
  func files(_ surroundings: Surroundings) -> [DeviceFile]?
  /// Further findings of `sluice doctor` about libraries, the kernel, lines and buffers in use, and leftovers of a
  /// killed recording.
  /// - Parameter restore: Whether to restore the settings that a killed recording has left.
  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding]

  /// The name of a source in `sluice bench`; nil for the text that the user wrote.
  func name(of source: any SourceKind) -> String?
  /// Measures more of a source for `sluice bench`, after its recording.
  func measure(_ source: SourceSpec, _ benchmark: DeviceBenchmark) throws -> FurtherMeasurement
}

extension DeviceKind {
  func files(_ surroundings: Surroundings) -> [DeviceFile]? { nil }
  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding] { [] }
  func name(of source: any SourceKind) -> String? { nil }
  func measure(_ source: SourceSpec, _ benchmark: DeviceBenchmark) -> FurtherMeasurement { FurtherMeasurement() }
}
