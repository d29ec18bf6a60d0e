import SluiceReadings

/// Decodes the parts of a recording one after the other, as one trace. One part is open at a time.
final class PartsDecoder: TraceDecoder {
  let list: StreamList
  private let streams: PartStreams
  /// The paths of the following parts, the next one last.
  private var paths: [String]
  private let open: (String) throws(SluiceError) -> any TraceDecoder
  private var current: (any TraceDecoder)?
  private var places: [PartStreams.Place]
  /// Whether the readings need no changes, because the part has the streams of the whole trace.
  private var isSame: Bool
  private var failure: SluiceError?
  /// The flags that earlier parts list for readings that are in later parts.
  private var listed: TraceMarks
  private let restarted: Set<ExactName>
  private var restart: RestartFlags?

  /// - Parameters:
  ///   - first: The first part, already open.
  ///   - paths: The paths of the following parts.
  ///   - streams: The streams of all parts.
  ///   - rowsHaveFlags: Whether each row has its own flags.
  ///   - restarted: The paths of the parts with which a new run begins.
  ///   - open: Opens a part.
  init(
    _ first: (path: String, decoder: any TraceDecoder), then paths: [String], _ streams: PartStreams,
    rowsHaveFlags: Bool, restarted: Set<ExactName>,
    open: @escaping (String) throws(SluiceError) -> any TraceDecoder
  ) throws(SluiceError) {
    list = StreamList(streams.streams)
    self.streams = streams
    self.paths = paths.reversed()
    self.open = open
    self.restarted = restarted
    listed = TraceMarks(nil, [], rowsHaveFlags: rowsHaveFlags)
    current = first.decoder
    places = try streams.places(first.decoder.list.streams, of: first.path)
    isSame = Self.areSame(places)
  }

  /// A file never makes its reader wait.
  var mayWait: Bool { false }
  var hasNext: Bool { current?.hasNext ?? true }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    if let failure { throw failure }
    do throws(SluiceError) {
      while let decoder = current {
        let count = try decoder.read(into: target)
        if count > 0 {
          let readings = UnsafeMutableBufferPointer(rebasing: target[..<count])
          if !isSame { place(readings) }
          listed.flag(readings)
          if restart?.flag(readings) == true { restart = nil }
          return count
        }
        try next()
      }
      return 0
    } catch {
      failure = error
      throw error
    }
  }

  /// Closes this part and opens the next one.
  private func next() throws(SluiceError) {
    if let current { listed.add(current.unusedMarks, at: places.map { Int($0.stream) }) }
    current = nil
    guard let path = paths.popLast() else { return }
    let decoder = try open(path)
    if restarted.contains(ExactName(path)) { restart = RestartFlags(streams: streams.streams.count) }
    places = try streams.places(decoder.list.streams, of: path)
    isSame = Self.areSame(places)
    current = decoder
  }

  private static func areSame(_ places: [PartStreams.Place]) -> Bool {
    places.enumerated().allSatisfy { $0.offset == Int($0.element.stream) && $0.element.channels == nil }
  }

  private func place(_ readings: UnsafeMutableBufferPointer<Reading>) {
    for index in readings.indices {
      let place = places[Int(readings[index].stream.index)]
      readings[index].stream = StreamID(place.stream)
      guard let channels = place.channels else { continue }
      var values = Values()
      for _ in 0..<place.count { values.append(.missing) }
      for (channel, value) in zip(channels, readings[index].values) { values[channel] = value }
      readings[index].values = values
    }
  }
}
