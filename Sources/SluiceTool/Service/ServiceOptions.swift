/// The options beside the plan of a service, from the file that its unit names: OPTIONS in /etc/sluice/NAME.env.
struct ServiceOptions {
  /// The words, as systemd splits them.
  let words: [String]

  /// - Parameter text: The contents of the file, in the form of systemd.exec(5), EnvironmentFile=.
  init(_ text: String) {
    var words: [String] = []
    // A line goes on behind a backslash.
    let lines = text.replacing("\\\n", with: " ").split(separator: "\n")
    for line in lines {
      let line = line.drop(while: \.isWhitespace)
      guard line.hasPrefix("OPTIONS=") else { continue }
      var value = line.dropFirst("OPTIONS=".count)
      while value.last?.isWhitespace == true { value.removeLast() }
      if value.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote {
        value = value.dropFirst().dropLast()
      }
      // The last one counts. `$OPTIONS` in a unit is split at white space, without a look at quotes.
      words = value.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    self.words = words
  }
}
