// The link back to the shop, with the signed result. Merchants must rely on the notification and not on this link.
//
// The merchant's address stays unchanged byte for byte, because the merchant may have signed its query. Our fields come
// after the merchant's fields. If a name occurs twice, the last field is therefore ours.
import type { KeyObject } from 'node:crypto'
import type { Merchant } from '../../money/merchants/merchant.ts'
import { signerFor, signFields } from '../../money/merchants/sign-fields.ts'
import { webLink } from '../../platform/pages/page.ts'

export type Returned = {
  readonly tradeNo: string
  readonly merOrderNo: string
  /** 0: paid. 1: failed. 2: not decided. */
  readonly payCode: '0' | '1' | '2'
}

/**
 * Returns the link. Returns '' if the address is neither http nor https. The browser encodes characters outside ASCII.
 */
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

/**
 * Appends fields to the query, before any fragment. A URL object is not used, because it would rewrite the rest of the
 * address.
 */
export function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const [whole = ''] = address.split('#', 1)
  const fragment = address.slice(whole.length)
  const added = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${whole}${separator(whole)}${added.join('&')}${fragment}`
}

function separator(address: string): '?' | '&' | '' {
  const at = address.indexOf('?')
  if (at === -1) return '?'
  return at === address.length - 1 || address.endsWith('&') ? '' : '&'
}
