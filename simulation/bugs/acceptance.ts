// Bugs between a merchant's request and its answer.
import type { Bug } from './bug.ts'

export const acceptanceBugs: readonly Bug[] = [
  {
    name: 'duplicate-reaches-the-channel',
    what: 'A number that was used before is noticed too late: the repeated payment is not stored, but charged.',
    edits: [
      {
        file: 'src/payments/accept-payments.ts',
        find: 'return refusal === undefined ? ACCEPTED',
        replace: `return refusal === undefined || ['10003', '10009'].includes(refusal.code) ? ACCEPTED`,
      },
    ],
  },
  {
    name: 'answer-before-commit',
    what: 'The answer is sent while the commit is still under way, and what it promised may be lost.',
    edits: [
      {
        file: 'src/postgres/db.ts',
        find: `    await begun\n    await client.query('commit')\n`,
        replace: `    await begun\n    client.query('commit').catch(() => {})\n`,
      },
    ],
  },
  {
    name: 'order-answered-before-stored',
    what: 'An order for our page is answered as soon as it waits in memory to be stored.',
    edits: [
      {
        file: 'src/payments/make-payment.ts',
        find: `    const accepted = await batches.accept.submit(payment)
    return accepted.kind === 'refused' ? accepted.refusal : undefined`,
        replace: `    const storing = batches.accept.submit(payment)
    const isSoon = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 25))
    const accepted = await Promise.race([storing, isSoon])
    storing.catch(() => {})
    return accepted?.kind === 'refused' ? accepted.refusal : undefined`,
      },
    ],
  },
  {
    name: 'repeated-refund-known-by-memory',
    what: 'Whether a refund repeats another is answered from memory, which another node and a restart do not have.',
    edits: [
      {
        file: 'src/refunds/accept-refunds.ts',
        find: `  const known = await selectEarlier(tx, merNo, applications, repeatedSince(firstAt))\n`,
        replace: `  const stored = await selectEarlier(tx, merNo, applications, repeatedSince(firstAt))
  const known = stored.filter(({ refundNo }) => remembered.has(refundNo))
  for (const { refundNo } of applications) remembered.add(refundNo)\n`,
      },
      {
        file: 'src/refunds/accept-refunds.ts',
        find: '/** The state that an application is checked against;',
        replace:
          'const remembered = new Set<string>()\n\n/** The state that an application is checked against;',
      },
    ],
  },
  {
    name: 'limits-not-given-back',
    what: 'A cancelled order still counts against the limits of its merchant.',
    edits: [
      {
        file: 'src/orders/change.ts',
        find: 'return changesState(change) && isUnpaidEnd(change.state)',
        replace: 'return changesState(change) && change.state === State.failed',
      },
    ],
  },
]
