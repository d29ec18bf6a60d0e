package import SluiceReadings

/// The values and times of a simulated sensor. They are the same for the same seed on every machine.
package struct SimulatedSensor: Hashable, Sendable {
  package enum Model: String, CaseIterable, Sendable {
    /// Acceleration and angular rate of a swaying body, with noise, at a fixed rate.
    case imu
    /// The contact of an electricity meter: pulses of a changing load, with occasional bursts of contact bounce.
    case meter

    /// The default rate in hertz.
    package var rate: Double {
      switch self {
      case .imu: 100
      case .meter: 10
      }
    }
  }

  package struct Sample: Equatable, Sendable {
    /// Nanoseconds since the start of the simulation.
    package var time: Int64
    package var values: Values
    /// Whether the simulation leaves this sample out, to make a gap.
    package var isLeftOut: Bool
  }

  private let model: Model
  /// Scans per second, or the mean number of edges per second.
  package let rate: Double
  private let period: Int64
  private let gaps: Double
  private var random: UInt64
  private var number: Int64 = 0
  private var time: Int64 = 0
  private var burst = 0

  /// - Parameters:
  ///   - rate: Scans per second, or the mean number of edges per second.
  ///   - gaps: The share of readings that are left out, from 0 to 1.
  package init(_ model: Model, rate: Double, seed: UInt64, gaps: Double) {
    (self.model, self.rate) = (model, rate)
    period = max(1, Int64((1e9 / rate).rounded()))
    self.gaps = gaps
    random = seed
  }

  package var description: StreamDescription {
    let channels: [StreamDescription.Channel] =
      switch model {
      case .imu:
        ["x", "y", "z"].map {
          .init(name: "accel_\($0)", unit: "m/s^2", scale: ExactDecimal(significand: 598, exponent: -6))
        }
          + ["x", "y", "z"].map {
            .init(name: "anglvel_\($0)", unit: "rad/s", scale: ExactDecimal(significand: 1_064, exponent: -6))
          }
      case .meter: [.init(name: "level", format: StreamDescription.Channel.level)]
      }
    return StreamDescription(
      name: model.rawValue, channels: channels, device: .init(name: "simulated \(model.rawValue)"))
  }

  package mutating func next() -> Sample {
    let isLeftOut = gaps > 0 && Double(roll(1_000_000)) < gaps * 1_000_000
    defer { number += 1 }
    switch model {
    case .imu:
      var values = Values()
      for axis in Int64(0)..<6 {
        // The period is one second for the first axis, and longer for each further axis. Gravity acts on z.
        let sway = wave(number * period, every: 1_000_000_000 + 170_000_000 * axis)
        values.append((axis == 2 ? 16_384 : 0) + sway * (axis < 3 ? 4 : 1) + roll(65) - 32)
      }
      return Sample(time: number * period, values: values, isLeftOut: isLeftOut)
    case .meter:
      if burst > 0 {
        burst -= 1
        time += 20_000 + roll(200_000)
      } else {
        if roll(50) == 0 { burst = 2 * (4 + Int(roll(16))) }
        // From half to one and a half times the period, because the load changes.
        time += period / 2 + roll(period + 1)
      }
      return Sample(time: time, values: Values(1 - number % 2), isLeftOut: isLeftOut)
    }
  }

  /// A random number from 0 to `bound - 1`: SplitMix64.
  private mutating func roll(_ bound: Int64) -> Int64 {
    random &+= 0x9E37_79B9_7F4A_7C15
    var z = random
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int64((z ^ (z >> 31)) % UInt64(max(1, bound)))
  }

  /// An approximate sine from -1,000 to 1,000, made of parabolas: the same on every machine.
  private func wave(_ time: Int64, every period: Int64) -> Int64 {
    let phase = (time % period) * 4_000 / period
    let x = phase % 2_000
    let height = x * (2_000 - x) / 1_000
    return phase < 2_000 ? height : -height
  }
}
