import Foundation
import Sluice
import SluiceCAN
import SluiceSystem

@testable import SluiceDevices

/// A pair of connected sockets in the place of an interface: what is sent are frames of the kernel.
final class CANSocketPair: Sendable {
  let sending: Int32
  let receiving: Int32

  /// Of UNIX sockets, which never drop.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0 else { return nil }
    (sending, receiving) = (ends[0], ends[1])
  }

  /// Of UDP sockets, which drop and count like those of CAN.
  init?(udp: Void) {
    (sending, receiving) = (
      socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0), socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    )
    var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(receiving, $0, length) == 0 && getsockname(receiving, $0, &length) == 0
          && connect(sending, $0, length) == 0
      }
    }
    guard isConnected else { return nil }
  }

  deinit { close(sending) }

  /// Sends a frame with an identifier as the kernel has it.
  @discardableResult
  func send(_ id: UInt32, _ bytes: [UInt8], isFD: Bool = false) -> Bool {
    var frame = withUnsafeBytes(of: id) { Array($0) } + [UInt8(bytes.count), 0, 0, 0] + bytes
    frame += [UInt8](repeating: 0, count: (isFD ? CANFrame.sizeFD : CANFrame.size) - frame.count)
    return SluiceSystem.send(sending, frame, frame.count, 0) == frame.count
  }

  /// The interface `can0` with this socket.
  func frames(_ messages: [CANMessage] = [], _ options: CANOptions = CANOptions()) throws -> Publishers.CANFrames {
    try Publishers.CANFrames(interface: "can0", messages, options) { [receiving] in
      CANSocket(descriptor: receiving, options)
    }
  }
}
