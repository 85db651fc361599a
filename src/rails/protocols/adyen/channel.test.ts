// Tests each method once, and cases that the channel contract does not cover: webhooks that come twice, late, or in
// another order.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type NewItem, notification } from '../../../../sandbox/adyen/signature.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import {
  type AdyenWorld,
  cardRequest,
  cards,
  OFFER_MS,
  openAdyenWorld,
  visit,
} from '../../../../test/counterparties/adyen.ts'
import type { CallbackResult, Outcome, StartRequest, Succeeded } from '../../contract/channel.ts'
import type { AdyenMethod } from './payment-request.ts'

let world: AdyenWorld
before(async () => {
  world = await openAdyenWorld()
})
after(() => world.close())

const EUR = { amount: 25_00n, currency: 'EUR' }

async function payByCard(request = cardRequest(EUR, {})): Promise<StartRequest & { paid: Succeeded }> {
  const paid = await world.channel('card').start(request)
  assert.equal(paid.kind, 'succeeded')
  await world.delivered()
  return { ...request, paid }
}

/** Sends a signed webhook with these items. The channel must accept the webhook. */
async function tell(
  ...items: readonly Partial<NewItem>[]
): Promise<Extract<CallbackResult, { kind: 'accepted' }>> {
  const whole = items.map((item) => ({
    eventCode: 'AUTHORISATION',
    success: true,
    pspReference: 'P1',
    merchantAccountCode: world.adyen.merchantAccount,
    merchantReference: 'A1',
    amount: { value: 2500, currency: 'EUR' },
    ...item,
  }))
  const result = await read(notification(whole, world.adyen.hmacKey))
  assert.equal(result?.kind, 'accepted')
  assert.deepEqual(result.answer, { status: 200, type: 'text/plain', body: '[accepted]' })
  return result
}

function read(body: string): Promise<CallbackResult | undefined> {
  const callback = { method: 'POST', path: '/callbacks/adyen', query: '', headers: {}, body }
  return world.channel('card').readCallback?.(callback) ?? assert.fail()
}

const kindsOf = ({ reports }: { readonly reports: readonly { readonly outcome: Outcome }[] }) =>
  reports.map(({ outcome }) => outcome.kind)

describe('a value that is longer than Adyen takes', () => {
  const long = (length: number) => 'x'.repeat(length)

  it('is left out, and the card is charged', async () => {
    const request = cardRequest(EUR, {})
    const person = { FirstName: long(255), LastName: long(255), Address1: long(255), City: 'München' }
    const address = { Country: 'DE', State: 'Mecklenburg-Vorpommern', ZipCode: long(11), Phone: long(65) }
    const fields = Object.entries({ ...person, ...address })
    const details = Object.fromEntries(
      ['billing', 'shipping'].flatMap((kind) => fields.map(([name, value]) => [kind + name, value])),
    )
    await payByCard({ ...request, details: { ...request.details, ...details } })
    await payByCard({
      ...request,
      reference: makeReference(),
      completeUrl: `https://${long(60)}.${long(60)}.example/x`,
    })
  })

  it('is refused as a wallet token, before it is used', async () => {
    const start = async (characters: number) => {
      const request = makeRequest({ method: 'google_pay', money: EUR }, 'pays')
      const start = await world.channel('google_pay').start({
        ...request,
        walletToken: JSON.stringify({ data: long(characters - '{"data":""}'.length) }),
      })
      return start.kind === 'failed' ? start.message : start.kind
    }
    assert.equal(await start(10_000), 'succeeded')
    assert.equal(await start(10_001), 'The wallet token is longer than Adyen accepts')
  })

  it("is cut in a payer's name for Pix, which needs one", async () => {
    const details = { name: `${long(100)} ${long(100)}` }
    const personal = { socialSecurityNumber: '52998224725' }
    const money = { amount: 25_00n, currency: 'BRL' }
    const request = makeRequest({ method: 'pix', money, details, personal }, 'pays')
    assert.equal((await world.channel('pix').start(request)).kind, 'pending')
  })
})

describe('each other method', () => {
  const methods: readonly (readonly [AdyenMethod, string])[] = [
    ['unionpay', 'CNY'],
    ['cash_app', 'USD'],
    ['gcash', 'PHP'],
    ['pix', 'BRL'],
  ]
  for (const [method, currency] of methods)
    it(`pays by ${method}`, async () => {
      const money = { amount: 25_00n, currency }
      const person = { details: { name: 'Ana Souza' }, personal: { socialSecurityNumber: '12345678909' } }
      const request = makeRequest({ method, money, ...person }, 'pays')
      const channel = world.channel(method)
      const waiting = await channel.start(request)
      assert.equal(waiting.kind, 'pending')
      const answer = await visit(world, waiting.action, { decision: 'approve' })
      await world.delivered()
      const paid = await channel.complete({ ...request, ...waiting, answer })
      assert.equal(paid.kind, 'succeeded')
      assert.deepEqual(paid.money, money)
    })

  for (const method of ['apple_pay', 'google_pay'] as const)
    it(`pays by a token of ${method}, once`, async () => {
      const channel = world.channel(method)
      assert.equal(channel.traits.needsToken, true)
      const walletToken = JSON.stringify({ data: method })
      const request = { ...makeRequest({ method, money: EUR }, 'pays'), walletToken }
      assert.equal((await channel.start(request)).kind, 'succeeded')
      const replayed = await channel.start({ ...request, reference: makeReference() })
      assert.partialDeepStrictEqual(replayed, { kind: 'failed', cause: 'declined' })
    })
})

describe('a card', () => {
  it('is declined with advice', async () => {
    const adviceOf = async (holder: string) => {
      const outcome = await world.channel('card').start(cardRequest(EUR, { holder }))
      return outcome.kind === 'failed' ? outcome.advice : outcome.kind
    }
    assert.equal(await adviceOf('AUTHENTICATION_REQUIRED'), 'challenge')
    assert.equal(await adviceOf('BLOCK_CARD'), 'never')
  })

  it('that a webhook declines first gets no advice: what says why is not signed', async () => {
    const reference = makeReference()
    const why = {
      reason: 'Blocked Card',
      additionalData: { refusalReasonCode: '5', merchantAdviceCode: '03' },
    }
    const { reports } = await tell({
      pspReference: 'W1',
      merchantReference: reference,
      success: false,
      ...why,
    })
    const failed = {
      kind: 'failed',
      cause: 'declined',
      message: 'The payment was declined',
      channelRef: 'W1',
    }
    assert.deepEqual(reports, [{ reference, outcome: failed }])
    assert.deepEqual(await world.channel('card').ask({ reference, money: EUR }), failed)
  })

  it('that was paid is known as such, and refunded once, before any webhook has come', async () => {
    const { address } = world.adyen.webhooks
    world.adyen.webhooks.address = ''
    try {
      const request = cardRequest(EUR, {})
      const paid = await world.channel('card').start(request)
      assert.equal(paid.kind, 'succeeded')
      const attempt = { reference: request.reference, money: EUR }
      const refund = { ...attempt, refundReference: makeReference(), refund: EUR }
      const refunds = await Promise.all([1, 2, 3].map(() => world.channel('card').refund(refund)))
      assert.deepEqual([...new Set(refunds.map(({ kind }) => kind))], ['pending'])
      assert.equal(new Set(refunds.map((one) => 'channelRef' in one && one.channelRef)).size, 1)
      assert.deepEqual(await world.channel('card').ask(attempt), paid)
    } finally {
      await world.delivered()
      world.adyen.webhooks.address = address
    }
  })

  it('is challenged when it must be', async () => {
    const outcome = await world.channel('card').start({ ...cardRequest(EUR, {}), challenge: true })
    assert.equal(outcome.kind === 'pending' && outcome.action.kind, 'redirect')
  })

  it('is challenged on a page that takes a form, if the bank wants one', async () => {
    const request = cardRequest(EUR, { number: cards.challenged, holder: 'REDIRECT_POST' })
    const outcome = await world.channel('card').start(request)
    assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'redirect')
    const { url, fields } = outcome.action
    const page = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
    assert.match(await page.text(), /Approve the payment\?/)
    assert.equal((await fetch(url, { method: 'POST', body: new URLSearchParams({}) })).status, 404)
  })

  it('is not charged with wrong credentials', async () => {
    for (const wrong of [{ apiKey: 'x' }, { merchantAccount: 'Other' }]) {
      const { channels } = world.connect({ ...world.settings('card'), ...wrong })
      const outcome = await channels[0]?.start(cardRequest(EUR, {}))
      assert.ok(outcome?.kind === 'failed' && outcome.cause === 'unauthorised')
    }
  })
})

describe('what a browser brings back', () => {
  const money = { amount: 25_00n, currency: 'CNY' }
  async function opened(amount = money.amount) {
    const request = makeRequest({ method: 'alipay', money: { ...money, amount } }, 'pays')
    const waiting = await world.channel('alipay').start(request)
    assert.equal(waiting.kind, 'pending')
    return { ...request, ...waiting }
  }
  before(() => {
    world.adyen.features.isTerse = true
  })
  after(() => {
    world.adyen.features.isTerse = false
  })

  it('pays no order if Adyen does not say that it is of this one: another payment may be cheaper', async () => {
    const [cheap, dear] = [await opened(1_00n), await opened()]
    const answer = await visit(world, cheap.action, { decision: 'approve' })
    const { channelRef, action } = dear
    const waits = { kind: 'pending', channelRef, action }
    assert.deepEqual(await world.channel('alipay').complete({ ...dear, answer }), waits)
    const refused = await opened()
    const decline = await visit(world, refused.action, { decision: 'decline' })
    assert.deepEqual(await world.channel('alipay').complete({ ...dear, answer: decline }), waits)
    await world.delivered()
    assert.deepEqual(await world.channel('alipay').ask(dear), waits)
  })

  it('leaves the decision to the webhook if Adyen does not say how much was paid', async () => {
    const { webhooks } = world.adyen
    const { address } = webhooks
    webhooks.address = 'http://127.0.0.1:1/'
    const request = await opened()
    const answer = await visit(world, request.action, { decision: 'approve' })
    assert.equal((await world.channel('alipay').complete({ ...request, answer })).kind, 'pending')
    webhooks.address = address
    await world.delivered()
    const paid = await world.channel('alipay').complete({ ...request, answer })
    assert.deepEqual(paid.kind === 'succeeded' && paid.money, money)
  })
})

describe('a webhook', () => {
  it('may have several items, some of which say nothing to us', async () => {
    const [one, two] = [makeReference(), makeReference()]
    const result = await tell(
      { pspReference: 'M1', merchantReference: one },
      { pspReference: 'M2', merchantReference: two, success: false },
      { eventCode: 'REPORT_AVAILABLE', pspReference: 'other.csv', merchantReference: '' },
      { eventCode: 'AN_EVENT_NOBODY_KNOWS', merchantReference: one },
      { pspReference: 'M3', merchantReference: 'another-system', amount: { value: 1, currency: 'ISK' } },
      { merchantReference: makeReference(), merchantAccountCode: 'AnotherShop' },
    )
    const kinds = result.reports.map(({ reference, outcome }) => [reference, outcome.kind])
    assert.deepEqual(kinds, [
      [one, 'succeeded'],
      [two, 'failed'],
    ])
  })

  it('that takes back what counts as paid contradicts the record, which brings an operator', async () => {
    const { reference, paid } = await payByCard()
    const about = { merchantReference: reference, pspReference: 'C7', originalReference: paid.channelRef }
    const lost = [
      { ...about, eventCode: 'CANCELLATION' },
      { ...about, eventCode: 'CANCEL_OR_REFUND' },
      { merchantReference: reference, pspReference: paid.channelRef, success: false },
    ]
    for (const item of lost) assert.deepEqual(kindsOf(await tell(item)), ['failed'])
    const harmless = [
      { ...about, eventCode: 'CANCELLATION', success: false },
      { ...about, eventCode: 'CANCELLATION', originalReference: 'P9' },
      { ...about, eventCode: 'CANCEL_OR_REFUND', originalReference: 'P9' },
    ]
    for (const item of harmless) assert.deepEqual(kindsOf(await tell(item)), [])
    const declined = { merchantReference: reference, pspReference: 'P9', success: false }
    assert.deepEqual(kindsOf(await tell(declined)), ['succeeded'], 'another try of the payer')
    assert.deepEqual(await world.channel('card').ask({ reference, money: EUR }), paid)
  })

  it('is refused without a signature, and records nothing', async () => {
    const reference = makeReference()
    const item = {
      pspReference: 'F1',
      merchantReference: reference,
      eventCode: 'AUTHORISATION',
      success: true,
    }
    const forged = { ...item, merchantAccountCode: 'x', amount: { value: 1, currency: 'EUR' } }
    const result = await read(notification([forged], '00'.repeat(32)))
    assert.deepEqual({ kind: result?.kind, status: result?.answer.status }, { kind: 'refused', status: 401 })
    assert.equal(await world.store.find({ kind: 'payment', key: reference }), undefined)
  })

  it('that nobody delivers leaves a lost payment unknown', async () => {
    const { address } = world.adyen.webhooks
    world.adyen.webhooks.address = 'http://127.0.0.1:1/'
    const request = { reference: makeReference(), money: EUR }
    const outcome = await world.channel('card', 600).ask(request)
    assert.equal(outcome.kind, 'unknown')
    world.adyen.webhooks.address = address
    await world.delivered()
    const answered = await world.channel('card').ask(request)
    assert.ok(answered.kind === 'unknown' && answered.isAnswered)
    world.pass(OFFER_MS)
    assert.equal((await world.channel('card').ask(request)).kind, 'failed')
  })
})

describe('a refund', () => {
  it('is decided by webhook, and may be taken back later', async () => {
    const { reference, paid } = await payByCard()
    const { channelRef } = paid
    const asked = { reference, money: EUR, channelRef, refundReference: makeReference(), refund: EUR }
    const channel = world.channel('card')
    const first = await channel.refund(asked)
    assert.ok('channelRef' in first && first.channelRef !== undefined)
    await world.delivered()
    assert.deepEqual(await channel.refund(asked), {
      kind: 'succeeded',
      money: EUR,
      channelRef: first.channelRef,
    })
    const about = {
      pspReference: first.channelRef,
      originalReference: channelRef,
      merchantReference: reference,
    }
    const failed = await tell({ eventCode: 'REFUND_FAILED', ...about })
    assert.deepEqual(failed.refunds, [
      {
        refundReference: asked.refundReference,
        outcome: { kind: 'returned', message: 'The refund came back', money: undefined },
      },
    ])
    const again = await tell({ eventCode: 'REFUND', ...about })
    assert.equal(again.refunds?.[0]?.outcome.kind, 'returned')
    assert.equal((await channel.refund(asked)).kind, 'returned')
  })

  it('is refused when Adyen does not know the payment', async () => {
    const asked = { reference: 'A1', money: EUR, channelRef: 'NOPAYMENT', refund: EUR }
    const outcome = await world.channel('card').refund({ ...asked, refundReference: makeReference() })
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'refused')
  })
})

describe('a dispute', () => {
  const about = () => ({ pspReference: `D${makeReference()}`, merchantReference: 'A9' })
  const data = { chargebackReasonCode: '10.4', defensePeriodEndsAt: '2026-02-20T00:00:00+01:00' }

  it('goes through its stages, and an older event that comes late changes nothing', async () => {
    const dispute = about()
    const stageOf = async (eventCode: string) => {
      const { disputes } = await tell({ eventCode, additionalData: data, ...dispute })
      return disputes?.map(({ stage, reason }) => [stage, reason])
    }
    assert.deepEqual(await stageOf('NOTIFICATION_OF_CHARGEBACK'), [['inquiry', '10.4']])
    assert.deepEqual(await stageOf('CHARGEBACK'), [['open', '10.4']])
    assert.deepEqual(await stageOf('REQUEST_FOR_INFORMATION'), [])
    assert.deepEqual(await stageOf('CHARGEBACK'), [['open', '10.4']])
    assert.deepEqual(await stageOf('CHARGEBACK_REVERSED'), [['won', '10.4']])
    assert.deepEqual(await stageOf('PREARBITRATION_OPEN'), [['inquiry', '10.4']])
    assert.deepEqual(await stageOf('SECOND_CHARGEBACK'), [['open', '10.4']])
    assert.deepEqual(await stageOf('SCHEME_ARBITRATION_LOST'), [['lost', '10.4']])
    assert.deepEqual(await stageOf('INFORMATION_SUPPLIED'), [])
  })

  it('moves no money because of a date, which Adyen does not sign', async () => {
    const dispute = about()
    const timesOf = async (eventCode: string, year: number) => {
      const { disputes } = await tell({ eventCode, eventDate: `${year}-02-01T10:00:00+01:00`, ...dispute })
      return disputes?.map(({ at }) => at.getTime())
    }
    const [opened] = (await timesOf('CHARGEBACK', 2099)) ?? []
    const [won] = (await timesOf('CHARGEBACK_REVERSED', 2001)) ?? []
    assert.ok(
      opened !== undefined && won !== undefined && won > opened && won <= world.clock.now().getTime() + 1,
    )
    // The same event with another date gives the same report. An event of an earlier stage gives no report.
    assert.deepEqual(await timesOf('CHARGEBACK_REVERSED', 2098), [won])
    assert.deepEqual(await timesOf('CHARGEBACK', 2100), [])
  })
})

describe('settings of Adyen', () => {
  it('are refused with one sentence that names the channel, and never quotes a secret', () => {
    const tools = { reportUser: 'u', reportPassword: 'p' }
    const wrong = { url: 'ftp://x', apiKey: '', merchantAccount: 7, hmacKey: 'a secret', transfersUrl: '' }
    for (const [name, value] of Object.entries({ ...wrong, balanceAccountId: '', reportUser: '' }))
      assert.throws(
        () => world.connect({ ...world.settings('card'), ...tools, [name]: value }),
        (error: Error) => error.message.includes(`adyen: "${name}"`) && !/a secret/.test(error.message),
      )
    assert.throws(() => world.connect({ ...world.settings(), methods: ['spei'] }), /serves card, .* only/)
    assert.throws(() => world.connect({ ...world.settings(), payoutKinds: ['spei'] }), /payout_bank/)
  })

  it('are checked at Adyen: the key, the account, and that webhooks come', async () => {
    const signal = AbortSignal.timeout(60_000)
    assert.equal((await world.connect(world.settings('card')).check(signal)).isRight, true)
    const wrong = await world.connect({ ...world.settings('card'), apiKey: 'x' }).check(signal)
    assert.equal(wrong.isRight, false)
    assert.match(wrong.message, /API key/)
  })
})
