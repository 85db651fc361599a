import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Method } from '../../../rails/methods/methods.ts'
import type { AskedField } from '../../../rails/methods/traits.ts'
import { readEntered } from '../../merchant-api/fields/read-entered.ts'
import { readForm } from './read-form.ts'

const now = new Date('2026-11-15T12:00:00Z')
const goodCard = { cardNo: '4242 4242 4242 4242', cardExpiry: '12/29', cardSecurityCode: '123' }

const city: AskedField = { name: 'billingCity', maxLength: 100 }
const email: AskedField = { name: 'billingEmail', maxLength: 100 }
const taxNumber: AskedField = { name: 'socialSecurityNumber', maxLength: 18, personal: true }
const coin: AskedField = { name: 'coin', maxLength: 10, choices: [{ value: 'USDT', label: 'USDT' }] }

function read(
  method: Method,
  asks: readonly AskedField[],
  form: Record<string, string>,
  merchantFields = {},
) {
  return readForm([{ method, asks }], { method, ...form }, { readEntered, merchantFields, now })
}

describe("the payer's form", () => {
  it('normalises the card, however it was typed', () => {
    const typed = ['12/29', '12/2029', '1229', '122029', ' 12 / 29 ', '12-29']
    for (const cardExpiry of typed) {
      const { chosen } = read('card', [], { ...goodCard, cardExpiry })
      assert.deepEqual(
        chosen?.card,
        { number: '4242424242424242', expiryMonth: '12', expiryYear: '2029', securityCode: '123' },
        cardExpiry,
      )
    }
    assert.equal(read('card', [], { ...goodCard, cardExpiry: '8/29' }).chosen?.card?.expiryMonth, '08')
  })

  it('accepts security codes of the length that the brand uses', () => {
    const amex = { ...goodCard, cardNo: '3782 822463 10005' }
    assert.equal(read('card', [], { ...amex, cardSecurityCode: '1234' }).chosen?.card?.securityCode, '1234')
    for (const cardSecurityCode of ['123', '12345', '12a4']) {
      const { chosen, formState } = read('card', [], { ...amex, cardSecurityCode })
      assert.equal(chosen, undefined)
      assert.deepEqual(formState.problems, { cardSecurityCode: 'securityCodeInFront' })
    }
    for (const cardSecurityCode of ['1234', '12', '12a'])
      assert.deepEqual(read('card', [], { ...goodCard, cardSecurityCode }).formState.problems, {
        cardSecurityCode: 'securityCode',
      })
  })

  it('separates personal numbers from the other fields', () => {
    const { chosen } = read('pix', [taxNumber, { name: 'name', maxLength: 50 }], {
      socialSecurityNumber: ' 390.533.447-05 ',
      name: 'Test Payer',
    })
    assert.deepEqual(chosen?.personal, { socialSecurityNumber: '390.533.447-05' })
    assert.deepEqual(chosen?.details, { name: 'Test Payer' })
    assert.equal(chosen?.card, undefined)
  })

  it('reports all problems at once, and returns the typed values except the card', () => {
    const { chosen, formState } = read('card', [city, email], {
      cardNo: '4242424242424241',
      cardExpiry: '13/29',
      cardSecurityCode: '12',
      billingEmail: 'nobody',
    })
    assert.equal(chosen, undefined)
    assert.deepEqual(formState.problems, {
      cardNo: 'cardNumber',
      cardExpiry: 'expiry',
      cardSecurityCode: 'securityCode',
      billingCity: 'missing',
      billingEmail: 'email',
    })
    assert.deepEqual(formState.values, { cardExpiry: '13/29', billingCity: '', billingEmail: 'nobody' })
    assert.equal(formState.method, 'card')
  })

  it('never returns card number or code, even if only another field is wrong', () => {
    const { formState } = read('card', [city], { ...goodCard, billingCity: 'x'.repeat(101) })
    assert.deepEqual(formState.problems, { billingCity: 'tooLong' })
    assert.doesNotMatch(JSON.stringify(formState), /4242|123/)
  })

  it('accepts a card until its month has ended everywhere on earth', () => {
    const expiryAt = (at: string) =>
      readForm(
        [{ method: 'card', asks: [] }],
        { method: 'card', ...goodCard, cardExpiry: '10/26' },
        {
          readEntered,
          merchantFields: {},
          now: new Date(at),
        },
      ).formState.problems.cardExpiry
    assert.equal(expiryAt('2026-10-31T23:59:59Z'), undefined)
    assert.equal(expiryAt('2026-11-01T11:59:00Z'), undefined)
    assert.equal(expiryAt('2026-11-02T12:00:00Z'), 'expired')
  })

  it('accepts only listed choices', () => {
    assert.deepEqual(read('crypto', [coin], { coin: 'DOGE' }).formState.problems, { coin: 'notListed' })
    assert.deepEqual(read('crypto', [coin], { coin: 'USDT' }).chosen?.details, { coin: 'USDT' })
  })

  it('requires a postal code unless the country has none, whether merchant or payer sent the country', () => {
    const country: AskedField = { name: 'billingCountry', maxLength: 2 }
    const where = { field: 'billingCountry', values: ['HK', 'AE'] }
    const zip: AskedField = { name: 'billingZipCode', maxLength: 20, optionalWhere: where }
    const entered = (billingCountry: string, billingZipCode: string) =>
      read('card', [country, zip], { ...goodCard, billingCountry, billingZipCode })
    assert.deepEqual(entered('HK', ' ').chosen?.details, { billingCountry: 'HK' })
    assert.deepEqual(entered('HK', '999077').chosen?.details, {
      billingCountry: 'HK',
      billingZipCode: '999077',
    })
    assert.deepEqual(entered('US', '').formState.problems, { billingZipCode: 'missing' })
    const both = { billingCountry: 'missing', billingZipCode: 'missing' }
    assert.deepEqual(entered('', '').formState.problems, both)
    // The form does not ask for the country, so the merchant's value is used and the form's value is ignored.
    const sent = read('card', [zip], { ...goodCard, billingCountry: 'HK' }, { billingCountry: 'US' })
    assert.deepEqual(sent.formState.problems, { billingZipCode: 'missing' })
  })

  it('refuses a method that the order does not offer', () => {
    const rules = { readEntered, merchantFields: {}, now }
    for (const method of ['pix', '', '__proto__'])
      assert.deepEqual(readForm([{ method: 'card', asks: [] }], { method }, rules), {
        chosen: undefined,
        formState: { values: {}, problems: {}, notice: 'unavailable' },
      })
  })

  it('refuses control characters', () => {
    assert.deepEqual(read('card', [city], { ...goodCard, billingCity: 'Li\u0007ma' }).formState.problems, {
      billingCity: 'tooLong',
    })
  })
})
