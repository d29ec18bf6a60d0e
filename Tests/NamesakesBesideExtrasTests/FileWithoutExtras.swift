import Sluice

#if hasFeature(MemberImportVisibility)
  /// The type of `pair()` in a file that does not import SluiceExtras, in a module where another file does.
  let pairWithoutExtras = "\(type(of: PassthroughSubject<Int, Never>().pair()))"

  extension Publishers {
    struct Joined { let own = true }
  }
  let joinedWithoutExtras = String(reflecting: Publishers.Joined.self)
#endif
