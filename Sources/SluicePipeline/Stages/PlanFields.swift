/// A setting that a stage, or another part of a plan, cannot be without.
public struct RequiredField<Whole, Value: Sendable>: Sendable {
  let key: PlanKey
  let path: any KeyPath<Whole, Value> & Sendable
  let form: FieldForm<Value>

  /// - Parameters:
  ///   - key: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func required(
    _ key: String, _ path: any KeyPath<Whole, Value> & Sendable, _ form: FieldForm<Value>
  ) -> RequiredField {
    RequiredField(key: PlanKey(key), path: path, form: form)
  }

  func decode(_ object: PlanObject<PlanKey>) throws -> Value { try object.required(key, form.decode(object, key)) }

  func encode(_ whole: Whole, into members: inout KeyedEncodingContainer<PlanKey>) throws {
    try members.encode(form.encoded(whole[keyPath: path]), forKey: key)
  }
}

/// A setting with a default. A plan leaves the default out.
public struct OptionalField<Whole>: Sendable {
  let key: PlanKey
  let form: ValueForm
  let decode: @Sendable (PlanObject<PlanKey>, inout Whole) throws -> Void
  let encode: @Sendable (_ whole: Whole, _ plain: Whole, inout KeyedEncodingContainer<PlanKey>) throws -> Void

  /// - Parameters:
  ///   - name: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func optional<Value: Equatable>(
    _ name: String, _ path: any WritableKeyPath<Whole, Value> & Sendable, _ form: FieldForm<Value>
  ) -> OptionalField {
    let key = PlanKey(name)
    return OptionalField(key: key, form: form.form) { object, whole in
      if let value = try form.decode(object, key) { whole[keyPath: path] = value }
    } encode: { whole, plain, members in
      let value = whole[keyPath: path]
      if value != plain[keyPath: path] { try members.encode(form.encoded(value), forKey: key) }
    }
  }

  /// - Parameters:
  ///   - name: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func optional<Value: Equatable>(
    _ name: String, _ path: any WritableKeyPath<Whole, Value?> & Sendable, _ form: FieldForm<Value>
  ) -> OptionalField {
    let key = PlanKey(name)
    return OptionalField(key: key, form: form.form) { object, whole in
      if let value = try form.decode(object, key) { whole[keyPath: path] = value }
    } encode: { whole, _, members in
      if let value = whole[keyPath: path] { try members.encode(form.encoded(value), forKey: key) }
    }
  }
}

/// The settings of a stage, or of another part of a plan, in their order there. It is decoded and encoded by them.
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
  private let decodeRequired: @Sendable (PlanObject<PlanKey>) throws -> Whole
  /// Encodes the required settings, and returns what they make.
  private let encodeRequired: @Sendable (Whole, inout KeyedEncodingContainer<PlanKey>) throws -> Whole

  /// Makes the fields.
  /// - Parameter make: Makes the whole from its required settings.
  public init(_ optional: OptionalField<Whole>..., make: @escaping @Sendable () -> Whole) {
    keys = optional.map(\.key)
    forms = optional.map(\.form)
    requiredCount = 0
    self.optional = optional
    decodeRequired = { _ in make() }
    encodeRequired = { @Sendable _, _ in make() }
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
    decodeRequired = { make(try a.decode($0)) }
    encodeRequired = { @Sendable whole, members in
      try a.encode(whole, into: &members)
      return make(whole[keyPath: a.path])
    }
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
    decodeRequired = { make(try a.decode($0), try b.decode($0)) }
    encodeRequired = { @Sendable whole, members in
      try a.encode(whole, into: &members)
      try b.encode(whole, into: &members)
      return make(whole[keyPath: a.path], whole[keyPath: b.path])
    }
  }

  /// Decodes an object, whose keys were checked.
  func decode(_ object: PlanObject<PlanKey>) throws -> Whole {
    var whole = try decodeRequired(object)
    for field in optional { try field.decode(object, &whole) }
    return whole
  }

  func encode(_ whole: Whole, into members: inout KeyedEncodingContainer<PlanKey>) throws {
    let plain = try encodeRequired(whole, &members)
    for field in optional { try field.encode(whole, plain, &members) }
  }
}

/// The settings of a stage in a plan.
public typealias StageFields = PlanFields

extension RecordingStage {
  /// The first of its settings, which a station file may leave unnamed.
  static var firstKey: PlanKey? { fields.keys.first }

  /// Its settings, and how they are written. Those that it cannot be without come first.
  static var settings: [(key: String, form: ValueForm)] {
    zip(fields.keys, fields.forms).map { ($0.stringValue, $1) }
  }
  static var requiredCount: Int { fields.requiredCount }
  /// Whether it has a total, which goes on in the next run. The number of a window is no total, because any larger
  /// number may follow it.
  static var isTotal: Bool { self is any TotalStage.Type && !(self is any WindowStage.Type) }

  /// Decodes the settings of an object of a plan.
  init(plan decoder: any Decoder) throws {
    let object = try PlanObject(decoder, keys: Self.fields.keys)
    try object.checkKeys(besides: [StagePlan.key], "\(Self.name) has no such setting")
    self = try Self.fields.decode(object)
    if let conflict {
      throw object.error(
        at: [conflict.key].compactMap { $0.map { PlanKey($0) } }, conflict.sentence, about: .several)
    }
  }

  /// Encodes the settings into an object of a plan.
  func encode(plan encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: PlanKey.self)
    try Self.fields.encode(self, into: &members)
  }
}
