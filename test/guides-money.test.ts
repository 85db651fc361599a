// Computes the figures of docs/guides/money.md with the rules that book real payments.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AVAILABLE } from '../src/money/ledger/account.ts'
import { type Charges, chargesOf } from '../src/money/orders/fees.ts'
import type { Terms } from '../src/money/orders/order.ts'
import {
  type Moved,
  openChargeback,
  type Position,
  settle,
  takeRefund,
  winChargeback,
} from '../src/money/orders/position.ts'
import { decimalHalfUp, formatAmount, parseRate } from '../src/platform/base/money.ts'
import { guideNamed, rowsOf } from './harness/guides.ts'

const terms = (currency: string): Terms => ({
  feeBps: 290,
  feeFixed: decimalHalfUp('0.30', currency) ?? 0n,
  marginBps: 1000,
  marginDays: 180,
  settleDays: 1,
  settleCurrency: currency,
  settleRate: undefined,
})
const usd = (amount: bigint) => formatAmount(amount, 'USD')
const REFUND_FEE = 25n
const CHARGEBACK_FEE = 15_00n
const card = chargesOf({ amount: 33_33n, currency: 'USD' }, terms('USD'))

/** Returns the last cell of each row whose last cell is a figure. */
function figuresIn(heading: string): string[] {
  const cells = rowsOf(guideNamed('money'), heading).map((row) => row.at(-1) ?? '')
  return cells.filter((cell) => /^-?[\d.]+$/.test(cell))
}

function partsOf({ amount, handlingFee, processingFee, margin, remainder }: Charges): bigint[] {
  return [amount, handlingFee, processingFee, margin, remainder]
}

const paid: Position = {
  amount: card.amount,
  currency: 'USD',
  settleCurrency: 'USD',
  rate: undefined,
  margin: card.margin,
  marginHeld: card.margin,
  marginDisputed: 0n,
  marginReleased: false,
  remainder: card.remainder,
  settled: false,
  settledSource: 0n,
  refunded: 0n,
  chargedBack: 0n,
  exceptionFees: 0n,
}

describe('docs/guides/money.md', () => {
  it('a payment, and one in a currency without decimals', () => {
    const yen = chargesOf({ amount: 1000n, currency: 'JPY' }, terms('JPY'))
    const expected = [...partsOf(card).map(usd), ...partsOf(yen).map((amount) => formatAmount(amount, 'JPY'))]
    assert.deepEqual(figuresIn('A payment'), expected)
  })

  it('settlement in another currency', () => {
    const rate = parseRate('0.86')
    const { settleAmount } = chargesOf(
      { amount: card.amount, currency: 'USD' },
      { ...terms('USD'), settleCurrency: 'EUR', settleRate: rate },
    )
    assert.deepEqual(figuresIn('Settlement'), [formatAmount(settleAmount, 'EUR')])
  })

  it('two refunds of one payment', () => {
    const first = takeRefund(paid, 10_00n, REFUND_FEE, 'one').position
    const second = takeRefund(first, 23_33n, REFUND_FEE, 'two').position
    const freed = [paid.marginHeld - first.marginHeld, first.marginHeld - second.marginHeld]
    assert.deepEqual(
      figuresIn('A refund'),
      [
        ...[freed[0] ?? 0n, -10_00n, -REFUND_FEE, paid.remainder, first.remainder],
        ...[freed[1] ?? 0n, -23_33n, -REFUND_FEE, second.remainder],
      ].map(usd),
    )
  })

  it('a chargeback of a settled payment, and one that is won', () => {
    const settled = settle(paid, 'settle').position
    const available = 100_00n
    const take = { amount: card.amount, fee: CHARGEBACK_FEE, available, channel: 'rail:card' }
    const opened = openChargeback(settled, take, 'dispute')
    const after = available + gainOf(opened)
    const expected = [available, -card.amount, -CHARGEBACK_FEE, after].map(usd)
    assert.deepEqual(figuresIn('A chargeback'), expected)
    const won = winChargeback(opened.position, card.amount, 'rail:card', 'won')
    assert.match(guideNamed('money').text, new RegExp(`the fee does not: ${usd(after + gainOf(won))}\\.`))
  })
})

function gainOf({ transfers }: Moved): bigint {
  const change = transfers.map(({ debit, credit, money: { amount } }) => {
    return (credit === AVAILABLE ? amount : 0n) - (debit === AVAILABLE ? amount : 0n)
  })
  return change.reduce((sum, one) => sum + one, 0n)
}
