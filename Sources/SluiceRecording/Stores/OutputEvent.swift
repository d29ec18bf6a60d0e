public import SluiceReadings

/// An event of an output.
public enum OutputEvent: Sendable {
  /// It has ended.
  case failed(SluiceError)
  /// A sync failed, so readings written since the last sync may not be on the disk. The output goes on.
  case syncFailed(SluiceError)
  /// Its disk has been full or away for this many nanoseconds. Sent at once, and then once per minute.
  case away(SluiceError, nanoseconds: Int64)
  /// Its disk takes readings again.
  case back(nanoseconds: Int64)
  /// What an earlier run left behind the last whole row of a file was cut off.
  case tailCut(path: String, TornTail)
  /// A damaged part of a file stays in it, because rows behind it are whole: its bytes, the offset of its first one, and a
  /// sentence without a subject.
  case damageKept(path: String, bytes: Int64, offset: Int64, cause: String)
  /// The last rows of an earlier run were cut off, because their readings are written again.
  case cutBack(path: String, bytes: Int64)
  /// Readings of an earlier run wait in the spool of a server, and are sent first.
  case spoolResumed(folder: String, readings: Int)
  /// Readings wait in the spool of a server for the next run, because it does not take them now.
  case spoolKept(folder: String, readings: Int)
  /// The spool of a server is full, and gives up readings. Sent once until it has room again.
  case spoolDrops(SluiceError)
  /// The spool of a server cannot be read or synced, or has damage, or was set aside. The output goes on. Sent at once, and
  /// then once per minute.
  case spoolFault(SluiceError)
  /// The server refuses readings for good: their number so far, and the file that has them, if there is one. Sent at once, and
  /// then once per minute.
  case refused(SluiceError, readings: Int, file: String?)
  /// A server has said something that the user should know. Sent at once, and then once per minute.
  case warned(SluiceError)
  /// A part of an earlier run has no row, and is removed when the next part begins.
  case emptyPartRemoved(path: String)
  /// An earlier run was cut off within the header of a file, which begins anew.
  case begunAnew(path: String)
}
