// Bugs in calls to counterparties: what a missing answer means, and under which reference a call is repeated.
import type { Bug } from './bug.ts'

export const callBugs: readonly Bug[] = [
  {
    name: 'unknown-treated-as-failed',
    what: 'A card payment whose answer did not come is failed, although the issuer may have charged it.',
    edits: [
      {
        file: 'src/channels/card/wire.ts',
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
        file: 'src/channels/card/card-channel.ts',
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
        file: 'src/payments/prepare-payment.ts',
        find: 'new Date(begun.getTime() + traits.timeoutMs + CALL_GRACE_MS)',
        replace: 'new Date(begun.getTime() + 0 * (traits.timeoutMs + CALL_GRACE_MS))',
      },
      {
        file: 'src/channels/card/card-channel.ts',
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
        file: 'src/concurrency/claim-loop.ts',
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
        file: 'src/payments/make-payment.ts',
        find: 'const outcome = await start(deps, call, channel)',
        replace: `const first = await start(deps, call, channel)
  const again = { ...call, attemptNo: call.attemptNo + 50 }
  const outcome = first.kind === 'unknown' ? await start(deps, again, channel) : first`,
      },
    ],
  },
  {
    name: 'refund-retried-with-other-reference',
    what: 'A refund without an answer is sent again under another reference, and the payer is refunded twice.',
    edits: [
      {
        file: 'src/refunds/call-refund.ts',
        find: 'function toRequest({ refundNo, tradeNo, money, payment }: Refund)',
        replace: 'function toRequest({ refundNo, tradeNo, money, payment, state, asks }: Refund)',
      },
      {
        file: 'src/refunds/call-refund.ts',
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
        file: 'src/refunds/refund.ts',
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
        file: 'src/payouts/worker.ts',
        find: 'const answer = await askOrUnknown(rail, due.reference)',
        replace: `const reference = due.reference + (due.asks > 1 ? due.asks : '')
  const answer = await askOrUnknown(rail, reference)`,
      },
      {
        file: 'src/payouts/worker.ts',
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
        file: 'src/payouts/payout.ts',
        find: `if (outcome.kind === 'failed') {`,
        replace: `if (outcome.kind === 'unknown') return failed('The payout failed')
  if (outcome.kind === 'failed') {`,
      },
    ],
  },
]
