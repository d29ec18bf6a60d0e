import SluiceReadings
import SluiceRecording

@testable import SluiceAnalysis
@testable import SluicePipeline

extension Plot {
  /// A plot of CSV files that are in memory.
  init(csv files: [(name: String, text: String)], metadata: String? = nil, _ options: Options = Options())
    throws(SluiceError)
  {
    var traces: [PlotTrace] = []
    for (name, text) in files {
      let reader = try TraceReader(Array(text.utf8), name: name, metadata: metadata.map { Array($0.utf8) })
      traces.append(try PlotTrace(path: name, reader))
    }
    try self.init(traces, options)
  }

  init(csv text: String, metadata: String? = nil, _ options: Options = Options()) throws(SluiceError) {
    try self.init(csv: [("walk.csv", text)], metadata: metadata, options)
  }
}

extension Plot.Options {
  init(channels: [String] = [], from: String? = nil, to: String? = nil, clock: PlotClock? = nil, width: Int = 1_000) {
    self.init()
    (self.channels, self.clock, self.width) = (channels, clock, width)
    self.from = from.flatMap { PlotInstant($0) }
    self.to = to.flatMap { PlotInstant($0) }
  }
}
