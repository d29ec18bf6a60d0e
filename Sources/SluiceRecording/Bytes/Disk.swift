package import SluiceSystem

/// The time of syncs. Before a sync, written rows are only in the memory of the kernel.
///
/// A power cut loses everything written since the last sync. Each sync wears a memory card a little, and may take some
/// 100 ms there. Readings wait in the buffer during the sync.
///
/// ```swift
/// let output = OutputPlan("walk.csv")
/// plan.sync = .every(.seconds(5))
/// ```
public enum SyncPolicy: Hashable, Sendable {
  /// This time after the first unsynced write.
  case every(Duration)
  /// After each write: of 64 KiB, or of everything that came within 250 ms.
  case batch
  /// When the kernel writes by itself: usually within 30 s (vm.dirty_expire_centisecs of sysctl).
  case never

  /// The default of a recording.
  public static let standard = SyncPolicy.every(.seconds(1))
}

/// The file system of a recording, and its sync policy.
public struct Disk: Sendable {
  package var files: any FileSystem
  package var sync: SyncPolicy
  /// Asked again and again while a file is read before the recording begins; true ends that.
  package var isInterrupted: @Sendable () -> Bool = { false }

  package init(files: any FileSystem = SystemFiles(), sync: SyncPolicy = .standard) {
    self.files = files
    self.sync = sync
  }

  package var syncs: Bool { sync != .never }
}
