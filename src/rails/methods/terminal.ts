// The payer's terminal: the values of the interface's `terminal` field, and how to detect one that was not sent.

export const allTerminals = ['WEB', 'WAP', 'APP', 'MINI_APP'] as const

export type Terminal = (typeof allTerminals)[number]

/** Possible terminals, the best one first. */
export type Terminals = readonly [Terminal, ...Terminal[]]

export const DESKTOP: Terminals = ['WEB']
/** A phone's browser can also show a desktop page; the reverse often fails. */
export const PHONE: Terminals = ['WAP', 'WEB']
/** For our own pages, before the payer's browser is known. */
export const ANY_BROWSER: Terminals = ['WEB', 'WAP']

const phonePattern = /Mobi|Android|iPhone|iPod/i

/** A method's restrictions on browsers. */
type BrowserTraits = {
  /** User agents on phones that cannot open the phone page: they get the desktop page. */
  readonly noPhonePageIn?: RegExp
}

export function terminalsOfBrowser(userAgent: string, { noPhonePageIn }: BrowserTraits): Terminals {
  return phonePattern.test(userAgent) && noPhonePageIn?.test(userAgent) !== true ? PHONE : DESKTOP
}

/** From the merchant's request: the terminal if sent, else the browser, else the operating system. */
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
