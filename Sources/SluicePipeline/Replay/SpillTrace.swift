import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The spill of an output: the readings that it has not taken, as a trace.
enum SpillTrace: TraceKind {
  static let form = "the folder of a spill"
  static let extensions: [String] = []
  static func recognizes(_ beginning: [UInt8]) -> Bool { false }
  static func recognizes(folder names: [String]) -> Bool { SegmentLog.isLog(names) }

  static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    throw SluiceError(.unsupported, "read", file.name, because: "it is a file, and a spill is a folder")
  }

  static func open(folder path: String, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let log = try SegmentLog(path, isReading: true)
    let decoder: SpillDecoder
    do throws(SluiceError) {
      guard let bytes = log.describedStreams else {
        throw SluiceError(
          .malformed, "read", path, because: "no segment of it describes its streams",
          remedy: "start its recording again with --append, which can still write the readings")
      }
      let metadata = try TraceMetadata(bytes, path: path)
      guard let streams = metadata.streams else {
        throw SluiceError(.malformed, "read", path, because: "its streams are not described")
      }
      decoder = SpillDecoder(log, streams, options.warn)
    } catch {
      log.close()
      throw error
    }
    return OpenTrace(decoder: decoder, metadata: nil, inputs: [], hasFlags: true)
  }
}

/// Decodes the readings of a log in their order.
private final class SpillDecoder: TraceDecoder {
  let list: StreamList
  let mayWait = false
  let hasNext = true
  private let log: SegmentLog
  private var reader: LogReader
  private var rest: ArraySlice<Reading> = []
  private let warn: (String) -> Void
  /// The streams whose next reading follows a loss.
  private var isLost: [Bool]

  init(_ log: SegmentLog, _ streams: [StreamDescription], _ warn: @escaping (String) -> Void) {
    (self.log, self.warn) = (log, warn)
    reader = log.reader()
    list = StreamList(streams)
    isLost = streams.map { _ in false }
  }

  deinit {
    reader.close()
    log.close()
  }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    var count = 0
    while count < target.count {
      if rest.isEmpty, try !fill() { break }
      let run = rest.prefix(target.count - count)
      for reading in run where Int(reading.stream.index) < isLost.count {
        var reading = reading
        if isLost[Int(reading.stream.index)] { reading.flags.insert(.gapBefore) }
        isLost[Int(reading.stream.index)] = false
        target[count] = reading
        count += 1
      }
      rest.removeFirst(run.count)
    }
    return count
  }

  private func fill() throws(SluiceError) -> Bool {
    while rest.isEmpty {
      let item: LogReader.Item
      do throws(SystemErrno) { item = try reader.next() } catch {
        throw SluiceError("read", log.folder, errno: error.code)
      }
      switch item {
      case .readings(_, let readings): rest = readings[...]
      case .lost(let numbers):
        warn("\(log.folder): \(grouped(numbers.count)) reading\(numbers.count == 1 ? "" : "s") cannot be read")
        for index in isLost.indices { isLost[index] = true }
      case .end: return false
      }
    }
    return true
  }
}
