import Sluice
import SluiceReadings
import SluiceSystem

// Pipes whose readers are gone, or do not read, before the first reading.

extension SinkOutput {
  /// Begins the pipes. A pipe without a reader ends now, as it would at its first row.
  /// - Parameter isInterrupted: Asked while a pipe is full.
  func beginPipes(isInterrupted: () -> Bool) throws(SluiceError) {
    for store in stores where !store.file.isRegular {
      do throws(SluiceError) {
        try waitForRoom(in: store.file, isInterrupted)
        try store.begin { _ in }
      } catch  where error.isOfReaderThatHasGone {
        _ = machine.fail(error)
      }
    }
  }
}

/// Waits until a pipe can take the header, because the write of a header cannot be interrupted.
private func waitForRoom(in file: ClaimedFile, _ isInterrupted: () -> Bool) throws(SluiceError) {
  var room = pollfd(fd: file.descriptor, events: Int16(POLLOUT), revents: 0)
  while true {
    let count = poll(&room, 1, 50)
    // The write reports any other error. A signal may be the interruption.
    if count > 0 || (count < 0 && errno != EINTR) { return }
    guard isInterrupted() else { continue }
    throw SluiceError(.interrupted, "write", file.name, because: "it is full, and nobody reads it", errno: EINTR)
  }
}

extension RecordingSink {
  /// Reports the pipes that have ended, when upstream can be cancelled.
  func tellOfReadersThatHaveGone() {
    let (ended, isLast) = state.withLock { _ in
      (
        outputs.enumerated().compactMap { number, output in output.machine.failure.map { (number, $0) } },
        outputs.allSatisfy(\.machine.isOver)
      )
    }
    for (number, error) in ended { outputChanged(number, .failed(error)) }
    if isLast { cancel() }
  }
}
