/// The release that this is.
package let version = "0.1.0"
