// Tests the requests for payouts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject } from '../../../platform/base/object.ts'
import type { PayoutRequest } from '../../contract/payout-rail.ts'
import { readTransfer, toTransfer } from './payout-wire.ts'

const TOKEN = `CARD${'0A'.repeat(16)}.8416138237546328`
const names = { benFirstName: 'José María', benLastName: 'Müller & Søn' }

function payout(kind: PayoutRequest['kind'], account: string, more: Partial<Request> = {}): PayoutRequest {
  const { currency = 'EUR', details = names } = more
  const beneficiary = { account, details }
  return { reference: `P${'1'.repeat(30)}`, kind, money: { amount: 500n, currency }, beneficiary }
}

type Request = { readonly currency: string; readonly details: Readonly<Record<string, unknown>> }

function sent(request: PayoutRequest) {
  const body = toTransfer(request, 'BA1')
  return isObject(body?.counterparty) ? { ...body, ...body.counterparty } : undefined
}

test('a bank account is named as its country and currency want it', () => {
  const bic = { ...names, bankCode: 'BOFAUS3N' }
  const rows = [
    [
      'DE89 3704 0044 0532 0130 00',
      'EUR',
      names,
      'regular',
      { type: 'iban', iban: 'DE89370400440532013000' },
    ],
    ['DE89370400440532013000', 'USD', names, 'crossBorder', { type: 'iban', iban: 'DE89370400440532013000' }],
    [
      '000123 456789',
      'USD',
      bic,
      'crossBorder',
      { type: 'numberAndBic', accountNumber: '000123456789', bic: 'BOFAUS3N' },
    ],
    [
      'BR1800360305000010009795493C1',
      'BRL',
      names,
      'regular',
      {
        type: 'brLocal',
        bankCode: '104',
        branchNumber: '0001',
        accountNumber: '0009795493',
        ispb: '00360305',
      },
    ],
  ] as const
  for (const [account, currency, details, priority, accountIdentification] of rows) {
    const body = sent(payout('bank_account', account, { currency, details }))
    assert.deepEqual(
      { category: body?.category, priority: body?.priority, bankAccount: body?.bankAccount },
      {
        category: 'bank',
        priority,
        bankAccount: { accountHolder: { fullName: 'Jose Maria Muller + Son' }, accountIdentification },
      },
    )
  }
})

test('a card is named by its stored payment method and the shopper who has it', () => {
  const body = sent(payout('card', TOKEN))
  assert.deepEqual(body?.card, {
    cardHolder: {
      firstName: 'Jose Maria',
      lastName: 'Muller Son',
      type: 'individual',
      reference: TOKEN.split('.')[0],
    },
    cardIdentification: { storedPaymentMethodId: '8416138237546328' },
  })
  assert.equal(body?.category, 'card')
})

test('what Adyen cannot express is not sent', () => {
  const rows: readonly PayoutRequest[] = [
    payout('bank_account', 'x'),
    payout('bank_account', 'DE89370400440532013000', { details: { benFirstName: '名', benLastName: '' } }),
    // A payout in BRL to an account outside Brazil, then an amount with hundredths of a rupiah.
    payout('bank_account', 'DE89370400440532013000', { currency: 'BRL' }),
    payout('bank_account', 'BR1500000000000010932840814P2', { currency: 'IDR' }),
    payout('card', '4111111111111111'),
    payout('card', TOKEN, { details: { benFirstName: 'Ada', benLastName: '' } }),
    payout('pix', '12345678909', { currency: 'BRL' }),
    payout('spei', '032180000118359719', { currency: 'MXN' }),
  ]
  for (const request of rows) {
    const money = request.money.currency === 'IDR' ? { amount: 501n, currency: 'IDR' } : request.money
    assert.equal(toTransfer({ ...request, money }, 'BA1'), undefined, request.kind)
  }
})

test('a booked transfer to a card counts as paid after an hour', () => {
  const at = new Date('2026-01-10T12:00:00Z')
  const booked = { id: 'T1', reference: 'P1', status: 'booked', amount: { value: 5, currency: 'EUR' } }
  const kind = (updatedAt: string, category: string) =>
    readTransfer({ ...booked, category, updatedAt }, at)?.outcome.kind
  assert.equal(kind('2026-01-10T11:30:00Z', 'card'), 'processing')
  assert.equal(kind('2026-01-10T11:00:00Z', 'card'), 'succeeded')
  assert.equal(kind('2026-01-10T11:00:00Z', 'bank'), 'processing')
})

test('the amount of a return is what its event credited; the amounts of the transfer and the event say nothing', () => {
  const amount = { value: 500, currency: 'EUR' }
  const transfer = { id: 'T1', reference: 'P1', status: 'returned', amount }
  const credit = (balance: number, currency = 'EUR') => ({ balance, currency, received: 0, reserved: 0 })
  const table = [
    [undefined, undefined],
    [[{ status: 'returned', amount }], undefined],
    [[{ status: 'returned', amount, mutations: [credit(0)] }], undefined],
    [[{ status: 'returned', amount, mutations: [credit(200), credit(200, 'USD')] }], undefined],
    [[{ status: 'booked', amount, mutations: [credit(500)] }], undefined],
    [[{ status: 'returned', amount, mutations: [credit(480)] }], { amount: 480n, currency: 'EUR' }],
    [[{ status: 'returned', amount, mutations: [credit(480, 'USD')] }], { amount: 480n, currency: 'USD' }],
  ] as const
  for (const [events, money] of table) {
    const outcome = readTransfer({ ...transfer, events }, new Date())?.outcome
    assert.deepEqual(outcome, {
      kind: 'returned',
      message: "The beneficiary's bank returned the payout",
      money,
    })
  }
})
