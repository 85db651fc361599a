// A rail's refusal ends a payout only if no earlier call can have been accepted: the rail may refuse the repetition of a payout
// that it has taken, in words that we do not know, and list that payout only later. So a call is recorded before it is made, and
// the record goes only if the rail certainly did not take it. After such a refusal nothing is sent any more: an operator decides,
// and the rail must not take the payout after that.
import type { ChannelStore } from '../store.ts'
import type { PayoutOutcome } from './outcome.ts'

const SENT = 'payout-sent'
const REPEATED =
  'the rail refused to repeat a transfer that it may have taken: look for it at the rail, and decide it by hand'

/** Whether the rail may have this payout from us. */
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
