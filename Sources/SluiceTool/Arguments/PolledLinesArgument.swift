import ArgumentParser

/// Lines of a chip that are read again and again: `gpiochip0:3,4@10ms`.
struct PolledLinesArgument: ExpressibleByArgument, Hashable {
  let device: DeviceArgument
  let period: DurationArgument

  init?(argument: String) {
    guard let poll = PollArgument(argument: argument), let device = DeviceArgument(argument: poll.path),
      !device.parts.isEmpty
    else { return nil }
    self.device = device
    period = poll.period
  }
}
