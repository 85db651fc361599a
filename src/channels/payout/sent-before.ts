// A rail's refusal ends a payout only if no earlier call can have been accepted: the rail may refuse the repetition of a payout
// that it has taken, in words that we do not know, and list that payout only later. So a call is recorded before it is made, and
// the record goes only if the rail certainly did not take it.
import type { ChannelStore } from '../store.ts'
import type { PayoutOutcome } from './outcome.ts'

const SENT = 'payout-sent'
const REPEATED =
  'the rail refused to repeat a payout that it may have taken: look for it at the rail, and decide it by hand'

export async function sendOnRecord(
  store: ChannelStore,
  reference: string,
  send: () => Promise<PayoutOutcome>,
): Promise<PayoutOutcome> {
  const key = { kind: SENT, key: reference }
  const [isFirst] = await store.write([{ add: { ...key, reference, body: {} } }])
  const outcome = await send()
  if (outcome.kind !== 'failed' || outcome.cause === 'declined') return outcome
  if (isFirst !== true) return outcome.cause === 'refused' ? { kind: 'unknown', why: REPEATED } : outcome
  await store.write([{ remove: key }])
  return outcome
}
