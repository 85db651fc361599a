// Checks that a bridge can be reached, accepts our signature, and has the operations that the channel's entry needs.
import { isObject } from '../../../platform/base/object.ts'
import type { AccountKind } from '../../contract/payout-rail.ts'
import type { Checked } from '../../contract/protocol.ts'
import { type Method, methods } from '../../methods/methods.ts'
import { notAnswered } from '../../toolkit/check-connection.ts'
import type { Reply, Transport } from '../../toolkit/transport.ts'

export type BridgeUse = { readonly methods: readonly Method[]; readonly payoutKinds: readonly AccountKind[] }

export async function checkBridge(
  transport: Transport<'ping'>,
  use: BridgeUse,
  signal: AbortSignal,
): Promise<Checked> {
  return fromPing(await transport('ping', {}, signal), neededBy(use))
}

export function fromPing(reply: Reply, needed: readonly string[]): Checked {
  if (reply.kind !== 'answer') return notAnswered('The bridge', reply.why, 'Check "url".')
  const { status, body } = reply
  if (status === 401)
    return wrong('The bridge refused the signature. Check "secret", and the clocks of both.')
  // A bridge checks the signature before it returns this error, so the address and the secret are right.
  if (status === 404 && isObject(body) && body.error === 'no_such_operation')
    return { isRight: true, message: 'The bridge accepted the signature. It has no ping.' }
  if (status !== 200 || !isObject(body))
    return wrong(`The bridge answered ${status} to a ping. Check "url": is it the bridge's own address?`)
  const offered = Array.isArray(body.operations) ? body.operations : needed
  const missing = needed.filter((operation) => !offered.includes(operation))
  if (missing.length === 0) return { isRight: true, message: 'The bridge accepted the signature of a ping.' }
  return wrong(`The bridge does not offer ${missing.join(', ')}, which this entry's methods need.`)
}

/** Lists the operations that these methods and payouts call. */
export function neededBy({ methods: payIns, payoutKinds }: BridgeUse): string[] {
  const all = [...payIns.flatMap(neededByMethod), ...(payoutKinds.length === 0 ? [] : ['send', 'lookup'])]
  if (payoutKinds.includes('card')) all.push('tokenise')
  return [...new Set(all)]
}

const authorising = ['authorise', 'complete', 'lookup', 'void', 'refund']

function neededByMethod(method: Method): readonly string[] {
  if (method === 'card') return [...authorising, 'chargebacks']
  if (isAuthorised(method)) return authorising
  return ['open', 'lookup', 'cancel', ...(methods[method].refundable ? ['refund'] : [])]
}

/** True if the method's payments begin with the operation `authorise`. All other payments begin with `open`. */
export function isAuthorised(method: Method): boolean {
  return method === 'card' || method === 'apple_pay' || method === 'google_pay'
}

function wrong(message: string): Checked {
  return { isRight: false, message }
}
