import SluiceReadings
import SluiceRecording

/// The totals of the earlier runs of a recording, from which its stages go on.
struct EarlierTotals {
  private(set) var totals: [TraceMetadata.Total] = []
  /// The path of the file that has them.
  private var path = ""
  /// Whether they are those of the last row, because the last run was cut off.
  private var isOfLastRow = false

  /// - Parameters:
  ///   - stages: The stages of the recording.
  ///   - files: The files that it appends to. The first with totals counts, because all have the same readings.
  ///   - warn: Called with an error of a file that cannot be read.
  init(_ stages: [any PipelineStage], _ files: [OutputFiles.Described], warn: (String) -> Void) {
    guard stages.contains(where: { type(of: $0).makesTotals }) else { return }
    for file in files where totals.isEmpty {
      path = file.file.path
      let metadata = try? file.metadata.read()
      // A run that was cut off has written nothing at its end.
      isOfLastRow = metadata?.state != .finished || (metadata?.totals.isEmpty ?? true)
      // A part may have ended in the middle of a run.
      let isCutOff = metadata?.state != .finished || file.part != nil
      totals = isOfLastRow ? lastRows(isCutOff: isCutOff, warn) : metadata?.totals ?? []
    }
  }

  /// The last reading of each stream. The whole file is read, because any row may be the last of its stream.
  private func lastRows(isCutOff: Bool, _ warn: (String) -> Void) -> [TraceMetadata.Total] {
    do throws(SluiceError) {
      let trace = try ReplayPlan(path).reader(OpenTrace.Changes(), warn: { _ in })
      var last: [UInt16: Reading] = [:]
      var readings = [Reading](repeating: .empty, count: 512)
      while case let count = try trace.next(into: &readings), count > 0 {
        for reading in readings[..<count] { last[reading.stream.index] = reading }
      }
      return last.sorted { $0.key < $1.key }.compactMap { stream, reading in
        guard trace.streams.indices.contains(Int(stream)) else { return nil }
        var total = TraceMetadata.Total(reading, of: trace.streams[Int(stream)])
        total.isAtLeast = total.isAtLeast || isCutOff
        return total
      }
    } catch {
      warn("\(error); so no total goes on from it")
      return []
    }
  }

  /// What goes on, and from where: `water goes on at 35.5 l (71 pulses), as walk.csv ended`.
  func sentences(_ stages: [any PipelineStage]) -> [String] {
    stages.indices.filter { type(of: stages[$0]).makesTotals }.flatMap { number in
      totals.compactMap { total -> String? in
        guard let text = stages[number].text(of: total) else { return nil }
        guard isOfLastRow else {
          return "\(total.stream) goes on at \(text), as \(path) ended"
            + (total.isAtLeast ? "; it is at least that, because an earlier run was cut off" : "")
        }
        guard total.isAtLeast else { return "\(total.stream) goes on at \(text), the last row of \(path)" }
        let missing = stages[(number + 1)...].compactMap { $0.mayHold }
        return
          "\(total.stream) goes on at \(text), the last row of \(path), whose last run was cut off: it is at least that"
          + (missing.isEmpty ? "" : ", and may be short by \(missing.joined(separator: " and "))")
      }
    }
  }
}

extension PipelineStage {
  /// What a total in the last row may be short by, because of this stage; nil if it passes every row.
  fileprivate var mayHold: String? {
    switch self {
    case let every as EveryStage where every.count > 1:
      "up to \(grouped(every.count - 1)) row\(every.count == 2 ? "" : "s") that --every left out"
    case let throttle as ThrottleStage: "what came in \(throttle.interval) (--throttle)"
    case is BufferStage: nil
    default: Self.leavesOut ? "what --\(Self.name) left out" : nil
    }
  }
}
