// Where a payer pays: the values of the interface's `terminal` field, and how one is told where nobody sent it.

export const allTerminals = ['WEB', 'WAP', 'APP', 'MINI_APP'] as const

export type Terminal = (typeof allTerminals)[number]

/** Terminals to choose from, the best one first. */
export type Terminals = readonly [Terminal, ...Terminal[]]

export const DESKTOP: Terminals = ['WEB']
/** A phone's browser also shows what was made for a desktop; the reverse often leads nowhere. */
export const PHONE: Terminals = ['WAP', 'WEB']
/** Our own pages, before a payer has come with a browser. */
export const ANY_BROWSER: Terminals = ['WEB', 'WAP']

const phonePattern = /Mobi|Android|iPhone|iPod/i

/** What a method says of browsers. */
type BrowserTraits = {
  /** User agents on phones that do not open its page for phones: there it does as on a desktop. */
  readonly noPhonePageIn?: RegExp
}

export function terminalsOfBrowser(userAgent: string, { noPhonePageIn }: BrowserTraits): Terminals {
  return phonePattern.test(userAgent) && noPhonePageIn?.test(userAgent) !== true ? PHONE : DESKTOP
}

/** What a merchant said of its payer's device: the terminal itself, else the browser, else the system. */
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
