import SluiceReadings
import SluiceRecording

extension RecordingPlan {
  /// The plan as a station file: in the shortest form that is read as the same plan.
  package var station: String { YAMLText.lines(StationWriter(plan: self).members) }
}

/// Makes the nodes of a station file from a plan: the other way of ``StationForm``.
private struct StationWriter {
  let plan: RecordingPlan

  private typealias Member = StationNode.Member

  private static let place = TextPlace(line: 1, column: 1)

  private static func node(_ content: StationNode.Content) -> StationNode { StationNode(content, at: place) }
  private static func text(_ text: String) -> StationNode { node(.text(text)) }
  private static func member(_ key: String, _ value: StationNode) -> Member { Member(key, at: place, value) }

  /// A value of JSON with each `${` escaped.
  private static func node(_ json: JSON) -> StationNode {
    switch json {
    case .null: node(.nothing)
    case .bool(let flag): text("\(flag)")
    case .number(let digits): text(digits)
    case .string(let string): text(Secrets.escaped(string))
    case .array(let elements): node(.list(elements.map { node($0) }))
    case .object(let members): node(.map(members.map { member($0.0, node($0.1)) }))
    }
  }

  var members: [StationNode.Member] {
    plan.json.members.compactMap { key, json in
      switch key {
      case "version": nil
      case "sources": Self.member(key, sources)
      case "replay": Self.member(key, Self.replay(json))
      case "stages": stages.isEmpty ? nil : Self.member(key, Self.node(.list(stages)))
      case "outputs": Self.member(key, outputs)
      case "meta": Self.member(key, notes)
      default: Self.member(key, Self.node(json))
      }
    } + (plan.stages.isEmpty && !stages.isEmpty ? [Self.member("stages", Self.node(.list(stages)))] : [])
  }

  // MARK: Sources

  private var sources: StationNode {
    let names = plan.sources.compactMap { $0.spec.name.map { ExactName($0) } }
    guard names.count == plan.sources.count, Set(names).count == names.count else {
      return Self.node(.list(plan.sources.map { Self.source($0, isNamed: false) }))
    }
    return Self.node(
      .map(plan.sources.map { Self.member(Secrets.escaped($0.spec.name ?? ""), Self.source($0, isNamed: true)) }))
  }

  /// - Parameter isNamed: Whether its name stands before it.
  private static func source(_ source: SourcePlan, isNamed: Bool) -> StationNode {
    let name = isNamed ? nil : source.spec.name
    let argument = "\(name.map { "\($0)=" } ?? "")\(source.spec.kind.name):\(source.spec.what)"
    var plain = source
    plain.spec.name = name
    if (try? SourcePlan(argument: argument)) == plain { return text(Secrets.escaped(argument)) }
    return node(
      .map(
        source.json.members.compactMap { key, json in
          switch key {
          case "name" where isNamed: nil
          case "stages": member(key, node(.list(source.stages.map(stage))))
          default: member(key, node(json))
          }
        }))
  }

  private static func replay(_ json: JSON) -> StationNode {
    guard case .object(let members) = json, members.count == 1, members[0].0 == "file" || members[0].0 == "files" else {
      return node(json)
    }
    return node(members[0].1)
  }

  // MARK: Stages

  /// Without the buffer that a recording has anyway.
  private var stages: [StationNode] {
    let buffers = plan.stages.filter { $0.stage is BufferStage }
    guard plan.replay == nil else { return plan.stages.map(Self.stage) }
    if buffers.isEmpty {
      return [Self.node(.map([Self.member("buffer", Self.text("none"))]))] + plan.stages.map(Self.stage)
    }
    let isStandard = buffers.count == 1 && plan.stages.first == .buffer()
    return plan.stages.dropFirst(isStandard ? 1 : 0).map(Self.stage)
  }

  private static func stage(_ plan: StagePlan) -> StationNode {
    let (name, settings) = (type(of: plan.stage).name, plan.json.members.dropFirst())
    guard let first = settings.first else { return text(name) }
    func named(_ value: StationNode) -> StationNode { node(.map([member(name, value)])) }
    let option = StageText.word(of: name)
    let isFirst = first.0 == type(of: plan.stage).firstKey?.text
    if settings.count == 1 {
      let value: JSON = if case .array(let elements) = first.1, elements.count == 1 { elements[0] } else { first.1 }
      switch value {
      case .string(let text), .number(let text):
        if option.map({ $0.stage(text) == plan }) ?? isFirst { return named(self.text(Secrets.escaped(text))) }
      case .array where isFirst: return named(node(value))
      case .null, .bool, .array, .object: break
      }
    }
    return named(node(.map(settings.map { member($0.0, node($0.1)) })))
  }

  // MARK: Outputs

  private var outputs: StationNode {
    if plan.outputs.allSatisfy({ $0 == OutputPlan($0.path) && Self.isArgument($0.path) }) {
      return Self.node(.list(plan.outputs.map { Self.text(Self.address($0.path)) }))
    }
    return Self.node(.map(plan.outputs.map { Self.member(Self.address($0.path), Self.output($0)) }))
  }

  /// Whether it is a path alone if it is read like an argument.
  private static func isArgument(_ path: String) -> Bool {
    guard let text = try? OutputText(path) else { return false }
    return text.path == path && text.adding(to: OutputPlan(path)) == OutputPlan(path)
  }

  private static func address(_ path: String) -> String {
    OutputKinds.hasSecrets(path) ? path : Secrets.escaped(path)
  }

  /// What is said about an output besides its path.
  private static func output(_ output: OutputPlan) -> StationNode {
    let settings = output.json.members.compactMap { key, json -> Member? in
      switch key {
      case "path": nil
      case "stages": member(key, node(.list(output.stages.map(stage))))
      case "buffer":
        if case .object(let members) = json, members.count == 1, members[0].0 == "size" {
          member(key, node(members[0].1))
        } else {
          member(key, node(json))
        }
      default: member(key, node(json))
      }
    }
    return node(settings.isEmpty ? .nothing : .map(settings))
  }

  private var notes: StationNode {
    Self.node(.map(plan.notes.map { Self.member(Secrets.escaped($0.key), Self.text(Secrets.escaped($0.value))) }))
  }
}
