import SluiceReadings
import SluiceStages

/// The stages of one source or one output, as they are written behind it: `throttle=1s`, `dedupe`. The names and the
/// values are those of the options of the command.
package enum StageText {
  /// A name that may stand there.
  struct Name: Sendable {
    let name: String
    /// The form of its value; nil for a flag.
    let form: String?
    /// Whether it can be repeated.
    var isRepeated = false
    /// Whether a piece behind a comma goes on with the value, although it is no `key=value`.
    var hasCommas = false
    /// The beginning of a piece that looks like `key=value`, and goes on with the value.
    var continuation: String?
    /// The name of its stage in a plan.
    var stageName: String { name == "frequency-of" ? FrequencyStage.name : name }
    /// Returns nil if the value is malformed.
    let stage: @Sendable (String) throws(UsageError) -> StagePlan?

    func isContinued(by piece: Substring) -> Bool {
      if let continuation, piece.hasPrefix(continuation) { return true }
      guard hasCommas, let equals = piece.firstIndex(of: "=") else { return hasCommas }
      // A condition may have a comparison behind a comma, but no key with a value.
      let isKey = piece[..<equals].allSatisfy { $0.isLetter || $0 == "-" } && !piece[equals...].hasPrefix("==")
      return [WhileStage.name, AroundStage.name, WhereStage.name].contains(name) && !isKey
    }
  }

  /// In the order in which readings pass the stages. The order in which they are written does not matter.
  static let names: [Name] = [
    Name(name: "select", form: "NAME,...", hasCommas: true) { text in
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return names.contains("") ? nil : .select(names)
    },
    Name(name: "settle", form: "[LINE=]T", isRepeated: true) { text in
      line(text).map { .settle(for: $0.time, line: $0.line) }
    },
    Name(name: "pulse-width", form: "LINE or all", isRepeated: true) { .pulseWidth(of: $0 == "all" ? nil : $0) },
    Name(name: "frequency-of", form: "[LINE=]T", isRepeated: true) { text in
      line(text).map { .frequency(per: $0.time, line: $0.line) }
    },
    Name(name: "pulses", form: "[LINE=]AMOUNT[:UNIT][,start=TOTAL]", isRepeated: true, continuation: "start=") {
      PulseCountStage($0).map { StagePlan($0) }
    },
    Name(
      name: "quadrature", form: "[STREAM=]A,B[,start=STEPS]", isRepeated: true, hasCommas: true, continuation: "start="
    ) {
      QuadratureStage($0).map { StagePlan($0) }
    },
    Name(name: "dht", form: "[LINE=]dht11 or dht22", isRepeated: true) { DHTStage($0).map { StagePlan($0) } },
    Name(name: "one-wire", form: "LINE or all", isRepeated: true) { .oneWire(of: $0 == "all" ? nil : $0) },
    Name(name: "scale", form: "CH=GAIN[,OFFSET][,UNIT]", isRepeated: true, hasCommas: true) {
      ScaleStage($0).map { StagePlan($0) }
    },
    Name(name: "while", form: "CONDITION", hasCommas: true) { text throws(UsageError) in
      do throws(SluiceError) { return .while(try Expression(text)) } catch { throw UsageError("while: \(error)") }
    },
    Name(name: "around", form: AroundStage.form, hasCommas: true) { text throws(UsageError) in
      do throws(SluiceError) {
        return StagePlan(try AroundStage(text))
      } catch {
        throw UsageError("around: \(error)")
      }
    },
    Name(name: "where", form: "CONDITION", isRepeated: true, hasCommas: true) { text throws(UsageError) in
      do throws(SluiceError) { return .where(try Expression(text)) } catch { throw UsageError("where: \(error)") }
    },
    Name(name: "dedupe", form: nil) { _ in .dedupe },
    Name(name: "on-change", form: "[CH=]TOLERANCE", isRepeated: true) { text in
      OnChangeStage.Tolerance(text).map { StagePlan(OnChangeStage([$0])) }
    },
    Name(name: "resample", form: "T[:mean|last|linear]") { ResampleStage($0).map { StagePlan($0) } },
    Name(name: "reduce", form: "T[:min,mean,max,count]", hasCommas: true) { ReduceStage($0).map { StagePlan($0) } },
    Name(name: "join", form: "hold, exact or wait") { Join.Rule(rawValue: $0).map { .join($0) } },
    Name(name: "rename", form: "OLD=NEW", isRepeated: true) { RenameStage([$0]).map { StagePlan($0) } },
    Name(name: "every", form: "a number, 1 or more") { text in
      Int(text).flatMap { $0 > 0 ? .every($0) : nil }
    },
    Name(name: "throttle", form: "T, such as 100ms or 10Hz") { text in TimeSpan(period: text).map { .throttle(for: $0) }
    },
    Name(name: "first", form: nil) { _ in nil },
    Name(name: "collect", form: "N, T or N,T", hasCommas: true) { text in
      CollectLimit(text).map { StagePlan(CollectStage($0)) }
    },
  ]

  /// What may be written behind a comma: `throttle=`, `dedupe`.
  package static var words: [String] { names.map { $0.form == nil ? $0.name : "\($0.name)=" } }

  /// What an output may have besides. They are no stages, but its buffer.
  static let namesOfBuffer: [Name] = [
    Name(name: "buffer", form: "a number, 1 or more") { _ in nil },
    Name(name: "when-full", form: "drop-oldest, drop-newest, fail or spill") { _ in nil },
  ]

  /// How its format encodes values.
  static let nameOfEncoding = Name(name: "encoding", form: "cdr or json") { _ in nil }
  /// All that an output may have besides stages.
  static var namesOfOutput: [Name] { namesOfBuffer + [nameOfEncoding] }

  /// `50ms` for every line, or `LINE=50ms`.
  private static func line(_ text: String) -> (line: String?, time: TimeSpan)? {
    let sign = text.lastIndex(of: "=")
    guard sign != text.startIndex,
      let time = TimeSpan(period: String(sign.map { text[text.index(after: $0)...] } ?? text[...]))
    else { return nil }
    return (sign.map { String(text[..<$0]) }, time)
  }

  /// A name with its value, as it was written.
  typealias Word = (name: Name, value: String)

  /// Splits off what names stages.
  /// - Parameters:
  ///   - text: A source or an output with what follows it: `iio:bme280,throttle=1s`.
  ///   - names: What may follow it.
  ///   - isOther: Whether a name belongs to the source or the output, so that it ends a value.
  /// - Returns: The other pieces, and the words; whether another piece stands behind a word.
  static func split(
    _ text: String, _ names: [Name] = names, isOther: (Substring) -> Bool = { _ in false }
  ) -> (rest: [Substring], words: [Word], isMixed: Bool) {
    var rest: [Substring] = []
    var words: [Word] = []
    var isMixed = false
    var last: Name?
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let equals = piece.firstIndex(of: "=")
      let name = piece[..<(equals ?? piece.endIndex)]
      if !rest.isEmpty, let known = names.first(where: { $0.name == name }), known.form == nil || equals != nil {
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
    let (name, value) = (word.name.name, word.name.form == nil ? "" : word.value)
    return "a trace has no sources, so \(name)\(value.isEmpty ? "" : "=\(value)") cannot stand behind it; give "
      + "--\(name)\(value.isEmpty ? "" : " \(value)"), which acts on all streams"
  }

  /// The stages that the words mean, in their order.
  /// - Throws: If a value is malformed, or if words contradict each other.
  static func stages(_ words: [Word]) throws(UsageError) -> [StagePlan] {
    var stages: [StagePlan] = []
    let isFirst = try words.last { $0.name.name == "first" }.map { word throws(UsageError) in try flag(word) } ?? false
    for name in names {
      let own = words.filter { $0.name.name == name.name }
      if own.count > 1, !name.isRepeated { throw UsageError("\(name.name) is given twice") }
      if name.form == nil {
        guard name.name != "first", let word = own.first, try flag(word) else { continue }
      }
      for word in own {
        guard var plan = try name.stage(word.value) else {
          if name.name == "first" { continue }
          throw UsageError("\(name.name) takes \(name.form ?? "no value"), not \"\(word.value)\"")
        }
        if isFirst, var throttle = plan.stage as? ThrottleStage {
          throttle.latest = false
          plan = StagePlan(throttle)
        }
        stages.append(plan)
      }
    }
    if isFirst, !stages.contains(where: { $0.stage is ThrottleStage }) {
      throw UsageError("first says what throttle keeps; give both")
    }
    return try checked(stages)
  }

  private static func flag(_ word: Word) throws(UsageError) -> Bool {
    guard let flag = Bool(word.value) else {
      throw UsageError("\(word.name.name) takes true or false, not \"\(word.value)\"")
    }
    return flag
  }

  private static func checked(_ stages: [StagePlan]) throws(UsageError) -> [StagePlan] {
    let lines = stages.compactMap { ($0.stage as? any LineStage)?.line ?? ($0.stage as? FrequencyStage)?.line }
    let decoders = stages.count { $0.stage is any LineStage || $0.stage is FrequencyStage }
    let settled = stages.compactMap { ($0.stage as? SettleStage)?.line }
    let settles = stages.count { $0.stage is SettleStage }
    for (lines, count) in [(lines, decoders), (settled, settles)]
    where Set(lines.map(ExactName.init)).count < lines.count || count > 1 && lines.count < count {
      throw UsageError(
        "a line takes one decoder and one settle: name each line once, as LINE=, or use one of them for all lines")
    }
    if stages.contains(where: { $0.stage is ResampleStage }), stages.contains(where: { $0.stage is ReduceStage }) {
      throw UsageError("resample and reduce both combine readings; give only one of them")
    }
    if stages.contains(where: { $0.stage is WhileStage }), stages.contains(where: { $0.stage is AroundStage }) {
      throw UsageError("while and around both choose windows; give only one of them")
    }
    let tolerances = stages.compactMap { ($0.stage as? OnChangeStage)?.tolerances }.flatMap { $0 }
    guard tolerances.count > 1, let first = stages.firstIndex(where: { $0.stage is OnChangeStage }) else {
      return stages
    }
    // Several tolerances are one stage.
    if let fault = OnChangeStage.fault(tolerances) { throw UsageError("on-change \(fault)") }
    var merged = stages
    merged[first] = StagePlan(OnChangeStage(tolerances))
    merged.removeSubrange((first + 1)..<(first + tolerances.count))
    return merged
  }
}
