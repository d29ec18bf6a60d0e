import SluiceReadings

/// Judges the health of a recording from samples of it. It is a value, without a clock or a file.
///
/// A stream is silent if it has given no reading for ten times its longest silence so far, and for at least a minute. A
/// disk is short of space if it would be full within a day at the rate of the last hour, or has less than 64 MB left.
package struct HealthMachine: Sendable {
  private struct Stream {
    var received = 0
    /// The time of the last sample in which the count had grown; before that, the time of the first sample.
    var grew: Int64
    /// The longest time between two samples in which the count had grown; nil before the second of them.
    var longest: Int64?
    var hasGrown = false
  }

  /// The counts at a time. There is one for each minute of the last hour.
  private struct Minute {
    var time: Int64
    var lost: Int
    var uncounted: Int
    var free: [String: Int]
  }

  private static let minute: Int64 = 60_000_000_000
  private static let day: Int64 = 24 * 60 * minute

  private var streams: [String: Stream] = [:]
  private var minutes: [Minute] = []
  private var last: HealthSample?

  package init() {}

  /// Takes a sample. The caller takes samples a few seconds apart.
  package mutating func take(_ sample: HealthSample) {
    for stream in sample.streams {
      var known = streams[stream.name] ?? Stream(grew: sample.now)
      if stream.received > known.received {
        if known.hasGrown { known.longest = max(known.longest ?? 0, sample.now - known.grew) }
        (known.grew, known.received, known.hasGrown) = (sample.now, stream.received, true)
      } else if sample.isPaused {
        // A pause is no silence.
        known.grew = sample.now
      }
      streams[stream.name] = known
    }
    if minutes.last.map({ sample.now - $0.time >= Self.minute }) ?? true {
      let free = sample.outputs.compactMap { output in output.free.map { (output.path, $0) } }
      minutes.append(
        Minute(
          time: sample.now, lost: sample.lost, uncounted: sample.uncountedLosses,
          free: Dictionary(free) { first, _ in first }))
      // The first element has the counts from before the last hour.
      while minutes.count > 1, minutes[1].time <= sample.now - 60 * Self.minute { minutes.removeFirst() }
    }
    last = sample
  }

  /// For each stream, the seconds since a sample last showed new readings; nil if the stream has given none.
  package var ages: [(name: String, age: Double?)] {
    guard let last else { return [] }
    return last.streams.map { stream in
      let known = streams[stream.name].flatMap { $0.hasGrown ? $0 : nil }
      return (stream.name, known.map { Double(last.now - $0.grew) / 1e9 })
    }
  }

  /// The problems of the recording, the worst first.
  package var findings: [HealthFinding] {
    guard let sample = last else { return [] }
    let all = outputs(sample) + sources(sample) + losses(sample) + disks(sample) + surroundings(sample)
    return all.filter { $0.level == .failure } + all.filter { $0.level == .warning }
  }

  private func outputs(_ sample: HealthSample) -> [HealthFinding] {
    sample.outputs.compactMap { output in
      if let error = output.error { return HealthFinding("output", .failure, "\(output.path) has ended: \(error)") }
      guard output.isAway else {
        guard output.held > 0 else { return nil }
        return HealthFinding(
          "output", .warning,
          "\(grouped(output.held)) reading\(output.held == 1 ? " waits" : "s wait") in the spill of \(output.path)")
      }
      return HealthFinding(
        "output", .failure, "\(output.path) takes nothing: its disk is full or away; the recording tries again")
    }
  }

  private func sources(_ sample: HealthSample) -> [HealthFinding] {
    var found = sample.awaySources.map { HealthFinding("silent", .failure, "\($0) is away: its device was removed") }
    if sample.isPaused {
      return found + [HealthFinding("paused", .warning, "the recording is paused")]
    }
    for stream in sample.streams where !stream.isOfEvents && !sample.awaySources.contains(stream.name) {
      guard let known = streams[stream.name] else { continue }
      let silence = sample.now - known.grew
      let (usual, isOverflow) = (known.longest ?? 0).multipliedReportingOverflow(by: 10)
      guard silence >= max(Self.minute, isOverflow ? .max : usual) else { continue }
      let text = Self.span(Double(silence))
      found.append(
        HealthFinding(
          "silent", .failure,
          known.hasGrown ? "\(stream.name) has given nothing for \(text)" : "\(stream.name) has given nothing yet"))
    }
    return found
  }

  private func losses(_ sample: HealthSample) -> [HealthFinding] {
    guard let first = minutes.first else { return [] }
    let (lost, uncounted) = (sample.lost - first.lost, sample.uncountedLosses - first.uncounted)
    let time = sample.now - first.time >= 59 * Self.minute ? "in the last hour" : "since the first check"
    if lost > 0 {
      return [HealthFinding("loss", .warning, "\(grouped(lost)) reading\(lost == 1 ? " was" : "s were") lost \(time)")]
    }
    guard uncounted > 0 else { return [] }
    return [HealthFinding("loss", .warning, "an unknown number of readings may have been lost \(time)")]
  }

  private func disks(_ sample: HealthSample) -> [HealthFinding] {
    guard let first = minutes.first else { return [] }
    let span = sample.now - first.time
    return sample.outputs.compactMap { output in
      guard !output.isAway, output.error == nil, let free = output.free, let before = first.free[output.path] else {
        return nil
      }
      let used = before - free
      // A few minutes say little about a day.
      if span >= 10 * Self.minute, used > 0 {
        let left = Double(free) / Double(used) * Double(span)
        if left < Double(Self.day) {
          return HealthFinding("disk", .warning, "the disk of \(output.path) will be full in about \(Self.span(left))")
        }
      }
      guard free < 64 << 20 else { return nil }
      return HealthFinding("disk", .warning, "the disk of \(output.path) has \(free >> 20) MB left")
    }
  }

  private func surroundings(_ sample: HealthSample) -> [HealthFinding] {
    var found: [HealthFinding] = []
    if sample.isSynchronised == false {
      found.append(HealthFinding("clock", .warning, "the wall clock is not synchronised"))
    }
    if sample.board.isThrottled == true {
      found.append(HealthFinding("heat", .warning, "the firmware has slowed the processor down"))
    }
    for (zone, temperature) in sample.board.hot.sorted(by: { $0.key < $1.key }) {
      found.append(
        HealthFinding(
          "heat", .warning,
          "\(zone) has \(fixed(Double(temperature) / 1_000, 1)) degrees, at which the kernel slows the board down"))
    }
    if sample.board.isUndervoltage == true {
      found.append(HealthFinding("power", .warning, "the voltage of the supply is too low"))
    }
    return found
  }

  /// A length for a person: `75 s`, `12 minutes`, `5 hours`.
  private static func span(_ nanoseconds: Double) -> String {
    let seconds = nanoseconds / 1e9
    return switch seconds {
    case ..<120: "\(fixed(seconds, 0)) s"
    case ..<7_200: "\(fixed(seconds / 60, 0)) minutes"
    case ..<172_800: "\(fixed(seconds / 3_600, 0)) hours"
    default: "\(fixed(seconds / 86_400, 0)) days"
    }
  }
}
