package import SluiceReadings

/// Reads the readings of a sigrok session in the order of their times. Times count from the start of the session.
///
/// For a session of any length, it needs memory for one pass over the archive for the lines, and one for each analog
/// channel.
package final class SigrokTrace {
  /// The name in errors.
  private let name: String
  /// One stream per line. The last stream has the analog channels.
  package let streams: [StreamDescription]
  /// Messages for the user.
  package private(set) var notices: [String] = []
  private let clock: SampleClock
  private var lines: SigrokLines?
  private var analog: SigrokAnalog?
  private var failure: SluiceError?

  package convenience init(path: String) throws(SluiceError) { try self.init(.file(path), name: path) }

  package convenience init(_ bytes: [UInt8], name: String) throws(SluiceError) {
    try self.init(.memory(ZipMemory(bytes)), name: name)
  }

  private init(_ origin: ZipReader.Origin, name: String) throws(SluiceError) {
    self.name = name
    let session: SigrokSession
    do throws(ArchiveFault) { session = try SigrokSession(origin) } catch { throw error.error(name) }
    let metadata = session.metadata
    var names = StreamNames()
    clock = SampleClock(rate: metadata.rate)
    // Edges with the same time may share a row.
    let device = StreamDescription.Device()
    var streams = metadata.lines.map { line in
      StreamDescription(
        name: names.add(line.name, line.number),
        channels: [.init(name: "level", format: StreamDescription.Channel.level)], device: device)
    }
    if let entries = session.lines {
      lines = SigrokLines(
        SigrokBytes(origin, entries, unit: metadata.unitSize), unit: metadata.unitSize,
        numbers: metadata.lines.map(\.number))
    }
    if !metadata.analog.isEmpty {
      var channels = StreamNames()
      let channel = metadata.analog.map { StreamDescription.Channel(name: channels.add($0.name, $0.number)) }
      names.renamed += channels.renamed
      analog = SigrokAnalog(
        session.analog.map { SigrokBytes(origin, $0, unit: SigrokAnalog.unit) },
        stream: StreamID(UInt16(truncatingIfNeeded: streams.count)))
      streams.append(StreamDescription(name: names.add("analog", streams.count + 1), channels: channel, device: device))
    }
    self.streams = streams
    if metadata.hasMoreDevices { notices.append("\(name): it has several devices, and only the first is read") }
    notices += names.renamed.map { "\(name): \($0)" }
    if clock.period == nil {
      notices.append(
        "\(name): times are rounded to nanoseconds, because \(clock.rate) samples per second are not a whole number of nanoseconds apart"
      )
    }
  }

  /// - Parameter target: A buffer for the readings.
  /// - Returns: The number of readings; 0 at the end.
  /// - Throws: The fault after the readings that were returned before, at each call.
  package func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    var count = 0
    if failure == nil {
      do throws(ArchiveFault) {
        try read(into: target, &count)
      } catch {
        failure = error.error(name)
      }
    }
    if count == 0, let failure { throw failure }
    return count
  }

  private func read(
    into target: UnsafeMutableBufferPointer<Reading>, _ count: inout Int
  ) throws(ArchiveFault) {
    while count < target.count {
      // A fault of one series comes after the earlier readings of the other series.
      var (edges, samples): (ArchiveFault?, ArchiveFault?)
      var (hasEdges, hasSamples) = (false, false)
      do throws(ArchiveFault) { hasEdges = try lines?.find() ?? false } catch { edges = error }
      do throws(ArchiveFault) { hasSamples = try analog?.find() ?? false } catch { samples = error }
      let edge = hasEdges || edges != nil ? lines?.sample : nil
      let sample = hasSamples || samples != nil ? analog?.sample : nil
      if let lines, let edge, edge <= sample ?? edge {
        if let edges { throw edges }
        if try !lines.read(time(edge), into: target, &count) { return }
      } else if let analog, let sample {
        if let samples { throw samples }
        analog.read(try time(sample), into: &target[count])
        count += 1
      } else {
        return
      }
    }
  }

  private func time(_ sample: UInt64) throws(ArchiveFault) -> Int64 {
    guard let time = clock.time(of: sample) else {
      throw ArchiveFault(text: "the time of its sample \(sample) does not fit in 64 bits")
    }
    return time
  }
}

/// Makes names distinct.
private struct StreamNames {
  private var names: Set<String> = []
  /// Messages about names that were changed.
  var renamed: [String] = []

  mutating func add(_ name: String, _ number: Int) -> String {
    var distinct = name.isEmpty ? "\(number)" : name
    while !names.insert(distinct).inserted { distinct += "-\(number)" }
    if distinct != name, !name.isEmpty {
      renamed.append("two channels are called \"\(name)\", and number \(number) is read as \"\(distinct)\"")
    }
    return distinct
  }
}
