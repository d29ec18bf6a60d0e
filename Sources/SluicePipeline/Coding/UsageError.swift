/// An error in the arguments, independent of the devices and files of the machine.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
