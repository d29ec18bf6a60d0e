import Sluice
import SluiceDevices
import SluiceReadings

extension Source {
  /// The scans of a device.
  /// - Parameter makesTrigger: Whether a trigger `hrtimer:NAME` is to be made; others use one that was made before.
  package static func scans(
    of device: DeviceSpec, _ settings: SourceSettings, makesTrigger: Bool = true, _ context: SourceContext
  ) throws(SluiceError) -> Source {
    var options = IIOOptions()
    options.samplingFrequency = settings.sampleRate
    let (trigger, isNew) = settings.triggerName
    options.trigger = trigger
    options.makesTrigger = isNew && makesTrigger
    options.watermark = settings.watermark
    options.latency = settings.latency?.nanoseconds
    options.length = settings.length
    options.inSI = settings.si ?? false
    let scans = try Publishers.IIOScans(
      device: device.device, channels: device.parts, options: options, roots: context.roots,
      whenRemoved: settings.whenRemoved(device.device, context.say))
    report(scans.restored, context.say)
    return Source(
      streams: [scans.description],
      // Up to a watermark that was given scans may wait for a second.
      lateness: 200_000_000 + (options.latency ?? (options.watermark == nil ? 50_000_000 : 1_000_000_000)),
      publisher: { scans.stream($0, clock: $1).eraseToAnyPublisher() },
      finish: { scans.finish() },
      fifo: scans.fifo,
      closed: { scans.teardown.wait() }
    ).accounting(for: scans.losses)
  }

  /// The events of a device, a stream for each.
  package static func events(
    of device: DeviceSpec, _ settings: SourceSettings, _ context: SourceContext
  ) throws(SluiceError) -> Source {
    let events = try Publishers.IIOEvents(
      device: device.device, events: device.parts, roots: context.roots,
      whenRemoved: settings.whenRemoved(device.device, context.say))
    report(events.restored, context.say)
    return Source(
      streams: events.streams,
      publisher: { events.streams(from: $0, clock: $1).eraseToAnyPublisher() },
      finish: { events.finish() },
      closed: { events.teardown.wait() }
    ).accounting(for: events.losses)
  }

  private static func report(_ restored: [IIOState], _ say: (String) -> Void) {
    for state in restored {
      let failure = state.failure.map { ", but \($0)" } ?? ""
      say("restored \(state), which an interrupted recording had left configured\(failure)")
    }
  }
}

extension SourceSettings {
  /// The name of the trigger, and whether it is to be made.
  package var triggerName: (name: String?, isNew: Bool) {
    let prefix = "hrtimer:"
    guard let trigger, trigger.hasPrefix(prefix) else { return (trigger, false) }
    return (String(trigger.dropFirst(prefix.count)), true)
  }
}
