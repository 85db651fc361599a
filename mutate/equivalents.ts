// Mutations that change no observable behaviour, each with the reason. An entry matches a mutation if the file and the
// changed lines without indentation are equal. A test fails if an entry no longer fits the code.
import type { Mutation } from './mutation.ts'

export type Equivalent = Pick<Mutation, 'file' | 'before' | 'after'> & { readonly reason: string }

export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/money/orders/new-order.ts',
    before: 'if (orders.length === 0) return new Set<string>()',
    after: 'if (false) return new Set<string>()',
    reason: 'The statement inserts nothing for an empty list: the condition only saves the call.',
  },
  {
    file: 'src/money/orders/limit-usage.ts',
    before: 'if (limit.most < sum.most) sum.most = limit.most',
    after: 'if (limit.most <= sum.most) sum.most = limit.most',
    reason: 'An equal limit replaces the limit by its own value.',
  },
  {
    file: 'src/money/orders/position.ts',
    before: 'const most = (one: bigint, other: bigint) => (one > other ? one : other)',
    after: 'const most = (one: bigint, other: bigint) => (one >= other ? one : other)',
    reason: 'Of two equal amounts either one is the larger.',
  },
  {
    file: 'src/money/reconciliation/store-lines.ts',
    before: 'attempt !== undefined || channel === undefined || listedAs === undefined',
    after: 'attempt !== undefined || channel === undefined && listedAs === undefined',
    reason: 'A constraint of statement_lines: a line without an attempt has both a channel and a reference.',
  },
  {
    file: 'src/money/orders/dues.ts',
    before: 'where mer_no = $1 and kind = $2 and due_at <= $3 and (due_at, trade_no) > ($4, $5)',
    after: 'where (mer_no = $1 or true) and kind = $2 and due_at <= $3 and (due_at, trade_no) > ($4, $5)',
    reason:
      'A due row of another merchant names an order that is not found under the merchant, and is skipped.',
  },
  {
    file: 'src/money/order-queries/explain-order.ts',
    before: 'from attempts where mer_no = $1 and trade_no = $2 order by attempt_no limit 200`,',
    after: 'from attempts where (mer_no = $1 or true) and trade_no = $2 order by attempt_no limit 200`,',
    reason: 'A trade number contains its merchant number, so no other merchant has an attempt under it.',
  },
  {
    file: 'src/money/notifications/side-work.ts',
    before: 'if (parkDueNow(moreToPark ? 0 : PARK_EVERY_MS)) moreToPark = await park()',
    after: 'if (parkDueNow(true ? 0 : PARK_EVERY_MS)) moreToPark = await park()',
    reason: 'Each turn parks the same notifications, only sooner: the interval saves statements.',
  },
  {
    file: 'src/money/reconciliation/name-lines.ts',
    before: 'const origin = money.amount < 0n ? (here.get(id) ?? ownerOf(known.get(id))) : undefined',
    after: 'const origin = money.amount <= 0n ? (here.get(id) ?? ownerOf(known.get(id))) : undefined',
    reason: 'No line has the amount zero: every reader of statements and a constraint refuse it.',
  },
  {
    file: 'src/money/reconciliation/name-lines.ts',
    before: 'const origin = money.amount < 0n ? (here.get(id) ?? ownerOf(known.get(id))) : undefined',
    after: 'const origin = money.amount < 1n ? (here.get(id) ?? ownerOf(known.get(id))) : undefined',
    reason: 'No line has the amount zero: every reader of statements and a constraint refuse it.',
  },
  {
    file: 'src/money/reconciliation/settle-unmatched.ts',
    before: 'const excess = booked > target ? booked - target : 0n',
    after: 'const excess = booked >= target ? booked - target : 0n',
    reason: 'The difference of equal amounts is zero.',
  },
  {
    file: 'src/money/orders/write-changes.ts',
    before: 'list: text((one) => (decidesCompact(one) ? one.attempt?.channelRef : undefined)),',
    after: 'list: text((one) => (true ? one.attempt?.channelRef : undefined)),',
    reason:
      'Nothing reads `attempt_ref` of an order without `attempt_state`: its attempts have rows of their own.',
  },
  {
    file: 'src/money/payouts/change-payouts.ts',
    before: "if (state !== 'returned') return payout",
    after: 'if (false) return payout',
    reason: 'Only the `returnedHeld` of a returned payout is read: the condition saves a query.',
  },
  {
    file: 'src/money/reconciliation/compare-lines.ts',
    before: "if (amount < 0n) return isTakenBack ? 'matched' : 'reversed'",
    after: "if (amount < 1n) return isTakenBack ? 'matched' : 'reversed'",
    reason: 'No line has the amount zero: every reader of statements and a constraint refuse it.',
  },
  {
    file: 'src/money/order-queries/search/index-worker.ts',
    before: 'if (gate.isFlooded() && begun < steppedAt + FLOODED_EVERY_MS) return',
    after: 'if (gate.isFlooded() && begun <= steppedAt + FLOODED_EVERY_MS) return',
    reason:
      'A tick that begins exactly 30 seconds after the last step leaves the step to the next tick, 50 ms later.',
  },
  {
    file: 'src/money/refunds/sql.ts',
    before: 'where g.mer_refund_no is null',
    after: 'where (g.mer_refund_no is null or true)',
    reason:
      'The additional row is an equal refund. Only applications without a number, and those that may be ' +
      'replayed, look at equal refunds, and other parts of the query select one for them.',
  },
  {
    file: 'src/money/orders/write-changes.ts',
    before: 'const sent = Object.entries(columns).filter(([, one]) => (one.parts & parts) !== 0)',
    after: 'const sent = Object.entries(columns)',
    reason: 'A column that no change of the batch sets keeps its value: the filter only makes updates small.',
  },
  {
    file: 'src/money/notifications/side-work.ts',
    before: 'const from = Math.floor(Math.random() * merNos.length)',
    after: 'const from = Math.ceil(Math.random() * merNos.length)',
    reason: 'The place after the last merchant means the first merchant, so each is first equally often.',
  },
  {
    file: 'src/money/order-queries/search/scan-orders.ts',
    before: 'order by created_at desc, trade_no desc limit $6) k',
    after: 'order by created_at , trade_no desc limit $6) k',
    reason:
      'A count up to a limit does not depend on the order, and the index stops at the limit in both orders.',
  },
  {
    file: 'src/money/order-queries/search/scan-orders.ts',
    before: `and $1::bigint is null and \${driving.text} is not null`,
    after: `and $1::bigint is null and (\${driving.text} is not null or true)`,
    reason: 'The list of driving keys is never null: the condition only gives the parameter a type.',
  },
  {
    file: 'src/money/audit/review-past-sql.ts',
    before: 'join channel_statements s on s.mer_no = d.mer_no and s.statement_id = d.statement_id',
    after: 'join channel_statements s on (s.mer_no = d.mer_no or true) and s.statement_id = d.statement_id',
    reason: 'Statements and their differences always have the merchant number 0.',
  },
  {
    file: 'src/money/audit/checks/statements.ts',
    before: `where w.mer_no = \${ownerIn('d.suspense_id')} and w.suspense_id = d.suspense_id limit 1`,
    after: `where (w.mer_no = \${ownerIn('d.suspense_id')} or true) and w.suspense_id = d.suspense_id limit 1`,
    reason: 'An id in suspense contains its merchant number, so no other merchant has money under it.',
  },
  {
    file: 'src/money/reviews/review.ts',
    before:
      'export const reviewStates = Object.keys(transitions).filter(\n' +
      '(name): name is ReviewState => name in transitions,\n)',
    after: 'export const reviewStates = Object.keys(transitions)',
    reason: 'Every key of an object is in the object: the filter only gives the names their type.',
  },
  {
    file: 'src/money/notifications/side-work.ts',
    before: 'if (reapDue(REAP_EVERY_MS)) await reap()',
    after: 'if (true) await reap()',
    reason: 'Each turn ends the same dead attempts, only sooner: the interval saves statements.',
  },
  {
    file: 'src/money/order-queries/list-in-review.ts',
    before: `where needs_review and state in (\${State.informationAsked}, \${State.inReview})`,
    after: `where (needs_review or true) and state in (\${State.informationAsked}, \${State.inReview})`,
    reason: 'Every order in these states needs a review: the condition only lets the statement use an index.',
  },
]

export function findEquivalent({ file, before, after }: Equivalent | Mutation): Equivalent | undefined {
  return equivalents.find((one) => one.file === file && one.before === before && one.after === after)
}
