/// The version of this release.
package let version = "0.1.0"
