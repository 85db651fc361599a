import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createBank, REFUSED, SILENT_AND_NOT_OPENED, SILENT_BUT_OPENED } from './bank.ts'
import type { BankOrder } from './charge.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bank-'))
let nowMs = Date.parse('2026-03-01T12:00:00Z')
const clock = { now: () => new Date(nowMs) }
const allot = (no: number) => ({ account: `ACC${no}`, extra: { index: no } })
const wallet = createBank({ bookFile: join(folder, 'wallet.sqlite'), clock, takes: 'exact' })
const transfers = createBank({ bookFile: join(folder, 'transfers.sqlite'), clock, takes: 'deposits', allot })
after(() => {
  wallet.close()
  transfers.close()
  rmSync(folder, { recursive: true })
})

let orders = 0

function order(more: Partial<BankOrder> = {}): BankOrder {
  orders += 1
  return {
    reference: `REF${orders}`,
    amount: '1250',
    currency: 'USD',
    returnUrl: 'https://shop.example/back?a=1',
    callbackUrl: 'https://shop.example/callbacks/bank',
    payee: 'Test shop',
    extra: { chosen: 'x' },
    ...more,
  }
}

function opened(bank: typeof wallet, more: Partial<BankOrder> = {}) {
  const opening = bank.open(order(more))
  assert.equal(opening.kind, 'opened')
  return opening.charge
}

describe('opening at a bank of the sandbox', () => {
  it('creates one charge per reference, with its own account', () => {
    const asked = order()
    const first = transfers.open(asked)
    assert.equal(first.kind, 'opened')
    assert.deepEqual(transfers.open({ ...asked, amount: '9' }), first)
    assert.deepEqual(transfers.find(asked.reference), first.charge)
    assert.deepEqual(transfers.findById(first.charge.id), first.charge)
    assert.partialDeepStrictEqual(first.charge, { ...asked, extra: { chosen: 'x' }, status: 'open' })
    assert.notEqual(opened(transfers).account, first.charge.account)
    assert.equal(first.charge.account, `ACC${first.charge.extra.index}`)
  })

  it('does not respond or refuses at the documented amounts', () => {
    const lost = order({ amount: SILENT_BUT_OPENED })
    assert.equal(wallet.open(lost).kind, 'silent')
    assert.equal(wallet.find(lost.reference)?.status, 'open')
    assert.equal(wallet.open(lost).kind, 'opened')
    const never = order({ amount: SILENT_AND_NOT_OPENED })
    assert.equal(wallet.open(never).kind, 'silent')
    assert.equal(wallet.find(never.reference), undefined)
    assert.equal(wallet.open(order({ amount: REFUSED })).kind, 'refused')
  })

  it('finds a reference closed that was cancelled before', () => {
    const asked = order()
    assert.equal(wallet.cancel(asked.reference).status, 'cancelled')
    const opening = wallet.open(asked)
    assert.equal(opening.kind, 'opened')
    assert.equal(opening.charge.status, 'cancelled')
    assert.equal(wallet.pay(opening.charge.id, { amount: '1250' }), undefined)
  })
})

describe('a payer of the sandbox', () => {
  it('pays a wallet once and exactly', () => {
    const { id, reference } = opened(wallet)
    assert.equal(wallet.pay(id, { amount: '1249' }), undefined)
    assert.equal(wallet.pay(id, { amount: '1250' })?.status, 'paid')
    assert.equal(wallet.pay(id, { amount: '1250' }), undefined)
    assert.equal(wallet.decline(id), undefined)
    assert.equal(wallet.cancel(reference).status, 'paid')
    assert.equal(wallet.find(reference)?.deposits.length, 1)
  })

  it('may transfer in parts or too much, and a repeated form counts once', () => {
    const { id, reference } = opened(transfers)
    const part = { amount: '1000', id: 'transfer-1', payerName: 'Payer' }
    assert.equal(transfers.pay(id, part)?.status, 'open')
    transfers.pay(id, part)
    assert.equal(transfers.find(reference)?.deposits.length, 1)
    assert.equal(transfers.pay(id, { amount: '300' })?.status, 'paid')
    assert.deepEqual(
      transfers.find(reference)?.deposits.map((one) => [one.amount, one.payerName]),
      [
        ['1000', 'Payer'],
        ['300', undefined],
      ],
    )
  })

  it('may transfer to a closed charge, and the money arrives', () => {
    const { id, reference } = opened(transfers)
    transfers.cancel(reference)
    const charge = transfers.pay(id, { amount: '1250' })
    assert.deepEqual(
      { status: charge?.status, deposits: charge?.deposits.length },
      { status: 'cancelled', deposits: 1 },
    )
  })

  it('declines for good', () => {
    const { id, reference } = opened(wallet)
    assert.equal(wallet.decline(id)?.status, 'declined')
    assert.equal(wallet.pay(id, { amount: '1250' }), undefined)
    assert.equal(wallet.cancel(reference).status, 'declined')
  })

  it("triggers a callback; the gateway's own changes do not", () => {
    const changes: string[] = []
    wallet.onChange((charge) => void changes.push(`${charge.reference} ${charge.status}`))
    for (const due of wallet.outbox.take(Number.MAX_SAFE_INTEGER)) wallet.outbox.done(due)
    const [paid, declined, cancelled] = [opened(wallet), opened(wallet), opened(wallet)]
    wallet.pay(paid.id, { amount: '1250' })
    wallet.decline(declined.id)
    wallet.cancel(cancelled.reference)
    assert.deepEqual(changes, [`${paid.reference} paid`, `${declined.reference} declined`])
    const due = wallet.outbox.take(Date.now()).map(({ key }) => key)
    assert.deepEqual(due.sort(), [paid.reference, declined.reference].sort())
  })
})

describe('a refund at a bank of the sandbox', () => {
  const refund = (reference: string, amount: string, more = {}) => {
    orders += 1
    const asked = { refundReference: `R${orders}`, reference, amount, currency: 'USD', ...more }
    const first = wallet.refund(asked)
    assert.equal(first.status, 'processing')
    nowMs += 1_000
    const refund = wallet.refund(asked)
    assert.equal(refund.id, first.id)
    assert.deepEqual(wallet.findRefund(asked.refundReference), refund)
    return { status: refund.status, reason: refund.reason }
  }

  it('is reported after a second, may be partial, and never exceeds the payment', () => {
    const { id, reference } = opened(wallet)
    assert.equal(refund(reference, '100').status, 'failed')
    wallet.pay(id, { amount: '1250' })
    assert.equal(refund(reference, '1000').status, 'succeeded')
    assert.deepEqual(refund(reference, '251'), {
      status: 'failed',
      reason: 'The refunds would exceed the payment',
    })
    assert.deepEqual(refund(reference, '100', { currency: 'EUR' }).status, 'failed')
    assert.equal(refund(reference, '250').status, 'succeeded')
  })

  it('of exactly 6.66 fails, and of 666 where there are no decimals', () => {
    const dollars = opened(wallet)
    wallet.pay(dollars.id, { amount: '1250' })
    assert.deepEqual(refund(dollars.reference, '666'), {
      status: 'failed',
      reason: 'The bank refused the refund',
    })
    const dong = opened(wallet, { currency: 'VND', amount: '50000' })
    wallet.pay(dong.id, { amount: '50000' })
    assert.equal(refund(dong.reference, '666', { currency: 'VND' }).status, 'failed')
    assert.equal(refund(dong.reference, '667', { currency: 'VND' }).status, 'succeeded')
  })
})
