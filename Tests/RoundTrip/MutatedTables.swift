import Foundation
import SluiceReadings
import SluiceRecording

/// Reads damaged tables: those of ``RandomTables``, with bytes, cells and lines that are gone, doubled, or others. Nobody knows
/// what such a table means. But whatever is read must be in it: the values of a reading are numbers of one row, in their order, and each
/// row is a reading, is counted, or is named as left out.
struct MutatedTables {
  private var random: Randomness
  private(set) var count = 0
  private(set) var faults = 0
  private var (read, refused): (Int, Int) = (0, 0)

  init(seed: UInt64) { random = Randomness(seed: seed) }

  var text: String { "\(count) damaged tables: \(read) read, \(refused) refused, \(faults) faults" }

  /// Reads so many damaged forms of a table.
  mutating func take(_ table: [UInt8], _ family: String, times: Int) {
    for _ in 0..<times {
      var bytes = table
      for _ in 0..<random.number(1...3) { mutate(&bytes) }
      count += 1
      guard let fault = fault(of: bytes) else { continue }
      faults += 1
      guard faults <= 20 else { continue }
      let path = "/tmp/damaged-\(family)-\(faults).csv"
      try? Data(bytes).write(to: URL(fileURLWithPath: path))
      say("damaged \(family): \(fault); see \(path)")
    }
  }

  // MARK: Damage

  private static let odd: [[UInt8]] = [
    [0x22], [0x2c], [0x3b], [0x09], [0x0d], [0x0a], [0x20], [0x30], [0x39], [0x41], [0xff], [0x00], [0x23], [0x2d],
    [0x2e],
    [0xc2, 0xa0], Array("nan".utf8), Array("E5".utf8), Array("0x1F".utf8), Array("\r\n".utf8), Array("time,x\n".utf8),
    Array("1,2\n".utf8), Array("123456789012345678901234567890".utf8), Array("\n\n#\n".utf8), Array(" -> ".utf8),
  ]

  private mutating func mutate(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes = random.pick(Self.odd) }
    var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
    let line = random.number(0...lines.count - 1)
    let place = random.number(0...bytes.count - 1)
    switch random.number(0...11) {
    case 0: bytes.remove(at: place)
    case 1: bytes.insert(contentsOf: random.pick(Self.odd), at: place)
    case 2: bytes[place] = random.pick(Self.odd)[0]
    case 3: bytes.removeSubrange(place...)
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...40)))
    case 5:
      lines.remove(at: line)
      bytes = Array(lines.joined(separator: [0x0a]))
    case 6:
      lines.insert(lines[line], at: random.number(0...lines.count))
      bytes = Array(lines.joined(separator: [0x0a]))
    case 7:
      lines.swapAt(line, random.number(0...lines.count - 1))
      bytes = Array(lines.joined(separator: [0x0a]))
    case 8:
      lines[line].insert(contentsOf: random.pick(Self.odd), at: random.number(0...lines[line].count))
      bytes = Array(lines.joined(separator: [0x0a]))
    case 9...10:
      // A cell that is gone, doubled, or another one.
      let delimiter = random.pick([0x2c, 0x3b, 0x09].filter(lines[line].contains) + [UInt8(0x2c)])
      var cells = lines[line].split(separator: delimiter, omittingEmptySubsequences: false).map(Array.init)
      let cell = random.number(0...cells.count - 1)
      switch random.number(0...2) {
      case 0: cells.remove(at: cell)
      case 1: cells.insert(cells[cell], at: cell)
      default: cells[cell] = random.pick(Self.odd)
      }
      lines[line] = Array(cells.joined(separator: [delimiter]))
      bytes = Array(lines.joined(separator: [0x0a]))
    default:
      guard let feed = bytes[place...].firstIndex(of: 0x0a) else { return }
      bytes.remove(at: feed)
    }
  }

  // MARK: What is read

  private mutating func fault(of bytes: [UInt8]) -> String? {
    var readings: [Reading] = []
    var notices: [String] = []
    let trace: TraceReader
    var isWhole = true
    let begin = clock()
    do throws(SluiceError) {
      let said = Said()
      trace = try TraceReader(bytes, name: "t.csv", skipsBad: random.chance(70)) { said.add($0) }
      var some = Array(repeating: Reading.empty, count: 64)
      do throws(SluiceError) {
        while case let count = try trace.next(into: &some), count > 0 { readings += some[..<count] }
      } catch {
        isWhole = false
      }
      notices = said.all
    } catch {
      refused += 1
      return Self.isSlow(begin) ? "it takes more than five seconds" : nil
    }
    read += 1
    if Self.isSlow(begin) { return "it takes more than five seconds" }
    // A reading of the long layout, and edges, are made of several rows.
    let isLong = trace.layout != .wide
    let rows = Self.rows(bytes)
    var row = 0
    for (index, reading) in readings.enumerated() {
      let values = reading.values.filter { !$0.isMissing }.map { Double("\($0)") ?? .nan }
      if isLong {
        guard values.allSatisfy({ value in rows.contains { Self.has([value], $0) } }) else {
          return "reading \(index + 1), \(values), stands nowhere in it"
        }
        continue
      }
      guard let found = rows[row...].firstIndex(where: { Self.has(values, $0) }) else {
        return "reading \(index + 1), \(values), is in no row from row \(row + 1) on"
      }
      row = trace.streams.count > 1 ? found : found + 1
    }
    // The lines of an instrument's settings are not rows, and are many; neither are headers that come again.
    let isOfInstrument = notices.contains { $0.contains("it is a file of") || $0.contains("has the header again") }
    guard isWhole, !isLong, trace.streams.count == 1, !bytes.contains(0x22), !isOfInstrument else { return nil }
    let counted = readings.count + trace.skippedRows.count
    let named = notices.compactMap { notice -> Int? in
      guard let words = notice.firstRange(of: " before its header ") else { return nil }
      return notice[..<words.lowerBound].split(separator: " ").dropLast().last.flatMap { Int($0) }
    }.reduce(0, +)
    let comments = Self.lines(bytes).count { $0.hasPrefix("#") || $0.hasPrefix("\u{feff}#") }
    let most = rows.count { !$0.isEmpty } - 3 - comments
    return counted + named < most ? "of \(most + 3) rows, \(counted) are read or counted, and \(named) named" : nil
  }

  /// Whether the processor has worked for long since a time.
  private static func isSlow(_ begin: clock_t) -> Bool { clock() - begin > 5 * 1_000_000 }

  private final class Said: @unchecked Sendable {
    // One thread reads, and adds.
    var all: [String] = []
    func add(_ text: String) { all.append(text) }
  }

  /// By line, the numbers at each place at which one may begin. If there are quotes, a row may go on in the next lines.
  private static func rows(_ bytes: [UInt8]) -> [[Set<Double>]] {
    let lines = lines(bytes)
    let rows = lines.map(numbers)
    guard bytes.contains(0x22) else { return rows }
    return rows.indices.map { row in rows[row..<min(rows.count, row + 4)].flatMap { $0 } }
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    var text = String(decoding: bytes, as: UTF8.self)
    for (mark, low) in [([0xff, 0xfe], 0), ([0xfe, 0xff], 1)] as [([UInt8], Int)] where bytes.starts(with: mark) {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
      }
      text = String(decoding: units, as: UTF16.self)
    }
    // A carriage return ends a line only if there is no line feed.
    let end: Unicode.Scalar = text.unicodeScalars.contains("\n") ? "\n" : "\r"
    return text.unicodeScalars.split(separator: end).map { String($0) }
  }

  /// Whether values are numbers of a row, in their order. A number may have more digits than a reading.
  private static func has(_ values: [Double], _ row: [Set<Double>]) -> Bool {
    var place = 0
    for value in values {
      let found = row[place...].firstIndex { numbers in
        numbers.contains(value)
          || numbers.contains { abs($0 - value) <= 1e-15 * abs(value) || value == 0 && abs($0) < 1e-100 }
      }
      guard let found else { return false }
      place = found + 1
    }
    return true
  }

  private static func numbers(_ line: String) -> [Set<Double>] {
    // What separates thousands.
    let line = line.filter { !"\u{a0}\u{202f}\u{2009}'\u{2019}".contains($0) }
    // Pieces of numbers: between commas, a number may have several.
    var pieces: [(text: String, isJoined: Bool)] = []
    var isComma = false
    for run in line.split(omittingEmptySubsequences: false, whereSeparator: { !"0123456789+-.,eE".contains($0) }) {
      for piece in run.split(separator: ",", omittingEmptySubsequences: false) {
        pieces.append((String(piece), isComma))
        isComma = true
      }
      isComma = false
    }
    return pieces.indices.compactMap { first in
      var numbers: Set<Double> = []
      for count in 1...5 where first + count <= pieces.count {
        let joined = pieces[first..<(first + count)]
        guard joined.dropFirst().allSatisfy(\.isJoined) else { break }
        let whole = joined.map(\.text)
        for text in [whole.joined(), whole.joined(separator: "."), whole.joined().replacing(".", with: "")] {
          if let number = Double(text) { numbers.insert(number) }
        }
        // `1.234,5`
        let last = whole.dropLast().joined().replacing(".", with: "") + "." + (whole.last ?? "")
        if let number = Double(last) { numbers.insert(number) }
      }
      return numbers.isEmpty ? nil : numbers
    }
  }
}
