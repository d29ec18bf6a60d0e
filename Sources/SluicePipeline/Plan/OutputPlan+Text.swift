import SluiceReadings

/// An output of the command: its path, and what stands behind it, such as `slow.csv,every=10,buffer=1000`.
package struct OutputText {
  package private(set) var path: String
  private var stages: [StagePlan] = []
  private var buffer: OutputPlan.Buffer?
  private var encoding: String?

  /// A path may have commas. So only what names stages with their values, up to the end, is split off.
  package init(_ text: String) throws(UsageError) {
    try self.init(text, option: "-o \(text): ")
  }

  /// - Parameter option: Begins an error in what stands behind the path.
  init(_ text: String, option: String) throws(UsageError) {
    path = text
    let split = StageText.split(text, StageText.words + StageText.wordsOfOutput)
    guard !split.words.isEmpty, !split.isMixed else {
      try Self.checkNames(text)
      return
    }
    path = split.rest.joined(separator: ",")
    do throws(UsageError) {
      buffer = try Self.buffer(split.words)
      let encodings = split.words.filter { $0.word.name == StageText.wordOfEncoding.name }
      if encodings.count > 1 { throw UsageError("encoding is given twice") }
      encoding = encodings.first?.value
      stages = try StageText.stages(
        split.words.filter { word in StageText.words.contains { $0.name == word.word.name } })
      do throws(BrokenRule) { try OutputPlan.check(stages) } catch { throw UsageError(error.option) }
      try Self.checkNames(path)
    } catch {
      throw UsageError("\(option)\(error)")
    }
  }

  /// The plan of the output with what stands behind it.
  package func adding(to plan: OutputPlan) -> OutputPlan {
    var plan = plan
    (plan.stages, plan.buffer, plan.encoding) = (stages, buffer, encoding)
    return plan
  }

  private static func buffer(_ words: [StageText.Word]) throws(UsageError) -> OutputPlan.Buffer? {
    var values: [String: String] = [:]
    for name in StageText.wordsOfBuffer {
      let own = words.filter { $0.word.name == name.name }
      if own.count > 1 { throw UsageError("\(name.name) is given twice") }
      values[name.name] = own.first?.value
    }
    var whenFull = WhenFull.dropOldest
    if let text = values["when-full"] {
      guard let known = WhenFull(rawValue: text) else {
        throw UsageError("when-full takes drop-oldest, drop-newest, fail or spill, not \"\(text)\"")
      }
      whenFull = known
    }
    guard let text = values["buffer"] else {
      if values["when-full"] == nil { return nil }
      throw UsageError("when-full says what a full buffer of this output does; give buffer too")
    }
    guard let size = Int(text), size > 0, size <= BufferStage.largest else {
      throw UsageError("buffer takes 1 to \(grouped(BufferStage.largest)) readings of each stream, not \"\(text)\"")
    }
    return OutputPlan.Buffer(size, whenFull: whenFull)
  }

  /// A misspelt stage would be a part of the name of a file.
  private static func checkNames(_ path: String) throws(UsageError) {
    let names = (StageText.words + StageText.wordsOfOutput).filter { $0.form != nil }.map(\.name)
    for piece in path.split(separator: ",").dropFirst() {
      guard let equals = piece.firstIndex(of: "=") else { continue }
      let key = String(piece[..<equals])
      if Stages.isAdded(key) {
        throw UsageError("\(key) stands in the stages of a plan only, not behind an output")
      }
      guard let name = names.contains(key) ? key : nearest(to: key, among: names) else { continue }
      throw UsageError(
        name == key
          ? "\(key) stands before another part; write the stages last"
          : "there is no stage \(key); did you mean \(name)? If it is a part of the file's name, write a plan")
    }
  }
}
