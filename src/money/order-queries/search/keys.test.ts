import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountKey, emailKey, keysOf, nameKeys } from './keys.ts'

test('an order is found by its state, method, amount, e-mails, words of names, cards and references, each once', () => {
  const keys = keysOf({
    money: { amount: 1250n, currency: 'USD' },
    state: 5,
    method: 'card',
    emails: ['Ada@Example.com', 'ada@example.com'],
    names: ['Ada  Lovelace', 'Lovelace'],
    cards: ['4242'],
    references: ['psp-1'],
  })
  assert.deepEqual(keys, [
    'state:5',
    'method:card',
    'amount:12.5',
    'email:ada@example.com',
    'name:ada',
    'name:lovelace',
    'card:4242',
    'reference:psp-1',
  ])
})

test('an amount has one key, however it is written', () => {
  for (const written of ['100', '100.0', '100.00', '0100.00']) assert.equal(amountKey(written), 'amount:100')
  assert.equal(amountKey('0.50'), 'amount:0.5')
})

test('names in any script have keys, and the number of their words is bounded', () => {
  assert.deepEqual(nameKeys('张伟'), ['name:张伟'])
  assert.deepEqual(nameKeys('Müller, José'), ['name:müller', 'name:josé'])
  assert.equal(nameKeys(Array.from({ length: 50 }, (_, at) => `w${at}`).join(' ')).length, 8)
  assert.equal(emailKey(' ADA@example.COM '), 'email:ada@example.com')
})
