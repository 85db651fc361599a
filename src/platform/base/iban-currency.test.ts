import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countrySpecs } from 'ibantools'
import { currencyDoubt } from './iban-currency.ts'

const german = 'DE89 3704 0044 0532 0130 00'

test('an IBAN in a currency that its country does not use is doubtful', () => {
  assert.deepEqual(currencyDoubt(german, 'USD'), { country: 'DE', usual: ['EUR'] })
  assert.equal(currencyDoubt(german, 'eur '), undefined)
  const british = 'GB82WEST12345698765432'
  assert.deepEqual(currencyDoubt(british, 'USD'), { country: 'GB', usual: ['GBP', 'EUR'] })
  for (const currency of ['GBP', 'EUR']) assert.equal(currencyDoubt(british, currency), undefined)
  assert.deepEqual(currencyDoubt('TR330006100519786457841326', 'EUR')?.usual, ['TRY'])
})

test('an account number, and the beginning of an IBAN, are not doubtful', () => {
  for (const account of ['000123456789', '', 'DE89', 'DE89 3704', 'ZZ00AAAAAAAAAAAAAAAA'])
    assert.equal(currencyDoubt(account, 'USD'), undefined)
})

test('every country of SEPA has a usual currency', () => {
  const sepa = Object.entries(countrySpecs).filter(([, spec]) => spec.SEPA && spec.chars !== null)
  for (const [country] of sepa)
    assert.notEqual(currencyDoubt(`${country}00AAAAAAAAAAAAAAAA`, 'USD'), undefined, country)
})
