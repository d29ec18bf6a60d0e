import SluiceAnalysis
import SluiceDevices
import SluicePipeline

/// A kind of device: what `sluice list` shows, what `sluice doctor` checks, and what `sluice bench` measures.
///
/// A new kind is a file with a type of this protocol, and its line in ``DeviceKinds``.
protocol DeviceKind: Sendable {
  /// `NAME` in `sluice list NAME`, and the section of its sources in the JSON of `sluice bench`.
  var name: String { get }
  /// Its name in sentences and titles: `GPIO`.
  var title: String { get }
  /// The sources that record from it, the most usual first.
  var sources: [any SourceKind.Type] { get }

  func list(_ roots: DeviceRoots) -> any DeviceListing

  /// The files that a recording opens; nil if everybody may open those of this kind.
  func files(_ surroundings: Surroundings) -> [DeviceFile]?
  /// Further findings of `sluice doctor`: on libraries, the kernel, lines and buffers in use, leftovers of a killed recording.
  /// - Parameter restore: Whether to restore the settings that a killed recording has left.
  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding]

  /// The name of a source in `sluice bench`; nil for the text that the user wrote.
  func name(of source: any SourceKind) -> String?
  /// What `sluice bench` measures of a source after recording it.
  func measure(_ source: SourceSpec, _ benchmark: DeviceBenchmark) throws -> FurtherMeasurement
}

extension DeviceKind {
  func files(_ surroundings: Surroundings) -> [DeviceFile]? { nil }
  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding] { [] }
  func name(of source: any SourceKind) -> String? { nil }
  func measure(_ source: SourceSpec, _ benchmark: DeviceBenchmark) -> FurtherMeasurement { FurtherMeasurement() }
}
