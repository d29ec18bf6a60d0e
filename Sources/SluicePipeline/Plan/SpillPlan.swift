import SluiceReadings
import SluiceRecording

/// Where readings that an output does not take wait on the disk.
///
/// It is used if a buffer has ``WhenFull/spill``, or a pause `PauseMode.spill`. Each output has a log of its own.
///
/// ```swift
/// plan.stages = [.buffer(1_000, whenFull: .spill)]
/// plan.spill = SpillPlan(folder: "/mnt/stick", size: ByteSize(bytes: 8 << 30))
/// ```
public struct SpillPlan: Hashable, Sendable {
  /// The folder of the logs, which is made if it does not exist; nil is the folder of each output. If the disk of an
  /// output may be full, it should be on another disk. The log of `walk.csv` is the folder `walk.csv-spill` in it.
  public var folder: String?
  /// The most bytes of each log, 64 KiB or more; nil is 1 GiB.
  public var size: ByteSize?

  /// 1 GiB.
  package static let standardSize = 1 << 30
  /// A log has at least one segment, and the smallest segment has 64 KiB.
  static let leastSize = 64 << 10

  /// The bytes of rows that an output with a spill keeps while its disk takes none.
  package static let outputCapacity = 64 << 10

  /// Sets both; nil for the defaults.
  public init(folder: String? = nil, size: ByteSize? = nil) { (self.folder, self.size) = (folder, size) }
}

extension SpillPlan: SettingsPart {
  package static let settings = Settings<Self>(
    .optional("folder", \.folder, .name)
      .option(
        "DIR", "The folder for the spills, which is made if it does not exist. Without it, FILE-spill is beside FILE.",
        named: "spill", completion: .folders),
    .optional("size", \.size, .size)
      .option("SIZE", "The largest size of the spill of an output. (default: 1G)", named: "spill-size")
  ) { Self() }
}

extension RecordingPlan {
  /// The readings of an output that are kept in memory before they go to the disk: as many as the buffer of a stream, but
  /// half a megabyte at most.
  func spillMemory(of output: Int) -> Int {
    let shared = stages.lazy.compactMap { ($0.stage as? BufferStage)?.size }.first
    return max(1, min(4_096, outputs[output].buffer.map { $0.size ?? .max } ?? shared ?? .max))
  }

  /// By output, whether it has a spill, and whether the spill is used always, and not in a pause only.
  package var spills: [(isSpilling: Bool, always: Bool)] {
    let shared = stages.contains { ($0.stage as? BufferStage)?.whenFull == .spill }
    return outputs.map { output in
      // What a server has not acknowledged waits in its spool.
      let isSpooled = sending?.spool != nil && OutputKinds.isServer(output.path)
      let always = output.buffer.map { $0.whenFull == .spill } ?? (shared && !isSpooled)
      return (always || pauseMode == .spill, always)
    }
  }
}
