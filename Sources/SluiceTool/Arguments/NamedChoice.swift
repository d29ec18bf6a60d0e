public import ArgumentParser

/// An argument that is one of a few names.
///
/// ArgumentParser asks for the names each time that it makes the options of a command, and finds them by key paths. A key
/// path is made when the program runs, by a search of all its conformances.
public protocol NamedChoice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension NamedChoice {
  /// The names.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  /// None: the help of the option says what the names mean.
  public static var allValueDescriptions: [String: String] { [:] }
}
