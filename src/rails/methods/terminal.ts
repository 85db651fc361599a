// The values of the API's `terminal` field, and the detection of the terminal if the field is missing.

export const allTerminals = ['WEB', 'WAP', 'APP', 'MINI_APP'] as const

export type Terminal = (typeof allTerminals)[number]

/** The possible terminals of a payer, with the best terminal first. */
export type Terminals = readonly [Terminal, ...Terminal[]]

export const DESKTOP: Terminals = ['WEB']
/** A phone's browser can also show a desktop page, but a desktop browser often cannot show a phone page. */
export const PHONE: Terminals = ['WAP', 'WEB']
/** The terminals of our own pages, before the payer's browser is known. */
export const ANY_BROWSER: Terminals = ['WEB', 'WAP']

const phonePattern = /Mobi|Android|iPhone|iPod/i

type BrowserTraits = {
  /** Matches the user agents of phone browsers that cannot open the phone page. These browsers get the desktop page. */
  readonly noPhonePageIn?: RegExp
}

export function terminalsOfBrowser(userAgent: string, { noPhonePageIn }: BrowserTraits): Terminals {
  return phonePattern.test(userAgent) && noPhonePageIn?.test(userAgent) !== true ? PHONE : DESKTOP
}

/**
 * Returns the terminals that follow from the request: from `terminal` if it is sent, else from `userAgent`, else from
 * `osType`.
 */
export function terminalsOfOrder(
  { terminal, userAgent, osType }: DeviceFields,
  traits: BrowserTraits,
): Terminals {
  const named = allTerminals.find((one) => one === terminal)
  if (named !== undefined) return [named]
  if (typeof userAgent === 'string' && userAgent !== '') return terminalsOfBrowser(userAgent, traits)
  return typeof osType === 'string' && osType !== '' ? PHONE : DESKTOP
}

type DeviceFields = {
  readonly terminal?: unknown
  readonly userAgent?: unknown
  readonly osType?: unknown
}
