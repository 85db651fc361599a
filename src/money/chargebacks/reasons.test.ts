import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryOf, type DisputeCategory } from './reasons.ts'

const examples: Readonly<Record<DisputeCategory, readonly string[]>> = {
  fraud: ['10', '0010', '10.4', '4837', '4870', 'C42', 'D70', '546', '0546', 'fraudulent'],
  'not-received': ['4855', '13.1', 'D62', 'product_not_received'],
  'not-as-described': ['4853', '13.3', 'C31', 'product_unacceptable'],
  duplicate: ['4834', '12.6', '12.6.1', 'duplicate'],
  credit: ['4860', '13.6', '13.7', 'credit_not_processed'],
  recurring: ['4841', '13.2', 'subscription_canceled'],
  processing: ['12', '0012', '12.5', '11.3', '4808', '4831'],
  general: ['13', '0000', '', '48370', 'something new'],
}

test('a reason code asks for the evidence of its kind, and any other code for the general list', () => {
  for (const [category, codes] of Object.entries(examples))
    for (const code of codes) assert.equal(categoryOf(code), category, code)
})
