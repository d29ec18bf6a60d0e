import SluiceSystem

/// Standard input, output and error.
enum StandardStreams {
  /// Takes the descriptors 0 to 2 if the command was started with one of them closed (`>&-`).
  ///
  /// Otherwise the next file would get the number of the closed one, and readings could go into that file, or into a
  /// descriptor of Dispatch. Each is opened in the wrong direction, so that reading from standard input fails, and so
  /// does writing to the others.
  static func fill() {
    for (descriptor, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) == -1 {
      // open(2) returns the lowest free number.
      _ = open("/dev/null", access)
    }
  }
}
