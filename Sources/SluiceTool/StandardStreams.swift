import SluiceSystem

/// Standard input, output and error.
enum StandardStreams {
  /// Takes the descriptors 0 to 2 if the command was started with one of them closed (`>&-`).
  ///
  /// Otherwise the next file that is opened has its number: readings would go to a file of the run, or to the queue of
  /// Dispatch. Each is opened the wrong way round, so that reading from standard input and writing to the others fails.
  static func fill() {
    for (descriptor, access) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number, as open(2) has it.
      _ = open("/dev/null", access)
    }
  }
}
