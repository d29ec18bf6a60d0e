import SluiceReadings

/// A row of a table of arguments: all that is known of one option, or a group of rows.
package struct ArgumentRow<Owner> {
  /// How the words of one row become a value.
  struct Reading {
    /// Keeps the value of a text; false if it is none, and the form says enough.
    let take: ArgumentTaking<Owner>
    /// Whether a text is a value.
    let accepts: (String) -> Bool
    /// Why it is none.
    let why: (String) -> String?
    /// The possible values, where the form does not have them.
    let names: () -> [String]
    /// What should be said about a value.
    var notice: ((String) -> [String])?
  }

  enum Content {
    case words(ArgumentWords, Reading)
    case group(title: String?, rows: [ArgumentRow], check: (Owner) throws -> Void)
  }

  let content: Content

  // MARK: Rows

  /// An option with a value.
  ///
  /// - Parameters:
  ///   - name: The name without dashes.
  ///   - short: The letter of the short name.
  ///   - form: What stands for the value: `T`, `FILE|-`.
  ///   - help: A sentence. If the place is an array, it must say that the option can be repeated.
  ///   - place: Where the value is kept. It is made only if the option is given.
  ///   - alone: The value for which the option stands if none follows.
  ///   - isNeeded: Whether it has to be given.
  ///   - completion: What a shell offers; what the type of the value offers, if it is left out.
  ///   - notice: What should be said about a value that is right.
  package static func option<Place: ArgumentPlace>(
    _ name: String, short: Character? = nil, _ form: String, _ help: @autoclosure @escaping () -> String,
    _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, Place>, alone: String? = nil, isNeeded: Bool = false,
    completion: @autoclosure @escaping () -> ArgumentCompletion = Place.Value.completion,
    notice: ((String) -> [String])? = nil
  ) -> Self {
    let words = ArgumentWords(
      .value, name, short, form, isRepeated: Place.isRepeated, isNeeded: isNeeded, alone: alone, help, completion)
    return Self(content: .words(words, reading(place, notice)))
  }

  /// An option without a value.
  package static func flag(
    _ name: String, short: Character? = nil, _ help: @autoclosure @escaping () -> String,
    _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, Bool>
  ) -> Self {
    setting(.flag, name, short, help) { owner, _ in owner[keyPath: place()] = true }
  }

  /// An option whose value is kept by a closure.
  /// - Parameters:
  ///   - form: What stands for the value; nil if it has none.
  ///   - why: Why a text is no such value; nil if the form alone explains it.
  ///   - take: Keeps a value; false if it is none, and the form says enough.
  package static func option(
    _ name: String, short: Character? = nil, _ form: String?, _ help: @autoclosure @escaping () -> String,
    isRepeated: Bool, completion: @autoclosure @escaping () -> ArgumentCompletion = .none,
    why: @escaping (String) -> String? = { _ in nil }, notice: ((String) -> [String])? = nil,
    take: @escaping ArgumentTaking<Owner>
  ) -> Self {
    let words = ArgumentWords(
      form == nil ? .flag : .value, name, short, form ?? "", isRepeated: isRepeated, isNeeded: false, alone: nil, help,
      completion)
    return Self(
      content: .words(words, Reading(take: take, accepts: { _ in true }, why: why, names: { [] }, notice: notice)))
  }

  /// An option without a value, and `--no-NAME` as its opposite. The last one counts.
  package static func toggle(
    _ name: String, _ help: @autoclosure @escaping () -> String,
    _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, Bool?>
  ) -> Self {
    setting(.toggle, name, nil, help) { owner, text in owner[keyPath: place()] = !text.hasPrefix("--no-") }
  }

  /// Words without an option.
  /// - Parameter isNeeded: Whether there has to be one; by the type of the place, if it is left out.
  package static func argument<Place: ArgumentPlace>(
    _ form: String, _ help: @autoclosure @escaping () -> String,
    _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, Place>, isNeeded: Bool = Place.isNeeded,
    completion: @autoclosure @escaping () -> ArgumentCompletion = Place.Value.completion,
    notice: ((String) -> [String])? = nil
  ) -> Self {
    let words = ArgumentWords(
      .positional, form, nil, form, isRepeated: Place.isRepeated, isNeeded: isNeeded, alone: nil, help, completion)
    return Self(content: .words(words, reading(place, notice)))
  }

  /// All words behind the arguments before, also those that begin with a dash.
  package static func rest(
    _ form: String, _ help: @autoclosure @escaping () -> String,
    _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, [String]>, isNeeded: Bool = false,
    completion: @autoclosure @escaping () -> ArgumentCompletion = .none
  ) -> Self {
    let words = ArgumentWords(
      .rest, form, nil, form, isRepeated: true, isNeeded: isNeeded, alone: nil, help, completion)
    return Self(content: .words(words, reading(place, nil)))
  }

  /// A key that stands behind a comma, such as `edges=rising`. No argument is read by it; the help explains it.
  /// - Parameter form: What stands for its value; nil if it has none.
  package static func key(_ name: String, _ form: String?, _ help: @autoclosure @escaping () -> String) -> Self {
    let words = ArgumentWords(
      .key, name, nil, form ?? "", isRepeated: false, isNeeded: false, alone: nil, help, { .none })
    return Self(
      content: .words(
        words, Reading(take: { _, _ in false }, accepts: { _ in false }, why: { _ in nil }, names: { [] })))
  }

  /// The rows of a group, which stand together in the help.
  /// - Parameter title: What stands above them, as `Word, which says more`.
  package static func group<Group: ArgumentGroup>(
    _ title: String, _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, Group>
  ) -> Self {
    group(title: title, place)
  }

  /// Rows of the command itself, which stand together in the help.
  package static func group(_ title: String, rows: [Self]) -> Self {
    Self(content: .group(title: title, rows: rows, check: { _ in }))
  }

  /// The rows of a group that has no place of its own in the help.
  package static func rows<Group: ArgumentGroup>(
    of place: @autoclosure @escaping () -> WritableKeyPath<Owner, Group>
  ) -> Self {
    group(title: nil, place)
  }

  private static func group<Group: ArgumentGroup>(
    title: String?, _ place: @escaping () -> WritableKeyPath<Owner, Group>
  ) -> Self {
    Self(
      content: .group(
        title: title, rows: Group.rows.map { $0.lifted(place) }, check: { try $0[keyPath: place()].validate() }))
  }

  // MARK: More of a row

  /// The option had other names in earlier versions, without dashes. They are no longer taken, but an error says the new one.
  package func earlier(_ names: String...) -> Self { with { $0.earlier = names } }

  /// The names of this option in another program, with dashes. An error says the name here.
  package func named(_ names: String..., in program: String) -> Self {
    with { $0.elsewhere = names.map { (program, $0) } }
  }

  /// The option is written in another way now, which `form` makes from the value. It is still taken, with a notice, and is on no
  /// page.
  package func written(as form: @escaping (String) -> String) -> Self { with { $0.instead = form } }

  /// What to do instead of giving it twice.
  package func insteadOfTwice(_ remedy: String) -> Self { with { $0.insteadOfTwice = remedy } }

  private func with(_ change: (ArgumentWords) -> Void) -> Self {
    if case .words(let words, _) = content { change(words) }
    return self
  }

  // MARK: How they are made

  private static func reading<Place: ArgumentPlace>(
    _ place: @escaping () -> WritableKeyPath<Owner, Place>, _ notice: ((String) -> [String])?
  ) -> Reading {
    Reading(
      take: { owner, text in
        guard let value = Place.Value(argument: text) else { return false }
        owner[keyPath: place()].take(value)
        return true
      }, accepts: { Place.Value(argument: $0) != nil }, why: { Place.Value.why($0) }, names: { Place.Value.names },
      notice: notice)
  }

  private static func setting(
    _ kind: ArgumentWords.Kind, _ name: String, _ short: Character?, _ help: @escaping () -> String,
    _ set: @escaping (inout Owner, String) -> Void
  ) -> Self {
    let words = ArgumentWords(
      kind, name, short, "", isRepeated: false, isNeeded: false, alone: nil, help, { .none })
    let reading = Reading(
      take: { owner, text in
        set(&owner, text)
        return true
      }, accepts: { _ in true }, why: { _ in nil }, names: { [] }, notice: nil)
    return Self(content: .words(words, reading))
  }

  /// The row of the group's owner.
  private func lifted<Parent>(_ place: @escaping () -> WritableKeyPath<Parent, Owner>) -> ArgumentRow<Parent> {
    switch content {
    case .words(let words, let reading):
      let lifted = ArgumentRow<Parent>.Reading(
        take: { parent, text throws(Fault) in try reading.take(&parent[keyPath: place()], text) },
        accepts: reading.accepts,
        why: reading.why, names: reading.names, notice: reading.notice)
      return ArgumentRow<Parent>(content: .words(words, lifted))
    case .group(let title, let rows, let check):
      return ArgumentRow<Parent>(
        content: .group(
          title: title, rows: rows.map { $0.lifted(place) }, check: { try check($0[keyPath: place()]) }))
    }
  }
}
