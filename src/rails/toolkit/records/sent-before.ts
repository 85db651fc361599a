// A rail may accept the first call and then refuse the retry with an unknown error code, before the rail lists the
// payout. So a refusal ends a payout only if the rail cannot have accepted an earlier call.
//
// Each payout is recorded before its first call, and the record is removed only if the rail certainly did not accept
// that call. If the rail refuses a retry, the payout is never sent again and stays unknown until an operator decides: a
// further retry could be accepted after the operator's decision.
// See docs/decisions/0377-only-documented-errors-refuse.md.

import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { ChannelStore } from '../../contract/store.ts'

const SENT = 'payout-sent'
const REPEATED =
  'the rail refused to repeat a transfer that it may have taken: look for it at the rail, and decide it by hand'

/** True if we sent this payout to the rail, and the rail may have accepted it. */
export async function mayHaveSent(store: ChannelStore, reference: string): Promise<boolean> {
  return (await store.find({ kind: SENT, key: reference })) !== undefined
}

export async function sendOnRecord(
  store: ChannelStore,
  reference: string,
  send: () => Promise<PayoutOutcome>,
): Promise<PayoutOutcome> {
  const key = { kind: SENT, key: reference }
  const [isFirst] = await store.write([{ add: { ...key, reference, body: {} } }])
  const repeated = { kind: 'unknown', why: REPEATED } as const
  if (isFirst !== true && (await store.find(key))?.body.isStopped === true) return repeated
  const outcome = await send()
  if (outcome.kind !== 'failed' || outcome.cause === 'declined') return outcome
  if (isFirst === true) await store.write([{ remove: key }])
  else if (outcome.cause === 'refused') {
    await store.write([{ put: { ...key, reference, body: { isStopped: true } } }])
    return repeated
  }
  return outcome
}
