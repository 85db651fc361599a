// Verifies the address at which the payer returns to the shop. The result in the address is only for display to the
// payer. A shop must wait for the notification before it ships.
import { TollgateError } from './errors.ts'
import type { OrderStatus } from './known-order.ts'
import { checkSecrets, isSignedBy, type Secrets } from './secrets.ts'

export type Returned = {
  readonly status: Extract<OrderStatus, 'succeeded' | 'failed' | 'pending'>
  readonly tradeNo: string
  readonly merOrderNo: string
}

const statuses = { 0: 'succeeded', 1: 'failed', 2: 'pending' } as const

/**
 * `address` is the URL that the payer's browser opened, including the query. Rejects with a TollgateError if the URL
 * was changed.
 */
export async function verifyReturn(address: string | URL, secrets: Secrets): Promise<Returned> {
  checkSecrets(secrets)
  const query = new URL(address, 'https://shop.invalid').searchParams
  // The gateway appends its fields to the fields of the shop. If a name occurs twice, the last field is the gateway's.
  const [tradeNo = '', merOrderNo = '', payCode = '', sign = ''] = [
    ...['tradeNo', 'merOrderNo', 'payCode', 'sign'].map((name) => query.getAll(name).at(-1)),
  ]
  const isGenuine = await isSignedBy(secrets, 'return', { tradeNo, merOrderNo, payCode, sign })
  if (!isGenuine || !isPayCode(payCode))
    throw new TollgateError('the return address was changed, or signed with another key', {
      next: 'check-keys',
    })
  return { status: statuses[payCode], tradeNo, merOrderNo }
}

function isPayCode(code: string): code is '0' | '1' | '2' {
  return ['0', '1', '2'].includes(code)
}
