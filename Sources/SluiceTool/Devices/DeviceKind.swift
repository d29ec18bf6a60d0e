import SluiceDevices
import SluicePipeline

/// A kind of device: what `sluice list` shows of it, what `sluice doctor` finds wrong with it, what `sluice bench`
/// measures of it.
///
/// A new kind is a file with a type of this protocol, and its line in ``DeviceKinds``.
protocol DeviceKind: Sendable {
  /// `NAME` in `sluice list NAME`, and the section of its sources in the JSON of `sluice bench`.
  var name: String { get }
  /// In sentences and titles: `GPIO`.
  var title: String { get }
  /// What records from it, the most usual first.
  var sources: [any SourceKind.Type] { get }

  func list(_ roots: DeviceRoots) -> any DeviceListing

  /// The files that a recording opens; nil if everybody may open those of this kind.
  func files(_ surroundings: Surroundings) -> [DeviceFile]?
  /// What else `sluice doctor` is to say: of libraries, the kernel, what is in use, what a killed recording has left.
  /// - Parameter repair: Puts back what can be.
  func findings(_ surroundings: Surroundings, repair: Bool) -> [Finding]

  /// What `sluice bench` calls a source; nil for what the user wrote.
  func name(of source: any SourceKind) -> String?
  /// What `sluice bench` measures of a source after it was recorded.
  func measure(_ source: SourceSpec, _ benchmark: DeviceBenchmark) throws -> FurtherMeasurement
}

extension DeviceKind {
  func files(_ surroundings: Surroundings) -> [DeviceFile]? { nil }
  func findings(_ surroundings: Surroundings, repair: Bool) -> [Finding] { [] }
  func name(of source: any SourceKind) -> String? { nil }
  func measure(_ source: SourceSpec, _ benchmark: DeviceBenchmark) -> FurtherMeasurement { FurtherMeasurement() }
}
