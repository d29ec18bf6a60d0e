public import SluiceReadings

extension RecordingPlan {
  /// Reads a plan from a file.
  ///
  /// ```swift
  /// let plan = try RecordingPlan(path: "walk.json")
  /// ```
  /// - Parameter path: A regular file of at most 16 MiB, or `-` for standard input, which is read to its end.
  /// - Throws: A `SluiceError` if it cannot be read, and what ``init(json:name:)`` throws.
  public init(path: String) throws(SluiceError) {
    let name = path == "-" ? "on standard input" : path
    try self.init(json: PlanFile.bytes(path, "the plan \(name)", atMost: Self.longest), name: name)
  }

  package static let longest = 16 << 20
}
