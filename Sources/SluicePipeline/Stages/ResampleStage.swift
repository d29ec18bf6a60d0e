package import SluiceReadings
package import SluiceStages

/// Resamples streams at equal intervals: the mean or the last values of time windows, or interpolated values.
package struct ResampleStage: RecordingStage {
  package static let name = "resample"
  package static let makes = true
  package static let word: StageWord? = StageWord(
    "resample", "T[:mean|last|linear]",
    "Make one reading per T: the mean of the window, its last reading, or linear interpolation. The period of a rate is rounded to nanoseconds. (default: mean)",
    why: TimeReason.why
  ) { Self($0) }
  package static let settings = Settings<Self>(
    .required("interval", \.interval, .period), .optional("method", \.method, .choice)
  ) { Self(interval: $0) }

  package var interval: TimeSpan
  package var method = ResampleMethod.mean

  package var endsByTime: Bool { true }
  package var window: Int64 { interval.nanoseconds }
  /// True, because the last values are repeated until the end of the recording.
  package var usesEnd: Bool { true }

  package func prepared(for inputs: InputStreams) throws(SluiceError) -> PreparedStage {
    switch method {
    case .mean: try windows(.mean, inputs)
    case .last: try windows(.last, inputs)
    case .linear:
      try PreparedStage(self, Interpolation(interval: interval.nanoseconds, inputs: inputs), inputs) {
        [interval] inputs throws(SluiceError) in
        try Interpolation(interval: interval.nanoseconds, inputs: inputs).streams
      }
    }
  }

  private func windows(_ function: Resample.Function, _ inputs: InputStreams) throws(SluiceError) -> PreparedStage {
    try PreparedStage(self, Resample(interval: interval.nanoseconds, function, inputs: inputs), inputs) {
      [interval] inputs throws(SluiceError) in
      try Resample(interval: interval.nanoseconds, function, inputs: inputs).streams
    }
  }
}

/// The method for values at equal intervals.
///
/// ```swift
/// let stages: [StagePlan] = [.resample(.milliseconds(100), .linear)]
/// ```
public enum ResampleMethod: String, CaseIterable, Sendable {
  /// The arithmetic mean of each window.
  case mean
  /// The last value of each window, or of an earlier window.
  case last
  /// Linear interpolation between the readings before and after.
  case linear
}

extension ResampleStage {
  /// `100ms`, `100ms:last`, `10Hz`.
  package init?(_ argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let interval = TimeSpan(period: String(parts[0])) else { return nil }
    guard let method = parts.count == 2 ? ResampleMethod(rawValue: String(parts[1])) : .mean else { return nil }
    self.init(interval: interval, method: method)
  }
}

extension StagePlan {
  /// Resamples streams at equal intervals.
  /// - Parameters:
  ///   - interval: The interval.
  ///   - method: The method for the values.
  public static func resample(_ interval: TimeSpan, _ method: ResampleMethod = .mean) -> StagePlan {
    StagePlan(ResampleStage(interval: interval, method: method))
  }
}
