// The browser's way back to the shop, with the result, signed so that it can be checked. What counts is the notification.
import type { KeyObject } from 'node:crypto'
import type { Merchant } from '../merchants/merchant.ts'
import { signerFor, signFields } from '../merchants/sign-fields.ts'
import { webAddress } from '../pages/page.ts'

export type Returned = {
  readonly tradeNo: string
  readonly merOrderNo: string
  /** 0 paid, 1 failed, 2 not decided. */
  readonly payCode: '0' | '1' | '2'
}

/** '' for an address that is none of the web. */
export async function signedReturn(
  platformKey: KeyObject,
  merchant: Merchant,
  returnUrl: string,
  { tradeNo, merOrderNo, payCode }: Returned,
): Promise<string> {
  const url = webAddress(returnUrl)
  if (url === undefined) return ''
  const fields = { tradeNo, merOrderNo, payCode }
  const sign = await signFields('return', fields, signerFor(merchant, platformKey))
  for (const [name, value] of Object.entries({ ...fields, sign })) url.searchParams.set(name, value)
  return url.href
}
