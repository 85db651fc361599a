import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanQr } from '../../../../test/harness/scan-qr.ts'
import { type CreditTransfer, epcQr, isCreditorReference } from './epc-qr.ts'

const given: CreditTransfer = {
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  payee: 'Café Größe',
  money: { amount: 12_30n, currency: 'EUR' },
  reference: 'RF18539007547034',
}

test('a creditor reference has its own line', () => {
  assert.deepEqual(epcQr(given)?.split('\n'), [
    'BCD',
    '002',
    '1',
    'SCT',
    'COBADEFFXXX',
    'Café Größe',
    'DE89370400440532013000',
    'EUR12.30',
    '',
    'RF18539007547034',
  ])
})

test('any other reference is text, and a BIC is optional', () => {
  const lines = epcQr({ ...given, bic: '', reference: 'Order 42' })?.split('\n') ?? []
  assert.deepEqual(lines.slice(4), [
    '',
    'Café Größe',
    'DE89370400440532013000',
    'EUR12.30',
    '',
    '',
    'Order 42',
  ])
})

test('a scanner reads the QR image back, including accents', () => {
  const payload = epcQr(given) ?? ''
  assert.equal(scanQr(payload), payload)
})

test('invalid parts give no code', () => {
  const wrong: readonly Partial<CreditTransfer>[] = [
    { iban: 'DE88370400440532013000' },
    { bic: 'COBADE' },
    { payee: '' },
    { payee: 'x'.repeat(71) },
    { payee: 'Two\nlines' },
    { reference: '' },
    { reference: 'x'.repeat(141) },
    { payee: '店'.repeat(70), reference: '店'.repeat(40) },
    { money: { amount: 0n, currency: 'EUR' } },
    { money: { amount: 100_000_000_000n, currency: 'EUR' } },
    { money: { amount: 100n, currency: 'USD' } },
  ]
  for (const change of wrong)
    assert.equal(epcQr({ ...given, ...change }), undefined, Object.keys(change).join())
})

test('a creditor reference has valid check digits', () => {
  for (const valid of ['RF18539007547034', 'RF471234567890', 'RF712348231'])
    assert.ok(isCreditorReference(valid), valid)
  for (const other of ['RF19539007547034', 'RF18', 'rf18539007547034', 'RF18 5390 0754 7034', 'ORDER42'])
    assert.equal(isCreditorReference(other), false, other)
})
