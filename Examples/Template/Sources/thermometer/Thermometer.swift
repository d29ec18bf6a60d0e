import Foundation
import Sluice
import SluiceDevices
import SluiceExtras
import SluiceReadings
import Synchronization

/// A thermometer whose register is a file.
final class Thermometer: ReadingSource, Sendable {
  let streams: [StreamDescription]
  private let file: String
  private let loss = Mutex(Loss(reason: "not read", count: 0))

  init(_ file: String) throws(SluiceError) {
    self.file = file
    streams = [
      StreamDescription(
        name: "room",
        channels: [.init(name: "temp", unit: "°C", scale: ExactDecimal(significand: 625, exponent: -4))])
    ]
    guard register() != nil else {
      throw SluiceError(
        .failed, "read", file, because: "it is not two bytes long", remedy: "say which file has the register")
    }
  }

  /// 12 bits, high byte first, in sixteenths of a degree.
  private func register() -> Int64? {
    guard let bytes = FileManager.default.contents(atPath: file), bytes.count == 2 else { return nil }
    return Int64(Int16(bitPattern: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))) >> 4
  }

  func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    Publishers.timer(interval: .milliseconds(10)).ticks
      .compactMap { [self] tick -> Reading? in
        let value = register()
        // The timer misses ticks while there is no demand for readings.
        loss.withLock { $0.count += Int(tick.missed) + (value == nil ? 1 : 0) }
        return value.map { Reading(time: clock.now, stream: first, values: Values($0)) }
      }
      .setFailureType(to: SluiceError.self)
      .eraseToAnyPublisher()
  }

  var isWhole: Bool { true }
  var lossReport: LossReport { LossReport([loss.withLock { $0 }].filter { $0.count > 0 }, coverage: .all) }
}
