import SluiceDevices

/// What sources are opened with.
package struct SourceContext: Sendable {
  package var roots = DeviceRoots()
  /// Told what a source does meanwhile: that a device was removed, that it is back, what was restored.
  package var say: @Sendable (String) -> Void = { _ in }

  package init(roots: DeviceRoots = DeviceRoots(), say: @escaping @Sendable (String) -> Void = { _ in }) {
    self.roots = roots
    self.say = say
  }
}
