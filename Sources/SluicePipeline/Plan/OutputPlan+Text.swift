package import SluiceReadings

/// An output of the command: its path, and what stands behind it, such as `slow.csv,every=10,buffer=1000`.
package struct OutputText {
  package private(set) var path: String
  private var stages: [StagePlan] = []
  private var buffer: OutputPlan.Buffer?
  private var encoding: String?

  /// A path may have commas. So only what names stages with their values, up to the end, is split off.
  package init(_ text: String) throws(Fault) {
    try self.init(text, option: "-o \(text): ")
  }

  /// - Parameter option: Begins an error in what stands behind the path.
  init(_ text: String, option: String) throws(Fault) {
    path = text
    let split = StageText.split(text, StageText.words + StageText.wordsOfOutput)
    guard !split.words.isEmpty, !split.isMixed else {
      try Self.checkNames(text)
      return
    }
    path = split.rest.joined(separator: ",")
    do throws(Fault) {
      buffer = try Self.buffer(split.words)
      let encodings = split.words.filter { $0.word.name == StageText.wordOfEncoding.name }
      if encodings.count > 1 { throw Fault("encoding is given twice") }
      encoding = encodings.first?.value
      stages = try StageText.stages(
        split.words.filter { word in StageText.words.contains { $0.name == word.word.name } })
      do throws(Fault) { try OutputPlan.check(stages) } catch { throw Fault(error.argument) }
      try Self.checkNames(path)
    } catch {
      throw Fault("\(option)\(error)")
    }
  }

  /// The plan of the output with what stands behind it.
  package func adding(to plan: OutputPlan) -> OutputPlan {
    var plan = plan
    (plan.stages, plan.buffer, plan.encoding) = (stages, buffer, encoding)
    return plan
  }

  private static func buffer(_ words: [StageText.Word]) throws(Fault) -> OutputPlan.Buffer? {
    var buffer = OutputPlan.Buffer()
    var given: Set<String> = []
    for (word, value) in words where StageText.wordsOfBuffer.contains(where: { $0.name == word.name }) {
      guard given.insert(word.name).inserted else { throw Fault("\(word.name) is given twice") }
      do throws(Fault) {
        let key: PlanKey = word.name == "buffer" ? "size" : PlanKey(word.name)
        try OutputPlan.Buffer.settings.set(key, of: &buffer, to: PlanNode(json: .string(value)))
      } catch {
        throw Fault(word.name + error.sentence)
      }
    }
    if given.isEmpty { return nil }
    guard given.contains("buffer") else {
      throw Fault("when-full says what a full buffer of this output does; give buffer too")
    }
    return buffer
  }

  /// A misspelt stage would be a part of the name of a file.
  private static func checkNames(_ path: String) throws(Fault) {
    let names = (StageText.words + StageText.wordsOfOutput).filter { $0.form != nil }.map(\.name)
    for piece in path.split(separator: ",").dropFirst() {
      guard let equals = piece.firstIndex(of: "=") else { continue }
      let key = String(piece[..<equals])
      if Stages.isAdded(key) {
        throw Fault("\(key) stands in the stages of a plan only, not behind an output")
      }
      guard let name = names.contains(key) ? key : nearest(to: key, among: names) else { continue }
      throw Fault(
        name == key
          ? "\(key) stands before another part; write the stages last"
          : "there is no stage \(key); did you mean \(name)? If it is a part of the file's name, write a plan")
    }
  }
}
