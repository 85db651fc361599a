import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCreditorReference } from '../../toolkit/formats/epc-qr.ts'
import { paymentReferences } from './payment-reference.ts'

const ours = paymentReferences('house-bank')

test('a payment has a creditor reference of its channel and number', () => {
  const reference = ours.of(42)
  assert.ok(isCreditorReference(reference), reference)
  assert.match(reference, /^RF\d{8}000000042$/)
  assert.notEqual(paymentReferences('other-bank').of(42), reference)
  assert.notEqual(ours.of(43), reference)
})

test('the payment is found in whatever the banks leave of the text', () => {
  const reference = ours.of(1_234)
  const spaced = reference.replace(/(.{4})/g, '$1 ').trim()
  const texts: readonly (readonly string[])[] = [
    [reference],
    [spaced],
    [reference.toLowerCase()],
    [`Order 77 ${spaced} 2026-11-16`],
    [`INVOICE${reference}20261116THANKYOU`],
    [reference.slice(2)],
    ['NOTPROVIDED', `${reference} ${reference}`],
    [`${spaced.slice(0, 9)}-${spaced.slice(9)}`],
  ]
  for (const text of texts) assert.equal(ours.numberIn(text), 1_234, text.join())
})

test('a wrong, cut or ambiguous reference names no payment', () => {
  const reference = ours.of(1_234)
  const typo = reference.replace(/4$/, '5')
  const foreign = paymentReferences('other-bank').of(1_234)
  for (const text of ['', 'Order 77', typo, reference.slice(0, -1), foreign, `${reference} ${ours.of(5)}`])
    assert.equal(ours.numberIn([text]), undefined, text)
})
