// Bugs in calls to counterparties: the meaning of a missing answer, and the reference of a repeated call.
import type { Bug } from './bug.ts'

export const callBugs: readonly Bug[] = [
  {
    name: 'unknown-treated-as-failed',
    what: 'A card payment whose answer did not come is failed, although the issuer may have charged it.',
    edits: [
      {
        file: 'src/rails/protocols/bridge/card/wire.ts',
        find: `if (reply.kind === 'unsent')`,
        replace: `if (reply.kind !== 'answer')`,
      },
    ],
  },
  {
    name: 'void-not-sent-after-timeout',
    what: 'A charge that the issuer does not know yet counts as cancelled without a void, and arrives later.',
    edits: [
      {
        file: 'src/rails/protocols/bridge/card/card-channel.ts',
        find: 'return isAbsent(reply) ? cancel(request, signal) : fromCharge(reply, request.reference)',
        replace: `return isAbsent(reply)
      ? { kind: 'failed', cause: 'cancelled', message: 'Cancelled; nothing was charged' }
      : fromCharge(reply, request.reference)`,
      },
    ],
  },
  {
    name: 'lease-that-two-hold',
    what: 'The resolver takes over a card payment while its request still calls the issuer, and fails it unseen.',
    edits: [
      {
        file: 'src/money/payments/prepare-payment.ts',
        find: 'new Date(begun.getTime() + traits.timeoutMs + CALL_GRACE_MS)',
        replace: 'new Date(begun.getTime() + 0 * (traits.timeoutMs + CALL_GRACE_MS))',
      },
      {
        file: 'src/rails/protocols/bridge/card/card-channel.ts',
        find: 'return isAbsent(reply) ? cancel(request, signal) : fromCharge(reply, request.reference)',
        replace: `return isAbsent(reply)
      ? { kind: 'failed', cause: 'cancelled', message: 'Cancelled; nothing was charged' }
      : fromCharge(reply, request.reference)`,
      },
    ],
  },
  {
    name: 'lease-without-end',
    what: 'A row that a worker has claimed is claimed by nobody else, even when the worker is dead.',
    edits: [
      {
        file: 'src/platform/concurrency/claim-loop.ts',
        find: 'new Date(now.getTime() + job.leaseMs)',
        replace: 'new Date(now.getTime() + 86_400_000)',
      },
    ],
  },
  {
    name: 'payment-retried-with-other-reference',
    what: 'A payment without an answer is sent again at once under another reference, and charged twice.',
    edits: [
      {
        file: 'src/money/payments/make-payment.ts',
        find: 'const outcome = await start(deps, call, attempt, channel)',
        replace: `const first = await start(deps, call, attempt, channel)
  const again = { ...attempt, attemptNo: attempt.attemptNo + 50 }
  const outcome = first.kind === 'unknown' ? await start(deps, call, again, channel) : first`,
      },
    ],
  },
  {
    name: 'refund-retried-with-other-reference',
    what: 'A refund without an answer is sent again under another reference, and the payer is refunded twice.',
    edits: [
      {
        file: 'src/money/refunds/call-refund.ts',
        find: 'function toRequest({ refundNo, tradeNo, money, payment }: Refund)',
        replace: 'function toRequest({ refundNo, tradeNo, money, payment, state, asks }: Refund)',
      },
      {
        file: 'src/money/refunds/call-refund.ts',
        find: 'refundReference: refundReference(refundNo),',
        replace: `refundReference: refundReference(refundNo) + (state === 'unknown' ? asks : ''),`,
      },
    ],
  },
  {
    name: 'refund-timeout-treated-as-success',
    what: 'A refund without an answer counts as paid, although the channel may never have seen it.',
    edits: [
      {
        file: 'src/money/refunds/refund.ts',
        find: `return state === 'pending' ? { state, message } : { state: 'unknown', message: WAITING }`,
        replace: `return { state: 'succeeded', message: 'Refund succeeded' }`,
      },
    ],
  },
  {
    name: 'payout-sent-again-with-new-reference',
    what: 'A payout without an answer is asked for and sent under a new reference, and paid twice.',
    edits: [
      {
        file: 'src/money/payouts/worker.ts',
        find: `const answer = await orUnknown('rail', () => rail.ask(due.reference))`,
        replace: `const reference = due.reference + (due.asks > 1 ? due.asks : '')
  const answer = await orUnknown('rail', () => rail.ask(reference))`,
      },
      {
        file: 'src/money/payouts/worker.ts',
        find: 'return sendOrUnknown(deps, rail, sendableOf(due, key))',
        replace: 'return sendOrUnknown(deps, rail, { ...sendableOf(due, key), reference })',
      },
    ],
  },
  {
    name: 'payout-unknown-treated-as-failed',
    what: 'A payout without an answer gives the merchant its money back, although the bank may have paid it.',
    edits: [
      {
        file: 'src/money/payouts/payout.ts',
        find: `if (outcome.kind === 'failed') {`,
        replace: `if (outcome.kind === 'unknown') return failed('The payout failed')
  if (outcome.kind === 'failed') {`,
      },
    ],
  },
  {
    name: 'refund-lease-not-renewed',
    what: 'A worker that stood still after its claim calls for a refund that another worker has decided meanwhile.',
    only: ['pay by card', 'pay by SPEI', 'refund'],
    edits: [
      {
        file: 'src/money/refunds/call-refund.ts',
        find: '  if (!(await isRenewed(clock, channel.traits, (until) => renewLease(db, refund, until)))) return undefined\n',
        replace: '',
      },
    ],
  },
  {
    name: 'payout-lease-not-renewed',
    what: 'A worker that stood still after its claim sends a payout that another worker has decided meanwhile.',
    only: ['pay by card', 'settle', 'pay out to', 'release a payout'],
    edits: [
      {
        file: 'src/money/payouts/worker.ts',
        find: `  const answer = await orUnknown('rail', () => rail.ask(due.reference))
  if (answer.kind !== 'absent') return answer`,
        replace: `  const isFirst = due.asks === 1
  const answer = isFirst ? { kind: 'absent' as const } : await orUnknown('rail', () => rail.ask(due.reference))
  if (answer.kind !== 'absent') return answer`,
      },
      {
        file: 'src/money/payouts/worker.ts',
        find: `  if (!(await isRenewed(deps.clock, rail, (until) => renewLease(deps.db, due, until)))) return undefined\n`,
        replace: '',
      },
    ],
  },
]
