import SluiceReadings
import SluiceRecording

// Sources, outputs, a replay, notes.

extension StationForm {
  // MARK: Sources

  /// `{imu: iio:bmi160, door: {kind: gpio, ...}}`, or a list of sources that have the names of their devices.
  mutating func sources(_ node: StationNode) -> StationNode? {
    var list = StationNode(.list([]), at: node.place)
    switch node.content {
    case .map(let members):
      for (index, member) in members.enumerated() {
        let path = "sources" + StationNode.step(member.key)
        let value = given(member, path: path)
        list.append(value.flatMap { source($0, named: member, path: path) }, number: index)
      }
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        list.append(source(element, named: nil, path: "sources[\(index)]"), number: index)
      }
    case .text, .nothing, .refused:
      refuse("sources takes a map of sources by their names, or a list of them", at: node.place)
      return nil
    }
    return list
  }

  /// - Parameter name: The key that names it.
  private mutating func source(_ node: StationNode, named name: Member?, path: String) -> StationNode? {
    var source = StationNode(.map([]), at: node.place)
    (source.label, source.hasLost) = (name.map { StationNode.step($0.key) }, node.hasLost)
    switch node.content {
    case .text(let text):
      guard let argument = plain(text, at: node.place, path: path) else { return nil }
      do throws(Fault) {
        let plan = try SourcePlan(argument: argument)
        if name != nil, plan.spec.name != nil { throw Fault("its name is the key before it; leave out the other") }
        source.content = StationNode(plan.json, at: node.place).content
      } catch {
        refuse("\(path): \(error)", at: node.place)
        return nil
      }
    case .map(let members):
      for member in members {
        let path = path + StationNode.step(member.key)
        let value = given(member, path: path)
        switch member.key {
        case "name" where name != nil:
          refuse("\(path): its name is the key before it; leave this one out", at: member.place)
        case "stages": source.add("stages", at: member.place, value.flatMap { stages($0, path: path) })
        default: source.add(member.key, at: member.place, value.flatMap { passed($0, path: path) })
        }
      }
    case .list:
      refuse("\(path) takes KIND:WHAT, such as iio:bmi160, or a map with kind: and what:", at: node.place)
      return nil
    case .nothing:
      refuse("\(path): nothing stands here", at: node.place)
      return nil
    case .refused: return nil
    }
    guard let name else { return source }
    guard let text = plain(name.key, at: name.place, path: path) else { return nil }
    source.add("name", at: name.place, StationNode(.text(text), at: name.place))
    return source
  }

  // MARK: Outputs

  /// `[walk.csv, {path: slow.csv, ...}]`, or `{walk.csv: {rotate: 1h}, all.db: }`.
  mutating func outputs(_ node: StationNode) -> StationNode? {
    var list = StationNode(.list([]), at: node.place)
    switch node.content {
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        let path = "outputs[\(index)]"
        guard case .text(let text) = element.content else {
          list.append(output(element, path: path), number: index)
          continue
        }
        list.append(output(argument: text, at: element.place, path: path), number: index)
      }
    case .map(let members):
      for (index, member) in members.enumerated() {
        let step = "[\(quoted(member.key, atMost: 64))]"
        list.append(output(member, path: "outputs\(step)", label: step), number: index)
      }
    case .text, .nothing, .refused:
      refuse("outputs takes a list of files, or a map with what is said about each", at: node.place)
      return nil
    }
    return list
  }

  /// `slow.csv,every=10,buffer=1000`: a path, and what an output of the command has behind it.
  private mutating func output(argument: String, at place: TextPlace, path: String) -> StationNode? {
    guard let argument = address(argument, at: place, path: path) else { return nil }
    do throws(Fault) {
      let text = try OutputText(argument, option: "")
      // The rest is checked with the plan.
      var output = StationNode(.map([]), at: place)
      output.add("path", at: place, StationNode(.text(text.path), at: place))
      let plan = text.adding(to: OutputPlan(text.path))
      if !plan.stages.isEmpty {
        output.add("stages", at: place, StationNode(.array(plan.stages.map(\.json)), at: place))
      }
      if let buffer = plan.buffer { output.add("buffer", at: place, StationNode(buffer.json, at: place)) }
      return output
    } catch {
      refuse("\(path): \(error)", at: place)
      return nil
    }
  }

  /// An output whose path is a key.
  private mutating func output(_ member: Member, path: String, label: String) -> StationNode? {
    guard let address = address(member.key, at: member.place, path: path) else { return nil }
    var output = StationNode(.map([]), at: member.place)
    (output.label, output.hasLost) = (label, member.value.hasLost)
    output.add("path", at: member.place, StationNode(.text(address), at: member.place))
    switch member.value.content {
    case .nothing: return output
    case .map(let members): return settings(members, of: output, path: path)
    case .text, .list:
      refuse("\(path) takes a map with what is said about this output, such as {rotate: 1h}", at: member.value.place)
      return nil
    case .refused: return nil
    }
  }

  private mutating func output(_ node: StationNode, path: String) -> StationNode? {
    switch node.content {
    case .map(let members):
      var output = StationNode(.map([]), at: node.place)
      output.hasLost = node.hasLost
      return settings(members, of: output, path: path)
    case .nothing: refuse("\(path): nothing stands here", at: node.place)
    case .list: refuse("\(path) takes a path, or a map with path:", at: node.place)
    case .text, .refused: break
    }
    return nil
  }

  private mutating func settings(_ members: [Member], of output: StationNode, path: String) -> StationNode? {
    var output = output
    for member in members {
      let path = path + StationNode.step(member.key)
      guard let value = given(member, path: path) else {
        output.hasLost = true
        continue
      }
      switch (member.key, value.content) {
      case ("path", .text(let text)) where output.label == nil:
        let address = address(text, at: value.place, path: path)
        output.add("path", at: member.place, address.map { StationNode(.text($0), at: value.place) })
      case ("path", _) where output.label != nil:
        refuse("\(path): its path is the key before it; leave this one out", at: member.place)
      case ("stages", _): output.add("stages", at: member.place, stages(value, path: path))
      case ("buffer", .text):
        var buffer = StationNode(.map([]), at: value.place)
        buffer.add("size", at: member.place, passed(value, path: path))
        output.add("buffer", at: member.place, buffer)
      default: output.add(member.key, at: member.place, passed(value, path: path))
      }
    }
    return output
  }

  /// An address as it is in the plan: the only text that may have secrets, if its kind has some.
  private mutating func address(_ text: String, at place: TextPlace, path: String) -> String? {
    guard OutputKinds.hasSecrets(text) else { return plain(text, at: place, path: path) }
    guard Secrets.pieces(of: text) != nil else {
      refuse("\(path): a ${ is not followed by a name and }; write $${ for ${ itself", at: place)
      return nil
    }
    return text
  }

  // MARK: The rest

  /// `walk.csv`, a list of files, or a map.
  mutating func replay(_ node: StationNode) -> StationNode? {
    switch node.content {
    case .text, .list:
      var replay = StationNode(.map([]), at: node.place)
      let isOne = if case .text = node.content { true } else { false }
      replay.add(isOne ? "file" : "files", at: node.place, passed(node, path: "replay"))
      return replay
    case .map, .nothing, .refused: return passed(node, path: "replay")
    }
  }

  /// `{site: Cellar}`.
  mutating func notes(_ node: StationNode) -> StationNode? {
    guard case .map(let members) = node.content else {
      refuse("meta takes a map of notes, such as {site: Cellar}", at: node.place)
      return nil
    }
    var list = StationNode(.list([]), at: node.place)
    for (index, member) in members.enumerated() {
      let path = "meta" + StationNode.step(member.key)
      guard let value = given(member, path: path), let key = plain(member.key, at: member.place, path: path) else {
        list.hasLost = true
        continue
      }
      guard case .text = value.content else {
        refuse("\(path) takes a text", at: value.place)
        list.hasLost = true
        continue
      }
      var note = StationNode(.map([]), at: member.place)
      note.label = StationNode.step(member.key)
      note.add("key", at: member.place, StationNode(.text(key), at: member.place))
      note.add("value", at: value.place, passed(value, path: path))
      list.append(note, number: index)
    }
    return list
  }
}
