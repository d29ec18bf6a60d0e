/// Who is called by code in the module that has the names.
public func ownCalls() -> [(name: String, type: Any.Type)] { callsOfTypes() + callsOfOperators() }
