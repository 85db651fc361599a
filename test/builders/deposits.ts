// One order, and money that arrives for it: reported by its channel, listed in the channel's statements, and handled by
// an operator.
import assert from 'node:assert/strict'
import { attemptReference } from '../../src/money/orders/order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { acceptSuspense } from '../../src/money/payments/deposits/accept-suspense.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import { type Report, reconcile } from '../../src/money/reconciliation/reconcile.ts'
import type { StatementLine } from '../../src/money/reconciliation/statement-line.ts'
import { listHeld } from '../../src/money/suspense/book-suspense.ts'
import { returnSuspense } from '../../src/money/suspense/release-suspense.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import type { Deposit, Outcome } from '../../src/rails/contract/channel.ts'
import { anAttempt, aPayment, aSuccess, noRates } from './builders.ts'

export const PRICE = 5_000n
const now = new Date('2026-09-20T00:00:00Z')
const clock = { now: () => now }
const action = { kind: 'transfer', account: '1', accountKind: 'iban', payee: 'Shop' } as const

let merNo = 57_000_000

/** Opens a SEPA order of 50.00 EUR, with functions that report money for it. */
export async function openCase(db: Db) {
  merNo++
  const own = merNo
  const money = { amount: PRICE, currency: 'EUR' }
  const createdAt = new Date('2026-09-01T08:00:00Z')
  const attempt = anAttempt(createdAt, { channel: 'sepa' })
  const terms = { ...aPayment().terms, settleCurrency: 'EUR' }
  const order = aPayment({ merNo: own, method: 'sepa', money, createdAt, attempt, terms })
  await acceptPayments(db, [order])
  const deposits: Deposit[] = []
  const report = async (outcome: Outcome) => {
    await recordOutcomes({ db: db, rates: noRates }, [
      aSuccess(order, { outcome, at: createdAt, accepted: undefined }),
    ])
  }
  await report({ kind: 'pending', channelRef: `c${own}`, action })
  const come = (amounts: readonly bigint[], currency: string) => {
    for (const amount of amounts)
      deposits.push({ depositRef: `d${own}-${deposits.length}`, money: { amount, currency }, at: createdAt })
    return report({ kind: 'received', channelRef: `c${own}`, deposits: [...deposits], action })
  }
  const firstHeld = async () => {
    const [item] = await listHeld(db, own, 1)
    assert.ok(item, 'there is money in suspense')
    return item.suspenseId
  }
  return {
    order,
    /** Reports one more transfer by the channel, together with all earlier ones. */
    comes: (amount: bigint, currency = 'EUR') => come([amount], currency),
    /** Reports several new transfers by the channel in one message, together with all earlier ones. */
    comeTogether: (...amounts: readonly bigint[]) => come(amounts, 'EUR'),
    expires: () => report({ kind: 'failed', cause: 'cancelled', message: 'Nobody paid in time' }),
    lateSuccess: () => report({ kind: 'succeeded', money, channelRef: `c${own}` }),
    accept: async () => {
      await acceptSuspense({ db: db, clock, rates: noRates }, await firstHeld())
    },
    giveBack: async () => {
      await returnSuspense({ db: db, clock }, await firstHeld())
    },
    /** Imports a statement that lists these amounts for the attempt. */
    lists: (amounts: readonly bigint[], about: About = {}) =>
      imported(db, attemptReference(order.tradeNo, 1), amounts, about),
    depositRef: (at: number) => `d${own}-${at}`,
  }
}

type About = { day?: string; channel?: string; currency?: string; reference?: string }
export type Case = Awaited<ReturnType<typeof openCase>>

function imported(db: Db, ours: string, amounts: readonly bigint[], about: About): Promise<Report> {
  const { day = '2026-09-02', channel = 'sepa', currency = 'EUR', reference = ours } = about
  const lines = amounts.map((amount, at): StatementLine => {
    return { line: at + 2, type: 'payment', reference, money: { amount, currency }, fee: 0n, day }
  })
  return reconcile({ db: db, clock }, channel, lines)
}
