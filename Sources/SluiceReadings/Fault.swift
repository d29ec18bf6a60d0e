/// What is wrong with something that a person wrote: where it stands, what is wrong with it, and what to write.
///
/// It reads as a sentence, in the words of the place: `outputs[0].decimals takes 0 to 18, not 20` in a plan, `--decimals takes
/// 0 to 18, not 20` on the command line.
package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
  /// What a fault is about, which decides what is looked at next.
  package enum Subject: Sendable {
    /// A value.
    case value
    /// A key that does not exist.
    case key
    /// A key that does not exist, in the place of one that does.
    case misspeltKey
    /// Several values together, so that it may be wrong if one of them could not be read.
    case several
  }

  /// The keys to the place, from the whole that was read; empty for the whole, and for a text.
  package private(set) var path: [PlanKey] = []
  /// The words after the place, with a space or a colon first; the whole sentence if there is no place.
  package private(set) var sentence: String
  package private(set) var subject = Subject.value
  /// The place in a station file.
  package private(set) var position: TextPlace?
  /// The sentence of the command, if it is another.
  private var ofCommand: String?
  /// An option that the command does not have. A program may know what was meant.
  package var unknownOption: String?
  /// The command whose page has the right form: `sluice record`.
  package var command: String?

  /// A fault that the sentence says alone.
  package init(_ sentence: String) { self.sentence = sentence }

  /// A fault at a place.
  /// - Parameter sentence: The words after the place, with a space or a colon first.
  package init(at path: [PlanKey], _ sentence: String, about subject: Subject = .value) {
    (self.path, self.sentence, self.subject) = (path, sentence, subject)
  }

  /// A fault in a station file.
  /// - Parameter sentence: With the keys to the place: `sources.imu.sampel-rate: iio has no such setting`.
  package init(_ sentence: String, at position: TextPlace) {
    (self.sentence, self.position) = (sentence, position)
  }

  /// A rule that several settings break.
  /// - Parameters:
  ///   - path: The keys to the place.
  ///   - sentence: The words after the place.
  ///   - name: What the command calls the place; nil for the option of the last key.
  ///   - command: The sentence of the command, if it has other words.
  package init(rule path: PlanKey..., says sentence: RuleSentence, of name: String? = nil, command: String? = nil) {
    self.init(at: path, sentence.inPlan, about: .several)
    let key = path.last { if case .name = $0 { true } else { false } }
    ofCommand = command ?? (name ?? key.map { "--\($0.text)" } ?? "") + sentence.inCommand
  }

  /// The same with more words at the end.
  package func adding(_ words: String) -> Fault {
    var fault = self
    fault.sentence += words
    fault.ofCommand? += words
    return fault
  }

  /// The same in a place with these keys before it.
  package func inside(_ path: [PlanKey]) -> Fault {
    var fault = self
    fault.path = path + self.path
    return fault
  }

  /// The sentence of the command, whose settings are options.
  package var argument: String { ofCommand ?? description }

  /// `sources[1].sample-rate takes a number of hertz`
  package var description: String {
    let place = path.reduce("") { place, key in
      switch key {
      case .index(let index): "\(place)[\(index)]"
      case .name(let name): place.isEmpty ? name : "\(place).\(name)"
      }
    }
    guard place.isEmpty else { return place + sentence }
    return sentence.hasPrefix(" ") || sentence.hasPrefix(":") ? "it\(sentence)" : sentence
  }

  /// An error with all faults of a station file, each in a line, in the order of their places.
  /// - Parameter file: The name of the file.
  package static func error(_ faults: [Fault], in file: String) -> SluiceError {
    let start = TextPlace(line: 1, column: 1)
    let placed = faults.map { (place: $0.position ?? start, sentence: $0.description) }
    let lines = placed.sorted { ($0.place, $0.sentence) < ($1.place, $1.sentence) }.map {
      "\(file):\($0.place.line):\($0.place.column): \($0.sentence)"
    }
    let count = faults.count == 1 ? "it has a fault" : "it has \(grouped(faults.count)) faults"
    var error = SluiceError(.usage, "use", "the station file \(file)", because: count)
    error.lines = lines
    return error
  }
}
