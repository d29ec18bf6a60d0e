// The same closure, of which the compiler does not know any more which one it is: it has to call it. One for each type,
// for a generic one would put another closure around it.

@inline(never) public func hidden(_ closure: @escaping (Int) -> Int) -> (Int) -> Int { closure }
@inline(never) public func hidden(_ closure: @escaping (Int) -> Int?) -> (Int) -> Int? { closure }
@inline(never) public func hidden(_ closure: @escaping (Int) -> Bool) -> (Int) -> Bool { closure }
@inline(never) public func hidden(_ closure: @escaping (Int, Int) -> Int) -> (Int, Int) -> Int { closure }
@inline(never) public func hidden(_ closure: @escaping (Int) -> Void) -> (Int) -> Void { closure }
