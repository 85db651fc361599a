// The pause between faults and checks: all programs run again without faults, and the gateways finish their open work.
import { setTimeout as sleep } from 'node:timers/promises'
import { attemptReference } from '../src/money/orders/order.ts'
import { type AttemptName, askCancelledNow, bringForward } from './bring-forward.ts'
import type { Finding } from './check.ts'
import { maySwitchAgain } from './checks/payments-agree.ts'
import { readCounterpartyBooks, retryCallbacks } from './counterparty-books.ts'
import { reportReturn } from './operations/give-back.ts'
import type { Tally } from './tally.ts'
import type { World } from './world/world.ts'

/**
 * The longest wait without any progress. Queries are repeated at growing intervals, and the wait exceeds the longest
 * interval that a round causes, even on a busy machine, where calls also time out during the pause.
 */
const PATIENCE_MS = 150_000
const CHECK_MS = 250
/** The pause ends after this time without open work. Until then, delayed calls may still arrive and open new work. */
const QUIET_MS = 2_000

/** Ends the faults, and waits until all work is done or there is no more progress. Returns the work that stays open. */
export async function settle(world: World, tally: Tally): Promise<Finding[]> {
  tally.phase = 'settling'
  await heal(world)
  tally.broughtForward += await bringForward(world)
  let progressAt = Date.now()
  let fewest = Number.POSITIVE_INFINITY
  let quietSince = Date.now()
  for (;;) {
    const open = await openWork(world, tally)
    tally.waitingFor = open.map(({ kind, count }) => `${count} ${kind}`).join(', ')
    if (open.length > 0) quietSince = Date.now()
    else if (Date.now() - quietSince >= QUIET_MS) return []
    const left = open.reduce((sum, { count }) => sum + count, 0)
    if (left < fewest) {
      fewest = left
      progressAt = Date.now()
    }
    if (Date.now() - progressAt > PATIENCE_MS)
      return open.map(({ kind, count, example }) => ({ what: `${count} ${kind} stay open`, about: example }))
    await sleep(CHECK_MS)
  }
}

async function heal(world: World): Promise<void> {
  const { postgres, nodes, channels, callbacks, counterparties, merchants, front } = world
  postgres.disk?.free()
  postgres.resume()
  await postgres.start()
  await counterparties.start()
  channels.behave()
  callbacks.behave()
  await merchants.behave([], 0)
  world.faults.add('notification answered badly', await merchants.misbehaved())
  Object.assign(front, { delayMs: 0, stalled: false, cuts: 0 })
  for (const node of nodes) {
    Object.assign(node.database, { delayMs: 0, stalled: false, cuts: 0, afterChange: undefined })
    node.shiftClock(0)
    node.thaw()
  }
  await Promise.all(nodes.map((node) => node.start()))
}

type Open = { readonly kind: string; readonly count: number; readonly example: string }

/**
 * Returns the open work. An order that waits for its payer counts only if the payer has paid or the order's time is
 * over.
 */
async function openWork(world: World, tally: Tally): Promise<readonly Open[]> {
  const rows = await world.db.query<Open>({ text: openRows })
  const delayed = world.channels.delayed() + world.callbacks.delayed()
  if (delayed > 0) return [...rows, { kind: 'calls on their way', count: delayed, example: '' }]
  // The books are read only when nothing else is open, because each reading covers a whole book.
  return rows.length > 0 ? rows : await openAtCounterparties(world, tally)
}

async function openAtCounterparties(world: World, tally: Tally): Promise<Open[]> {
  const { db, dataDir } = world
  const { charges, disputes, unsent } = readCounterpartyBooks(dataDir)
  // The next retry of a failed callback may be minutes away.
  if (unsent.length > 0) retryCallbacks(dataDir)
  const pending = await db.query<PendingRow>({ text: pendingRows })
  const waiting = new Map(pending.map((row) => [attemptReference(row.trade_no, row.attempt_no), row]))
  const unrecorded: string[] = []
  for (const charge of charges) {
    const attempt = waiting.get(charge.reference)
    if (attempt === undefined || charge.status === 'open' || maySwitchAgain(attempt, charge)) continue
    unrecorded.push(charge.reference)
    if (charge.status === 'cancelled') tally.broughtForward += await askCancelledNow(world, attempt)
  }
  const processed = await db.query<{ reference: string }>({
    text: 'select reference from channel_disputes where taken_at is not null',
  })
  const known = new Set(processed.map(({ reference }) => reference))
  const due = disputes.filter(({ reference, dueAt }) => dueAt <= Date.now() && !known.has(reference))
  const returned = [...world.witness.returnedRefunds.values()].filter((one) => !one.isAcknowledged)
  for (const one of returned) await reportReturn(world, one)
  return [
    ...openOf('callbacks', unsent),
    ...openOf(
      'returned refunds',
      returned.map(({ refundReference }) => refundReference),
    ),
    ...openOf('decisions of counterparties', unrecorded),
    ...openOf(
      'disputes',
      due.map(({ reference }) => reference),
    ),
  ]
}

type PendingRow = AttemptName & { readonly state: string; readonly is_hosted: boolean }

const pendingRows = `
  select mer_no, trade_no, attempt_no, state,
    exists (select from hosted_orders h where h.mer_no = a.mer_no and h.trade_no = a.trade_no) as is_hosted
  from attempts a where state = 'pending'`

function openOf(kind: string, subjects: readonly string[]): Open[] {
  const [example] = subjects
  return example === undefined ? [] : [{ kind, count: subjects.length, example }]
}

/**
 * If a gateway's clock was ahead when a notification was made, the notification is due only in the future, and later
 * notifications of the same order wait for it. None of them counts as open work.
 */
const openRows = `
  select kind, count(*)::int as count, min(subject) as example from (
    select 'unknown outcomes' as kind, trade_no as subject from attempts where state in ('calling', 'unknown')
    union all
    select 'attempts to cancel', trade_no from attempts where state = 'pending' and ask_at < now()
    union all
    select 'orders to expire', trade_no from hosted_orders where expires_at < now()
    union all
    select 'refunds', refund_no from refunds where state in ('calling', 'pending', 'unknown')
    union all
    select 'payouts', trade_no from payouts where state in ('tokenising', 'sending')
    union all
    select 'returns of rejected payments', trade_no from reviews where state = 'returning'
    union all
    select 'disputes to process', reference from channel_disputes where taken_at is null
    union all
    select 'notifications that never left', notification_id from notifications n
    where (attempts = 0 and due_at < now() or leased_until is not null)
      and not exists (select from notification_pauses p where p.mer_no = n.mer_no)
      and not exists (select from notifications e where e.mer_no = n.mer_no and e.trade_no = n.trade_no
        and e.queued_at < n.queued_at and e.attempts = 0 and e.due_at > now())
    union all
    select 'bulk refunds', bulk_id from bulk_refunds where state = 'running'
    union all
    select 'payouts of runs', run_id from payout_run_lines where ask_at is not null
    union all
    select 'balances to fold', unnest(mer_nos)::text from balance_deltas
    union all
    select 'daily totals to fold', unnest(mer_nos)::text from order_total_deltas
  ) as open
  group by kind`
