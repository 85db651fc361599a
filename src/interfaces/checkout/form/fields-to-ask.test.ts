import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aReference } from '../../../../test/builders/reference.ts'
import { toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { scriptedChannel } from '../../../../test/counterparties/scripted-channel.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Channel } from '../../../rails/contract/channel.ts'
import { connectCard } from '../../../rails/protocols/bridge/card/card-channel.ts'
import { emailsOf } from '../../../rails/routing/known-payer.ts'
import { fieldsToAsk } from './fields-to-ask.ts'

const names = (channels: readonly Channel[], merchantFields = {}) =>
  fieldsToAsk(channels, merchantFields, aReference).map(({ name }) => name)
const usual = ['billingFirstName', 'billingLastName', 'billingEmail', 'billingCountry', 'billingZipCode']
const card = scriptedChannel('card')

function acquirer(payerFields?: unknown): Channel {
  const settings = { name: 'acquirer', method: 'card', url: 'https://acquirer.example', secret: 's' } as const
  const tools = toolsWith({ timeoutMs: 1_000 })
  return connectCard({ ...settings, ...(payerFields !== undefined && { payerFields }) }, tools)
}

describe('the fields that a payer is asked for', () => {
  it('are name, e-mail, country and postal code for a card, if the merchant sent nothing', () => {
    assert.deepEqual(names([card]), usual)
    assert.deepEqual(names([acquirer()]), usual)
  })

  it('include what a possible channel requires in addition', () => {
    const thorough = acquirer(['billingAddress1', 'billingCity', 'billingEmail'])
    const more = usual.toSpliced(3, 0, 'billingAddress1', 'billingCity')
    assert.deepEqual(names([thorough]), more)
    assert.deepEqual(new Set(names([card, thorough])), new Set(more))
    for (const wrong of [['billingName'], 'billingCity', [7], {}])
      assert.throws(() => acquirer(wrong), SettingError)
  })

  it('have the choices of all channels', () => {
    const on = (network: string): Channel => {
      const channel = scriptedChannel('crypto', 'crypto')
      const choices = ['ERC20', network].map((value) => ({ value, label: value }))
      return {
        ...channel,
        traits: { ...channel.traits, asks: [{ name: 'network', maxLength: 20, choices }] },
      }
    }
    const [field] = fieldsToAsk([on('BSC'), on('BASE')], {}, aReference)
    assert.deepEqual(
      field?.choices?.map(({ value }) => value),
      ['ERC20', 'BSC', 'BASE'],
    )
  })

  it('never include what the merchant sent; empty values count as not sent', () => {
    const merchantFields = {
      billingFirstName: 'Test',
      billingEmail: 'a@shop.example',
      billingLastName: '',
      billingZipCode: null,
    }
    assert.deepEqual(names([card], merchantFields), ['billingLastName', 'billingCountry', 'billingZipCode'])
    const whole = {
      ...merchantFields,
      billingLastName: 'Payer',
      billingCountry: 'US',
      billingZipCode: '78701',
    }
    assert.deepEqual(names([card], whole), [])
    assert.deepEqual(names([card], { ...whole, billingZipCode: '' }), ['billingZipCode'])
  })

  it('do not include a postal code in a country that has none', () => {
    const merchantFields = { billingFirstName: 'Test', billingLastName: 'Payer', email: 'a@shop.example' }
    for (const billingCountry of ['HK', 'AE', 'IE', 'MO'])
      assert.deepEqual(names([card], { ...merchantFields, ...emailsOf(merchantFields), billingCountry }), [])
  })
})

describe('an e-mail address', () => {
  it('that the merchant sent in one field is used for the other', () => {
    const one = 'a@shop.example'
    const both = { email: one, billingEmail: one }
    assert.deepEqual(emailsOf({ email: one, billingEmail: '' }), both)
    assert.deepEqual(emailsOf({ billingEmail: one }), both)
    const two = { email: one, billingEmail: 'b@shop.example' }
    assert.deepEqual(emailsOf(two), two)
    assert.deepEqual(emailsOf({ email: '' }), {})
  })
})
