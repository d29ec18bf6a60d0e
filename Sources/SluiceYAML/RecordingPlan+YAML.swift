import CYAML
package import SluicePipeline
package import SluiceReadings

extension RecordingPlan {
  /// Reads the plan of a station file.
  /// - Parameters:
  ///   - bytes: The file, in UTF-8.
  ///   - name: The name of the file in errors.
  ///   - followsChannels: Whether a stage that does not fit the streams of its sources is a fault.
  /// - Throws: A `SluiceError` with all faults, each on a line with its place. The code of the error is `.usage`.
  package init(yaml bytes: [UInt8], name: String, followsChannels: Bool = false) throws(SluiceError) {
    if let failure = cyaml_load() {
      throw SluiceError(loading: "libyaml", because: failure, package: "libyaml-0-2")
    }
    let tree = YAMLTree(bytes)
    try self.init(station: tree.root, faults: tree.faults, file: name, followsChannels: followsChannels)
  }

  /// Reads the plan of a station file.
  /// - Parameter path: A regular file of at most 1 MiB, or `-` for standard input, which is read to its end.
  /// - Throws: A `SluiceError` if the file cannot be read, and the errors of ``init(yaml:name:)``.
  package init(station path: String) throws(SluiceError) {
    let name = path == "-" ? "on standard input" : path
    let bytes = try PlanFile.bytes(path, "the station file \(name)", atMost: YAMLTree.longest)
    try self.init(yaml: bytes, name: name, followsChannels: true)
  }
}
