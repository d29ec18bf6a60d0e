/// The figures from which the health of a recording is judged, at one time.
package struct HealthSample: Sendable {
  package struct Stream: Sendable {
    package var name: String
    package var received: Int
    /// Whether the readings are events, so that silence is no problem.
    package var isOfEvents: Bool

    package init(name: String, received: Int, isOfEvents: Bool = false) {
      (self.name, self.received, self.isOfEvents) = (name, received, isOfEvents)
    }
  }

  package struct Output: Sendable {
    package var path: String
    /// The error that ended the output.
    package var error: String?
    /// Whether its disk is full or away, and the output tries again.
    package var isAway = false
    /// The readings in its spill.
    package var held = 0
    /// The free bytes of its disk; nil if the number is not known.
    package var free: Int?

    package init(path: String, error: String? = nil, isAway: Bool = false, free: Int? = nil) {
      (self.path, self.error, self.isAway, self.free) = (path, error, isAway, free)
    }
  }

  /// Nanoseconds by a clock that is never set.
  package var now: Int64
  package var streams: [Stream] = []
  /// The number of readings that are known to be lost in this run, at the outputs or before them.
  package var lost = 0
  /// The number of losses of an unknown number of readings.
  package var uncountedLosses = 0
  package var outputs: [Output] = []
  package var isPaused = false
  /// Whether the wall clock is synchronised; nil if the system does not report it.
  package var isSynchronised: Bool?
  /// The sources whose devices were removed.
  package var awaySources: [String] = []
  package var board = BoardState()

  package init(now: Int64) { self.now = now }
}
