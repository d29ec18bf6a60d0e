package import SluiceReadings

/// Passes the readings within a window of time.
package struct ReplayWindow {
  private let window: TraceWindow
  private let path: String
  /// Known with the first reading.
  private var times: (lower: Int64, upper: Int64?)?
  /// Whether a reading before the end has come. A trace that is out of order may begin with a later one.
  private var hasBegun = false
  /// Whether a reading after the window has come, so that no more readings are needed.
  package private(set) var isOver = false

  /// - Parameter path: The name of the trace, for an error.
  package init(_ window: TraceWindow, of path: String) {
    self.window = window
    self.path = path
  }

  /// - Returns: The readings of the block that are in the window.
  /// - Throws: If the window needs dates, and the times of the trace are not.
  package mutating func cut(_ block: ArraySlice<Reading>) throws(SluiceError) -> ArraySlice<Reading> {
    guard let first = block.first?.time, !isOver else { return [] }
    if times == nil { times = try window.times(first: first, of: path) }
    guard let times else { return [] }
    var part: ArraySlice<Reading> = []
    for reading in block {
      if let upper = times.upper, reading.time >= upper {
        guard hasBegun else { continue }
        isOver = true
        break
      }
      hasBegun = true
      if reading.time >= times.lower { part.append(reading) }
    }
    return part
  }
}
