import SluiceReadings
import SluiceSystem

/// An edge of the pulses, with its bit in the mode of a device (include/uapi/linux/pps.h).
enum PPSEdge: Int32, CaseIterable {
  case assert = 1
  case clear = 2
}

/// An open PPS device.
final class PPSSession {
  let device: PPSDevice
  /// The edges that the device captures.
  let edges: [PPSEdge]
  private let path: String
  private let request: DeviceRequest
  private var descriptor: Int32
  /// The settings before this recording changed them.
  private var restored: Parameters?

  /// `struct pps_ktime`.
  struct Time {
    var seconds: Int64 = 0
    var nanoseconds: Int32 = 0
    var flags: UInt32 = 0
  }

  /// `struct pps_fdata`: the last edge of each kind, and how long to wait for another one.
  struct Fetched {
    var assertSequence: UInt32 = 0
    var clearSequence: UInt32 = 0
    var assert = Time()
    var clear = Time()
    var mode: Int32 = 0
    var timeout = Time()

    func sequence(_ edge: PPSEdge) -> UInt32 { edge == .assert ? assertSequence : clearSequence }
    /// The time of the last edge by the wall clock.
    func time(_ edge: PPSEdge) -> Int64 {
      let time = edge == .assert ? assert : clear
      return time.seconds &* 1_000_000_000 &+ Int64(time.nanoseconds)
    }
  }

  /// `struct pps_kparams`.
  private struct Parameters {
    var version: Int32 = 1
    var mode: Int32 = 0
    var assertOffset = Time()
    var clearOffset = Time()
  }

  init(_ device: PPSDevice, _ roots: DeviceRoots, _ request: @escaping DeviceRequest) throws(SluiceError) {
    (self.device, self.request, path) = (device, request, device.path(roots))
    let descriptor = try device.open(roots)
    self.descriptor = descriptor
    var capabilities: Int32 = 0
    var parameters = Parameters()
    // `PPS_GETCAP`, `PPS_GETPARAMS`.
    guard request(descriptor, Self.code(2, 0xa3), &capabilities) >= 0,
      request(descriptor, Self.code(2, 0xa1), &parameters) >= 0
    else {
      let code = errno
      closeFile(descriptor)
      throw SluiceError("get the mode (PPS_GETPARAMS) of", path, errno: code, remedy: SysfsFolder.driverRemedy)
    }
    // `PPS_SETPARAMS`, which only root may use. Without it, `edges` are those that the device captures already.
    var wanted = parameters
    wanted.mode |= capabilities & 3
    if wanted.mode != parameters.mode, request(descriptor, Self.code(1, 0xa2), &wanted) >= 0 {
      restored = parameters
    } else {
      wanted = parameters
    }
    edges = PPSEdge.allCases.filter { wanted.mode & $0.rawValue != 0 }
    guard edges.isEmpty else { return }
    closeFile(descriptor)
    throw SluiceError(
      .unsupported, "record", device.title, because: "it captures neither edge of its pulses",
      remedy: "run sluice as root, so that it makes the device capture them")
  }

  deinit { close() }

  func close() {
    guard descriptor >= 0 else { return }
    if var restored { _ = request(descriptor, Self.code(1, 0xa2), &restored) }
    closeFile(descriptor)
    descriptor = -1
  }

  /// `_IOR('p', number, T *)`, which has the size of the pointer.
  /// - Parameter direction: 1 to write, 2 to read, 3 for both.
  private static func code(_ direction: UInt, _ number: UInt) -> UInt {
    direction << 30 | UInt(MemoryLayout<UInt>.size) << 16 | 0x7000 | number
  }

  /// `PPS_FETCH`: the last edges.
  /// - Parameter milliseconds: How long to wait for another edge.
  /// - Returns: Nil if none came.
  func fetch(waiting milliseconds: Int32) throws(SluiceError) -> Fetched? {
    var fetched = Fetched()
    fetched.timeout.nanoseconds = milliseconds * 1_000_000
    if request(descriptor, Self.code(3, 0xa4), &fetched) >= 0 { return fetched }
    let code = errno
    // A removed device gives no more edges, and no error.
    guard code == ETIMEDOUT || code == EINTR, access(path, F_OK) == 0 else {
      let isRemoved = code == ETIMEDOUT || code == EINTR || code == ENODEV
      guard isRemoved else {
        throw SluiceError("read (PPS_FETCH)", path, errno: code, remedy: SysfsFolder.driverRemedy)
      }
      throw SluiceError(
        .disconnected, "read", device.title, because: "the device was removed",
        remedy: "connect it and start the recording again", errno: code)
    }
    return nil
  }
}
