public import Foundation
public import Sluice

extension JSONEncoder: TopLevelEncoder {
  /// The type of its values.
  public typealias Output = Data
}

extension JSONDecoder: TopLevelDecoder {
  /// The type of its inputs.
  public typealias Input = Data
}

extension PropertyListEncoder: TopLevelEncoder {
  /// The type of its values.
  public typealias Output = Data
}

extension PropertyListDecoder: TopLevelDecoder {
  /// The type of its inputs.
  public typealias Input = Data
}
