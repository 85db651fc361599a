// Payouts that were paid, and may come back: a bank may send the money back weeks later, its message about that may be lost, and
// some rails send none. So the rail is asked about each of them again, less and less often, for as long as banks send money back.
//
// A rail that does not list one any more has forgotten it, as some do after weeks: nothing is wrong. But a list may have gaps, so it
// is asked again as soon as a rail without an answer is.
//
// A rail that says "declined" of a payout that it has reported as paid means that the money came back.
import type { Clock } from '../../base/clock.ts'
import { openAlarms } from '../alarms.ts'
import type { Watcher } from '../protocol.ts'
import type { ChannelTools } from '../settings.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../store.ts'
import type { PayoutRail } from './contract.ts'
import type { PayoutOutcome } from './outcome.ts'

export type PaidOptions = {
  readonly store: ChannelStore
  readonly clock: Clock
  /** The channel's word for the record of a paid one. */
  readonly kind: string
}

/** What the outcome means after those before it. A success is recorded. */
export type ReadPaid = (reference: string, outcome: PayoutOutcome) => Promise<PayoutOutcome>

const DAY_MS = 86_400_000
/** After it was paid. */
const ASKED_ON_DAYS = [1, 3, 7, 14, 30, 60, 90]
const GIVEN_UP_MS = 97 * DAY_MS
const AGAIN = 'paid-again'
const EVERY_MS = 60_000
/** Each answer that does not come takes a whole time-out, and deposits may wait behind this. */
const ROUND_MS = 20_000
const PAGE = 100

export function readPaid({ store, clock, kind }: PaidOptions): ReadPaid {
  return async (reference, outcome) => {
    // The other failures are true of one call only.
    const isDeclined = outcome.kind === 'failed' && outcome.cause === 'declined'
    if (outcome.kind !== 'succeeded' && !isDeclined) return outcome
    const key = { kind, key: reference }
    const isPaid = (await store.find(key)) !== undefined
    if (isDeclined)
      return isPaid ? { kind: 'returned', message: "The beneficiary's bank sent the money back" } : outcome
    const paidAt = clock.now()
    if (!isPaid)
      await store.write([
        { add: { ...key, reference, body: {} } },
        ...askAgain(reference, paidAt, nextAfter(paidAt, paidAt)),
      ])
    return outcome
  }
}

/** Undefined once the last day is past. */
function nextAfter(paidAt: Date, now: Date): number | undefined {
  return ASKED_ON_DAYS.map((days) => paidAt.getTime() + days * DAY_MS).find((ms) => ms > now.getTime())
}

/** Without an answer, or not listed: the next day at first, then after ever longer, until a week after the last day. */
function soonAfter(paidAt: Date, now: Date): number | undefined {
  const endMs = paidAt.getTime() + GIVEN_UP_MS
  const pauseMs = Math.max(DAY_MS, Math.trunc((now.getTime() - paidAt.getTime()) / 4))
  return now.getTime() >= endMs ? undefined : Math.min(now.getTime() + pauseMs, endMs)
}

/** Sorted by when it is due. */
function askAgain(reference: string, paidAt: Date, nextMs: number | undefined): RecordChange[] {
  if (nextMs === undefined) return []
  const key = `${new Date(nextMs).toISOString()} ${reference}`
  return [{ add: { kind: AGAIN, key, reference, body: { paidAt: paidAt.toISOString() } } }]
}

type PaidWatcherOptions = Pick<PaidOptions, 'store' | 'clock'> &
  Pick<ChannelTools, 'alarm'> & { readonly ask: PayoutRail['ask'] }

/** `ask` is the rail's. What came back is asked about once more when it is booked. */
export function createPaidWatcher({ store, clock, alarm, ask }: PaidWatcherOptions): Watcher {
  const alarms = openAlarms(store, { alarm })

  async function askOne({ kind, key, reference = '', body }: ChannelRecord): Promise<void> {
    // A question that fails is no answer either: it would otherwise be the first of every round, and the others never asked.
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
        // Those that were asked about are gone from its beginning.
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

/** One that fails holds up no other. */
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
