import SluiceReadings
import XCTest

@testable import SluiceRecording

/// The readings of lines whose form is found from the first ones.
struct LiveLines {
  let names: [String]
  /// The values, `_` for a missing one.
  private(set) var rows: [String] = []
  /// What is said of the lines that do not fit.
  private(set) var faults: [String] = []

  init(_ text: String, _ form: String = "") throws {
    var learner = LineLearner(form.isEmpty ? LineForm() : try LineForm(text: form), stream: "s")
    let lines = text.split(separator: "\n").map { Array($0.utf8) }
    var learned: (any LineGrammar)?
    for line in lines where learned == nil {
      learner.add(line)
      learned = try learner.grammar(isLast: false)
    }
    var grammar = try XCTUnwrap(try learned ?? learner.grammar(isLast: true))
    names = grammar.streams.flatMap { $0.channels.map(\.name) }
    for line in lines {
      var reading = Reading.empty
      let result = line.withSlack { grammar.parse($0, into: &reading) }
      switch result {
      case .reading, .readingOfSome:
        rows.append(reading.values.map { $0.isMissing ? "_" : "\($0)" }.joined(separator: " "))
      case .fault(let fault): faults.append(fault.cause)
      case .nothing: break
      }
    }
  }
}
