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
    var isThere = false
    answer.withUnsafeBytes { bytes in
      // struct nlmsghdr, then struct ifinfomsg, then attributes.
      guard bytes.count > 32, bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == CANNetlink.newLink else {
        return
      }
      let length = min(bytes.count, Int(bytes.loadUnaligned(as: UInt32.self)))
      guard length > 32 else { return }
      CANNetlink.attributes(UnsafeRawBufferPointer(rebasing: bytes[32..<length])) { type, info in
        guard type == 18 else { return }  // IFLA_LINKINFO
        CANNetlink.attributes(info) { type, data in
          switch type {
          case 2:  // IFLA_INFO_DATA
            CANNetlink.attributes(data) { isThere = read($0, $1) || isThere }
          case 3 where data.count >= 24:  // IFLA_INFO_XSTATS: struct can_device_stats
            restarts = data.loadUnaligned(fromByteOffset: 20, as: UInt32.self)
          default: break
          }
        }
      }
    }
    if !isThere { return nil }
  }

  private mutating func read(_ type: UInt16, _ data: UnsafeRawBufferPointer) -> Bool {
    guard data.count >= 4 else { return false }
    let number = data.loadUnaligned(as: UInt32.self)
    switch type {
    case 1: bitRate = number  // IFLA_CAN_BITTIMING: struct can_bittiming
    case 4: state = number < Self.states.count ? Self.states[Int(number)] : nil
    case 6: restartDelay = number
    case 8:
      txErrors = data.loadUnaligned(as: UInt16.self)
      rxErrors = data.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
    case 9: dataBitRate = number == 0 ? nil : number
    default: return false
    }
    return true
  }
}

/// Asks the kernel about an interface (rtnetlink(7)).
enum CANNetlink {
  static let newLink: UInt16 = 16

  /// Calls a closure with each attribute. A malformed one ends it.
  static func attributes(_ bytes: UnsafeRawBufferPointer, _ body: (UInt16, UnsafeRawBufferPointer) -> Void) {
    var rest = bytes
    while rest.count >= 4 {
      let length = Int(rest.loadUnaligned(as: UInt16.self))
      guard (4...rest.count).contains(length) else { return }
      // The upper bits are flags.
      body(
        rest.loadUnaligned(fromByteOffset: 2, as: UInt16.self) & 0x3fff,
        UnsafeRawBufferPointer(rebasing: rest[4..<length]))
      rest = UnsafeRawBufferPointer(rebasing: rest[min(rest.count, (length + 3) & ~3)...])
    }
  }

  /// The answer of the kernel to RTM_GETLINK with the name of the interface.
  static func answer(about name: String) throws(SystemErrno) -> [UInt8] {
    let opened = try valueOrErrno { socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) }
    defer { closeFile(opened) }
    // The kernel answers within the call of send(2); the limit is for one that does not.
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(opened, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let attribute = Array(name.utf8) + [0]
    let padding = [UInt8](repeating: 0, count: (4 - attribute.count % 4) % 4)
    var request: [UInt8] = []
    func append<Number: FixedWidthInteger>(_ number: Number) { withUnsafeBytes(of: number) { request += $0 } }
    append(UInt32(16 + 16 + 4 + attribute.count + padding.count))
    append(UInt16(18))  // RTM_GETLINK
    append(UInt16(1))  // NLM_F_REQUEST
    append(UInt64(0))
    request += [UInt8](repeating: 0, count: 16)  // struct ifinfomsg
    append(UInt16(4 + attribute.count))
    append(UInt16(3))  // IFLA_IFNAME
    request += attribute + padding
    _ = try valueOrErrno { send(opened, request, request.count, 0) }
    var answer = [UInt8](repeating: 0, count: 32 << 10)
    let count = try valueOrErrno { recv(opened, &answer, answer.count, 0) }
    answer.removeLast(answer.count - count)
    return answer
  }
}
