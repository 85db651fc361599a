// Polls rails about paid payouts, for 90 days at growing intervals. A bank may send the money back weeks later, the
// callback about the return may be lost, and some rails send no such callback.
//
// Some rails stop listing a payout after weeks, so a payout that is not listed raises no alarm. But a list may have
// gaps, so the rail is polled again with the same back-off as after a missing answer.
//
// If a rail reports "declined" for a payout that it has reported as paid, the money came back. The report does not
// state how much came back.
import type { Clock } from '../../../platform/base/clock.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { PayoutRail } from '../../contract/payout-rail.ts'
import type { Watcher } from '../../contract/protocol.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../../contract/store.ts'
import { openAlarms } from '../alarms.ts'

export type PaidOptions = {
  readonly store: ChannelStore
  readonly clock: Clock
  /** The kind of the records of paid payouts. */
  readonly kind: string
}

/**
 * Records a success. If an earlier outcome of the payout was a success, turns "declined" into "returned". Returns all
 * other outcomes unchanged.
 */
export type ReadPaid = (reference: string, outcome: PayoutOutcome) => Promise<PayoutOutcome>

const DAY_MS = 86_400_000
/** The days after the payment on which the rail is polled. */
const ASKED_ON_DAYS = [1, 3, 7, 14, 30, 60, 90]
const GIVEN_UP_MS = 97 * DAY_MS
const AGAIN = 'paid-again'
const EVERY_MS = 60_000
/**
 * After this time a round starts no further call. Calls may time out, and the channel's next reading of deposits waits
 * for the end of the round.
 */
const ROUND_MS = 20_000
const PAGE = 100

export function readPaid({ store, clock, kind }: PaidOptions): ReadPaid {
  return async (reference, outcome) => {
    // Only the cause "declined" is about the payout; the other causes are about one call.
    const isDeclined = outcome.kind === 'failed' && outcome.cause === 'declined'
    if (outcome.kind !== 'succeeded' && !isDeclined) return outcome
    const key = { kind, key: reference }
    const isPaid = (await store.find(key)) !== undefined
    if (isDeclined) return isPaid ? { kind: 'returned', message: BACK, money: undefined } : outcome
    const paidAt = clock.now()
    if (!isPaid)
      await store.write([
        { add: { ...key, reference, body: {} } },
        ...askAgain(reference, paidAt, nextAfter(paidAt, paidAt)),
      ])
    return outcome
  }
}

const BACK = "The beneficiary's bank sent the money back"

/** Returns the time of the next query according to ASKED_ON_DAYS; undefined after the last day. */
function nextAfter(paidAt: Date, now: Date): number | undefined {
  return ASKED_ON_DAYS.map((days) => paidAt.getTime() + days * DAY_MS).find((ms) => ms > now.getTime())
}

/**
 * Returns the time of the retry after a missing answer, or for a payout that is not listed. The back-off is a quarter
 * of the time since the payment, and at least a day. The last retry is after 97 days.
 */
function soonAfter(paidAt: Date, now: Date): number | undefined {
  const endMs = paidAt.getTime() + GIVEN_UP_MS
  const pauseMs = Math.max(DAY_MS, Math.trunc((now.getTime() - paidAt.getTime()) / 4))
  return now.getTime() >= endMs ? undefined : Math.min(now.getTime() + pauseMs, endMs)
}

/** Returns the change that adds the next query. The key of the record sorts the queries by due time. */
function askAgain(reference: string, paidAt: Date, nextMs: number | undefined): RecordChange[] {
  if (nextMs === undefined) return []
  const key = `${new Date(nextMs).toISOString()} ${reference}`
  return [{ add: { kind: AGAIN, key, reference, body: { paidAt: paidAt.toISOString() } } }]
}

type PaidWatcherOptions = Pick<PaidOptions, 'store' | 'clock'> &
  Pick<ChannelTools, 'alarm'> & { readonly ask: PayoutRail['ask'] }

/**
 * Returns a watcher that polls the rail about paid payouts. If the money of a payout came back, the watcher schedules
 * one more query of the rail, and the answer to this query is booked.
 */
export function createPaidWatcher({ store, clock, alarm, ask }: PaidWatcherOptions): Watcher {
  const alarms = openAlarms(store, { alarm })

  async function askOne({ kind, key, reference = '', body }: ChannelRecord): Promise<void> {
    // A call that throws counts as a missing answer. Otherwise the payout's record would stay first in the list, and
    // every round would fail at this record before the other payouts.
    const answer = await ask(reference).catch(() => undefined)
    const paidAt = new Date(String(body.paidAt))
    const isSilent = answer === undefined || (answer.kind === 'unknown' && !answer.isUnlisted)
    const isOpen = isSilent || answer.kind === 'unknown' || answer.kind === 'absent'
    const nextMs = (isOpen ? soonAfter : nextAfter)(paidAt, clock.now())
    if (isSilent && nextMs === undefined) await alarms.raise(`paid ${reference}`, gaveUp(reference))
    const isBack = answer?.kind === 'returned'
    const next = isBack ? [] : askAgain(reference, paidAt, nextMs)
    await store.write([{ remove: { kind, key } }, ...next], isBack ? [reference] : [])
  }

  return {
    everyMs: EVERY_MS,
    async work(signal) {
      const now = clock.now().toISOString()
      const endMs = performance.now() + ROUND_MS
      let page: readonly ChannelRecord[]
      do {
        // `askOne` has removed the records of the last page, so the list begins with the next page.
        page = await store.list(AGAIN, { limit: PAGE })
        for (const record of page) {
          if (signal.aborted || record.key > now || performance.now() >= endMs) return
          await askOne(record)
        }
      } while (page.length === PAGE)
    },
  }
}

function gaveUp(reference: string) {
  const what =
    'The rail does not say whether the money of this paid payout came back, and is not asked any more'
  return { reference, what }
}

/** Joins watchers. If one watcher fails, the others still work, and then the first error is thrown. */
export function joinWatchers(watchers: readonly Watcher[]): Watcher {
  return {
    everyMs: Math.min(...watchers.map(({ everyMs }) => everyMs)),
    async work(signal) {
      const errors: unknown[] = []
      for (const { work } of watchers) await work(signal).catch((error: unknown) => errors.push(error))
      if (errors.length > 0) throw errors[0]
    },
  }
}
