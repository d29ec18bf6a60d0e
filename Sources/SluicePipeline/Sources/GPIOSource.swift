import Sluice
import SluiceDevices
import SluiceReadings

extension Source {
  /// The edges of lines of one chip, a stream for each line.
  package static func edges(
    of lines: GPIOLines, _ settings: SourceSettings, _ context: SourceContext
  ) throws(SluiceError) -> Source {
    var options = GPIOOptions()
    options.edges = settings.edges ?? .both
    options.bias = settings.bias ?? .asIs
    options.isActiveLow = settings.activeLow ?? false
    options.debounce = settings.debounce.map { UInt32(clamping: $0.nanoseconds / 1_000) }
    options.fifo = settings.fifo.map { UInt32(clamping: $0) }
    options.clock = settings.eventClock ?? .monotonic
    options.hasInitialLevel = settings.initialLevel ?? false
    let edges = try Publishers.GPIOEdges(
      lines, options: options, consumer: settings.consumer ?? "sluice", root: context.roots.dev,
      whenRemoved: settings.whenRemoved(lines.chip ?? lines.lines.joined(separator: ","), context.say))
    return Source(
      streams: edges.streams,
      publisher: { edges.streams(from: $0, clock: $1).eraseToAnyPublisher() },
      finish: { edges.finish() },
      fifo: edges.fifo,
      closed: { edges.teardown.wait() }
    ).accounting(for: edges.losses)
  }

  /// The levels of lines of one chip, read again and again.
  package static func values(
    of lines: PolledLines, _ settings: SourceSettings, _ context: SourceContext
  ) throws(SluiceError) -> Source {
    let chip = lines.device.device
    var values = try Publishers.GPIOValues(
      GPIOLines(chip: chip, lines: lines.device.parts), every: .nanoseconds(Int(lines.period.nanoseconds)),
      bias: settings.bias ?? .asIs, isActiveLow: settings.activeLow ?? false, consumer: settings.consumer ?? "sluice",
      root: context.roots.dev, whenRemoved: settings.whenRemoved(chip, context.say))
    values.whenFailed = { [say = context.say] in say("\($0); trying again") }
    return Source(
      streams: [values.description],
      publisher: { [values] in values.stream($0, clock: $1).eraseToAnyPublisher() },
      closed: { [teardown = values.teardown] in teardown.wait() }
    ).accounting(for: values.losses)
  }
}

extension SourceSettings {
  /// Says that a chip or device was removed, and that it is back; nil where that is an error.
  package func whenRemoved(_ name: String, _ say: @escaping @Sendable (String) -> Void) -> (
    @Sendable (SluiceError?) -> Void
  )? {
    guard reconnect ?? false else { return nil }
    return { error in
      switch error?.code {
      case nil: say("\(name) is back")
      case .disconnected?:
        let device = error?.object ?? name
        say("\(device.contains(name) ? device : "\(device) (\(name))") was removed; waiting for it")
      default: say("still waiting for \(name): \(error.map(\.description) ?? "")")
      }
    }
  }
}
