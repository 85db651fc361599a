// Bugs in how requests of merchants are accepted and answered.
import type { Bug } from './bug.ts'

export const acceptanceBugs: readonly Bug[] = [
  {
    name: 'duplicate-reaches-the-channel',
    what: 'A number that was used before is noticed too late: the repeated payment is not stored, but charged.',
    edits: [
      {
        file: 'src/money/payments/accept-payments.ts',
        find: 'return refusal === undefined ? ACCEPTED',
        replace: `return refusal === undefined || ['10003', '10009'].includes(refusal.code) ? ACCEPTED`,
      },
    ],
  },
  {
    name: 'answer-before-commit',
    what: 'A refund is answered shortly before its commit, and what was answered may be lost.',
    edits: [
      {
        file: 'src/money/refunds/accept-refunds.ts',
        find: 'deps.db.transaction((tx) => acceptOf(tx, deps.rates, merNo, group))',
        replace: `new Promise<Map<Application, Acceptance>>((resolve, reject) => {
      const accepting = deps.db.transaction(async (tx) => {
        resolve(await acceptOf(tx, deps.rates, merNo, group))
        await new Promise((later) => setTimeout(later, 200))
      })
      accepting.catch(reject)
    })`,
      },
    ],
  },
  {
    name: 'commit-not-on-disk',
    what: 'PostgreSQL reports a commit before it is on disk, so a crash loses what was answered.',
    edits: [
      {
        file: 'src/platform/postgres/db.ts',
        find: '    set plan_cache_mode = force_generic_plan;',
        replace: '    set synchronous_commit = off; set plan_cache_mode = force_generic_plan;',
      },
    ],
  },
  {
    name: 'order-answered-before-stored',
    what: 'An order for our page is answered as soon as it waits in memory to be stored.',
    edits: [
      {
        file: 'src/interfaces/merchant-api/handlers/payment.ts',
        find: `  const accepted = await acceptPayment(deps, payment)
  if (accepted.kind === 'refused')`,
        replace: `  const storing = acceptPayment(deps, payment)
  const isSoon = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 25))
  const accepted = await Promise.race([storing, isSoon])
  storing.catch(() => {})
  if (accepted?.kind === 'refused')`,
      },
    ],
  },
  {
    name: 'repeated-refund-answered-from-memory',
    what: 'A refund that is sent again is answered from memory, whether or not the first request was committed.',
    edits: [
      {
        file: 'src/money/refunds/apply-refund.ts',
        find: '  const accepted = await acceptRefund(deps, application)\n',
        replace: `  const known = answered.find(
    ({ merNo, merRefundNo, money }) =>
      merNo === terms.merNo && merRefundNo === wanted.merRefundNo && money.amount === application.money.amount,
  )
  if (known !== undefined && wanted.merRefundNo !== undefined) return known
  const { money, at: createdAt } = application
  const payment = { channel: '', attemptNo: 1, channelRef: undefined, amount: money.amount }
  const begun = { fee: 0n, payment, state: 'calling', version: 1, message: '', createdAt, asks: 0 } as const
  const refund = { ...application, ...begun, merNo: terms.merNo }
  answered.push(refund)
  const accepted = await acceptRefund(deps, application)
  if (accepted.refusal !== undefined) answered.splice(answered.indexOf(refund), 1)\n`,
      },
      {
        file: 'src/money/refunds/apply-refund.ts',
        find: 'export type ApplyTerms =',
        replace: 'const answered: Refund[] = []\n\nexport type ApplyTerms =',
      },
    ],
  },
  {
    name: 'limits-not-given-back',
    what: 'A cancelled order still counts against the limits of its merchant.',
    edits: [
      {
        file: 'src/money/orders/change.ts',
        find: 'return changesState(change) && isUnpaidEnd(change.state)',
        replace: 'return changesState(change) && change.state === State.failed',
      },
    ],
  },
]
