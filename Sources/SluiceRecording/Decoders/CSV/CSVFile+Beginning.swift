import SluiceReadings

extension CSVFile {
  /// Goes to the first row, behind the lines of the header.
  func begin(behind count: Int) throws(SluiceError) {
    for _ in 0..<count where !atEnd || start < end {
      try skipLine()
      line += 1
    }
  }

  static func strayReturn(in name: String) -> SluiceError {
    SluiceError(
      .malformed, "read", name, because: "its first line has a carriage return without a line feed after it",
      remedy: "end its lines with a line feed, with or without a carriage return before it")
  }
}
