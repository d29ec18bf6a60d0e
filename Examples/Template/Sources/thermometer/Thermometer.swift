import Dispatch
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
  private let period: DispatchTimeInterval
  private let state = Mutex(State())

  private struct State {
    var losses: [Loss] = []
    var isAfterGap = false

    mutating func lose(_ count: Int, _ reason: String, at time: Int64) {
      guard count > 0 else { return }
      isAfterGap = true
      guard let known = losses.firstIndex(where: { $0.reason == reason }) else {
        return losses.append(Loss(reason: reason, count: count, first: time, last: time))
      }
      losses[known].count += count
      losses[known].last = time
    }
  }

  init(_ file: String, every period: DispatchTimeInterval = .milliseconds(10)) throws(SluiceError) {
    (self.file, self.period) = (file, period)
    streams = [
      StreamDescription(
        name: "room",
        channels: [.init(name: "temp", unit: "°C", scale: ExactDecimal(significand: 625, exponent: -4))])
    ]
    guard register() != nil else {
      throw SluiceError(
        .failed, "read", file, because: "it cannot be read, or does not have two bytes",
        remedy: "say which file has the register")
    }
  }

  /// 12 bits, high byte first, in sixteenths of a degree.
  private func register() -> Int64? {
    guard let bytes = FileManager.default.contents(atPath: file), bytes.count == 2 else { return nil }
    return Int64(Int16(bitPattern: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))) >> 4
  }

  func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    Publishers.timer(interval: period).ticks
      .compactMap { [self] tick -> Reading? in
        let (time, value) = (clock.now, register())
        return state.withLock { state in
          // The timer misses ticks while there is no demand for readings, or while the machine is busy.
          state.lose(Int(tick.missed), "ticks missed", at: time)
          guard let value else {
            state.lose(1, "not read", at: time)
            return nil
          }
          defer { state.isAfterGap = false }
          return Reading(time: time, stream: first, values: Values(value), flags: state.isAfterGap ? .gapBefore : [])
        }
      }
      .setFailureType(to: SluiceError.self)
      .eraseToAnyPublisher()
  }

  var isWhole: Bool { true }
  var lossReport: LossReport { LossReport(state.withLock { $0.losses }, coverage: .all) }
}
