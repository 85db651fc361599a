/** An exercise cannot run: the sandbox or the merchant's settings do not allow it. The message says why. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible'
}
