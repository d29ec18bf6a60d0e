public import SluiceReadings
import SluiceRecording

extension RecordingPlan {
  /// Reads a plan.
  ///
  /// ```swift
  /// let json = #"{"version": 1, "sources": [{"kind": "timer", "what": "1ms"}], "outputs": [{"path": "t.csv"}]}"#
  /// let plan = try RecordingPlan(json: Array(json.utf8), name: "t.json")
  /// ```
  /// - Parameters:
  ///   - bytes: The document, in UTF-8.
  ///   - name: The name of the document in errors.
  /// - Throws: A `SluiceError` that names the place: `cannot use the plan t.json: sources[0].what: timer takes PERIOD,
  ///   such as 10ms`. Its code is `.usage`.
  public init(json bytes: [UInt8], name: String) throws(SluiceError) {
    func malformed(_ cause: String) -> SluiceError {
      SluiceError(.usage, "read", "the plan \(name)", because: cause)
    }
    if bytes.isEmpty { throw malformed("it is empty") }
    let json: JSON
    do throws(JSONFault) { json = try JSON(parsing: bytes) } catch { throw malformed("it is not JSON: \(error)") }
    try self.init(json, name: "the plan \(name)", hasOtherSources: false)
  }

  private init(_ json: JSON, name: String, hasOtherSources: Bool) throws(SluiceError) {
    do {
      try self.init(plan: PlanNode(json: json, hasOtherSources: hasOtherSources))
    } catch {
      throw SluiceError(.usage, "use", name, because: "\(error)")
    }
  }

  /// Checks a plan that was made in Swift: whether ``init(json:name:)`` would accept its JSON.
  /// - Throws: A `SluiceError` with the code `.usage`, that names the place: `cannot use the plan: limits.count takes a
  ///   whole number of 1 or more, not 0`.
  public func validate() throws(SluiceError) { try validate(hasOtherSources: false) }

  /// - Parameter hasOtherSources: Whether a recording has sources of a program, so that the plan needs none.
  func validate(hasOtherSources: Bool) throws(SluiceError) {
    for stage in stages + sources.flatMap(\.stages) + outputs.flatMap(\.stages) {
      let type = type(of: stage.stage)
      if let known = Stages.named(type.name), known == type { continue }
      throw SluiceError(
        .usage, "use", "the plan", because: "plans do not know the stage \(type.name)",
        remedy: "call Stages.add(\(type).self) first")
    }
    _ = try RecordingPlan(json, name: "the plan", hasOtherSources: hasOtherSources)
  }

  /// Its JSON, in lines of at most 100 characters if possible, without a line feed at the end.
  public var text: String { json.lines() }
}
