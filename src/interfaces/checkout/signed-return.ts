// The link back to the shop, with the signed result. Merchants must rely on the notification, not on this link.
//
// The merchant's address stays byte for byte as it was sent, because the merchant may have signed the query. Our fields
// follow the merchant's fields, so if a name occurs twice, the last field is ours.
import type { KeyObject } from 'node:crypto'
import type { Merchant } from '../../money/merchants/merchant.ts'
import { signerFor, signFields } from '../../money/merchants/sign-fields.ts'
import { webLink } from '../../platform/pages/page.ts'

export type Returned = {
  readonly tradeNo: string
  readonly merOrderNo: string
  /** 0 is paid, 1 is failed, 2 is not decided. */
  readonly payCode: '0' | '1' | '2'
}

/** Returns the link, or '' if the address is neither http nor https. Browsers encode non-ASCII characters. */
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

/** Appends fields to the query, before any fragment. A URL object would rewrite the rest of the address. */
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
