package import SluiceReadings

/// The JSON schema of station files, for editors. It is made from the settings by which plans are decoded.
package struct StationSchema {
  package init() {}

  /// A document of JSON Schema, draft 7, which most editors know.
  package var json: JSON {
    .object([
      ("$schema", .string("http://json-schema.org/draft-07/schema#")),
      ("title", .string("Station file of sluice record")),
      ("type", .string("object")), ("properties", .object(members(RecordingPlan.settings))),
      ("required", .array([.string("outputs")])),
      ("anyOf", .array(["sources", "replay"].map { .object([("required", .array([.string($0)]))]) })),
      ("additionalProperties", .bool(false)), ("definitions", .object(definitions)),
    ])
  }

  // MARK: Parts

  /// What a station file has for the settings of a part.
  private func members<Whole>(_ settings: Settings<Whole>) -> [(String, JSON)] {
    let required = zip(settings.keys, settings.forms).prefix(settings.requiredCount).map { ($0.text, form($1)) }
    return required
      + settings.optional.map { setting in
        let schema = part(setting.key.text, of: Whole.self) ?? form(setting.form)
        return (setting.key.text, setting.sentence.map { described($0, schema) } ?? schema)
      }
  }

  /// What stands for a setting that is a part of its own; nil for a value.
  private func part(_ key: String, of whole: Any.Type) -> JSON? {
    switch key {
    case "sources": .any([Schema.map(of: .reference("source")), Schema.list(of: .reference("listed-source"))])
    case "replay": .any([text, Schema.list(of: text), object(members(ReplayPlan.settings))])
    case "stages": Schema.list(of: .reference(whole == OutputPlan.self ? "output-stage" : "shared-stage"))
    case "outputs":
      .any([
        Schema.list(of: .any([text, .reference("listed-output")])),
        Schema.map(of: .any([.object([("type", .string("null"))]), .reference("output")])),
      ])
    case "limits": object(members(RecordingPlan.Limits.settings))
    case "spill": object(members(SpillPlan.settings))
    case "sending": object(members(SendingPlan.settings))
    case "meta": Schema.map(of: text)
    case "buffer": .any([form(.wholeNumber(from: 1)), object(members(OutputPlan.Buffer.settings))])
    default: nil
    }
  }

  private var definitions: [(String, JSON)] {
    [
      ("source", source(hasName: false)), ("listed-source", source(hasName: true)),
      ("output", object(members(OutputPlan.settings).filter { $0.0 != "path" })),
      ("listed-output", object(members(OutputPlan.settings), required: ["path"])),
      ("shared-stage", stage(Stages.all)),
      ("source-stage", stage(Stages.all.filter { $0 != BufferStage.self })),
      ("output-stage", stage(Stages.all.filter { $0 != BufferStage.self && !$0.isTotal })),
    ]
  }

  private func source(hasName: Bool) -> JSON {
    let kinds = SourceKinds.all
    let names = kinds.map { $0.name }.joined(separator: "|")
    let text = Schema.text(pattern: "^\(hasName ? "([^:=,/]+=)?" : "")(\(names)):")
    return .any(
      [described("KIND:WHAT, and settings behind it, such as iio:bmi160,sample-rate=100.", text)]
        + kinds.map { source(of: $0, hasName: hasName) })
  }

  private func source(of kind: any SourceKind.Type, hasName: Bool) -> JSON {
    let what = described("\(kind.form), such as \(kind.example)", self.text)
    var members: [(String, JSON)] = [("kind", .object([("const", .string(kind.name))])), ("what", what)]
    if hasName { members.append(("name", self.text)) }
    members += kind.ownSettings.map { ($0, described("As in \(kind.form).", self.form(.text))) }
    members += kind.ownFlags.map { ($0, described("As in \(kind.form).", self.form(.flag))) }
    members += kind.keys.map { ($0.name, described($0.words, form($0.form))) }
    members.append(("stages", Schema.list(of: .reference("source-stage"))))
    return object(members, required: ["kind", "what"])
  }

  // MARK: Stages

  private func stage(_ stages: [any RecordingStage.Type]) -> JSON {
    let alone = stages.filter { $0.requiredCount == 0 }.map { JSON.string($0.name) }
    return .any([.object([("enum", .array(alone))])] + stages.map { stage($0) })
  }

  private func stage(_ stage: any RecordingStage.Type) -> JSON {
    let fields = stage.forms
    var forms: [JSON] = []
    let word = stage.word
    if let word {
      forms.append(word.form == nil ? .object([("const", .bool(true))]) : text)
    } else if let first = fields.first {
      forms.append(form(first.form))
    }
    if stage == BufferStage.self { forms.append(.object([("const", .string("none"))])) }
    if case .list(let element)? = fields.first?.form { forms.append(form(.list(element))) }
    if stage.requiredCount == 0 { forms.append(.object([("type", .string("null"))])) }
    if !fields.isEmpty {
      let required = fields.prefix(stage.requiredCount).map { $0.key }
      forms.append(object(fields.map { ($0.key, form($0.form)) }, required: required))
    }
    let words = word?.sentence ?? fields.first?.words
    let setting = words.map { described($0, .any(forms)) } ?? .any(forms)
    return object([(stage.name, setting)], required: [stage.name])
  }

  // MARK: Values

  private var text: JSON { form(.text) }

  private func described(_ words: String, _ schema: JSON) -> JSON {
    guard case .object(let members) = schema else { return schema }
    return .object([("description", .string(words))] + members.filter { $0.0 != "description" })
  }

  private func object(_ members: [(String, JSON)], required: [String] = []) -> JSON {
    .object(
      [
        ("type", .string("object")), ("properties", .object(members)),
        required.isEmpty ? nil : ("required", .array(required.map { .string($0) })),
        ("additionalProperties", .bool(false)),
      ].compactMap { $0 })
  }

  private func form(_ form: ValueForm) -> JSON {
    switch form {
    // What an editor takes for a number or a flag is a text here.
    case .text: .object([("type", .array(["string", "number", "boolean"].map { .string($0) }))])
    case .flag: .object([("enum", .array([.bool(true), .bool(false), .string("true"), .string("false")]))])
    case .wholeNumber(let least):
      .any([
        .object([("type", .string("integer"))] + (least.map { [("minimum", .number("\($0)"))] } ?? [])),
        Schema.text(pattern: "^-?[0-9]+$"),
      ])
    case .number:
      .any([
        .object([("type", .string("number"))]),
        Schema.text(pattern: "^-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?$"),
      ])
    case .choice(let names): .object([("enum", .array(names.map { .string($0) }))])
    case .grammar(let pattern, let words): described(words, Schema.text(pattern: pattern))
    case .list(let element): Schema.list(of: self.form(element))
    case .either(let forms): .any(forms.map { self.form($0) })
    case .object: .object([("type", .string("object"))])
    }
  }
}

private enum Schema {
  static func map(of schema: JSON) -> JSON {
    .object([("type", .string("object")), ("additionalProperties", schema)])
  }

  static func list(of schema: JSON) -> JSON { .object([("type", .string("array")), ("items", schema)]) }

  static func text(pattern: String) -> JSON { .object([("type", .string("string")), ("pattern", .string(pattern))]) }
}

extension JSON {
  fileprivate static func any(_ schemas: [JSON]) -> JSON { .object([("anyOf", .array(schemas))]) }

  fileprivate static func reference(_ name: String) -> JSON { .object([("$ref", .string("#/definitions/\(name)"))]) }
}
