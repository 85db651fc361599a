// Parses the issuer's list of disputes. One malformed entry makes the whole list `unknown`, because skipping it would lose
// it.
import { isFiat } from '../../base/currency.ts'
import { isObject } from '../../base/object.ts'
import type { Dispute, Disputes } from '../contract.ts'
import { readTimeMs } from '../read-time.ts'
import type { Reply } from '../transport.ts'

export function fromChargebacks(reply: Reply): Disputes {
  if (reply.kind !== 'answer') return { kind: 'unknown', why: reply.why }
  const { body } = reply
  if (reply.status !== 200 || !isObject(body) || !Array.isArray(body.list))
    return { kind: 'unknown', why: `the issuer responded ${reply.status}` }
  const list = body.list.flatMap((entry) => toDispute(entry) ?? [])
  if (list.length < body.list.length) return { kind: 'unknown', why: 'the issuer sent a malformed dispute' }
  return { kind: 'listed', list }
}

const stages = ['inquiry', 'open', 'won', 'lost'] as const

/** Undefined when any field is malformed. */
export function toDispute(entry: unknown): Dispute | undefined {
  if (!isObject(entry)) return undefined
  const { id, merchantReference, amount, currency, reasonCode, disputedAt, respondBy } = entry
  if (typeof id !== 'string' || id === '' || typeof merchantReference !== 'string') return undefined
  if (typeof amount !== 'string' || !/^[1-9]\d{0,17}$/.test(amount)) return undefined
  if (typeof currency !== 'string' || !isFiat(currency)) return undefined
  const at = readTimeMs(disputedAt)
  const stage = stages.find((one) => one === entry.stage)
  const until = readTimeMs(respondBy)
  if (at === undefined || (stage === undefined && entry.stage !== undefined)) return undefined
  if (until === undefined && respondBy !== undefined) return undefined
  return {
    disputeRef: id,
    reference: merchantReference,
    money: { amount: BigInt(amount), currency },
    reason: typeof reasonCode === 'string' ? reasonCode : '',
    at,
    ...(stage !== undefined && { stage }),
    ...(until !== undefined && { respondBy: until }),
  }
}
