// URL parsers drop spaces around an address, so one that passes alone is another address, or none, once a path is added to it.
const NOT_IN_ADDRESSES = /[\s\p{Cc}]/u

/** What an address must be; the name of the setting goes before it. */
export const WEB_ADDRESS = 'must be an http or https address without spaces'

/** Without slashes at its end, so that paths can be added. Undefined if it is no such address. */
export function readWebAddress(text: string): string | undefined {
  const isRight = /^https?:\/\/[^/]/i.test(text) && !NOT_IN_ADDRESSES.test(text) && URL.canParse(text)
  return isRight ? text.replace(/\/+$/, '') : undefined
}
