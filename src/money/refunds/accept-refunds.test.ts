import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { aPayment } from '../../../test/builders/builders.ts'
import {
  assertMoneySound,
  balancesOf,
  paidOrder,
  stateOf,
  stepsOf,
} from '../../../test/builders/paid-orders.ts'
import {
  accept,
  anApplication,
  codesOf,
  dispute,
  dollarsOnly,
  loseDispute,
  record,
  settleNow,
  succeeded,
} from '../../../test/builders/refunds.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Position, settle, takeRefund } from '../orders/position.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { acceptRefunds, afterwards, fundsRefusal } from './accept-refunds.ts'
import { openRefundBatches } from './batches.ts'
import type { Application } from './refund.ts'

let db: Db
useDatabase({
  maxConnections: 16,
  before(database) {
    db = database.db
  },
})

let lastMerNo = 40_000_000
const newMerchant = () => ++lastMerNo

const codes = async (...applications: Application[]) =>
  codesOf(await acceptRefunds({ db, rates: dollarsOnly }, applications))

describe('a refund that is accepted', () => {
  it('takes amount and fee from the remainder immediately, and releases margin in proportion', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo, terms: { marginBps: 1000 } })
    const refund = await accept(db, anApplication(payment, { amount: 500n, terms: { refundFee: '0.20' } }))
    assert.equal(refund.fee, 20n)
    assert.deepEqual(await balancesOf(db, merNo), {
      'merchant:margin USD': 50n,
      'merchant:unsettled USD': 900n + 50n - 500n - 20n,
      'platform:fees USD': 20n,
      'rail:card USD': -1000n,
      'transit:refunds USD': 500n,
    })
    assert.equal(await stateOf(db, payment), 10)
    assert.deepEqual(
      (await stepsOf(db, payment)).filter((step) => step.startsWith('refund')),
      [`refund:${refund.refundNo}`, `refund:${refund.refundNo}:fee`, `refund:${refund.refundNo}:margin`],
    )
  })

  it("of a settled order comes from the available balance, in the settlement currency at the order's rate", async () => {
    const merNo = newMerchant()
    const rate = { digits: 11n, scale: 1 }
    const money = { amount: 1000n, currency: 'EUR' }
    const terms = { settleCurrency: 'USD', settleRate: rate }
    const payment = await paidOrder(db, { merNo, money, rate, terms })
    await settleNow(db, payment)
    await accept(db, anApplication(payment, { amount: 333n }))
    const { 'merchant:available USD': available, 'transit:refunds EUR': inFlight } = await balancesOf(
      db,
      merNo,
    )
    assert.equal(available, 733n)
    assert.equal(inFlight, 333n)
  })

  it('in parts adds up to zero at a rate that does not divide evenly, in any settlement currency', async () => {
    const merNo = newMerchant()
    const rate = { digits: 7_777n, scale: 4 }
    const terms = { settleCurrency: 'USD', settleRate: rate, marginBps: 333 }
    const payment = await paidOrder(db, { merNo, money: { amount: 1000n, currency: 'EUR' }, rate, terms })
    await settleNow(db, payment)
    for (const amount of [1n, 333n, 333n, 332n, 1n]) await accept(db, anApplication(payment, { amount }))
    const { 'merchant:available USD': left = 0n, 'merchant:margin EUR': margin = 0n } = await balancesOf(
      db,
      merNo,
    )
    assert.deepEqual({ left, margin }, { left: 0n, margin: 0n })
    assert.deepEqual(await codes(anApplication(payment, { amount: 1n })), ['10101'])
  })

  it('has a fee in the currency of the order, rounded to its unit', async () => {
    const payment = await paidOrder(db, { merNo: newMerchant(), money: { amount: 900n, currency: 'JPY' } })
    const application = anApplication(payment, { amount: 400n, terms: { refundFee: '20.50' } })
    assert.equal((await accept(db, application)).fee, 21n)
  })

  it("waits for an operator if the merchant's setting says so, with its money already taken", async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const refund = await accept(db, anApplication(payment, { terms: { approveRefunds: true } }))
    assert.deepEqual(
      { state: refund.state, message: refund.message },
      { state: 'waiting', message: 'Waiting for approval' },
    )
    assert.equal((await balancesOf(db, merNo))['transit:refunds USD'], 1000n)
    assert.equal(await stateOf(db, payment), 10)
  })
})

describe('a refund is refused', () => {
  it('if the order was never paid, does not exist, or is disputed', async () => {
    const merNo = newMerchant()
    const open = aPayment({ merNo })
    await acceptPayments(db, [open])
    assert.deepEqual(await codes(anApplication(open)), ['10102'])
    assert.deepEqual(await codes(anApplication(aPayment({ merNo }))), ['10102'])
    const [whole, parted] = [await paidOrder(db, { merNo }), await paidOrder(db, { merNo })]
    await accept(db, anApplication(parted, { amount: 1n }))
    for (const [payment, lost] of [
      [whole, 11],
      [parted, 17],
    ] as const) {
      await dispute(db, payment)
      assert.equal(await stateOf(db, payment), 12)
      assert.deepEqual(await codes(anApplication(payment, { amount: 1n })), ['10102'])
      await loseDispute(db, payment)
      assert.equal(await stateOf(db, payment), lost)
      assert.deepEqual(await codes(anApplication(payment, { amount: 1n })), ['10102'])
    }
  })

  it('if it exceeds what is left, counting refunds under way', async () => {
    const payment = await paidOrder(db, { merNo: newMerchant() })
    await accept(db, anApplication(payment, { amount: 600n }))
    assert.deepEqual(await codes(anApplication(payment, { amount: 401n })), ['10101'])
    assert.deepEqual(await codes(anApplication(payment, { amount: 400n })), ['00000'])
  })

  it('of a settled order if the available balance does not cover it, with or without credit', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo, terms: { feeFixed: 1n } })
    await settleNow(db, payment)
    const terms = { refundCredit: 500_00n }
    assert.deepEqual(await codes(anApplication(payment, { terms })), ['10104'])
    assert.deepEqual(await codes(anApplication(payment, { terms, amount: 999n })), ['00000'])
  })

  it('of an unsettled order beyond the credit in dollars, to the cent', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo, terms: { feeFixed: 100n } })
    assert.deepEqual(await codes(anApplication(payment, { terms: { refundCredit: 99n } })), ['10104'])
    assert.deepEqual(await codes(anApplication(payment, { terms: { refundCredit: 100n } })), ['00000'])
    assert.equal((await balancesOf(db, merNo))['merchant:unsettled USD'], -100n)
  })

  it('beyond the credit by the debts in all currencies together, valued in dollars', async () => {
    const merNo = newMerchant()
    const rates = { find: (from: string) => ({ digits: from === 'EUR' ? 2n : 1n, scale: 0 }) }
    const refund = async (currency: string, debt: bigint) => {
      const money = { amount: 1000n, currency }
      const payment = await paidOrder(db, { merNo, money, terms: { feeFixed: debt } })
      const application = anApplication(payment, { terms: { refundCredit: 500n } })
      const [acceptance] = await acceptRefunds({ db, rates }, [application])
      return acceptance?.refusal?.message
    }
    assert.equal(await refund('EUR', 150n), undefined)
    const message = 'Balance is too low: debts in all currencies together would exceed the refund credit'
    assert.equal(await refund('USD', 201n), message)
    assert.equal((await balancesOf(db, merNo))['merchant:unsettled EUR'], -150n)
  })

  it('on credit while a debt in another currency has no rate to the dollar', async () => {
    const merNo = newMerchant()
    const terms = { refundCredit: 500_00n }
    const inEuros = { amount: 1000n, currency: 'EUR' }
    const abroad = await paidOrder(db, { merNo, money: inEuros, terms: { feeFixed: 1n } })
    const application = anApplication(abroad, { terms })
    const rates = { find: () => ({ digits: 1n, scale: 0 }) }
    assert.deepEqual(codesOf(await acceptRefunds({ db, rates }, [application])), ['00000'])
    const payment = await paidOrder(db, { merNo, terms: { feeFixed: 1n } })
    const [acceptance] = await acceptRefunds({ db, rates: dollarsOnly }, [anApplication(payment, { terms })])
    assert.match(acceptance?.refusal?.message ?? '', /a debt in EUR has no rate to USD/)
    assert.deepEqual(await codes(anApplication(payment, { terms, amount: 999n })), ['00000'])
  })

  it('on credit in a currency that has no rate to the dollar', async () => {
    const money = { amount: 1000n, currency: 'EUR' }
    const payment = await paidOrder(db, { merNo: newMerchant(), money, terms: { feeFixed: 1n } })
    const terms = { refundCredit: 500_00n }
    assert.deepEqual(await codes(anApplication(payment, { terms })), ['10104'])
    assert.deepEqual(await codes(anApplication(payment, { terms, amount: 999n })), ['00000'])
  })

  it('and then stores nothing', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const before = await balancesOf(db, merNo)
    await codes(anApplication(payment, { amount: 1001n }), anApplication(payment, { refundable: false }))
    assert.deepEqual(await balancesOf(db, merNo), before)
    assert.equal(await stateOf(db, payment), 5)
    assert.equal(await countRefunds(merNo), 0)
  })
})

describe('a repeated refund', () => {
  it("under the same merchant's number is the same refund, also in the same batch", async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const one = () => anApplication(payment, { amount: 300n, merRefundNo: 'back' })
    const first = await accept(db, one())
    assert.equal((await accept(db, one())).refundNo, first.refundNo)
    assert.deepEqual(await codes(one(), one(), { ...one(), remark: 'other' }), ['00000', '00000', '10009'])
    assert.equal(await countRefunds(merNo), 1)
  })

  it('under the same number for another order is refused', async () => {
    const merNo = newMerchant()
    const [one, other] = [await paidOrder(db, { merNo }), await paidOrder(db, { merNo })]
    await accept(db, anApplication(one, { merRefundNo: 'back' }))
    assert.deepEqual(await codes(anApplication(other, { merRefundNo: 'back' })), ['10009'])
  })

  it("may use another merchant's number", async () => {
    const [one, other] = [newMerchant(), newMerchant()]
    for (const merNo of [one, other])
      await accept(db, anApplication(await paidOrder(db, { merNo }), { merRefundNo: 'back' }))
    assert.equal(await countRefunds(other), 1)
  })

  it('without a number is refused for ten minutes, and as long as the first is open', async () => {
    const merNo = newMerchant()
    const payment = await paidOrder(db, { merNo })
    const again = (minutes: number) => {
      const at = new Date(payment.createdAt.getTime() + minutes * 60_000)
      return anApplication(payment, { amount: 100n, merRefundNo: undefined, at })
    }
    const first = await accept(db, again(0))
    assert.deepEqual(await codes(again(0), again(11)), ['10003', '10003'])
    await record(db, succeeded(first))
    assert.deepEqual(await codes(again(9), again(11), again(11)), ['10003', '00000', '10003'])
  })

  it('in a repeated flush is the same refund', async () => {
    const payment = await paidOrder(db, { merNo: newMerchant() })
    const application = anApplication(payment, { merRefundNo: undefined })
    await accept(db, application)
    assert.equal((await accept(db, application)).refundNo, application.refundNo)
  })
})

test("one merchant's failed batch does not undo or repeat those of others", async () => {
  const batches = openRefundBatches({ db, rates: dollarsOnly }, 100, () => {})
  const good = await Promise.all([1, 2, 3, 4].map(() => paidOrder(db, { merNo: newMerchant() })))
  const bad = await paidOrder(db, { merNo: newMerchant() })
  const applications = good.map((payment) => anApplication(payment, { merRefundNo: undefined }))
  // PostgreSQL cannot store this character, so the statement fails.
  applications.splice(2, 0, anApplication(bad, { remark: '\0' }))
  const ends = await Promise.allSettled(applications.map((one) => batches.accept.submit(one)))
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  for (const end of ends) if (end.status === 'fulfilled') assert.deepEqual(codesOf([end.value]), ['00000'])
  for (const { merNo } of good) assert.equal(await countRefunds(merNo), 1)
})

test('the books are sound', () => assertMoneySound(db))

async function countRefunds(merNo: number): Promise<number> {
  const [row] = await db.query<{ refunds: number }>({
    text: 'select count(*)::int as refunds from refunds where mer_no = $1',
    values: [merNo],
  })
  return row?.refunds ?? 0
}

function paid(changes: Partial<Position> = {}): Position {
  return {
    amount: 1000n,
    currency: 'EUR',
    settleCurrency: 'EUR',
    rate: undefined,
    margin: 0n,
    marginHeld: 0n,
    marginDisputed: 0n,
    marginReleased: false,
    remainder: 900n,
    settled: false,
    settledSource: 0n,
    refunded: 0n,
    chargedBack: 0n,
    exceptionFees: 0n,
    ...changes,
  }
}

type Balances = { readonly available?: bigint; readonly unsettled?: bigint }

/** Rates by which one euro is one dollar. */
const rates = { find: () => ({ digits: 1n, scale: 0 }) }

function covers(position: Position, amount: bigint, balances: Balances, credit = 0n): boolean {
  const funds = {
    currencies: ['EUR', 'USD'],
    available: (currency: string) => (currency === position.settleCurrency ? (balances.available ?? 0n) : 0n),
    unsettled: (currency: string) => (currency === position.currency ? (balances.unsettled ?? 0n) : 0n),
  }
  const moved = takeRefund(position, amount, 0n, 'r')
  return fundsRefusal(funds, position, moved, { most: credit, rates }) === undefined
}

test("a refund of an unsettled order comes from the order's own remainder, whatever else the merchant owes", () => {
  assert.equal(covers(paid(), 900n, { unsettled: 900n, available: -5000n }), true)
})

test("beyond the remainder the merchant's whole balance in the currency counts, then its credit, to the unit", () => {
  assert.equal(covers(paid(), 1000n, { unsettled: 900n }), false)
  assert.equal(covers(paid(), 1000n, { unsettled: 1000n }), true)
  assert.equal(covers(paid(), 1000n, { unsettled: 999n }), false)
  assert.equal(covers(paid(), 1000n, { unsettled: 900n, available: 100n }), true)
  assert.equal(covers(paid(), 1000n, { unsettled: 900n }, 99n), false)
  assert.equal(covers(paid(), 1000n, { unsettled: 900n }, 100n), true)
})

test('a refund of a settled order comes from the available balance, to the unit and never on credit', () => {
  const settled = settle(paid(), 's').position
  assert.equal(covers(settled, 1000n, { available: 1000n }), true)
  assert.equal(covers(settled, 1000n, { available: 999n, unsettled: 5000n }, 5000n), false)
})

test('released margin may pay a refund although the balance is below zero', () => {
  const reserve = { amount: 1000n, margin: 1000n, marginHeld: 1000n, remainder: 0n }
  const settled = settle(paid(reserve), 's').position
  assert.equal(covers(settled, 400n, { available: -70n }), true)
})

test("a refund of an order settled in another currency uses the order's own rate", () => {
  const abroad = paid({ settleCurrency: 'USD', rate: { digits: 11n, scale: 1 } })
  const settled = settle(abroad, 's').position
  assert.equal(covers(settled, 100n, { available: 110n }), true)
  assert.equal(covers(settled, 100n, { available: 109n }), false)
})

test('each refund reduces what the next one can take', () => {
  const { transfers } = takeRefund(paid(), 300n, 20n, 'r')
  const left = afterwards({ currencies: ['EUR'], available: () => 50n, unsettled: () => 900n }, transfers)
  assert.equal(left.unsettled('EUR'), 580n)
  assert.equal(left.unsettled('USD'), 900n)
  assert.equal(left.available('EUR'), 50n)
})
