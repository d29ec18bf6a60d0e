import SluiceCAN
import SluiceReadings

/// Makes readings from the output of `candump -L`.
struct CandumpReadings: LineReadings {
  /// The remedy for a line that is not from this output.
  static let remedy = "give the output of candump -L, or of candump -l, with frames of CAN or CAN FD"

  /// Each has the streams of the DBC file, so a malformed file could fill the memory.
  private static let mostInterfaces = 64

  let list: StreamList
  private var streams: [StreamDescription]
  private var numbers: [ExactName: Int] = [:]
  private var interfaces: [Interface] = []
  private var keys = RowNames<Int>()
  private let messages: [CANMessage]
  private let isLearning: Bool
  private let limit: StreamLimit
  private let times: TimeParser
  private var saysDrops = true

  /// The streams that an interface may have, and the numbers of those that it has.
  private struct Interface {
    let decoding: CANStreams
    var numbers: [Int?]
    var isAfterLoss = false
  }

  /// - Parameters:
  ///   - known: The streams from the first pass over the file; nil in the first pass, which finds them.
  ///   - limit: The largest number of streams.
  ///   - messages: Those of a DBC file.
  ///   - warn: Called with messages about the times.
  init(
    _ name: String, known: [StreamDescription]?, limit: StreamLimit, messages: [CANMessage],
    warn: @escaping (String) -> Void
  ) {
    self.limit = limit
    self.messages = messages
    isLearning = known == nil
    streams = known ?? []
    list = StreamList(streams, isGrowing: known == nil)
    for (number, stream) in streams.enumerated() { numbers[ExactName(stream.name)] = number }
    times = TimeParser(.seconds, of: name)
    times.begin(warn)
  }

  /// The streams that were found.
  var learned: [StreamDescription] { streams }

  mutating func reading(
    _ text: UnsafeBufferPointer<UInt8>, of lines: TraceLines
  ) throws(SluiceError) -> Reading? {
    // An editor may have written a byte order mark.
    let isMarked = lines.line == 1 && text.starts(with: TextDecoding.mark)
    let line = isMarked ? UnsafeBufferPointer(rebasing: text.dropFirst(TextDecoding.mark.count)) : text
    if line.isEmpty { return nil }
    if let (count, name) = CandumpLine.drops(line) {
      interfaces[try interface(name, lines)].isAfterLoss = true
      if !saysDrops { return nil }
      saysDrops = false
      lines.warn(
        "\(lines.name): line \(lines.line): candump lost \(grouped(count)) frame\(count == 1 ? "" : "s") of "
          + "\(String(decoding: name, as: UTF8.self)); the first frame after each such loss has the flag gap_before")
      return nil
    }
    let parsed: CandumpLine
    let time: Int64
    do throws(CandumpLine.Fault) { parsed = try CandumpLine(line) } catch {
      throw lines.malformed(error.cause, remedy: error.remedy ?? Self.remedy)
    }
    do throws(TimeParser.Fault) { time = try times.time(parsed.time) } catch { throw lines.malformed(error.cause) }
    let index = try interface(parsed.interface, lines)
    let (place, values) = interfaces[index].decoding.decode(parsed.frame)
    let number: Int
    if let known = interfaces[index].numbers[place] {
      number = known
    } else {
      number = try learn(place, of: index, lines)
    }
    let flags: Reading.Flags = interfaces[index].isAfterLoss ? .gapBefore : []
    interfaces[index].isAfterLoss = false
    return Reading(time: time, stream: StreamID(UInt16(truncatingIfNeeded: number)), values: values, flags: flags)
  }

  private mutating func interface(
    _ text: UnsafeBufferPointer<UInt8>, _ lines: TraceLines
  ) throws(SluiceError) -> Int {
    if let index = keys.find(text) { return index }
    let name = String(decoding: text, as: UTF8.self)
    guard name.utf8.elementsEqual(text) else { throw lines.malformed("the name of its interface is not UTF-8") }
    guard interfaces.count < Self.mostInterfaces else {
      throw lines.malformed("there are more than \(Self.mostInterfaces) interfaces", remedy: Self.remedy)
    }
    let decoding = CANStreams(interface: name, messages: messages, device: .init(label: name))
    keys.insert(text, interfaces.count)
    interfaces.append(
      Interface(
        decoding: decoding, numbers: decoding.descriptions.map { isLearning ? nil : numbers[ExactName($0.name)] }))
    return interfaces.count - 1
  }

  private mutating func learn(_ place: Int, of index: Int, _ lines: TraceLines) throws(SluiceError) -> Int {
    let stream = interfaces[index].decoding.descriptions[place]
    guard isLearning else {
      throw lines.malformed(
        "the stream \(stream.name) was not there when the file was read first",
        remedy: "wait until no program writes the file")
    }
    guard streams.count < limit.count else { throw limit.error("streams") { lines.malformed($0, remedy: $1) } }
    interfaces[index].numbers[place] = streams.count
    streams.append(stream)
    if list.isGrowing, limit.isPublished { list.set(streams) }
    return streams.count - 1
  }
}
