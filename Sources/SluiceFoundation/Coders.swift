public import Foundation
public import Sluice

extension JSONEncoder: TopLevelEncoder {
  /// The type of the values that it publishes.
  public typealias Output = Data
}

extension JSONDecoder: TopLevelDecoder {
  /// The type of the values that it takes.
  public typealias Input = Data
}

extension PropertyListEncoder: TopLevelEncoder {
  /// The type of the values that it publishes.
  public typealias Output = Data
}

extension PropertyListDecoder: TopLevelDecoder {
  /// The type of the values that it takes.
  public typealias Input = Data
}
