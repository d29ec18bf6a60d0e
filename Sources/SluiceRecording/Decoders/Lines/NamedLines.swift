import SluiceReadings

/// Lines whose values have names. The first lines say which names there are.
///
/// A line need not have all of them: what is not there is missing. A name that the first lines did not have is left out.
struct NamedLines<Fields: LineFields>: LineGrammar {
  private(set) var streams: [StreamDescription] = []
  private var fields: Fields
  private var series: [Series] = []
  private var last = 0
  private let time: LineTime?
  private let timeName: [UInt8]
  private var values: [ExactDecimal] = []
  private(set) var hasRounded = false
  /// Whether a series may have the tag ``InfluxOrdinal``, which is no part of its name.
  private let hasOrdinals: Bool

  /// The names of a stream's lines.
  private struct Series {
    let key: [UInt8]
    var names: [[UInt8]] = []
    /// By name, its channel; nil for text, and for the time.
    var channels: [Int?] = []
    /// The number of the stream; nil if all its values are text.
    var stream: Int?

    /// The place of a name. Lines mostly have their names in one order, so the place is tried first.
    func place(_ name: UnsafeBufferPointer<UInt8>, at expected: Int) -> Int? {
      if expected < names.count, name.elementsEqual(names[expected]) { return expected }
      return names.firstIndex { name.elementsEqual($0) }
    }
  }

  /// The largest number of streams that lines may name.
  private static var limit: Int { 1_024 }

  /// - Parameters:
  ///   - sample: The first lines.
  ///   - stream: The name of the stream, if all lines belong to one.
  ///   - named: The names of the channels, in the order of the line's values; empty for those of the line.
  init(
    _ fields: Fields, _ sample: [[UInt8]], stream: String, titles named: [String] = [], time wanted: String?,
    unit: TraceFormat.Unit?
  ) throws(SluiceError) {
    var fields = fields
    timeName = wanted.map { Array($0.utf8) } ?? []
    let (timeName, source) = (timeName, stream)
    var series: [Series] = []
    var times: [String] = []
    var units: [[String]] = []
    // All keys are known before the first series, because a file may begin within lines of one time.
    typealias Field = (series: [UInt8], name: [UInt8], value: [UInt8], isText: Bool)
    var split: [[Field]] = []
    for line in sample {
      var (found, isWhole) = ([Field](), false)
      line.withSlack { line in
        isWhole =
          fields.split(line) {
            found.append((Array($0.series), Array($0.name), Array($0.value), $0.isText))
          } == nil
      }
      if isWhole { split.append(found) }
    }
    hasOrdinals = wanted != nil && fields is InfluxFields
    let keys: Set<[UInt8]> = hasOrdinals ? Set(split.compactMap { $0.first?.series }) : []
    for found in split {
      for (place, field) in found.enumerated() {
        if wanted != nil, field.name == timeName {
          times.append(String(decoding: field.value, as: UTF8.self))
          continue
        }
        var key = field.series
        if !keys.isEmpty, let count = key.withUnsafeBufferPointer({ InfluxOrdinal.count(before: $0) }),
          keys.contains(Array(key[..<count]))
        {
          key = Array(key[..<count])
        }
        let stream = Self.stream(key, &series)
        guard let stream, !series[stream].names.contains(field.name) else { continue }
        // Each line looks its names up among these.
        guard series[stream].names.count < Self.limit else {
          throw SluiceError(
            .unsupported, "read the lines of", source,
            because: "they have more than \(Self.limit) names, which is the limit")
        }
        if units.count <= stream { units.append([]) }
        let isNumber = !field.isText && field.value.withUnsafeBufferPointer { LineNumber.isNumber($0) }
        series[stream].names.append(field.name)
        series[stream].channels.append(isNumber ? units[stream].count : nil)
        if isNumber { units[stream].append(named.indices.contains(place) ? named[place] : text(field.name)) }
      }
    }
    if let wanted {
      // Line protocol has its time behind the fields; another name is that of a field.
      let isBehindFields = fields is InfluxFields && timeName.elementsEqual("time".utf8)
      if isBehindFields, times.isEmpty { throw InfluxTimes.missing(in: stream) }
      guard !times.isEmpty else {
        throw SluiceError(
          .malformed, "read the lines of", stream, because: "they have no value \"\(wanted)\"",
          remedy:
            "give time= with one of their names: \(series.first?.names.map { text($0) }.joined(separator: ", ") ?? "")")
      }
      var unit = unit
      if unit == nil, isBehindFields { unit = try InfluxTimes.unit(of: times, in: stream) }
      if unit == nil, fields is InfluxFields { unit = .nanoseconds }
      time = try LineTime(wanted, unit: unit, sample: times, of: stream)
    } else {
      time = nil
    }
    for (index, titles) in units.enumerated() where !titles.isEmpty {
      guard titles.count <= Values.capacity else {
        throw SluiceError(
          .malformed, "read the lines of", stream,
          because: "they have \(titles.count) values, but \(Values.capacity) is the limit")
      }
      let key = series[index].key
      series[index].stream = streams.count
      var description = StreamDescription(
        name: key.isEmpty ? stream : text(key).replacing(",", with: " "), channels: titles.map(channel))
      description.hasForeignColumns = key.isEmpty && titles.count > 1
      let isNumber = titles.count == 1 && key.isEmpty && named.isEmpty && fields is NumberFields
      if isNumber { description.channels[0].name = "value" }
      streams.append(description)
    }
    (self.fields, self.series) = (fields, series)
    guard !streams.isEmpty else {
      throw SluiceError(
        .malformed, "read the lines of", stream, because: "the first of them has no number",
        remedy: "say what they are like with as= or match=")
    }
  }

  private static func stream(_ key: [UInt8], _ series: inout [Series]) -> Int? {
    if let there = series.firstIndex(where: { $0.key == key }) { return there }
    guard series.count < limit else { return nil }
    series.append(Series(key: key))
    return series.count - 1
  }

  /// The place of a series whose lines of one time have ordinals.
  private static func place(withoutOrdinal key: UnsafeBufferPointer<UInt8>, in series: [Series]) -> Int? {
    guard let count = InfluxOrdinal.count(before: key) else { return nil }
    let key = key.part(0..<count)
    return series.firstIndex { key.elementsEqual($0.key) }
  }

  mutating func parse(_ line: UnsafeBufferPointer<UInt8>, into reading: inout Reading) -> LineOutcome {
    let text = ExactDecimal.trim(line)
    if text.isEmpty || text[0] == UInt8(ascii: "#") { return .nothing }
    var (stream, place, hasMore, hasTime) = (-1, 0, false, time == nil)
    var isRounded = false
    var fault: LineFault?
    let split = fields.split(text) { [series, time, timeName, last, hasOrdinals] field in
      if stream < 0 {
        let next = last + 1 < series.count ? last + 1 : 0
        guard
          let found = [last, next].first(where: { field.series.elementsEqual(series[$0].key) })
            ?? series.firstIndex(where: { field.series.elementsEqual($0.key) })
            ?? (hasOrdinals ? Self.place(withoutOrdinal: field.series, in: series) : nil)
        else {
          fault = fault ?? LineFault("the first lines had no \(String(decoding: field.series, as: UTF8.self))")
          return
        }
        stream = found
        values.removeAll(keepingCapacity: true)
        values += repeatElement(.missing, count: series[found].stream.map { streams[$0].channels.count } ?? 0)
      }
      if let time, field.name.elementsEqual(timeName) {
        guard let parsed = time.time(field.value) else {
          fault = fault ?? LineFault("\(shown(field.value)) is not a time")
          return
        }
        (reading.time, hasTime) = (parsed, true)
        return
      }
      guard let found = series[stream].place(field.name, at: place) else {
        hasMore = true
        return
      }
      place = found + 1
      guard let channel = series[stream].channels[found] else { return }
      // A string of JSON may be empty, or the mark of a missing value.
      let isMissing = field.isText && (field.value.isEmpty || MissingMark.isOne(field.value))
      if isMissing { return }
      guard !field.isText, let value = LineNumber.value(field.value, isRounded: &isRounded) else {
        fault = fault ?? LineFault("\(shown(field.value)) is not a number")
        return
      }
      values[channel] = value
    }
    if let fault = split ?? fault { return .fault(fault) }
    hasRounded = hasRounded || isRounded
    guard stream >= 0 else { return .fault(LineFault("it has no value")) }
    guard let number = series[stream].stream else { return .nothing }
    guard !values.allSatisfy(\.isMissing) || !hasMore else { return .fault(LineFault("it has no known name")) }
    guard hasTime else { return .fault(LineFault("it has no \(String(decoding: timeName, as: UTF8.self))")) }
    last = stream
    reading.stream = StreamID(UInt16(number))
    reading.values.removeAll()
    for value in values { reading.values.appendFast(value) }
    return hasMore ? .readingOfSome : .reading
  }
}

private func channel(_ title: String) -> StreamDescription.Channel {
  StreamDescription.Channel(name: title, unit: ColumnTitle.unit(title))
}

/// The text of a name, whose spaces and commas may be escaped.
private func text(_ name: [UInt8]) -> String {
  String(decoding: name, as: UTF8.self).replacing("\\", with: "")
}

extension [UInt8] {
  /// Calls a closure with the bytes, after which a line feed and the bytes that a number parser may read follow.
  func withSlack<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    (self + [UInt8(ascii: "\n")] + [UInt8](repeating: 0, count: DecimalDigits.slack)).withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[..<count]))
    }
  }
}
