package import SluiceReadings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The members of the file, as docs/Metadata.md describes them. Unknown members are ignored.
extension TraceMetadata {
  /// - Parameters:
  ///   - bytes: The document.
  ///   - path: The path of the document.
  package init(_ bytes: [UInt8], path: String) throws(SluiceError) {
    guard JSONStrings.areValid(bytes) else { throw Self.malformed(path, "it is not JSON") }
    do {
      let document = try JSONDecoder().decode(Document.self, from: Data(Self.quotingNumbers(bytes)))
      // Only CSV has columns; the documents of other formats name the format.
      guard document.tableSchema != nil || document.format != nil else {
        throw Self.malformed(path, "it has no member \"tableSchema\"")
      }
      self.init(document, path: path)
    } catch let error as SluiceError {
      throw error
    } catch {
      throw Self.malformed(path, bytes.isEmpty ? "it is empty" : Self.sentence(error))
    }
  }

  static func malformed(_ path: String, _ cause: String) -> SluiceError {
    SluiceError(
      .malformed, "read", path, because: cause, remedy: "repair it, or move it away to read the trace without it")
  }

  /// The same document with each number as a string. A decoder would convert it to a `Double`, or drop its last zeros.
  private static func quotingNumbers(_ bytes: [UInt8]) -> [UInt8] {
    var quoted: [UInt8] = []
    quoted.reserveCapacity(bytes.count + bytes.count / 8)
    var index = 0
    var isString = false
    while index < bytes.count {
      let byte = bytes[index]
      if isString, byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
        quoted.append(byte)
        index += 1
      } else if byte == UInt8(ascii: "\"") {
        isString.toggle()
      } else if !isString, byte == UInt8(ascii: "-") || byte &- 0x30 < 10 {
        let end = bytes[index...].firstIndex { !"0123456789+-.eE".utf8.contains($0) } ?? bytes.endIndex
        quoted.append(UInt8(ascii: "\""))
        quoted += bytes[index..<end]
        quoted.append(UInt8(ascii: "\""))
        index = end
        continue
      }
      quoted.append(bytes[index])
      index += 1
    }
    return quoted
  }

  private static func sentence(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it is not JSON" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath)) has no member \"\(key.stringValue)\""
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context.codingPath)) is of another kind than it has to be"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty ? "it is not JSON" : "\(place(context.codingPath)) \(context.debugDescription)"
    @unknown default:
      return "it is not the description of a table"
    }
  }

  /// The place of an error: `sluice:streams[2].sluice:name`
  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "it" }
    return path.reduce("") { place, key in
      if let index = key.intValue { return "\(place)[\(index)]" }
      return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    }
  }

  private init(_ document: Document, path: String) {
    self.init(
      path: path, titles: document.tableSchema?.columns.map(\.title), format: document.format,
      version: document.version,
      state: document.state.flatMap(State.init), time: document.time?.value ?? .nanoseconds,
      timeZero: document.timeZero?.value, decimals: document.decimals?.value.value, values: document.values?.value,
      streams: document.streams?.map { $0.description(isScaled: document.values?.value != .raw) },
      losses: document.losses?.map(\.loss), lossesShown: document.lossesShown.flatMap { LossCoverage(rawValue: $0) },
      gapBefore: document.gapBefore?.map(\.flagged), initialLevel: document.initialLevel?.map(\.flagged),
      late: document.late?.map(\.flagged), ledger: document.ledger?.map(\.account),
      pauses: document.pauses?.map(\.pause),
      trace: document.trace.map { Origin(file: $0.file, state: $0.state.flatMap(State.init)) },
      earlierRuns: document.earlierRuns?.value.value ?? 0,
      errors: document.errors.map { $0 + (document.trace?.errors ?? []) } ?? document.trace?.errors,
      began: document.clocks?.began?.value, beganAtByte: document.beganAtByte?.value,
      hasUnfinishedRun: document.state == State.unfinished.rawValue,
      hasUndescribedRows: document.undescribedRows ?? false, repaired: document.repaired?.repair,
      isCutOff: [document.state, document.trace?.state].contains(State.unfinished.rawValue),
      runs: (document.undescribedRows ?? false ? [Run()] : []) + [document.run],
      restarts: document.restarts?.map(\.restart) ?? [], totals: document.totals?.map(\.total) ?? [])
    // Nobody knows the losses of these rows.
    if hasUndescribedRows { lossesShown = nil }
  }
}

extension TraceMetadata.Document {
  /// The run that wrote the document.
  fileprivate var run: TraceMetadata.Run {
    let isFinished = state.flatMap(TraceMetadata.State.init) == .finished
    let counts = isFinished ? ledger?.map { ($0.stream, $0.written?.value.value ?? 0) } : nil
    return TraceMetadata.Run(clocks: clocks?.clocks, written: counts.map { Dictionary($0, uniquingKeysWith: &+) })
  }
}
