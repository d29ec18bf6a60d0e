package import SluiceReadings
import SluiceStages

/// The stages of one source or one output, as they are written behind it: `throttle=1s`, `dedupe`. The names and the
/// values are those of the options of the command.
package enum StageText {
  /// In the order in which readings pass the stages. The order in which they are written does not matter.
  package static var words: [StageWord] { Stages.hasAdded ? arranged(Stages.all) : own }

  /// Kept, because each start asks for them several times.
  private static let own = arranged(Stages.own)

  private static func arranged(_ stages: [any RecordingStage.Type]) -> [StageWord] {
    let words = stages.compactMap { $0.word }
    // A stage that a program has added comes before those that thin out, as the options do.
    return words.filter { !thinning.contains($0.name) } + words.filter { thinning.contains($0.name) } + [first]
  }

  /// The stages that pass fewer readings, and come last.
  package static let thinning = [EveryStage.name, ThrottleStage.name, CollectStage.name]

  /// The word of a stage; nil if only a plan has the stage.
  static func word(of stage: String) -> StageWord? { Stages.named(stage)?.word }

  /// The setting of a throttle that is a word of its own.
  package static let first = StageWord(
    "first", nil, "With throttle: the first reading of each interval instead of the latest."
  ) { _ in nil }

  /// What may be written behind a comma: `throttle=`, `dedupe`.
  package static var beginnings: [String] { words.map { $0.form == nil ? $0.name : "\($0.name)=" } }

  /// What an output may have besides. They are no stages, but its buffer.
  static let wordsOfBuffer = [
    StageWord("buffer", "N", "Keep up to N readings per stream for this output alone.") { _ in nil },
    StageWord("when-full", "drop-oldest|drop-newest|fail|spill", "What this buffer does if it is full.") { _ in nil },
  ]

  /// How its format encodes values.
  static let wordOfEncoding = StageWord("encoding", "cdr|json", "How its format encodes values.") { _ in nil }
  /// All that an output may have besides stages.
  static var wordsOfOutput: [StageWord] { wordsOfBuffer + [wordOfEncoding] }

  /// A word with its value, as it was written.
  package typealias Word = (word: StageWord, value: String)

  /// Splits off what names stages.
  /// - Parameters:
  ///   - text: A source or an output with what follows it: `iio:bme280,throttle=1s`.
  ///   - known: What may follow it.
  ///   - isOther: Whether a name belongs to the source or the output, so that it ends a value.
  /// - Returns: The other pieces, and the words; whether another piece stands behind a word.
  static func split(
    _ text: String, _ known: [StageWord] = words, isOther: (Substring) -> Bool = { _ in false }
  ) -> (rest: [Substring], words: [Word], isMixed: Bool) {
    var rest: [Substring] = []
    var words: [Word] = []
    var isMixed = false
    var last: StageWord?
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let equals = piece.firstIndex(of: "=")
      let name = piece[..<(equals ?? piece.endIndex)]
      if !rest.isEmpty, let known = known.first(where: { $0.name == name }), known.form == nil || equals != nil {
        words.append((known, equals.map { String(piece[piece.index(after: $0)...]) } ?? "true"))
        last = known
      } else if let known = last, !isOther(name), known.isContinued(by: piece) {
        words[words.count - 1].value += ",\(piece)"
      } else {
        if !words.isEmpty { isMixed = true }
        rest.append(piece)
        last = nil
      }
    }
    return (rest, words, isMixed)
  }

  /// Why a trace cannot be followed by stages, as a source can; nil if it is not.
  package static func fault(behindTrace text: String) -> String? {
    let split = split(text)
    guard !split.isMixed, let word = split.words.first else { return nil }
    let (name, value) = (word.word.name, word.word.form == nil ? "" : word.value)
    return "a trace has no sources, so \(name)\(value.isEmpty ? "" : "=\(value)") cannot stand behind it; give "
      + "--\(name)\(value.isEmpty ? "" : " \(value)"), which acts on all streams"
  }

  /// The stages that the words mean, in their order.
  /// - Parameter dashes: What stands before the name of a word in an error: `--` if they are options.
  /// - Throws: If a value is malformed, or if words contradict each other.
  package static func stages(_ words: [Word], dashes: String = "") throws(Fault) -> [StagePlan] {
    var stages: [StagePlan] = []
    let isFirst =
      try words.last { $0.word.name == first.name }.map { word throws(Fault) in try flag(word) } ?? false
    for known in Self.words where known.name != first.name {
      let own = words.filter { $0.word.name == known.name }
      if own.count > 1, !known.isRepeated { throw Fault("\(dashes)\(known.name) is given twice") }
      if known.form == nil { guard let word = own.first, try flag(word) else { continue } }
      for word in own {
        guard var plan = known.stage(word.value) else {
          throw Fault(dashes + known.name + known.fault(word.value))
        }
        if isFirst, var throttle = plan.stage as? ThrottleStage {
          throttle.latest = false
          plan = StagePlan(throttle)
        }
        stages.append(plan)
      }
    }
    if isFirst, !stages.contains(where: { $0.stage is ThrottleStage }) {
      throw Fault("\(dashes)first says what \(dashes)throttle keeps; give \(dashes)throttle T:first instead")
    }
    return try checked(stages, dashes)
  }

  private static func flag(_ word: Word) throws(Fault) -> Bool {
    guard let flag = Bool(word.value) else {
      throw Fault("\(word.word.name) takes true or false, not \"\(word.value)\"")
    }
    return flag
  }

  private static func checked(_ stages: [StagePlan], _ dashes: String) throws(Fault) -> [StagePlan] {
    let lines = stages.compactMap { ($0.stage as? any LineStage)?.line ?? ($0.stage as? FrequencyStage)?.line }
    let decoders = stages.count { $0.stage is any LineStage || $0.stage is FrequencyStage }
    let settled = stages.compactMap { ($0.stage as? SettleStage)?.line }
    let settles = stages.count { $0.stage is SettleStage }
    for (lines, count) in [(lines, decoders), (settled, settles)]
    where Set(lines.map(ExactName.init)).count < lines.count || count > 1 && lines.count < count {
      throw Fault(
        "a line takes one decoder and one \(dashes)settle: name each line once, as LINE=, or use one of them for all lines"
      )
    }
    if stages.contains(where: { $0.stage is ResampleStage }), stages.contains(where: { $0.stage is ReduceStage }) {
      throw Fault("\(dashes)resample and \(dashes)reduce both combine readings; give only one of them")
    }
    if stages.contains(where: { $0.stage is WhileStage }), stages.contains(where: { $0.stage is AroundStage }) {
      throw Fault("\(dashes)while and \(dashes)around both choose windows; give only one of them")
    }
    // Several tolerances, and several new names, are one stage.
    var merged = stages
    let tolerances = stages.compactMap { ($0.stage as? OnChangeStage)?.tolerances }.flatMap { $0 }
    if tolerances.count > 1 {
      if let fault = OnChangeStage.fault(tolerances) { throw Fault("\(dashes)on-change \(fault)") }
      merge(StagePlan(OnChangeStage(tolerances)), into: &merged) { $0.stage is OnChangeStage }
    }
    let names = stages.compactMap { ($0.stage as? RenameStage)?.names }.flatMap { $0 }
    if names.count > 1, let stage = StagePlan.rename(names) { merge(stage, into: &merged) { $0.stage is RenameStage } }
    return merged
  }

  private static func merge(
    _ stage: StagePlan, into stages: inout [StagePlan], where isOne: (StagePlan) -> Bool
  ) {
    guard let first = stages.firstIndex(where: isOne) else { return }
    stages[first] = stage
    stages = stages.enumerated().filter { $0.offset <= first || !isOne($0.element) }.map(\.element)
  }
}
