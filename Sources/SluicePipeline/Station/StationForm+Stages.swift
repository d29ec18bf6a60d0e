import SluiceReadings

extension StationForm {
  /// `[dedupe, throttle: 1s, reduce: {interval: 1m, functions: [mean]}]`.
  /// - Parameter isShared: Whether they are those of all sources, which `buffer: none` leaves without a buffer.
  mutating func stages(_ node: StationNode, path: String, isShared: Bool = false) -> StationNode? {
    guard case .list(let elements) = node.content else {
      refuse("\(path) takes a list of stages, such as [dedupe, throttle: 1s]", at: node.place)
      return nil
    }
    var list = StationNode(.list([]), at: node.place)
    for (index, element) in elements.enumerated() {
      if isShared, element.isOfNoBuffer {
        isUnbuffered = true
      } else {
        list.append(stage(element, path: "\(path)[\(index)]", number: index), number: index)
      }
    }
    if isUnbuffered, isShared, case .list(let stages) = list.content,
      let buffer = stages.first(where: { $0.stageName == BufferStage.name })
    {
      refuse("\(path): the buffer of this line, and none; leave out one of them", at: buffer.place)
    }
    return list
  }

  private mutating func stage(_ node: StationNode, path: String, number: Int) -> StationNode? {
    switch node.content {
    case .text(let text):
      guard let name = plain(text, at: node.place, path: path) else { return nil }
      var stage = stage(named: name, at: node.place)
      stage.label = label(name, number)
      return stage
    case .map(let members):
      guard members.count == 1, let member = members.first else {
        refuse(
          "\(path) is one stage: its name, and behind the colon its setting, as in throttle: 1s, or its settings, as in throttle: {interval: 1s, keep: first}",
          at: node.place)
        return nil
      }
      var stage = stage(member, path: path + StationNode.step(member.key))
      stage?.label = label(member.key, number)
      return stage
    case .list:
      refuse("\(path) takes the name of a stage, or a name with settings", at: node.place)
      return nil
    case .nothing:
      refuse("\(path): nothing stands here", at: node.place)
      return nil
    case .refused: return nil
    }
  }

  /// What a stage is called in errors.
  private func label(_ name: String, _ number: Int) -> String {
    "[\(number)]" + (Stages.named(name) == nil ? "" : StationNode.step(name))
  }

  private func stage(named name: String, at place: TextPlace) -> StationNode {
    var stage = StationNode(.map([]), at: place)
    stage.add("stage", at: place, StationNode(.text(name), at: place))
    return stage
  }

  /// A name with what stands behind it.
  private mutating func stage(_ member: Member, path: String) -> StationNode? {
    var stage = stage(named: member.key, at: member.place)
    guard let type = Stages.named(member.key) else { return stage }
    switch member.value.content {
    case .nothing: return stage
    case .refused: return nil
    case .text(let text):
      guard let text = plain(text, at: member.value.place, path: path) else { return nil }
      return self.stage(type, text, of: stage, at: member.value.place, path: path)
    case .list:
      // What a list can only be.
      guard let key = type.firstKey else {
        refuse("\(path) takes no settings", at: member.value.place)
        return nil
      }
      stage.add(key.text, at: member.place, passed(member.value, path: path))
    case .map(let members):
      stage.hasLost = member.value.hasLost
      for setting in members {
        let path = path + StationNode.step(setting.key)
        if setting.key == StagePlan.key.text {
          refuse("\(path): its name is the key before it; leave this one out", at: setting.place)
          continue
        }
        let value = given(setting, path: path)
        stage.add(setting.key, at: setting.place, value.flatMap { passed($0, path: path) })
      }
    }
    return stage
  }

  /// A stage with a text, which is that of its option, or the first setting of a stage without an option.
  private mutating func stage(
    _ type: any RecordingStage.Type, _ text: String, of stage: StationNode, at place: TextPlace, path: String
  ) -> StationNode? {
    guard let word = type.word else {
      guard let key = type.firstKey else {
        refuse("\(path) takes no value", at: place)
        return nil
      }
      var stage = stage
      stage.add(key.text, at: place, StationNode(.text(text), at: place))
      return stage
    }
    guard word.form != nil || text == "true", let plan = word.stage(text) else {
      refuse(path + word.fault(text), at: place)
      return nil
    }
    return StationNode(plan.json, at: place)
  }
}

extension StationNode {
  /// Whether it is `buffer: none`.
  fileprivate var isOfNoBuffer: Bool {
    guard case .map(let members) = content, members.count == 1 else { return false }
    return members[0].key == BufferStage.name && members[0].value.content == .text("none")
  }
}
