// If a gateway's clock is ahead, the gateway sets the times of its next queries and the ends of its leases too late by
// the same amount. A pause is too short to wait for such a time, so the time is brought forward. All other late rows
// stay late, and a check finds them.
import type { World } from './world/world.ts'

/** The states in which a counterparty is queried again, by table. */
const askedStates: Readonly<Record<string, readonly string[]>> = {
  // Includes `pending`, because an attempt stays pending if a cancellation by its payer got no answer.
  attempt_rows: ['calling', 'unknown', 'pending'],
  refunds: ['calling', 'pending', 'unknown'],
  payouts: ['tokenising', 'sending'],
  reviews: ['returning'],
  payout_run_lines: ['waiting'],
}

/**
 * The assignments that end a lease, by table. Gateways release a dead worker's notification only if the notification is
 * due, so `due_at` must not be later than now.
 */
const leased: Readonly<Record<string, string>> = {
  notifications: 'leased_until = now(), due_at = case when due_at > now() then now() else due_at end',
  bulk_refunds: 'leased_until = now()',
}

/**
 * Clocks that are ahead by less than this, and leases that end within this time, are left alone: the pause waits for
 * them.
 */
const LEAST_AHEAD_MS = 60_000
/** The longest interval between two queries that a round causes. */
const LONGEST_INTERVAL_MS = 70_000
/** The longest lease, which is that of a payout of a run. */
const LONGEST_LEASE_MS = 130_000

/** Brings late queries and leases forward. Returns the number of changed rows. */
export async function bringForward({ db, nodes }: World): Promise<number> {
  const aheads = nodes.flatMap((node) => node.aheads).filter(({ byMs }) => byMs >= LEAST_AHEAD_MS)
  const from = aheads.map((ahead) => new Date(ahead.from + ahead.byMs))
  const until = aheads.map((ahead) => new Date(ahead.until + ahead.byMs + LONGEST_LEASE_MS))
  let count = 0
  for (const [table, states] of Object.entries(askedStates)) {
    const rows = await db.query({
      text: `
        update ${table} set ask_at = now()
        where state = any ($1) and ask_at > now()
          and exists (select from unnest($2::timestamptz[], $3::timestamptz[]) as ahead (from_at, until_at)
            where ask_at between from_at and until_at)
        returning 1`,
      values: [states, from, until],
    })
    count += rows.length
  }
  // If a node dies while its clock is ahead, its leases end too late by the same amount. The due times that the node
  // has set are also too late.
  for (const [table, sets] of Object.entries(leased)) {
    const rows = await db.query({
      text: `
        update ${table} set ${sets}
        where leased_until > now() + $3 * interval '1 ms'
          and exists (select from unnest($1::timestamptz[], $2::timestamptz[]) as ahead (from_at, until_at)
            where leased_until between from_at and until_at)
        returning 1`,
      values: [from, until, LEAST_AHEAD_MS],
    })
    count += rows.length
  }
  return count
}

export type AttemptName = { readonly mer_no: bigint; readonly trade_no: string; readonly attempt_no: number }

/**
 * Makes the attempt of a cancelled charge due for a query now. A node whose clock was ahead mistook a running call for
 * a lost call, and cancelled the payment. The node could not record the cancellation, and the caller recorded that the
 * payment waits for its payer. So the gateway would query the payment only when the payer's time is over. Only an
 * attempt that was queried before can be in this state.
 */
export async function askCancelledNow({ db }: World, attempt: AttemptName): Promise<number> {
  const rows = await db.query({
    text: `
      update attempt_rows set ask_at = now()
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and state = 'pending' and asks > 0
        and ask_at > now() + $4 * interval '1 ms'
      returning 1`,
    values: [attempt.mer_no, attempt.trade_no, attempt.attempt_no, LONGEST_INTERVAL_MS],
  })
  return rows.length
}
