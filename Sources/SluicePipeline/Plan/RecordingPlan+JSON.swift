public import SluiceReadings
import SluiceRecording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    try self.init(json: bytes, name: name, hasOtherSources: false)
  }

  private init(json bytes: [UInt8], name: String, hasOtherSources: Bool) throws(SluiceError) {
    func malformed(_ cause: String) -> SluiceError {
      SluiceError(.usage, "read", "the plan \(name)", because: cause)
    }
    if bytes.isEmpty { throw malformed("it is empty") }
    if let fault = JSONSyntax.fault(in: bytes) { throw malformed("it is not JSON: \(fault)") }
    guard JSONStrings.areValid(bytes) else {
      throw malformed("it is not JSON: a text in it is not UTF-8, or has an escape that JSON does not know")
    }
    do {
      let decoder = JSONDecoder()
      if hasOtherSources, let key = Self.hasOtherSources { decoder.userInfo[key] = true }
      self = try decoder.decode(RecordingPlan.self, from: Data(bytes))
    } catch DecodingError.dataCorrupted(let context) where context.underlyingError is PlanFault {
      throw SluiceError(.usage, "use", "the plan \(name)", because: context.debugDescription)
    } catch DecodingError.dataCorrupted {
      // Its syntax is right, as was checked above.
      throw malformed("it has a number that is too large")
    } catch {
      throw malformed("\(error)")
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
    do throws(SluiceError) {
      _ = try RecordingPlan(json: Array(text.utf8), name: "", hasOtherSources: hasOtherSources)
    } catch {
      throw SluiceError(error.code, error.action, "the plan", because: error.cause)
    }
  }

  package var json: JSON {
    // Encoding a plan cannot fail.
    (try? JSON(encoding: self)) ?? .null
  }

  /// Its JSON, in lines of at most 100 characters if possible, without a line feed at the end.
  public var text: String { json.lines() }
}
