// Bugs in what people do: approvals, corrections, suspense, payment links, bulk refunds and payout runs.
import type { Bug } from './bug.ts'

export const decisionBugs: readonly Bug[] = [
  {
    name: 'suspense-decided-again',
    what: 'Money in suspense that was accepted or returned before is decided a second time.',
    only: ['pay after cancelling', 'pay by SPEI', 'suspense'],
    edits: [
      {
        file: 'src/money/suspense/release-suspense.ts',
        find: `  if (found.state !== 'held') throw new OperatorRefusal(\`\${suspenseId} was \${found.state} before\`)
  return found`,
        replace: '  return found',
      },
      {
        file: 'src/money/suspense/release-suspense.ts',
        find: `  const { suspenseId, state, money } = found
  if (state !== 'held') throw new OperatorRefusal(\`\${suspenseId} was \${state} before\`)`,
        replace: '  const { money } = found',
      },
    ],
  },
  {
    name: 'surplus-of-accepted-money-lost',
    what: 'An order is paid with more than its price from suspense, and the surplus is no longer held.',
    only: ['pay after cancelling', 'pay by SPEI', 'suspense'],
    edits: [
      {
        file: 'src/money/suspense/release-suspense.ts',
        find: 'received > price.amount ? await keepSurplus',
        replace: 'received > 2n * price.amount ? await keepSurplus',
      },
    ],
  },
  {
    name: 'assigned-money-held-twice',
    what: 'Money that is assigned to an order is held there, and still where it was.',
    only: ['pay by Alipay', 'stray money'],
    edits: [
      {
        file: 'src/money/suspense/release-suspense.ts',
        find: `  await bookOut(tx, [found], 'assigned', at)\n`,
        replace: '',
      },
    ],
  },
  {
    name: 'own-request-approved',
    what: 'The person who asked for a decision may approve it.',
    only: ['pay by card', 'correct a balance', 'decide an approval'],
    edits: [
      {
        file: 'src/money/approvals/may-approve.ts',
        find: 'if (approves && isAskedBy(waiting, actor))',
        replace: `if (approves && id === '' && isAskedBy(waiting, actor))`,
      },
    ],
  },
  {
    name: 'approval-decided-again',
    what: 'An approval that was carried out can still be rejected, and says so from then on.',
    only: ['pay by card', 'correct a balance', 'decide an approval'],
    edits: [
      {
        file: 'src/money/approvals/approval.ts',
        find: `if (state !== 'waiting') throw`,
        replace: `if (state !== 'waiting' && approves) throw`,
      },
    ],
  },
  {
    name: 'correction-without-audit-line',
    what: 'A correction is booked, and the audit log does not say by whom and why.',
    only: ['pay by card', 'correct a balance', 'decide an approval'],
    edits: [
      {
        file: 'src/money/decisions/correct-balance.ts',
        find: `  await writeAudit(tx, { merNo, at, actor, action: 'ledger.correct', subject, after, reason })`,
        replace: `  if (askedBy !== undefined) await writeAudit(tx, { merNo, at, actor, action: 'ledger.correct', subject, after, reason })`,
      },
    ],
  },
  {
    name: 'second-person-counts-one-decision',
    what: 'The limit of one person compares each decision by itself, so many small ones move any sum.',
    only: ['pay by card', 'correct a balance', 'decide an approval'],
    edits: [
      {
        file: 'src/money/approvals/second-person.ts',
        find: 'usdSum(usdValue, [...own, money])',
        replace: 'usdSum(usdValue, [...own.slice(0, 0), money])',
      },
    ],
  },
  {
    name: 'rejected-refund-approved',
    what: 'A refund that one operator rejects is approved by another, and paid after its money was given back.',
    only: ['pay by card', 'refund a part', 'release a refund'],
    edits: [
      {
        file: 'src/money/refunds/approve-refund.ts',
        find: `    if (refund.state !== 'waiting') throw notWaiting(refund)\n    checkApprover`,
        replace: '    checkApprover',
      },
      {
        file: 'src/money/refunds/approve-refund.ts',
        find: `  if (refund.state !== 'waiting') throw notWaiting(refund)\n  return refund`,
        replace: '  return refund',
      },
    ],
  },
  {
    name: 'one-use-link-pays-twice',
    what: 'Each payer who opens a link for one use gets an order of their own, and all of them pay.',
    only: ['pay by a link'],
    edits: [
      {
        file: 'src/money/payment-links/order-by-link.ts',
        find: `if (link.claim !== undefined && status === 'claimed') return`,
        replace: `if (link.claim?.tradeNo === '' && status === 'claimed') return`,
      },
    ],
  },
  {
    name: 'bulk-refund-row-repeated',
    what: 'A row of a bulk refund gets a new number each time, so a bulk that is taken up again refunds it again.',
    only: ['pay by card', 'query states', 'refund many'],
    edits: [
      {
        file: 'src/interfaces/backoffice/bulk-refunds/check-rows.ts',
        find: `merRefundNo: \`\${bulkId}`,
        replace: `merRefundNo: \`\${Date.now().toString(36)}-\${bulkId}`,
      },
      {
        file: 'src/interfaces/backoffice/bulk-refunds/worker.ts',
        find: 'const LEASE_MS = 60_000',
        replace: 'const LEASE_MS = 10',
      },
    ],
  },
  {
    name: 'payout-of-run-repeated',
    what: 'A payout of a run gets a new order number each time it is tried, so a retry pays it again.',
    only: ['pay by card', 'settle', 'run payouts'],
    edits: [
      {
        file: 'src/interfaces/backoffice/payouts/worker.ts',
        find: 'const requested = openLine(deps.vault, line.runId, line.lineNo, line.sealed)',
        replace: `const stored = openLine(deps.vault, line.runId, line.lineNo, line.sealed)
  const requested = { ...stored, merOrderNo: \`\${stored.merOrderNo}-\${Date.now() % 1000}\` }`,
      },
    ],
  },
]
