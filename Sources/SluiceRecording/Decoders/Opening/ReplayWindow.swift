package import SluiceReadings

/// Passes the readings within a window of time. The window counts from the first reading.
package struct ReplayWindow {
  private let ages: Range<Int64>
  private var first: Int64?
  /// Whether a reading after the window has come, so that no more readings are needed.
  package private(set) var isOver = false

  /// - Parameter ages: The window, in nanoseconds since the first reading.
  package init(_ ages: Range<Int64>) { self.ages = ages }

  /// - Returns: The readings of the block that are in the window.
  package mutating func cut(_ block: ArraySlice<Reading>) -> ArraySlice<Reading> {
    guard let time = block.first?.time, !isOver else { return [] }
    let start = first ?? time
    first = start
    var part: ArraySlice<Reading> = []
    for reading in block {
      let (age, overflow) = reading.time.subtractingReportingOverflow(start)
      if overflow || age >= ages.upperBound {
        isOver = true
        break
      }
      if age >= ages.lowerBound { part.append(reading) }
    }
    return part
  }
}
