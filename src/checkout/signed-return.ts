// The browser's way back to the shop, with the result, signed so that it can be checked. What counts is the notification.
//
// The merchant's address stays as it was sent, byte for byte: whatever its query holds, also names that we use, may be
// covered by a signature of its own. Ours stand behind it, so that of a name given twice the last is ours.
import type { KeyObject } from 'node:crypto'
import type { Merchant } from '../merchants/merchant.ts'
import { signerFor, signFields } from '../merchants/sign-fields.ts'
import { webLink } from '../pages/page.ts'

export type Returned = {
  readonly tradeNo: string
  readonly merOrderNo: string
  /** 0 paid, 1 failed, 2 not decided. */
  readonly payCode: '0' | '1' | '2'
}

/** For links on pages, where browsers encode what is not ASCII; '' for an address that is none of the web. */
export async function signedReturn(
  platformKey: KeyObject,
  merchant: Merchant,
  returnUrl: string,
  { tradeNo, merOrderNo, payCode }: Returned,
): Promise<string> {
  const link = webLink(returnUrl)
  if (link === undefined) return ''
  const fields = { tradeNo, merOrderNo, payCode }
  const sign = await signFields('return', fields, signerFor(merchant, platformKey))
  return withQuery(link, { ...fields, sign })
}

/** Appends to the query, before a fragment. By hand: a URL object would write the rest of the address anew. */
export function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const [whole = ''] = address.split('#', 1)
  const fragment = address.slice(whole.length)
  const added = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${whole}${joint(whole)}${added.join('&')}${fragment}`
}

function joint(address: string): '?' | '&' | '' {
  const mark = address.indexOf('?')
  if (mark === -1) return '?'
  return mark === address.length - 1 || address.endsWith('&') ? '' : '&'
}
