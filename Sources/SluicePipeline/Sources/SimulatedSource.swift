import Dispatch
import Sluice
package import SluiceDevices
import SluiceDispatch
import SluiceExtras
import SluiceReadings

/// A simulated sensor for trying things out without a device: `sim:imu`, `sim:meter@20,seed=7,gaps=5`.
///
/// The same seed gives the same readings; only their start time differs.
package struct SimulatedSource: SourceKind {
  package static let name = "sim"
  package static let form = "imu|meter[@HZ][,seed=N][,gaps=PERCENT]"
  package static let example = "imu@200,seed=7"
  package static let keys: [SourceSettings.Key] = []
  package static let hasRoot = false
  package static let usual = SimulatedSensor.Model.allCases.map(\.rawValue)

  package let sensor: SimulatedSensor

  package init?(_ what: String) {
    guard let text = OwnSettings(what, names: Self.ownSettings) else { return nil }
    let head = text.what.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let model = SimulatedSensor.Model(rawValue: String(head[0])) else { return nil }
    var rate = model.rate
    if head.count == 2 {
      guard let given = Double(head[1]), (0.001...100_000).contains(given) else { return nil }
      rate = given
    }
    guard let seed = UInt64(text["seed"] ?? "1"), let percent = Double(text["gaps"] ?? "0"), (0...100).contains(percent)
    else { return nil }
    sensor = SimulatedSensor(model, rate: rate, seed: seed, gaps: percent / 100)
  }

  package static func reason(against what: String) -> String? {
    "sim takes \(form), such as \(example); HZ from 0.001 to 100000"
  }

  package static let ownSettings = ["seed", "gaps"]

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    var stream = sensor.description
    // As many digits as the chip would have, whose values these are like.
    for index in stream.channels.indices where stream.channels[index].format == nil {
      stream.channels[index].format = "le:s16/16>>0"
    }
    var forecast = SourceForecast(
      streams: [stream], rate: sensor.rate,
      queue: .readings(capacity: Simulation.fifo, waiting: Int((sensor.rate * Simulation.tick.seconds).rounded(.up))))
    forecast.certainty = .always
    return forecast
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) -> [any ReadingSource] {
    [SimulatedReadings(sensor: sensor)]
  }
}

/// The readings of a ``SimulatedSource``.
private struct SimulatedReadings: ReadingSource {
  let sensor: SimulatedSensor
  let isWhole = true
  private let losses = Locked([
    Loss(reason: "skipped by the simulation", count: 0), Loss(reason: "lost in its FIFO", count: 0),
  ])

  init(sensor: SimulatedSensor) { self.sensor = sensor }

  var streams: [StreamDescription] { [sensor.description] }
  var lossReport: LossReport { LossReport(losses.withLock { $0.filter { $0.count > 0 } }, coverage: .all) }

  func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    let simulation = Locked(Simulation(sensor, first, from: clock.now))
    return Publishers.timer(interval: .nanoseconds(Int(Simulation.tick.nanoseconds))).ticks.setFailureType(
      to: SluiceError.self
    )
    .flatMap(maxPublishers: .max(1)) { [losses] tick in
      let due = clock.time(monotonic: tick.time.uptimeNanoseconds)
      let come = simulation.withLock { $0.readings(until: due) }
      losses.withLock { losses in
        for (index, count) in [come.missing.left, come.missing.overflown].enumerated() where count > 0 {
          losses[index].count += count
          losses[index].first = losses[index].first ?? due
          losses[index].last = due
        }
      }
      return come.readings.publisher
    }
    .eraseToAnyPublisher()
  }
}

/// The readings of one recording, when their times have come. Without demand they wait in a FIFO, as in a kernel.
struct Simulation {
  static let fifo = 1_024
  /// Short enough for the delay of a reading, and long enough for runs of many readings.
  static let tick = TimeSpan.milliseconds(10)

  private var sensor: SimulatedSensor
  private let stream: StreamID
  private let begin: Int64
  private var next: SimulatedSensor.Sample
  private var hasGap = false

  init(_ sensor: SimulatedSensor, _ stream: StreamID, from begin: Int64) {
    self.sensor = sensor
    self.stream = stream
    self.begin = begin
    next = self.sensor.next()
  }

  /// - Returns: The new readings, and the numbers of readings that the simulation left out and that the FIFO lost.
  mutating func readings(until time: Int64) -> (readings: [Reading], missing: (left: Int, overflown: Int)) {
    var readings: [Reading] = []
    var (left, overflown) = (0, 0)
    while begin + next.time <= time {
      if next.isLeftOut || readings.count == Self.fifo {
        if next.isLeftOut { left += 1 } else { overflown += 1 }
        hasGap = true
      } else {
        readings.append(
          Reading(time: begin + next.time, stream: stream, values: next.values, flags: hasGap ? .gapBefore : []))
        hasGap = false
      }
      next = sensor.next()
    }
    return (readings, (left, overflown))
  }
}
