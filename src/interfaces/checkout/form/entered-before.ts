// Selects what the payer entered for the last attempt, so that the form after a decline is filled in. Attempts store no
// card number, expiry date or security code, and personal numbers are left out here. Only the browser that sent the form
// gets the entries back: whoever else knows the page's link, such as the merchant, does not see them.
import { networkOf } from '../../../platform/http/addresses.ts'
import type { Form } from '../../../platform/pages/form.ts'
import type { Fields } from '../../../rails/methods/traits.ts'
import type { Browser } from '../pay-order.ts'
import type { MethodChoice } from '../view.ts'

export function enteredBefore(details: Fields, choices: readonly MethodChoice[], browser: Browser): Form {
  if (!isSameBrowser(details, browser)) return {}
  const asked = choices.flatMap(({ asks }) => asks).filter(({ personal }) => personal !== true)
  const entered: Record<string, string> = {}
  for (const { name } of asked) {
    const value = details[name]
    if (typeof value === 'string' || typeof value === 'number') entered[name] = String(value)
  }
  return entered
}

/** True if the attempt came from this browser program and network. An address may change within its network. */
function isSameBrowser({ userAgent, ipAddress }: Fields, browser: Browser): boolean {
  if (typeof ipAddress !== 'string' || userAgent !== browser.userAgent) return false
  return networkOf(ipAddress) === networkOf(browser.address)
}
