public import SluiceReadings
public import SluiceRecording

/// Something that happened to a recording while it was opened, while it ran, or at its end.
///
/// ```swift
/// let watching = recording.events.sink { event in
///   if case .outputAway(let path, _, _, _) = event.kind { print("away:", path) }
/// }
/// ```
public struct RecordingEvent: Hashable, Sendable {
  /// Nanoseconds since the Unix epoch, by the clock of the readings.
  public var time: Int64
  /// What happened.
  public var kind: Kind

  /// The kinds of event. Names, paths and times stand in them; a sentence is made from them where one is shown.
  public enum Kind: Hashable, Sendable {
    // MARK: Control

    case paused
    case resumed
    /// ``Recording/mark(_:)`` was called with this text.
    case marked(String)
    /// A plan was read again. What was taken over of it, each as a sentence.
    case planChanged([String])

    // MARK: The machine

    /// The machine was suspended and runs again.
    case suspended
    /// The wall clock was set or has become synchronised.
    case clockChanged(TraceMetadata.ClockChange)
    /// The wall clock may be wrong by more than ``RecordingPlan/Limits/maxClockError``. Sent once.
    case clockExceeded(TraceMetadata.ClockExcess)

    // MARK: Sources

    /// A source, or an output, has ended with an error.
    case failed(SluiceError)
    /// A device was removed, and its source waits for it.
    case sourceRemoved(name: String, device: String)
    /// The source still waits for its device. Sent now and then.
    case sourceAway(name: String, SluiceError)
    case sourceBack(name: String)
    /// A value could not be read; the source tries again.
    case readFailed(SluiceError)
    /// A device had settings that an interrupted recording had left. They are restored, unless there is a failure.
    case settingsRestored(device: String, failure: String?)

    // MARK: Outputs

    /// The disk of an output takes nothing. Sent at once, and then once per minute.
    case outputAway(path: String, SluiceError, nanoseconds: Int64, dropped: Int)
    /// The disk takes readings again.
    case outputBack(path: String, nanoseconds: Int64, dropped: Int)
    /// The reader of a pipe has closed it; other outputs go on.
    case readerLeft(path: String, SluiceError)
    /// What an earlier run left behind the last whole row of a file was cut off. The sentence says what it was.
    case tailCut(path: String, bytes: Int64, sentence: String)
    /// A damaged part of a file stays in it, because what is behind it is whole.
    case damageKept(path: String, bytes: Int64, offset: Int64, cause: String)
    /// The last rows of an earlier run were cut off, because their readings are written again from the log of the output.
    case cutBack(path: String, bytes: Int64)
    /// The log of an output takes no more readings at present.
    case spillFull(path: String, SluiceError)
    /// The log of an output takes readings again.
    case spillGoesOn(path: String)
    /// Readings of an earlier run wait in the spool of a server, and are sent first.
    case spoolResumed(path: String, folder: String, readings: Int)
    /// Readings wait in the spool of a server for the next run.
    case spoolKept(path: String, folder: String, readings: Int)
    /// The spool of a server is full, and gives up readings.
    case spoolDrops(path: String, SluiceError)
    /// The spool of a server cannot be read or synced, or has damage, or was set aside. The recording goes on.
    case spoolFault(path: String, SluiceError)
    /// A server refuses readings for good. Sent at once, and then once per minute, with their number so far.
    case readingsRefused(path: String, SluiceError, readings: Int, file: String?)
    /// A server has said something that the user should know. Sent at once, and then once per minute.
    case serverWarned(path: String, SluiceError)
    /// A part is removed when the next one begins, because the earlier run that began it was cut off before it wrote a row.
    case emptyPartRemoved(path: String)
    /// An earlier run was cut off within the header of a file, which begins anew.
    case begunAnew(path: String)
    /// An appended recording begins a part of its own, because the clock is before its last row.
    case clockBehindRows(path: String, now: Int64, last: Int64)
    /// A recording in parts, which is appended to without rotation, goes on in its newest part.
    case newestPartContinued(path: String, part: String)
    case partBegan(path: String)
    case partEnded(path: String)
    /// `--keep` has removed a part.
    case partRemoved(path: String)
    /// An old part could not be removed.
    case partKept(SluiceError)
    /// A conversion failed, and its output was removed because it had only a part of the trace.
    case partialFileRemoved(path: String)
    /// A replay failed, and its output has the readings before the fault.
    case partialFileKept(path: String)

    // MARK: Stages

    /// A window of `--around` begins too late: memory has room for this number of readings, and the disk took no more. Sent
    /// once.
    case windowShortened(held: Int)

    // MARK: Sentences

    /// Why a total goes on, and from where.
    case total(String)
    /// Something to know that is no fault.
    case notice(String)
    /// A device, a file or a setting, for a verbose run.
    case detail(String)
  }
}
