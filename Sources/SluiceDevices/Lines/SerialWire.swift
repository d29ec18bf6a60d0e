import Sluice
package import SluiceReadings
import SluiceSystem

/// A serial port.
///
/// The port is locked (flock(2), TIOCEXCL) and read without any change of its bytes. Its settings are restored at the end.
/// Drivers of real ports count what they lost (TIOCGICOUNT, include/uapi/linux/serial.h); a pseudo terminal does not.
package final class SerialWire: LineWire {
  /// The settings of a port.
  package struct Settings: Hashable, Sendable {
    /// Bits per second.
    package var rate: Int
    /// Data bits, parity and stop bits: `8N1`.
    package var frame = "8N1"
    /// Whether the lines DTR and RTS are set; nil leaves them as the kernel sets them, which is on.
    package var dtr, rts: Bool?

    package init(rate: Int) { self.rate = rate }

    /// The rates that every driver of Linux knows.
    package static let rates: [(rate: Int, code: Int)] = [
      (50, B50), (75, B75), (110, B110), (134, B134), (150, B150), (200, B200), (300, B300), (600, B600),
      (1_200, B1200),
      (1_800, B1800), (2_400, B2400), (4_800, B4800), (9_600, B9600), (19_200, B19200), (38_400, B38400),
      (57_600, B57600), (115_200, B115200), (230_400, B230400), (460_800, B460800), (500_000, B500000),
      (576_000, B576000), (921_600, B921600), (1_000_000, B1000000), (1_152_000, B1152000), (1_500_000, B1500000),
      (2_000_000, B2000000), (2_500_000, B2500000), (3_000_000, B3000000), (3_500_000, B3500000),
      (4_000_000, B4000000),
    ].map { ($0.0, Int($0.1)) }

    /// Whether a frame is one of `5N1` to `8E2`.
    package static func isFrame(_ text: String) -> Bool {
      let parts = Array(text)
      return parts.count == 3 && "5678".contains(parts[0]) && "NEO".contains(parts[1]) && "12".contains(parts[2])
    }
  }

  private let path: String
  private let settings: Settings
  private let calls: SerialCalls
  private var descriptor: Int32 = -1
  private var saved: termios?
  /// Any thread may ask for the losses.
  private let counted = Locked(Counted())

  private struct Counted {
    /// The descriptor, if its driver counts; -1 after it was closed.
    var descriptor: Int32?
    var begin = SerialCounts(), last = SerialCounts()
    /// What was counted before the port was removed.
    var earlier = SerialCounts()

    var all: SerialCounts {
      SerialCounts(
        frame: earlier.frame &+ last.frame &- begin.frame, overrun: earlier.overrun &+ last.overrun &- begin.overrun,
        parity: earlier.parity &+ last.parity &- begin.parity, buffer: earlier.buffer &+ last.buffer &- begin.buffer)
    }
  }

  package convenience init(_ path: String, _ settings: Settings) { self.init(path, settings, SerialCalls()) }

  init(_ path: String, _ settings: Settings, _ calls: SerialCalls) {
    (self.path, self.settings, self.calls) = (path, settings, calls)
  }

  package var title: String { "the serial port \(path)" }
  package var mayBeTorn: Bool { true }
  package var waits: Bool { false }
  /// The kernel keeps 4,095 bytes of a terminal at least (N_TTY_BUF_SIZE in drivers/tty/n_tty.c): nine times as many as
  /// come in this time at 460,800 bits per second.
  package var gathering: Int32 { settings.rate <= 460_800 ? 10 : 1 }
  package var descriptors: [Int32] { descriptor < 0 ? [] : [descriptor] }

  package func open(isInterrupted: () -> Bool) throws(SluiceError) {
    do throws(SystemErrno) {
      descriptor = try openFile(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    } catch {
      let remedy =
        switch error.code {
        case EACCES: "add yourself to the group of the port (ls -l \(path)), mostly dialout, and log in again"
        case ENOENT: "connect it, and find its name with: ls /dev/tty*"
        case EBUSY: "end the program that uses it (fuser \(path))"
        default: "see what the kernel says about it: dmesg"
        }
      throw SluiceError("open", title, errno: error.code, remedy: remedy)
    }
    do throws(SluiceError) {
      try setUp()
    } catch {
      close()
      throw error
    }
  }

  private func setUp() throws(SluiceError) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw SluiceError(
        .busy, "open", title, because: "another program has locked it", remedy: "end that program (fuser \(path))")
    }
    var now = termios()
    guard calls.settings(descriptor, &now) == 0 else {
      throw SluiceError("set up", title, errno: errno, remedy: "give the file of a serial port, such as /dev/ttyUSB0")
    }
    saved = now
    var nothing: Int32 = 0
    _ = calls.request(descriptor, UInt(TIOCEXCL), &nothing)
    cfmakeraw(&now)
    now.c_cflag &= ~(tcflag_t(PARENB | PARODD | CSTOPB) | tcflag_t(0o20_000_000_000))  // and CRTSCTS
    now.c_cflag |= tcflag_t(CREAD | CLOCAL)
    let frame = Array(settings.frame)
    let bits = [tcflag_t(CS5), tcflag_t(CS6), tcflag_t(CS7), tcflag_t(CS8)]
    now.c_cflag = now.c_cflag & ~tcflag_t(CSIZE) | bits[(frame[0].wholeNumberValue ?? 8) - 5]
    if frame[1] != "N" { now.c_cflag |= tcflag_t(PARENB) }
    if frame[1] == "O" { now.c_cflag |= tcflag_t(PARODD) }
    if frame[2] == "2" { now.c_cflag |= tcflag_t(CSTOPB) }
    // Closing the port would drop DTR, which restarts many boards.
    if settings.dtr == false { now.c_cflag &= ~tcflag_t(HUPCL) }
    guard let code = Settings.rates.first(where: { $0.rate == settings.rate })?.code else {
      throw SluiceError(.unsupported, "set up", title, because: "\(settings.rate) is not a rate that Linux names")
    }
    cfsetispeed(&now, speed_t(code))
    cfsetospeed(&now, speed_t(code))
    // What was received at another rate is dropped.
    guard calls.set(descriptor, TCSAFLUSH, &now) == 0 else {
      throw SluiceError("set up", title, errno: errno, remedy: "give a rate and a frame that its driver has")
    }
    for (isSet, bit) in [(settings.dtr, TIOCM_DTR), (settings.rts, TIOCM_RTS)] {
      guard let isSet else { continue }
      var bits = Int32(bit)
      _ = calls.request(descriptor, UInt(isSet ? TIOCMBIS : TIOCMBIC), &bits)
    }
    counted.withLock { [descriptor, calls] in
      guard let counts = calls.counts(descriptor) else { return $0.descriptor = nil }
      $0.earlier = $0.all
      ($0.descriptor, $0.begin, $0.last) = (descriptor, counts, counts)
    }
  }

  package func read(
    _ ready: [Bool], into bytes: UnsafeMutableRawBufferPointer
  ) throws(SluiceError) -> LineRead {
    var code = EIO
    do throws(SystemErrno) {
      guard let count = try readWithoutWaiting(descriptor, into: bytes) else { return .nothing }
      if count > 0 { return .bytes(count) }
      // If VMIN is 0, a read of a port that is there may be empty too.
      if ready.first != true { return .nothing }
    } catch {
      code = error.code
    }
    guard [EIO, ENXIO, ENODEV, EBADF].contains(code) else { throw SluiceError("read", title, errno: code) }
    throw SluiceError(
      .disconnected, "read", title, because: "it was removed",
      remedy: "connect it and start the recording again, or let the key reconnect wait for it", errno: code)
  }

  // MARK: Losses

  package var losses: [Loss] {
    let all = counted.withLock { [calls] counted in
      if let descriptor = counted.descriptor, descriptor >= 0, let now = calls.counts(descriptor) { counted.last = now }
      return counted.all
    }
    return [
      ("bytes with framing errors", all.frame), ("bytes with parity errors", all.parity),
      ("overruns of the port", all.overrun), ("overruns of the kernel's buffer", all.buffer),
    ].filter { $0.1 != 0 }.map {
      Loss(reason: $0.0, count: Int(UInt32(bitPattern: $0.1)), countsReadings: false, isUncounted: true)
    }
  }

  package var coverage: LossReport {
    counted.withLock { $0.descriptor } == nil
      ? LossReport(coverage: .none, reason: "with a driver that counts no errors", remedy: "use lines with checksums")
      : LossReport(coverage: .some)
  }

  package func close() {
    guard descriptor >= 0 else { return }
    _ = losses
    counted.withLock { $0.descriptor = $0.descriptor == nil ? nil : -1 }
    if var saved {
      if settings.dtr == false { saved.c_cflag &= ~tcflag_t(HUPCL) }
      _ = calls.set(descriptor, TCSANOW, &saved)
      var nothing: Int32 = 0
      _ = calls.request(descriptor, UInt(TIOCNXCL), &nothing)
    }
    // If another program has locked the port when it is back, the settings of that program must stay.
    saved = nil
    closeFile(descriptor)
    descriptor = -1
  }
}

extension SerialWire.Settings {
  /// The bytes that the kernel keeps of a terminal at least (N_TTY_BUF_SIZE in drivers/tty/n_tty.c). A byte takes ten bits.
  package var kernelQueue: KernelQueue { .bytes(capacity: 4_095, perSecond: max(1, rate / 10)) }
}
