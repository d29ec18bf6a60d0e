import SluiceReadings

/// A setting that a stage, or another part of a plan, cannot be without.
public struct RequiredField<Whole, Value: Sendable>: Sendable {
  let key: PlanKey
  let path: any KeyPath<Whole, Value> & Sendable
  let form: Form<Value>

  /// - Parameters:
  ///   - key: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func required(
    _ key: String, _ path: any KeyPath<Whole, Value> & Sendable, _ form: Form<Value>
  ) -> RequiredField {
    RequiredField(key: PlanKey(key), path: path, form: form)
  }

  func decode(_ object: PlanObject) throws(PlanFault) -> Value {
    try object.required(key, object.value(key, form))
  }

  func member(_ whole: Whole) -> (String, JSON) { (key.text, form.json(whole[keyPath: path])) }
}

/// A setting with a default. A plan leaves the default out.
public struct OptionalField<Whole>: Sendable {
  let key: PlanKey
  let form: ValueForm
  let decode: @Sendable (PlanObject, inout Whole) throws(PlanFault) -> Void
  /// What is written, if it is not the value of `plain`.
  let json: @Sendable (_ whole: Whole, _ plain: Whole) -> JSON?

  /// - Parameters:
  ///   - name: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func optional<Value: Equatable>(
    _ name: String, _ path: any WritableKeyPath<Whole, Value> & Sendable, _ form: Form<Value>
  ) -> OptionalField {
    let key = PlanKey(name)
    return OptionalField(key: key, form: form.form) { object, whole throws(PlanFault) in
      if let value = try object.value(key, form) { whole[keyPath: path] = value }
    } json: { whole, plain in
      let value = whole[keyPath: path]
      return value == plain[keyPath: path] ? nil : form.json(value)
    }
  }

  /// - Parameters:
  ///   - name: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func optional<Value: Equatable>(
    _ name: String, _ path: any WritableKeyPath<Whole, Value?> & Sendable, _ form: Form<Value>
  ) -> OptionalField {
    let key = PlanKey(name)
    return OptionalField(key: key, form: form.form) { object, whole throws(PlanFault) in
      if let value = try object.value(key, form) { whole[keyPath: path] = value }
    } json: { whole, _ in
      whole[keyPath: path].map { form.json($0) }
    }
  }
}

/// The settings of a stage, or of another part of a plan, in their order there. It is read and written by them.
///
/// It is made from its required settings alone, so the defaults of the others are those of its properties.
public struct PlanFields<Whole>: Sendable {
  let keys: [PlanKey]
  /// By key, how its value is written.
  let forms: [ValueForm]
  /// The keys that it cannot be without. They come first.
  let requiredCount: Int
  private let optional: [OptionalField<Whole>]
  /// Decodes the required settings.
  private let decodeRequired: @Sendable (PlanObject) throws(PlanFault) -> Whole
  /// What is written of the required settings, and what they make.
  private let required: @Sendable (Whole) -> (members: [(String, JSON)], plain: Whole)

  /// Makes the fields.
  /// - Parameter make: Makes the whole from its required settings.
  public init(_ optional: OptionalField<Whole>..., make: @escaping @Sendable () -> Whole) {
    keys = optional.map(\.key)
    forms = optional.map(\.form)
    requiredCount = 0
    self.optional = optional
    decodeRequired = { _ in make() }
    required = { @Sendable _ in ([], make()) }
  }

  /// Makes the fields.
  /// - Parameter make: Makes the whole from its required settings.
  public init<A>(
    _ a: RequiredField<Whole, A>, _ optional: OptionalField<Whole>..., make: @escaping @Sendable (A) -> Whole
  ) {
    keys = [a.key] + optional.map(\.key)
    forms = [a.form.form] + optional.map(\.form)
    requiredCount = 1
    self.optional = optional
    decodeRequired = { object throws(PlanFault) in make(try a.decode(object)) }
    required = { @Sendable whole in ([a.member(whole)], make(whole[keyPath: a.path])) }
  }

  /// Makes the fields.
  /// - Parameter make: Makes the whole from its required settings.
  public init<A, B>(
    _ a: RequiredField<Whole, A>, _ b: RequiredField<Whole, B>, _ optional: OptionalField<Whole>...,
    make: @escaping @Sendable (A, B) -> Whole
  ) {
    keys = [a.key, b.key] + optional.map(\.key)
    forms = [a.form.form, b.form.form] + optional.map(\.form)
    requiredCount = 2
    self.optional = optional
    decodeRequired = { object throws(PlanFault) in make(try a.decode(object), try b.decode(object)) }
    required = { @Sendable whole in
      ([a.member(whole), b.member(whole)], make(whole[keyPath: a.path], whole[keyPath: b.path]))
    }
  }

  /// Decodes an object, whose keys were checked.
  func decode(_ object: PlanObject) throws(PlanFault) -> Whole {
    var whole = try decodeRequired(object)
    for field in optional { try field.decode(object, &whole) }
    return whole
  }

  /// Sets a setting with a default.
  func set(_ key: PlanKey, of whole: inout Whole, to node: PlanNode) throws(PlanFault) {
    let object = try PlanObject(PlanNode(json: .object([(key.text, node.json)])), keys: [key])
    for field in optional where field.key == key { try field.decode(object, &whole) }
  }

  /// What is written of a part. The defaults are left out.
  func members(_ whole: Whole) -> [(String, JSON)] {
    let (members, plain) = required(whole)
    return members + optional.compactMap { field in field.json(whole, plain).map { (field.key.text, $0) } }
  }
}

/// A part of a plan that has fields and nothing else.
protocol PlanFieldsPart: PlanPart {
  static var fields: PlanFields<Self> { get }
}

extension PlanFieldsPart {
  init(plan node: PlanNode) throws(PlanFault) {
    let object = try PlanObject(node, keys: Self.fields.keys)
    try object.checkKeys()
    self = try Self.fields.decode(object)
  }

  var json: JSON { .object(Self.fields.members(self)) }
}

/// The settings of a stage in a plan.
public typealias StageFields = PlanFields

extension RecordingStage {
  /// The first of its settings, which a station file may leave unnamed.
  static var firstKey: PlanKey? { fields.keys.first }

  /// Its settings, and how they are written. Those that it cannot be without come first.
  static var settings: [(key: String, form: ValueForm)] {
    zip(fields.keys, fields.forms).map { ($0.text, $1) }
  }
  static var requiredCount: Int { fields.requiredCount }
  /// Whether it has a total, which goes on in the next run. The number of a window is no total, because any larger
  /// number may follow it.
  static var isTotal: Bool { self is any TotalStage.Type && !(self is any WindowStage.Type) }

  /// Decodes the settings of an object of a plan.
  init(plan node: PlanNode) throws(PlanFault) {
    let object = try PlanObject(node, keys: Self.fields.keys)
    try object.checkKeys(besides: [StagePlan.key.text], "\(Self.name) has no such setting")
    self = try Self.fields.decode(object)
    if let conflict {
      throw object.error(
        at: [conflict.key].compactMap { $0.map { PlanKey($0) } }, conflict.sentence, about: .several)
    }
  }

  /// What is written of its settings in a plan.
  var members: [(String, JSON)] { Self.fields.members(self) }
}
