// URL parsers ignore spaces around an address. However, an address with a space at its end becomes invalid when a path
// is appended.
const NOT_IN_ADDRESSES = /[\s\p{Cc}]/u

/** The rule for an address. The caller prepends the name of the setting. */
export const WEB_ADDRESS = 'must be an http or https address without spaces'

/**
 * Reads an address. Undefined for a text that breaks the rule. Slashes at the end are dropped, so that paths can be
 * appended.
 */
export function readWebAddress(text: string): string | undefined {
  const isRight = /^https?:\/\/[^/]/i.test(text) && !NOT_IN_ADDRESSES.test(text) && URL.canParse(text)
  return isRight ? text.replace(/\/+$/, '') : undefined
}
