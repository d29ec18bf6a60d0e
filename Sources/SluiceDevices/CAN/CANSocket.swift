import SluiceCAN
import SluiceReadings
import SluiceSystem

/// A socket of SocketCAN (include/uapi/linux/can/raw.h). Macros and structures that Swift cannot import are numbers here,
/// which are the same on all machines but Alpha, MIPS, PA-RISC and SPARC.
struct CANSocket {
  static let level: Int32 = 101  // SOL_CAN_RAW
  private static let (filter, errorFilter, frames): (Int32, Int32, Int32) = (1, 2, 5)
  /// Half the size of the buffer, because the kernel doubles it. The buffer holds the frames of more than a second at
  /// 8,000 frames per second. Without CAP_NET_ADMIN the kernel gives at most what `net.core.rmem_max` allows.
  static let buffer: Int32 = 4 << 20

  let descriptor: Int32
  /// The largest number of frames that its buffer may have, and a number that it has room for: one takes 768 bytes.
  let (capacity, room): (Int, Int)

  /// Opens a socket for an interface that is up.
  init(_ interface: String, _ options: CANOptions) throws(SluiceError) {
    let title = "the CAN interface \(interface)"
    let index = if_nametoindex(interface)
    guard index != 0, interface.utf8.count < 16 else {
      throw SluiceError(
        .notFound, "open", title, because: "there is none of this name", remedy: "look at the names in sluice list can")
    }
    let opened = socket(29, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 1)  // PF_CAN, CAN_RAW
    guard opened >= 0 else {
      let isMissing = errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT
      throw SluiceError(
        "open", title, errno: errno,
        remedy: isMissing
          ? "load the kernel's module: modprobe can-raw" : "let this process open more files (ulimit -n)")
    }
    do throws(SluiceError) {
      try Self.set(opened, options, title)
      Self.prepare(opened, options)
      // struct sockaddr_can: the family, and the index of the interface behind two bytes.
      var address: (UInt16, UInt16, UInt32, UInt64, UInt64) = (29, 0, index, 0, 0)
      let bound = withUnsafeBytes(of: &address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { bind(opened, $0.baseAddress, 24) }
      }
      guard bound == 0 else {
        throw SluiceError(
          "open", title, errno: errno, remedy: "record an interface of type can or vcan: sluice list can")
      }
      // The socket has an error at once if the interface is down (`raw_bind` in net/can/raw.c).
      var (code, length) = (Int32(0), socklen_t(4))
      getsockopt(opened, SOL_SOCKET, SO_ERROR, &code, &length)
      if code != 0 { throw Self.down("open", title, interface) }
    } catch {
      closeFile(opened)
      throw error
    }
    self.init(prepared: opened)
  }

  /// Takes a socket that is open: for tests, one end of a pair.
  init(descriptor: Int32, _ options: CANOptions) {
    Self.prepare(descriptor, options)
    self.init(prepared: descriptor)
  }

  private init(prepared descriptor: Int32) {
    self.descriptor = descriptor
    var (size, length) = (Int32(0), socklen_t(4))
    getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, &length)
    (capacity, room) = (max(1_024, Int(size) / 256), max(64, Int(size) / 1_024))
  }

  /// Sets the buffer, and what the kernel says with each frame. It comes before the socket is bound, because a busy bus
  /// fills it at once.
  private static func prepare(_ descriptor: Int32, _ options: CANOptions) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    SocketReceipt.request(of: descriptor, buffer: buffer)
    // SOF_TIMESTAMPING_RX_HARDWARE and _RAW_HARDWARE (include/uapi/linux/net_tstamp.h).
    if options.clock == .hardware {
      setSocketOption(descriptor, SOL_SOCKET, SocketReceipt.hardwareTimes, Int32(1 << 2 | 1 << 6))
    }
  }

  /// Sets what must be set before the socket is bound, so that no unwanted frame comes.
  private static func set(_ opened: Int32, _ options: CANOptions, _ title: String) throws(SluiceError) {
    setSocketOption(opened, level, errorFilter, CANFrame.extendedMask)
    if options.hasFD, !setSocketOption(opened, level, frames, Int32(1)) {
      throw SluiceError("receive CAN FD from", title, errno: errno, remedy: "leave out fd")
    }
    guard !options.filters.isEmpty else { return }
    let filters = options.filters.map { filter in
      // Otherwise a filter of a standard identifier lets extended ones pass.
      let flag = CANFrame.extendedFlag
      return UInt64(filter.id | (filter.isExtended ? flag : 0)).littleEndian | UInt64(filter.mask | flag) << 32
    }
    guard filters.withUnsafeBytes({ setsockopt(opened, level, Self.filter, $0.baseAddress, socklen_t($0.count)) }) == 0
    else {
      throw SluiceError("filter the frames of", title, errno: errno, remedy: "give at most 512 identifiers, or masks")
    }
  }

  /// The error of an interface that is down.
  static func down(_ action: String, _ title: String, _ interface: String, _ code: Int32 = ENETDOWN) -> SluiceError {
    let isVirtual = interface.hasPrefix("v")
    return SluiceError(
      .disconnected, action, title, because: "the interface is down",
      remedy:
        "set it up: ip link set \(interface) up\(isVirtual ? "" : " type can bitrate 500000, with the bit rate of the bus")",
      errno: code)
  }
}

extension CANOptions {
  /// The frames that the kernel keeps at least, whoever records.
  package static var kernelQueue: KernelQueue { .socket(buffer: CANSocket.buffer) }
}
