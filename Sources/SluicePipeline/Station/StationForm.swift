import SluiceReadings
import SluiceRecording

/// Makes what the JSON of a plan would have from what people write in a station file: sources by their names, stages by
/// theirs, an output as its path. Every value keeps its place.
///
/// It knows the forms only. Keys, and what they take, are up to the decoder of plans.
struct StationForm {
  private(set) var faults: [Fault] = []

  typealias Member = StationNode.Member

  /// - Returns: The plan; nil if nothing can be said about it.
  mutating func plan(_ root: StationNode) -> StationNode? {
    guard case .map(let members) = root.content else {
      refuse("a station file has keys with values, such as sources: and outputs:", at: root.place)
      return nil
    }
    var plan = StationNode(.map([]), at: root.place)
    plan.hasLost = root.hasLost
    plan.add("version", at: root.place, StationNode(.text("2"), at: root.place))
    var isReplay = false
    for member in members {
      guard let value = given(member, path: member.key) else {
        plan.hasLost = true
        continue
      }
      var made: StationNode?
      switch member.key {
      case "version":
        refuse(
          "version is a key of plans, which --plan runs; a station file has none, so leave it out", at: member.place)
        continue
      case "sources": made = sources(value)
      case "outputs": made = outputs(value)
      case "replay":
        isReplay = true
        made = replay(value)
      case "stages": made = stages(value, path: "stages", isShared: true)
      case "meta": made = notes(value)
      default: made = passed(value, path: member.key)
      }
      plan.add(member.key, at: member.place, made)
    }
    if !isReplay { giveBuffer(&plan) }
    return plan
  }

  /// A recording has the buffer of the command, unless its stages say another, or none.
  private func giveBuffer(_ plan: inout StationNode) {
    let buffer = StationNode(StagePlan.buffer().json, at: plan.place)
    guard case .map(var members) = plan.content else { return }
    if let index = members.firstIndex(where: { $0.key == "stages" }) {
      guard case .list(let stages) = members[index].value.content, !isUnbuffered,
        !stages.contains(where: { $0.stageName == BufferStage.name })
      else { return }
      members[index].value.content = .list([buffer] + stages)
    } else {
      members.append(Member("stages", at: plan.place, StationNode(.list([buffer]), at: plan.place)))
    }
    plan.content = .map(members)
  }

  /// Whether the stages have `buffer: none`.
  var isUnbuffered = false

  // MARK: Values

  mutating func refuse(_ sentence: String, at place: TextPlace) {
    faults.append(Fault(sentence, at: place))
  }

  /// The value of a key; nil if nothing stands there, which is a fault, or if it was refused.
  mutating func given(_ member: Member, path: String) -> StationNode? {
    switch member.value.content {
    case .refused: return nil
    case .nothing:
      refuse("\(path) has no value: write one, or leave the key out", at: member.place)
      return nil
    case .text, .list, .map: return member.value
    }
  }

  /// A value as it is, with all that is in it.
  mutating func passed(_ node: StationNode, path: String) -> StationNode? {
    var passed = StationNode(.nothing, at: node.place)
    (passed.label, passed.hasLost) = (node.label, node.hasLost)
    switch node.content {
    case .nothing:
      refuse("\(path): nothing stands here", at: node.place)
      return nil
    case .refused: return nil
    case .text(let text):
      guard let text = plain(text, at: node.place, path: path) else { return nil }
      passed.content = .text(text)
    case .list(let elements):
      passed.content = .list([])
      for (index, element) in elements.enumerated() {
        passed.append(self.passed(element, path: "\(path)[\(index)]"), number: index)
      }
    case .map(let members):
      passed.content = .map([])
      for member in members {
        let path = path + StationNode.step(member.key)
        let value = given(member, path: path)
        passed.add(member.key, at: member.place, value.flatMap { self.passed($0, path: path) })
      }
    }
    return passed
  }

  /// A text in which nothing stands for a secret; nil if something does.
  mutating func plain(_ text: String, at place: TextPlace, path: String) -> String? {
    guard let pieces = Secrets.pieces(of: text) else {
      refuse("\(path): a ${ is not followed by a name and }; write $${ for ${ itself", at: place)
      return nil
    }
    var plain = ""
    for piece in pieces {
      switch piece {
      case .text(let text): plain += text
      case .secret(let name):
        refuse(
          "\(path): only secrets come from the environment, and this is none; write the value of \(name) here, or $${ for ${ itself",
          at: place)
        return nil
      }
    }
    return plain
  }
}

extension StationNode {
  /// A step of a path to a key: `.imu`, or `["a b"]` if the key is no word.
  static func step(_ key: String) -> String {
    let isWord = !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    return isWord ? ".\(key)" : "[\(quoted(key, atMost: 64))]"
  }

  /// Adds a member to a map. Without a value, something is lost.
  mutating func add(_ key: String, at place: TextPlace, _ value: StationNode?) {
    guard case .map(var members) = content, let value else {
      hasLost = true
      return
    }
    // The members are not copied each time.
    content = .nothing
    // A rule about the elements is a rule of the map that has them.
    if case .list = value.content, value.hasLost { hasLost = true }
    members.append(Member(key, at: place, value))
    content = .map(members)
  }

  /// Adds an element to a list. Without a value, something is lost.
  /// - Parameter number: What it is called if it has no label.
  mutating func append(_ element: StationNode?, number: Int) {
    guard case .list(var elements) = content, var element else {
      hasLost = true
      return
    }
    element.label = element.label ?? "[\(number)]"
    content = .nothing
    elements.append(element)
    content = .list(elements)
  }

  /// The name of the stage that it is in a plan.
  var stageName: String? {
    guard case .map(let members) = content else { return nil }
    if case .text(let name)? = members.first(where: { $0.key == "stage" })?.value.content { return name }
    return nil
  }
}
