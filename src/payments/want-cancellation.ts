// The payer has cancelled the order, and the channel may not have said yet what came of it: the resolver cancels again.
//
// Invariant: where waiting payments are asked about, the resolver asks before the payer's time is over, and cancels only what
// is recorded here. The record is written before the first call, so that a crash does not lose it.
import type { Clock } from '../base/clock.ts'
import type { Channel } from '../channels/contract.ts'
import { openStore } from '../channels/open-store.ts'
import { cancelAgainAt } from '../orders/open-attempts.ts'
import { type AttemptKey, attemptReference } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'
import { callIsLostAt } from './prepare-payment.ts'

type Deps = { readonly db: Db; readonly clock: Clock }

const recordOf = ({ tradeNo, attemptNo }: AttemptKey) => {
  return { kind: 'cancelled-by-payer', key: attemptReference(tradeNo, attemptNo) }
}

/** Before the cancellation is sent. */
export async function wantCancellation(deps: Deps, channel: Channel, key: AttemptKey): Promise<void> {
  if (channel.askWaiting !== undefined)
    await openStore(deps, channel.name).write([{ add: { ...recordOf(key), body: {} } }])
  await cancelAgainAt(deps.db, key, callIsLostAt(deps.clock.now(), channel))
}

/** The attempt is decided. */
export async function forgetCancellation(deps: Deps, channel: Channel, key: AttemptKey): Promise<void> {
  if (channel.askWaiting !== undefined) await openStore(deps, channel.name).write([{ remove: recordOf(key) }])
}

export async function isCancellationWanted(deps: Deps, channel: Channel, key: AttemptKey): Promise<boolean> {
  return (await openStore(deps, channel.name).find(recordOf(key))) !== undefined
}
