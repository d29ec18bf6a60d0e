import SluiceDevices
import SluicePipeline
import SluiceReadings

/// Measures, one source after the other, how much it delivers and what that costs.
struct DeviceBenchmark {
  let sources: [BenchSource]
  let roots: DeviceRoots
  let duration: TimeSpan
  let interruption: Interruption
  var kinds = DeviceKinds.all
  /// Gets messages during a measurement.
  var say: (String) -> Void = Console.say

  /// - Parameter sections: Gets the measurements, even if a later source fails.
  func run(into sections: inout [BenchSection]) throws {
    // The sources of a kind of device stand together; other sources come at the end.
    var found = (kinds.map { ($0.name, $0.title) } + [("sources", "source")]).map { key, title in
      [BenchSection(key: key, title: title, layout: .columns, measurements: [])]
    }
    defer { sections += found.joined().filter { !$0.measurements.isEmpty } }
    for source in sources {
      let index = kindIndex(of: source.spec.kind)
      let kind = index.map { kinds[$0] }
      let place = index ?? kinds.count
      let opened = try open(source.spec)
      if source.spec.kind.isOfEvents { say("drive \(source.text) now, for \(duration)") }
      let run = try record(opened, for: duration)
      var measurement = Self.measurement(kind?.name(of: source.spec.source) ?? source.text, run)
      if let further = try kind?.measure(source.spec, self) {
        measurement.figures += further.figures
        further.section?.join(&found[place])
      }
      found[place][0].measurements.append(measurement)
      if run.readings == 0 { found[place][0].notes.append("no reading of \(source.text) came") }
    }
  }

  /// The index of the kind of device that a source records. Nil if there is none or there are several: a polled file
  /// may belong to any kind.
  private func kindIndex(of source: any SourceKind.Type) -> Int? {
    let indices = kinds.indices.filter { kinds[$0].sources.contains { $0 == source } }
    return indices.count == 1 ? indices.first : nil
  }

  func open(_ source: SourceSpec) throws -> [Source] {
    try SourceSpec.open([source], SourceContext(roots: roots, tell: { if let text = $0.text { Console.warn(text) } }))
      .flatMap { $0 }
  }

  func record(_ sources: [Source], for time: TimeSpan) throws -> DeviceRun {
    try DeviceRun.record(sources, for: time, interruption)
  }

  private static func measurement(_ name: String, _ run: DeviceRun) -> Measurement {
    Measurement(
      name: name,
      figures: [
        Figure("seconds", "seconds", run.seconds),
        Figure("readings", "readings", run.readings),
        Figure("readings_per_second", "readings/s", run.rate),
        Figure("cpu_us_per_reading", "CPU us per reading", run.cpuPerReading, decimals: 2),
        Figure("cpu_percent", "CPU, % of a core", run.cpuShare * 100, decimals: 2),
        Figure(
          "estimated_readings_per_second", "estimate of what a core can take, readings/s", run.ceiling, decimals: 0),
        Figure("fifo", "kernel's FIFO, readings", run.fifo?.capacity),
        Figure("watermark", "watermark", run.fifo?.watermark),
        Figure("highest", "peak fill", run.fifo?.highest),
        Figure("headroom_percent", "headroom, %", run.readings > 0 ? run.fifo?.headroom : nil),
      ], losses: run.losses)
  }
}
