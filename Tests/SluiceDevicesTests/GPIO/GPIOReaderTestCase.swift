#if SLUICE_GPIO
  import Dispatch
  import Sluice
  import SluiceReadings
  import XCTest

  @testable import SluiceDevices

  /// `struct gpio_v2_line_event` of the kernel's <linux/gpio.h>.
  struct KernelEvent {
    var timestamp: UInt64 = 0
    var id: UInt32 = 0  // 1 rising, 2 falling
    var offset: UInt32 = 0
    var seqno: UInt32 = 0
    var lineSeqno: UInt32 = 0
    var padding: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0, 0)
  }

  /// A reader whose edges are written in the kernel's format into sockets of packets.
  class GPIOReaderTestCase: XCTestCase {
    func request(_ descriptors: Int32..., lines: [UInt32], initial: [Bool]? = nil) -> GPIORequest {
      var options = GPIOOptions()
      options.hasInitialLevel = initial != nil
      return GPIORequest(
        descriptors: descriptors,
        lines: lines.map {
          GPIOLineInfo(offset: $0, name: nil, consumer: nil, isOutput: false, isActiveLow: false)
        }, options: options, chipName: "fixture",
        initial: initial.map { GPIORequest.InitialLevels(time: 500, end: 520, levels: $0) })
    }

    func events(_ descriptor: Int32, _ events: [(time: UInt64, rising: Bool, line: UInt32, seqno: UInt32)]) {
      var numbers: [UInt32: UInt32] = [:]
      let packet = events.map { event in
        numbers[event.line, default: 0] += 1
        return KernelEvent(
          timestamp: event.time, id: event.rising ? 1 : 2, offset: event.line, seqno: event.seqno,
          lineSeqno: numbers[event.line, default: 0])
      }
      XCTAssertGreaterThan(packet.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }, 0)
    }

    func read(
      _ reader: GPIOReader, ready: Bool = true, limit: Int = 99
    ) throws -> [Reading] {
      var batch: [Reading] = []
      try reader.read(ready: reader.descriptors.map { _ in ready }, limit: limit, into: &batch)
      return batch
    }

    func makeEnds() -> (reading: Int32, feeding: Int32) {
      var ends: [Int32] = [-1, -1]
      XCTAssertEqual(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends), 0)
      return (ends[0], ends[1])
    }
  }
#endif
