public import ArgumentParser

/// An argument that is one of a few names.
///
/// ArgumentParser asks for the names each time it makes the options of a command. Its own way to find them uses key
/// paths, and each key path searches all conformances of the program at run time. It also describes the default of each
/// option. So an option of such a type has no default value; its help says what the default is.
public protocol NamedChoice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension NamedChoice {
  /// Empty, because the form of the option has the names already: `<rising|falling>`.
  public static var allValueStrings: [String] { [] }
  /// The names.
  public static var defaultCompletionKind: CompletionKind { .list(allCases.map { $0.rawValue }) }
  /// Empty, because the help of the option explains the names.
  public static var allValueDescriptions: [String: String] { [:] }
}
