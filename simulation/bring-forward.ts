// A gateway whose clock is ahead puts off its next question by as much, which is right by its clock and too long for a pause.
// Only such rows are brought forward: whatever else is put off stays so, and a check finds it.
import type { World } from './world/world.ts'

/** By table, the states in which a counterparty is asked again. */
const askedStates: Readonly<Record<string, readonly string[]>> = {
  // A payer's cancellation without an answer leaves its attempt pending.
  attempt_rows: ['calling', 'unknown', 'pending'],
  refunds: ['calling', 'pending', 'unknown'],
  payouts: ['tokenising', 'sending'],
  reviews: ['returning'],
}

/** A clock that is less ahead delays a pause, and no more than that. */
const LEAST_AHEAD_MS = 60_000
/** The longest interval between two questions that a round brings about. */
const LONGEST_INTERVAL_MS = 70_000

/** Returns how many questions are due now because of this. */
export async function bringForward({ db, nodes }: World): Promise<number> {
  const aheads = nodes.flatMap((node) => node.aheads).filter(({ byMs }) => byMs >= LEAST_AHEAD_MS)
  const from = aheads.map((ahead) => new Date(ahead.from + ahead.byMs))
  const until = aheads.map((ahead) => new Date(ahead.until + ahead.byMs + LONGEST_INTERVAL_MS))
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
  return count
}

export type AttemptName = { readonly mer_no: bigint; readonly trade_no: string; readonly attempt_no: number }

/**
 * A node whose clock was ahead took a call for lost that was under way, and cancelled it. It could not record that, and the
 * caller recorded that the payment waits for its payer, so it is asked about when the payer's time is over. Only an attempt
 * that was asked about before can be such a one.
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
