import SluiceReadings
import SluiceSystem

/// A CAN interface of this machine, for `sluice list` and `sluice doctor`.
///
/// ```swift
/// for interface in CANInterface.list() { print(interface.name, interface.isUp, interface.link?.bitRate ?? 0) }
/// ```
public struct CANInterface: Hashable, Sendable {
  /// Its name, such as `can0`.
  public var name: String
  /// Whether it is set up.
  public var isUp: Bool
  /// What its controller says; nil for a virtual interface, which has none.
  public var link: Link?

  /// The state of a controller (include/uapi/linux/can/netlink.h).
  public struct Link: Hashable, Sendable {
    /// Bits per second; 0 if it is not set.
    public var bitRate: UInt32 = 0
    /// Bits per second in the data of CAN FD; nil if it is not set.
    public var dataBitRate: UInt32?
    /// `ERROR-ACTIVE`, `ERROR-WARNING`, `ERROR-PASSIVE`, `BUS-OFF`, `STOPPED` or `SLEEPING`; nil if it is not known.
    public var state: String?
    /// The milliseconds from a bus-off to the restart by the kernel; 0 if the kernel does not restart it.
    public var restartDelay: UInt32?
    /// The number of restarts; nil if the driver does not count them.
    public var restarts: UInt32?
    /// The error counters of the controller; nil if the driver does not say.
    public var txErrors, rxErrors: UInt16?

    /// Makes a state in which nothing is known.
    public init() {}
  }

  /// Describes an interface.
  public init(name: String, isUp: Bool, link: Link? = nil) {
    self.name = name
    self.isUp = isUp
    self.link = link
  }

  /// The interfaces in the order of their names.
  public static func list(roots: DeviceRoots = DeviceRoots()) -> [CANInterface] {
    let folder = SysfsFolder(path: "\(roots.sys)/class/net")
    return folder.entries.filter { folder.folder($0).readIfPresent("type") == "280" }.map { name in  // ARPHRD_CAN
      let flags = folder.folder(name).readIfPresent("flags").flatMap { UInt32($0.dropFirst(2), radix: 16) } ?? 0
      // The kernel knows nothing about the folder of a test.
      let link = roots.sys == "/sys" ? (try? CANNetlink.answer(about: name)).flatMap { Link(netlink: $0) } : nil
      return CANInterface(name: name, isUp: flags & 1 != 0, link: link)
    }
  }
}

extension CANInterface.Link {
  private static let states = ["ERROR-ACTIVE", "ERROR-WARNING", "ERROR-PASSIVE", "BUS-OFF", "STOPPED", "SLEEPING"]

  /// Reads an answer to RTM_GETLINK; nil if it has nothing about a controller.
  init?(netlink answer: [UInt8]) {
    self.init()
    let isThere = answer.withUnsafeBytes { bytes in
      guard let info = CANNetlink.attributes(bytes).flatMap({ CANNetlink.find(18, in: $0) }),  // IFLA_LINKINFO
        let data = CANNetlink.find(2, in: info)  // IFLA_INFO_DATA
      else { return false }
      func number(_ type: UInt16) -> UInt32? { CANNetlink.find(type, in: data)?.loadUnaligned(as: UInt32.self) }
      bitRate = number(1) ?? 0  // IFLA_CAN_BITTIMING: struct can_bittiming
      state = number(4).flatMap { $0 < Self.states.count ? Self.states[Int($0)] : nil }
      restartDelay = number(6)
      dataBitRate = number(9).flatMap { $0 == 0 ? nil : $0 }
      let counters = CANNetlink.find(8, in: data)  // struct can_berr_counter
      txErrors = counters?.loadUnaligned(as: UInt16.self)
      rxErrors = counters?.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
      // IFLA_INFO_XSTATS: struct can_device_stats
      if let statistics = CANNetlink.find(3, in: info), statistics.count >= 24 {
        restarts = statistics.loadUnaligned(fromByteOffset: 20, as: UInt32.self)
      }
      return [1, 4, 6, 8, 9].contains { CANNetlink.find($0, in: data) != nil }
    }
    if !isThere { return nil }
  }
}

/// Asks the kernel about an interface (rtnetlink(7)).
enum CANNetlink {
  /// The attributes of RTM_NEWLINK, behind struct nlmsghdr and struct ifinfomsg; nil for another message.
  static func attributes(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard bytes.count > 32, bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == 16 else { return nil }
    let length = min(bytes.count, Int(bytes.loadUnaligned(as: UInt32.self)))
    return length > 32 ? UnsafeRawBufferPointer(rebasing: bytes[32..<length]) : nil
  }

  /// The data of the first attribute of a type; nil if there is none, or less than 4 bytes of it. A malformed attribute is
  /// the end.
  static func find(_ type: UInt16, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var rest = bytes
    while rest.count >= 4 {
      let length = Int(rest.loadUnaligned(as: UInt16.self))
      guard (4...rest.count).contains(length) else { return nil }
      // The upper bits are flags.
      if rest.loadUnaligned(fromByteOffset: 2, as: UInt16.self) & 0x3fff == type {
        return length < 8 ? nil : UnsafeRawBufferPointer(rebasing: rest[4..<length])
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[min(rest.count, (length + 3) & ~3)...])
    }
    return nil
  }

  /// The answer of the kernel to RTM_GETLINK for an interface.
  static func answer(about name: String) throws(SystemErrno) -> [UInt8] {
    let opened = try valueOrErrno { socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) }
    defer { closeFile(opened) }
    // The kernel answers within the call of send(2); the limit is for one that does not.
    setSocketOption(opened, SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: 1, tv_usec: 0))
    // struct nlmsghdr with the length, RTM_GETLINK and NLM_F_REQUEST, then struct ifinfomsg with the index.
    var request: (UInt32, UInt16, UInt16, UInt64, UInt32, UInt32, UInt64) = (32, 18, 1, 0, 0, if_nametoindex(name), 0)
    _ = try valueOrErrno { send(opened, &request, 32, 0) }
    var answer = [UInt8](repeating: 0, count: 32 << 10)
    let count = try valueOrErrno { recv(opened, &answer, answer.count, 0) }
    return Array(answer[..<count])
  }
}
