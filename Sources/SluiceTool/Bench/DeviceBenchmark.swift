import SluiceDevices
import SluicePipeline
import SluiceReadings

/// What the devices of a board deliver, one after the other, and what that costs.
struct DeviceBenchmark {
  let devices: [SourceSpec]
  let roots: DeviceRoots
  let duration: TimeSpan
  let interruption: Interruption

  /// - Parameter sections: Gets what was measured, also where a device fails after others.
  func run(into sections: inout [BenchSection]) throws {
    var gpio = BenchSection(key: "gpio", title: "GPIO", layout: .columns, measurements: [])
    var iio = BenchSection(key: "iio", title: "IIO", layout: .columns, measurements: [])
    var rates = BenchSection(
      key: "iio_rates", title: "IIO rates", measurements: [],
      notes: ["missing scans were lost in the FIFO only where it was full; otherwise they were never taken"])
    defer { sections += [gpio, iio, rates].filter { !$0.measurements.isEmpty } }
    for argument in devices {
      let run = try record(argument, for: duration)
      switch argument.source {
      case let source as IIOSource:
        let device = source.device
        let rate = try IIODevice.find(device.device, roots: roots).samplingRate(
          trigger: argument.settings.triggerName.name, roots: roots)
        var measurement = Self.measurement(device, run)
        // A given rate is the only one measured.
        if argument.settings.sampleRate == nil, let rate {
          var ladder = RateLadder(rate)
          rates.measurements += try climb(&ladder, argument, device, &rates.notes)
          measurement.figures.append(
            Figure(
              "highest_hz_without_loss", "highest rate without loss, Hz", ladder.highest.flatMap(RateLadder.number),
              decimals: 3))
        }
        iio.measurements.append(measurement)
      case let source as GPIOSource: gpio.measurements.append(Self.measurement(source.device, run))
      default: break
      }
    }
  }

  private func record(_ argument: SourceSpec, for time: TimeSpan) throws -> DeviceRun {
    let sources = try SourceSpec.open([argument], SourceContext(roots: roots, say: Console.say))
    return try DeviceRun.record(sources, for: time, interruption)
  }

  /// Tries one rate after the other. Each is put back when its run ends.
  private func climb(
    _ ladder: inout RateLadder, _ argument: SourceSpec, _ device: DeviceSpec, _ notes: inout [String]
  ) throws -> [Measurement] {
    let time = TimeSpan(nanoseconds: min(duration.nanoseconds, 1_000_000_000))
    var rows: [Measurement] = []
    while let rate = ladder.current {
      var argument = argument
      argument.settings.sampleRate = rate
      let sources: [Source]
      do {
        sources = try SourceSpec.open([argument], SourceContext(roots: roots, say: Console.say))
      } catch {
        notes.append("\(Self.name(device)) is not tried any faster: \(error)")
        break
      }
      let run = try DeviceRun.record(sources, for: time, interruption)
      rows.append(Self.row("\(Self.name(device)) \(rate) Hz", run))
      ladder.report(lost: run.lost > 0)
    }
    return rows
  }

  // MARK: Figures

  private static func name(_ device: DeviceSpec) -> String {
    device.device + (device.parts.isEmpty ? "" : ":" + device.parts.joined(separator: ","))
  }

  private static func measurement(_ device: DeviceSpec, _ run: DeviceRun) -> Measurement {
    Measurement(
      name: name(device),
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
        Figure("headroom_percent", "headroom, %", run.fifo?.headroom),
      ], losses: run.losses)
  }

  private static func row(_ name: String, _ run: DeviceRun) -> Measurement {
    Measurement(
      name: name,
      figures: [
        Figure("scans_per_second", "scans/s", run.rate),
        Figure("missing", "missing", run.lost),
        Figure("cpu_us_per_scan", "CPU us per scan", run.cpuPerReading, decimals: 2),
        Figure("fifo", "FIFO", run.fifo?.capacity),
        Figure("highest", "peak fill", run.fifo?.highest),
      ])
  }
}
