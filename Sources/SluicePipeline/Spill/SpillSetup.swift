import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The spill of one output: its open log, and when it is used.
package struct SpillSetup {
  let folder: SpillFolder
  /// The bytes that the log may have.
  let size: Int
  /// Whether readings go to the log whenever the memory is full; otherwise only in a pause.
  let always: Bool
  /// The readings that are kept in memory.
  let memory: Int
  /// Whether the sources may wait for it: there is no other output.
  let holds: Bool
  /// The identity of this run: when it began.
  let run: UInt64

  /// By file, the length to which it is cut back.
  static func cuts(_ spills: [SpillSetup?]) -> [FileIdentity: Int64] {
    Dictionary(spills.flatMap { $0?.folder.cuts ?? [] }.map { ($0.file, $0.length) }, uniquingKeysWith: min)
  }
}

extension SpillSetup {
  /// Opens the logs that a plan wants.
  /// - Parameters:
  ///   - began: When the run began, as its metadata says.
  ///   - streams: By output, its streams.
  ///   - files: The files of the outputs.
  ///   - tell: Called with a sentence about the readings that earlier runs have left.
  /// - Returns: By output; empty if the plan wants none.
  static func open(
    _ plan: RecordingPlan, began: Int64, _ outputs: [RecordingOutput], _ streams: [[StreamDescription]],
    _ files: OutputFiles,
    _ disk: Disk, tell: (String) -> Void
  ) throws(SluiceError) -> [SpillSetup?] {
    let wanted = plan.spills
    let settings = plan.spill ?? SpillPlan()
    for (number, output) in outputs.enumerated() where !wanted[number].isSpilling || settings.folder != nil {
      if let sentence = SpillFolder.left(by: output, plan.outputs[number].path, disk) { tell(sentence) }
    }
    guard wanted.contains(where: \.isSpilling) else { return [] }
    var setups: [SpillSetup?] = []
    do throws(SluiceError) {
      for (number, output) in outputs.enumerated() {
        guard wanted[number].isSpilling else {
          setups.append(nil)
          continue
        }
        let appended = files.continued.first { $0.output == number }
        let folder = try SpillFolder(
          of: output, plan.outputs[number].path, appendingTo: appended?.recording ?? [], empty: appended?.empty ?? [],
          settings, streams[number], disk)
        setups.append(
          SpillSetup(
            folder: folder, size: settings.size?.bytes ?? SpillPlan.standardSize, always: wanted[number].always,
            memory: plan.spillMemory(of: number), holds: outputs.count == 1, run: UInt64(bitPattern: began)))
        for fault in folder.log.faults { tell("\(fault)") }
        if let sentence = folder.sentence(output.path) { tell(sentence) }
      }
    } catch {
      close(setups)
      throw error
    }
    return setups
  }

  static func close(_ setups: [SpillSetup?]) {
    for case let folder? in setups.map({ $0?.folder }) {
      if folder.waiting == 0 { folder.log.remove() } else { folder.log.close() }
    }
  }
}

extension SpillFolder {
  /// The sentence about readings that an earlier run has left beside an output, and that this run does not write to it; nil
  /// if there are none.
  fileprivate static func left(by output: RecordingOutput, _ address: String, _ disk: Disk) -> String? {
    guard let path = path(of: output, address, SpillPlan(), ending: SpillPath.ending),
      (try? disk.files.status(at: path)) != nil,
      let log = try? SegmentLog(path, files: disk.files, isReading: true, besideWriter: true), log.waiting > 0
    else { return nil }
    return "\(output.path): \(grouped(log.waiting)) reading\(log.waiting == 1 ? "" : "s") of an earlier run "
      + "\(log.waiting == 1 ? "waits" : "wait") in \(path), and this run does not write them; to write them to a file: "
      + "sluice spool \(quotedForShell(path)) -o FILE"
  }

  /// The sentence about the readings that an earlier run has left; nil if there are none.
  fileprivate func sentence(_ output: String) -> String? {
    guard waiting > 0 else { return nil }
    let readings = "\(grouped(waiting)) reading\(waiting == 1 ? "" : "s")"
    return "\(output): \(readings) of an earlier run \(waiting == 1 ? "is" : "are") in its spill, and written first"
      + (mayBeTwice > 0
        ? "; up to \(grouped(mayBeTwice)) of them may then be in the output twice, because nobody knows which ones it has already"
        : "")
  }
}

extension Spill.Event {
  /// - Parameters:
  ///   - path: The output.
  ///   - folder: The folder of its log.
  func event(of path: String, in folder: String) -> RecordingEvent.Kind {
    switch self {
    case .refused(let error?):
      .spillFull(
        path: path,
        SluiceError(
          "write the spill", folder, errno: error.code,
          remedy: SystemErrno.ofFullDisk.contains(error.code)
            ? "free some space on its disk" : "see dmesg, or give --wait-on-disk a folder on another disk"))
    case .refused(nil):
      .spillFull(
        path: path,
        SluiceError(
          .failed, "write the spill", folder, because: "it has its largest size",
          remedy: "let \(path) be written again, or start again with a larger SIZE in --wait-on-disk DIR,SIZE"))
    case .goesOn: .spillGoesOn(path: path)
    case .damaged(let count):
      .notice(
        "the spill of \(path) is damaged: \(grouped(count)) reading\(count == 1 ? "" : "s") cannot be read, and "
          + "\(count == 1 ? "counts" : "count") as lost; what is damaged stays in \(folder)")
    }
  }
}
