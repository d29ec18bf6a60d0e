public import SluiceReadings
package import SluiceStages

/// Passes the readings with a value that has changed by more than a tolerance.
package struct OnChangeStage: ProcessingStage {
  package static let name = "on-change"
  package static let leavesOut = true
  package static let word: StageWord? = StageWord(
    "on-change", "[CH=]TOLERANCE",
    "Keep only readings in which a value has changed by more than a tolerance in its unit. Give it once per channel for different tolerances.",
    isRepeated: true
  ) { text in
    Tolerance(text).map { Self([$0]) }
  }
  package static let settings = Settings<Self>(.required("tolerance", \.tolerances, list)) { Self($0) }

  private static let list = Form<[Tolerance]>(.list(.text)) { node throws(Fault) in
    let texts = try node.texts()
    let tolerances = texts.compactMap(Tolerance.init)
    guard !texts.isEmpty, tolerances.count == texts.count else {
      throw node.fault(#" takes a list of tolerances such as ["0.5"] or ["accel_x=0.5"]"#)
    }
    if let fault = fault(tolerances) { throw node.fault(" \(fault)") }
    return tolerances
  } json: { tolerances in
    .array(tolerances.map { .string(($0.channel.map { "\($0)=" } ?? "") + $0.tolerance.description) })
  }

  /// The greatest difference between values of a channel that count as the same.
  package struct Tolerance: Hashable, Sendable {
    /// The name of the channel; nil for every channel.
    package var channel: String?
    package var tolerance: ExactDecimal

    package init(channel: String? = nil, tolerance: ExactDecimal) {
      self.channel = channel
      self.tolerance = tolerance
    }

    /// `0.5` or `accel_x=0.5`.
    package init?(_ argument: String) {
      let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count <= 2, let last = parts.last, let tolerance = ExactDecimal(last), tolerance.significand >= 0,
        !tolerance.isMissing, parts[0] != ""
      else { return nil }
      self.init(channel: parts.count == 2 ? String(parts[0]) : nil, tolerance: tolerance)
    }
  }

  /// One tolerance without a channel, or one tolerance per channel that is compared.
  package var tolerances: [Tolerance]

  package init(_ tolerances: [Tolerance]) { self.tolerances = tolerances }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> OnChange {
    if let all = tolerances.first(where: { $0.channel == nil }) {
      return try OnChange(.tolerance(all.tolerance), inputs: inputs)
    }
    return try OnChange(.channels(tolerances.map { ($0.channel ?? "", $0.tolerance) }), inputs: inputs)
  }

  /// The fault of a list of tolerances; nil if it is right.
  package static func fault(_ tolerances: [Tolerance]) -> String? {
    if tolerances.count > 1, tolerances.contains(where: { $0.channel == nil }) {
      return "takes one tolerance for all channels, or one tolerance per channel"
    }
    return Set(tolerances.map(\.channel)).count < tolerances.count ? "names a channel twice" : nil
  }
}

extension StagePlan {
  /// Passes the readings with a value that has changed by more than a tolerance.
  /// - Parameter tolerance: The tolerance in the unit of each channel, zero or more.
  public static func onChange(_ tolerance: ExactDecimal) -> StagePlan {
    StagePlan(OnChangeStage([.init(tolerance: tolerance)]))
  }

  /// Passes the readings in which one of these channels has changed by more than its tolerance.
  /// - Parameter tolerances: The tolerances in the units of the channels, zero or more.
  public static func onChange(_ tolerances: [(channel: String, tolerance: ExactDecimal)]) -> StagePlan {
    StagePlan(OnChangeStage(tolerances.map { .init(channel: $0.channel, tolerance: $0.tolerance) }))
  }
}
