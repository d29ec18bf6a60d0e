/// Lines of a chip that are read again and again: `gpiochip0:3,4@10ms`.
package struct PolledLines: Hashable {
  package let device: DeviceSpec
  package let period: TimeSpan

  package init?(_ argument: String) {
    guard let poll = PolledFile(argument), let device = DeviceSpec(poll.path),
      !device.parts.isEmpty
    else { return nil }
    self.device = device
    period = poll.period
  }
}
