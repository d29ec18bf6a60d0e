import Sluice

// Everything in this folder is written as it is for Combine, but for the import; it is compiled in Swift 5 mode, as most
// such code is.

enum TestError: Error, Equatable {
  case first, second
}

/// All that a publisher says at once, as text.
func history<P: Publisher>(_ publisher: P) -> [String] {
  var events: [String] = []
  let cancellable = publisher.sink(
    receiveCompletion: { completion in
      switch completion {
      case .finished: events.append("finished")
      case .failure(let error): events.append("\(error)")
      }
    },
    receiveValue: { events.append("\($0)") })
  cancellable.cancel()
  return events
}

/// Throws for one value.
func refuse<T: Equatable>(_ refused: T) -> (T) throws -> Bool {
  { value in
    if value == refused { throw TestError.first }
    return true
  }
}
