import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The spill of a recording that has ended: its readings are not in the file that somebody reads.
package enum WaitingSpill {
  /// What a plan says of its spill.
  private struct Plan: Decodable {
    struct Settings: Decodable { var folder: String? }
    var spill: Settings?
  }

  /// A sentence for each spill whose readings belong to a trace.
  /// - Parameters:
  ///   - traces: Files, folders, and names of recordings in parts.
  ///   - plan: The JSON of the plan that wrote them, if their metadata has it.
  package static func sentences(_ traces: [String], _ plan: String?) -> [String] {
    let written: Plan? = plan.flatMap { try? JSON(parsing: $0.utf8).decode() }
    let folder = written?.spill?.folder
    var seen: Set<String> = []
    return traces.flatMap { trace in
      folders(of: trace, folder).filter { seen.insert($0).inserted }.compactMap { sentence(trace, $0) }
    }
  }

  private static func folders(of trace: String, _ folder: String?) -> [String] {
    guard FileIdentity(path: trace)?.isDirectory ?? false else {
      let path = PartName(fileName(of: trace)).map { SluiceSystem.path(of: $0.recording, beside: trace) } ?? trace
      return [nil, folder].map { SpillPath.path(of: path, in: $0) }
    }
    let directory = trace.hasSuffix("/") ? trace : trace + "/"
    let names = (try? SystemFiles().names(in: directory)) ?? []
    return names.filter { $0.hasSuffix(SpillPath.ending) }.sorted().map { directory + $0 }
  }

  /// Nil if nothing waits in a folder, or if a recording still writes it.
  private static func sentence(_ trace: String, _ folder: String) -> String? {
    guard FileIdentity(path: folder)?.isDirectory ?? false,
      let log = try? SegmentLog(folder, isReading: true)
    else { return nil }
    defer { log.close() }
    guard log.waiting > 0 else { return nil }
    return
      "\(trace): \(grouped(log.waiting)) more reading\(log.waiting == 1 ? " waits" : "s wait") in \(folder): the next "
      + "run of the recording with --append writes \(log.waiting == 1 ? "it" : "them"), or: sluice spool "
      + "\(quotedForShell(folder)) -o FILE"
  }
}
