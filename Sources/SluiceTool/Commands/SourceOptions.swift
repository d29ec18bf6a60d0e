import ArgumentParser
import Dispatch
import Sluice
import SluiceDevices
import SluiceDispatch
import SluiceRecording

/// What to record.
struct SourceOptions: ParsableArguments {
  @OptionGroup var devices: DeviceOptions

  @Option(
    help: ArgumentHelp("The ticks of a timer of a PERIOD such as 10ms, for trying things out.", valueName: "PERIOD"))
  var timer: [DurationArgument] = []

  @Option(
    help: ArgumentHelp(
      "The number in a file, read every PERIOD such as 1s; also hwmon:CHIP:SENSOR, thermal:TYPE, iio:DEVICE:CHANNEL.",
      valueName: "FILE@PERIOD"))
  var poll: [PollArgument] = []

  @Flag(help: "Write V, degrees and tesla instead of the kernel's mV, m°C and gauss; for --iio and --poll.")
  var si = false

  func validate() throws {
    guard !(devices.isEmpty && timer.isEmpty && poll.isEmpty) else {
      throw ValidationError(
        "say what to record: --gpio, --gpio-name, --gpio-values, --iio, --iio-events, --timer or --poll; "
          + "'sluice list' shows the devices")
    }
    if devices.isEmpty, poll.isEmpty, !devices.root.isEmpty {
      throw ValidationError("--root is for GPIO, --iio, --iio-events and --poll")
    }
    if si, devices.iio.isEmpty, poll.isEmpty { throw ValidationError("--si is for --iio and --poll") }
  }

  /// Opens everything, or nothing.
  func open() throws(SluiceError) -> [Source] {
    var sources: [Source] = []
    for device in devices.gpio { sources.append(try devices.source(gpio: device)) }
    for names in devices.gpioName { sources += try devices.sources(named: names) }
    for lines in devices.gpioValues { sources.append(try devices.source(values: lines)) }
    // Before the scans, since they open the device for a moment, which only one may do.
    for device in devices.iioEvents { sources.append(try devices.source(iioEvents: device)) }
    for device in devices.iio { sources.append(try devices.source(iio: device, inSI: si)) }
    for period in timer { sources.append(Self.source(timer: period)) }
    // Before polled files, which may hold any decimal.
    for index in sources.indices { sources[index].isWhole = true }
    for file in poll { sources.append(try source(poll: file)) }
    return sources
  }

  /// A reading a tick: its number, so that missed ones show.
  private static func source(timer period: DurationArgument) -> Source {
    let missed = MissedTicks()
    let name = "timer \(period.defaultValueDescription)"
    return Source(
      streams: [StreamDescription(name: name, channels: [StreamDescription.Channel(name: "tick")])],
      publisher: { stream, clock in
        Publishers.timer(interval: .nanoseconds(Int(period.nanoseconds))).ticks
          .map { tick in
            let time = clock.time(monotonic: tick.time.uptimeNanoseconds)
            if tick.missed > 0 { missed.add(Int(clamping: tick.missed), at: time) }
            return Reading(
              time: time, stream: stream,
              values: Values(Int64(clamping: tick.number)), flags: tick.missed > 0 ? .gapBefore : [])
          }
          .setFailureType(to: SluiceError.self)
          .eraseToAnyPublisher()
      },
      losses: { [missed.loss] })
  }

  private func source(poll file: PollArgument) throws(SluiceError) -> Source {
    let path = try PolledAttributes.path(of: file.path, roots: devices.roots)
    var attribute = try Publishers.PolledAttribute(
      path: path, every: .nanoseconds(Int(file.period.nanoseconds)), inSI: si)
    attribute.whenFailed = { printLine("sluice: \($0); it is tried again") }
    return Source(
      streams: [attribute.description],
      publisher: { [attribute] in attribute.stream($0, clock: $1).eraseToAnyPublisher() },
      losses: { [attribute] in attribute.losses.all.map(Loss.init) })
  }
}

/// Counted by one thread and read by another.
private final class MissedTicks: Sendable {
  private let state = Locked(Loss(label: "ticks missed", count: 0))

  func add(_ count: Int, at time: Int64) {
    state.withLock { loss in
      loss.count += count
      loss.first = loss.first ?? time
      loss.last = time
    }
  }

  var loss: Loss { state.withLock { $0 } }
}
