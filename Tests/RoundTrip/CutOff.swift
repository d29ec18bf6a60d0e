import Foundation
import Sluice
import SluicePipeline
import SluiceRecording

/// A kill of the last run into a file: the metadata as it was while the command ran, and rows up to any byte.
struct CutOff {
  private let path: String
  private let looked: Locked<(metadata: Data, size: Int)?> = Locked(nil)

  /// Nil for outputs that nobody can cut here: parts, folders, databases and compressed files, and those whose times are
  /// known only at the end.
  init?(_ output: Recorded) {
    let plan = output.plan
    guard ["csv", "jsonl"].contains(plan.formatName), !plan.isFolder, plan.rotation == nil, plan.time != .relative,
      RecordingFormats.compression(of: plan.path) == nil
    else { return nil }
    path = plan.path
  }

  private var metadataPath: String { path + "-metadata.json" }

  /// Keeps the metadata of the running command, and the size of the file before its first row.
  func look() {
    guard let metadata = FileManager.default.contents(atPath: metadataPath) else { return }
    let size = FileManager.default.contents(atPath: path)?.count ?? 0
    looked.withLock { $0 = (metadata, size) }
  }

  /// Cuts the file, as if the run had been killed.
  /// - Parameter mayTearHeader: Whether the file may end in its header, so that only `--append` can go on with it.
  /// - Returns: The size of the file; nil if nothing of the run was seen.
  func cut(_ random: inout Randomness, isAppended: Bool, mayTearHeader: Bool, isCSV: Bool) throws -> Int? {
    guard let (metadata, before) = looked.withLock({ $0 }), var file = FileManager.default.contents(atPath: path) else {
      return nil
    }
    let header = isCSV ? (file.firstIndex(of: 0x0a) ?? 0) + 1 : 0
    // A kill takes nothing of the runs before.
    let first = max(isAppended ? before : 0, mayTearHeader ? 0 : header)
    guard first < file.count else { return nil }
    let size = random.number(first...file.count)
    file = file.prefix(size)
    // What a power cut leaves of blocks that were not written.
    if random.chance(30) { file.append(Data(count: random.number(1...4_096))) }
    try file.write(to: URL(fileURLWithPath: path))
    try metadata.write(to: URL(fileURLWithPath: metadataPath))
    return size
  }

  /// The number of whole lines before a byte, without the header.
  func lines(before size: Int, isCSV: Bool) -> Int {
    let file = FileManager.default.contents(atPath: path) ?? Data()
    return max(0, file.prefix(size).count { $0 == 0x0a } - (isCSV ? 1 : 0))
  }
}
