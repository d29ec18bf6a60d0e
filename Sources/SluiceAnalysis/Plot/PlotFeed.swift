package import SluiceReadings
package import SluiceRecording

/// One stream of a running recording, for a picture of it while it runs. It takes a constant amount of memory.
///
/// The picture of the readings so far is the one that `plot` draws of the same rows.
package struct PlotFeed: Sendable {
  /// What a picture shows besides the readings.
  package struct Happened: Sendable {
    package var pauses: [Pause]
    package var losses: [Loss]
    package var marks: [Mark]
    /// The times of the first and the last reading of all streams: a level lasts until then.
    package var times: ClosedRange<Int64>?

    package init(
      pauses: [Pause] = [], losses: [Loss] = [], marks: [Mark] = [], times: ClosedRange<Int64>? = nil
    ) {
      (self.pauses, self.losses, self.marks, self.times) = (pauses, losses, marks, times)
    }
  }

  private(set) var stream: PlotStream

  /// - Parameter width: The width of the picture in dots.
  package init(_ description: StreamDescription, width: Int) {
    stream = PlotStream(window: nil, capacity: Plot.capacity(width: width))
    describe(description)
  }

  /// A trace from a pipe may get channels while it is read.
  package mutating func describe(_ description: StreamDescription) { stream.describe(description) { _ in true } }

  /// The most channels that a picture can have.
  package static var channels: Int { Plot.channels }

  package mutating func add(_ reading: UnsafePointer<Reading>) { stream.add(reading) }

  /// The picture of the readings so far.
  /// - Throws: If there is nothing to draw.
  package func plot(_ happened: Happened) throws(SluiceError) -> Plot {
    try Plot([PlotTrace(self, happened)], Plot.Options())
  }
}
