import Sluice
import SluiceDevices
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// Some seconds of one device, with all steps of `sluice record` except the disk.
struct DeviceRun {
  let readings: Int
  let seconds: Double
  /// The CPU time of all threads.
  let cpuSeconds: Double
  let losses: [Loss]
  let fifo: FIFOUse?

  struct FIFOUse: Equatable {
    let capacity: Int
    let watermark: Int?
    let highest: Int

    /// The part of the FIFO that was never filled, in percent.
    var headroom: Double? { capacity > 0 ? Double(capacity - highest) / Double(capacity) * 100 : nil }
  }

  var rate: Double { seconds > 0 ? Double(readings) / seconds : 0 }
  /// The sum saturates: wrong times of a device can give counts that are too large for an `Int`.
  var lost: Int {
    losses.reduce(0) { sum, loss in
      let (more, overflow) = sum.addingReportingOverflow(loss.count)
      return overflow ? .max : more
    }
  }
  var cpuPerReading: Double? { readings > 0 ? cpuSeconds / Double(readings) * 1e6 : nil }
  /// The share of one core.
  var cpuShare: Double { seconds > 0 ? cpuSeconds / seconds : 0 }
  /// The rate that one core could take if each reading cost as much as these. At higher rates readings cost less.
  var ceiling: Double? { readings > 0 && cpuShare > 0 ? rate / cpuShare : nil }
}

extension DeviceRun {
  /// The time that is left out: threads and memory are made once, and are no cost of the readings.
  private static let start = TimeSpan(nanoseconds: 250_000_000)

  /// Records for this long, after a start in which only losses count.
  static func record(
    _ sources: [Source], for duration: TimeSpan, _ interruption: Interruption
  ) throws -> DeviceRun {
    let streams = sources.flatMap(\.streams)
    let events = RecordingEvents()
    let messages = events.publisher.sink { if case .failed(let error) = $0.kind { Console.printError(error) } }
    defer { messages.cancel() }
    let pipeline = try Pipeline(
      .devices(sources), [BufferStage(size: BufferSize(nil, for: streams, budget: BufferSize.budget).readings)],
      [.csv("/dev/null", layout: streams.count == 1 ? .wide : .long, existing: .overwrite)],
      events: events)
    pipeline.start()
    interruption.wait(for: start)
    let before = pipeline.received
    let stopwatch = Stopwatch()
    interruption.wait(for: duration)
    let (readings, wall, cpu) = (pipeline.received - before, stopwatch.wall, stopwatch.cpu)
    pipeline.stop()
    pipeline.wait()
    if !pipeline.errors.isEmpty { throw ExitCode(1) }  // `failed` has printed them
    try interruption.check()
    var losses = pipeline.losses
    losses.append(
      Loss(reason: "dropped (buffer full)", count: pipeline.dropped))
    return DeviceRun(
      readings: readings, seconds: Double(wall) / 1e9, cpuSeconds: Double(cpu) / 1e9, losses: losses,
      fifo: sources.lazy.compactMap(\.fifo).first.map {
        FIFOUse(capacity: $0.capacity, watermark: $0.watermark, highest: $0.highest)
      })
  }
}
