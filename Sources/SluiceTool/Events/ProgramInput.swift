import SluiceSystem

/// What a program of `--on-event` gets on its standard input: a text of any length, as fast as it reads. A program that does
/// not read it is no fault.
struct ProgramInput {
  private var descriptor: Int32?
  private var rest: ArraySlice<UInt8>

  /// Takes the writing end of a pipe.
  init(_ descriptor: Int32, _ text: String) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    (self.descriptor, rest) = (descriptor, Array(text.utf8)[...])
    write()
  }

  /// Waits so many milliseconds, or until the program has read something.
  mutating func wait(_ milliseconds: Int32) {
    guard let descriptor else {
      poll(nil, 0, milliseconds)
      return
    }
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    if poll(&state, 1, milliseconds) > 0 { write() }
  }

  private mutating func write() {
    while let descriptor {
      let count = rest.withUnsafeBytes { SluiceSystem.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else {
        // The program has closed its end, but if the pipe is full.
        if errno != EAGAIN && errno != EINTR { close() }
        return
      }
      rest = rest.dropFirst(count)
      if rest.isEmpty { close() }
    }
  }

  mutating func close() {
    if let descriptor { closeFile(descriptor) }
    descriptor = nil
  }
}
