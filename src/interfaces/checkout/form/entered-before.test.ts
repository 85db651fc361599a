import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choiceOf } from '../../../../test/builders/checkout-views.ts'
import { enteredBefore } from './entered-before.ts'

const browser = { address: '2001:db8:1:2::7', userAgent: 'Mozilla/5.0 (a phone)', accept: '*/*' }
const details = {
  userAgent: browser.userAgent,
  ipAddress: browser.address,
  acceptHeader: browser.accept,
  billingFirstName: 'Ana',
  name: 'Ana Quispe',
  email: 'ana@shop.example',
  socialSecurityNumber: '52998224725',
  vaBankId: 970436,
}
const choices = [choiceOf('card'), choiceOf('pix'), choiceOf('vn_bank')]

describe('what the payer entered before', () => {
  it('fills in the questions that the page asks, without personal numbers', () => {
    assert.deepEqual(enteredBefore(details, choices, browser), {
      billingFirstName: 'Ana',
      name: 'Ana Quispe',
      email: 'ana@shop.example',
      vaBankId: '970436',
    })
    assert.deepEqual(enteredBefore(details, [choiceOf('card')], browser), { billingFirstName: 'Ana' })
  })

  it('is for the same browser only, also if its address changes within the network', () => {
    const moved = { ...browser, address: '2001:db8:1:2::8' }
    assert.equal(enteredBefore(details, choices, moved).billingFirstName, 'Ana')
    const others = [
      { ...browser, address: '2001:db8:1:3::7' },
      { ...browser, address: '192.0.2.1' },
      { ...browser, userAgent: 'Mozilla/5.0 (a desktop)' },
      { ...browser, userAgent: '' },
    ]
    for (const other of others) assert.deepEqual(enteredBefore(details, choices, other), {})
    assert.deepEqual(enteredBefore({}, choices, { ...browser, userAgent: '', address: '' }), {})
  })
})
