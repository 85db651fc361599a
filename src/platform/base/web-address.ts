// URL parsers ignore spaces around an address. Without this pattern, an address with a space at its end would be
// accepted, and would become invalid as soon as a path is appended.
const NOT_IN_ADDRESSES = /[\s\p{Cc}]/u

/** The rule for a web address. The caller prepends the name of the setting. */
export const WEB_ADDRESS = 'must be an http or https address without spaces'

/** Returns the address without slashes at its end, so that paths can be appended, or undefined for any other text. */
export function readWebAddress(text: string): string | undefined {
  const isRight = /^https?:\/\/[^/]/i.test(text) && !NOT_IN_ADDRESSES.test(text) && URL.canParse(text)
  return isRight ? text.replace(/\/+$/, '') : undefined
}
