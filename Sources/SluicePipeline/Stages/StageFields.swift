/// A setting that a stage cannot be without.
@_spi(Preview) public struct RequiredField<Stage, Value: Sendable>: Sendable {
  let key: PlanKey
  let path: any KeyPath<Stage, Value> & Sendable
  let form: FieldForm<Value>

  /// - Parameters:
  ///   - key: The name of the setting in a plan.
  ///   - path: The property of the stage.
  ///   - form: How the value is written.
  public static func required(
    _ key: String, _ path: any KeyPath<Stage, Value> & Sendable, _ form: FieldForm<Value>
  ) -> RequiredField {
    RequiredField(key: PlanKey(key), path: path, form: form)
  }

  func decode(_ object: PlanObject<PlanKey>) throws -> Value { try object.required(key, form.decode(object, key)) }

  func encode(_ stage: Stage, into members: inout KeyedEncodingContainer<PlanKey>) throws {
    try members.encode(form.encoded(stage[keyPath: path]), forKey: key)
  }
}

/// A setting with a default. A plan leaves the default out.
@_spi(Preview) public struct OptionalField<Stage>: Sendable {
  let key: PlanKey
  let decode: @Sendable (PlanObject<PlanKey>, inout Stage) throws -> Void
  let encode: @Sendable (_ stage: Stage, _ plain: Stage, inout KeyedEncodingContainer<PlanKey>) throws -> Void

  /// - Parameters:
  ///   - name: The name of the setting in a plan.
  ///   - path: The property of the stage.
  ///   - form: How the value is written.
  public static func optional<Value: Equatable>(
    _ name: String, _ path: any WritableKeyPath<Stage, Value> & Sendable, _ form: FieldForm<Value>
  ) -> OptionalField {
    let key = PlanKey(name)
    return OptionalField(key: key) { object, stage in
      if let value = try form.decode(object, key) { stage[keyPath: path] = value }
    } encode: { stage, plain, members in
      let value = stage[keyPath: path]
      if value != plain[keyPath: path] { try members.encode(form.encoded(value), forKey: key) }
    }
  }

  /// - Parameters:
  ///   - name: The name of the setting in a plan.
  ///   - path: The property of the stage.
  ///   - form: How the value is written.
  public static func optional<Value: Equatable>(
    _ name: String, _ path: any WritableKeyPath<Stage, Value?> & Sendable, _ form: FieldForm<Value>
  ) -> OptionalField {
    let key = PlanKey(name)
    return OptionalField(key: key) { object, stage in
      if let value = try form.decode(object, key) { stage[keyPath: path] = value }
    } encode: { stage, _, members in
      if let value = stage[keyPath: path] { try members.encode(form.encoded(value), forKey: key) }
    }
  }
}

/// The settings of a stage in a plan, in their order there. The stage is decoded and encoded by them.
///
/// A stage is made from its required settings alone, so the defaults of the others are those of its properties.
@_spi(Preview) public struct StageFields<Stage: RecordingStage>: Sendable {
  let keys: [PlanKey]
  private let optional: [OptionalField<Stage>]
  /// Decodes the required settings.
  private let decode: @Sendable (PlanObject<PlanKey>) throws -> Stage
  /// Encodes the required settings, and returns the stage that they make.
  private let encode: @Sendable (Stage, inout KeyedEncodingContainer<PlanKey>) throws -> Stage

  /// Makes the fields.
  /// - Parameter make: Makes the stage from its required settings.
  public init(_ optional: OptionalField<Stage>..., make: @escaping @Sendable () -> Stage) {
    keys = optional.map(\.key)
    self.optional = optional
    decode = { _ in make() }
    encode = { @Sendable _, _ in make() }
  }

  /// Makes the fields.
  /// - Parameter make: Makes the stage from its required settings.
  public init<A>(
    _ a: RequiredField<Stage, A>, _ optional: OptionalField<Stage>..., make: @escaping @Sendable (A) -> Stage
  ) {
    keys = [a.key] + optional.map(\.key)
    self.optional = optional
    decode = { make(try a.decode($0)) }
    encode = { @Sendable stage, members in
      try a.encode(stage, into: &members)
      return make(stage[keyPath: a.path])
    }
  }

  /// Makes the fields.
  /// - Parameter make: Makes the stage from its required settings.
  public init<A, B>(
    _ a: RequiredField<Stage, A>, _ b: RequiredField<Stage, B>, _ optional: OptionalField<Stage>...,
    make: @escaping @Sendable (A, B) -> Stage
  ) {
    keys = [a.key, b.key] + optional.map(\.key)
    self.optional = optional
    decode = { make(try a.decode($0), try b.decode($0)) }
    encode = { @Sendable stage, members in
      try a.encode(stage, into: &members)
      try b.encode(stage, into: &members)
      return make(stage[keyPath: a.path], stage[keyPath: b.path])
    }
  }

  fileprivate func stage(_ decoder: any Decoder) throws -> Stage {
    let object = try PlanObject(decoder, keys: keys)
    try object.checkKeys(besides: [StagePlan.key], "\(Stage.name) has no such setting")
    var stage = try decode(object)
    for field in optional { try field.decode(object, &stage) }
    if let conflict = stage.conflict {
      throw object.error(at: [conflict.key].compactMap { $0.map { PlanKey($0) } }, conflict.sentence)
    }
    return stage
  }

  fileprivate func encode(_ stage: Stage, to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: PlanKey.self)
    let plain = try encode(stage, &members)
    for field in optional { try field.encode(stage, plain, &members) }
  }
}

extension RecordingStage {
  /// Decodes the settings of an object of a plan.
  init(plan decoder: any Decoder) throws { self = try Self.fields.stage(decoder) }

  /// Encodes the settings into an object of a plan.
  func encode(plan encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}
