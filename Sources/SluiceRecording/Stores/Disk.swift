/// When written rows are synced: until then they are only in the memory of the kernel.
///
/// A power cut loses what was written since the last sync. Each sync wears a memory card a little, and may take some
/// 100 ms there; readings wait in the buffer meanwhile.
///
/// ```swift
/// let output = OutputPlan("walk.csv")
/// plan.sync = .every(.seconds(5))
/// ```
public enum SyncPolicy: Hashable, Sendable {
  /// This long after the first write that is not synced yet.
  case every(Duration)
  /// After each write, which is one of 64 KiB or of what came within 250 ms.
  case batch
  /// When the kernel does it by itself: usually within 30 s (vm.dirty_expire_centisecs of sysctl).
  case never

  /// The default of a recording.
  public static let standard = SyncPolicy.every(.seconds(1))
}

/// How files are reached and synced.
package struct Disk: Sendable {
  package var files: any FileSystem
  package var sync: SyncPolicy

  package init(files: any FileSystem = SystemFiles(), sync: SyncPolicy = .standard) {
    self.files = files
    self.sync = sync
  }

  package var syncs: Bool { sync != .never }
}
