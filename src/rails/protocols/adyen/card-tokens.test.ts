// Tests the exchange of cards for stored payment methods, at the sandbox's Adyen and at servers with other responses.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type AdyenWorld, openAdyenWorld } from '../../../../test/counterparties/adyen.ts'
import { openScriptedServer, type ScriptedServer } from '../../../../test/counterparties/scripted-server.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { PayoutRail, Tokenised } from '../../contract/payout-rail.ts'

const CARD = '4111111111111111'
const expiry = { month: '03', year: '2030' }

let world: AdyenWorld
let server: ScriptedServer
before(async () => {
  world = await openAdyenWorld()
  server = await openScriptedServer()
})
after(async () => {
  await server.close()
  await world.close()
})

function rail(changes = {}, timeoutMs?: number): PayoutRail {
  const settings = { ...world.settings('card'), payoutKinds: ['bank_account', 'card'] as const, ...changes }
  return world.connect(settings, timeoutMs).rail ?? assert.fail()
}

const causeOf = (tokenised: Tokenised) => (tokenised.kind === 'failed' ? tokenised.cause : tokenised.kind)

describe('a card for payouts by Adyen', () => {
  it('is stored once for each payout, and its token does not contain the number', async () => {
    const [one, two] = [await rail().tokenise(CARD, expiry), await rail().tokenise(CARD, expiry)]
    assert.ok(one.kind === 'token' && two.kind === 'token')
    assert.notEqual(one.token, two.token)
    assert.ok(!one.token.includes(CARD.slice(6)))
  })

  it('is reported by a webhook as an authorisation of zero, which is no payment', async () => {
    const before = world.receiver.received().length
    await rail().tokenise(CARD, expiry)
    await world.delivered()
    const [callback] = world.receiver.received().slice(before)
    assert.ok(callback)
    const read = await world.channel('card').readCallback?.(callback)
    assert.ok(read?.kind === 'accepted')
    assert.deepEqual(read.reports, [])
  })

  it('is refused if Adyen does not accept it, and failed for certain whatever else comes', async () => {
    assert.equal(causeOf(await rail().tokenise('4000000000000002', expiry)), 'refused')
    assert.equal(causeOf(await rail({ apiKey: 'expired' }).tokenise(CARD, expiry)), 'unauthorised')
    const nowhere = { url: 'http://127.0.0.1:1' }
    assert.equal(causeOf(await rail(nowhere).tokenise(CARD, expiry)), 'unreachable')
    const authorised = { resultCode: 'Authorised' }
    const answers = [
      [429, {}, 'unreachable'],
      [500, {}, 'unreachable'],
      [422, { errorCode: '130' }, 'refused'],
      [200, authorised, 'refused'],
      [200, { resultCode: 'RedirectShopper' }, 'refused'],
      [200, { ...authorised, additionalData: { 'tokenization.storedPaymentMethodId': 7 } }, 'refused'],
      [200, { ...authorised, additionalData: { 'recurring.recurringDetailReference': '84A' } }, 'token'],
    ] as const
    for (const [status, body, cause] of answers) {
      server.answerWith(() => ({ status, body }))
      const tokenised = await rail({ url: server.url }).tokenise(CARD, expiry)
      assert.equal(causeOf(tokenised), cause, JSON.stringify([status, body]))
    }
  })

  it('is only accepted by the entry that stored it', async () => {
    const stored = await rail().tokenise(CARD, expiry)
    const account = stored.kind === 'token' ? stored.token.replace(/\.\w+$/, '.0000000000000000') : ''
    const beneficiary = { account, details: { benFirstName: 'Ada', benLastName: 'Byron' } }
    const money = { amount: 500n, currency: 'EUR' }
    const sent = await rail().send({ reference: 'P1', kind: 'card', money, beneficiary })
    assert.equal(sent.kind === 'failed' && sent.cause, 'refused')
  })

  it('needs the settings of Checkout, and Adyen pays to no other kinds of accounts', () => {
    assert.throws(() => rail({ methods: [], merchantAccount: undefined }), SettingError)
    assert.throws(() => rail({ payoutKinds: ['spei'] }), /payout_bank, payout_card/)
  })
})
