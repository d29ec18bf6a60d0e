import SluiceSystem

/// The system calls for the settings and the counters of a serial port. Tests replace them, because a pseudo terminal
/// counts nothing.
struct SerialCalls: Sendable {
  /// ioctl(2)
  var request: DeviceRequest = { ioctl($0, $1, $2) }
  /// tcgetattr(3)
  var settings: @Sendable (_ descriptor: Int32, _ settings: UnsafeMutablePointer<termios>) -> Int32 = {
    tcgetattr($0, $1)
  }
  /// tcsetattr(3)
  var set: @Sendable (_ descriptor: Int32, _ when: Int32, _ settings: UnsafePointer<termios>) -> Int32 = {
    tcsetattr($0, $1, $2)
  }

  /// TIOCGICOUNT: what the driver has counted so far; nil if it does not count.
  func counts(_ descriptor: Int32) -> SerialCounts? {
    // cts, dsr, rng, dcd, rx, tx, frame, overrun, parity, brk, buf_overrun, and nine more.
    var counts = [Int32](repeating: 0, count: 20)
    guard request(descriptor, UInt(TIOCGICOUNT), &counts) == 0 else { return nil }
    return SerialCounts(frame: counts[6], overrun: counts[7], parity: counts[8], buffer: counts[10])
  }
}

/// The members of `struct serial_icounter_struct` that are losses (include/uapi/linux/serial.h). They wrap.
struct SerialCounts: Equatable {
  var frame: Int32 = 0, overrun: Int32 = 0, parity: Int32 = 0, buffer: Int32 = 0
}
