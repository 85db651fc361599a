import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Fields } from '../../../platform/base/object.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { isFromStripe } from './callback.ts'
import { readDispute } from './disputes.ts'
import { toForm } from './form.ts'
import { actionOf } from './payment-methods.ts'
import {
  declineIn,
  fromPayment,
  fromRefund,
  fromStripeAmount,
  isKeyTaken,
  isRefusal,
  toStripeAmount,
  whyUnknown,
} from './wire.ts'

const answer = (status: number, body: unknown): Reply => ({ kind: 'answer', status, body })
const redirect = { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.example/3ds' } }

describe("Stripe's amounts", () => {
  const table: readonly (readonly [currency: string, ours: bigint, stripe: number])[] = [
    ['USD', 1_250n, 1250],
    ['JPY', 500n, 500],
    ['VND', 12_000n, 12000],
    ['MGA', 1_200n, 12],
    ['UGX', 5n, 500],
    ['ISK', 7n, 700],
    ['KWD', 1_230n, 1230],
  ]

  it('have the decimals of Stripe, both ways', () => {
    for (const [currency, amount, stripe] of table) {
      assert.equal(toStripeAmount({ amount, currency }), String(stripe), currency)
      assert.deepEqual(fromStripeAmount(stripe, currency.toLowerCase()), { amount, currency })
    }
  })

  it('are refused rather than rounded', () => {
    assert.equal(toStripeAmount({ amount: 1_250n, currency: 'MGA' }), undefined)
    assert.equal(toStripeAmount({ amount: 1_234n, currency: 'KWD' }), undefined)
    assert.equal(fromStripeAmount(750, 'isk'), undefined)
    for (const value of [1.5, -1, '100', null, 2 ** 60])
      assert.equal(fromStripeAmount(value, 'usd'), undefined)
    assert.equal(fromStripeAmount(100, 'abc'), undefined)
  })
})

describe("Stripe's payment", () => {
  const payment = {
    id: 'pi_1',
    object: 'payment_intent',
    metadata: { order: 'A1' },
    amount_received: 1250,
    currency: 'usd',
  }
  const read = (changes: Fields, status = 200) =>
    fromPayment(answer(status, { ...payment, ...changes }), { reference: 'A1' })

  it('has one outcome for each status', () => {
    const failure = { type: 'card_error', code: 'card_declined' }
    const table: readonly (readonly [changes: Fields, kind: string])[] = [
      [{ status: 'succeeded' }, 'succeeded'],
      [{ status: 'canceled' }, 'failed'],
      [{ status: 'requires_payment_method', last_payment_error: failure }, 'failed'],
      [{ status: 'requires_payment_method', last_payment_error: null }, 'unknown'],
      [{ status: 'requires_confirmation' }, 'unknown'],
      [{ status: 'requires_action', next_action: redirect }, 'pending'],
      [{ status: 'requires_action', next_action: { type: 'verify_with_microdeposits' } }, 'unknown'],
      [{ status: 'processing' }, 'unknown'],
      [{ status: 'requires_a_new_thing' }, 'unknown'],
      [{ status: 'succeeded', metadata: { order: 'A2' } }, 'unknown'],
      [{ status: 'succeeded', amount_received: '1250' }, 'unknown'],
      [{ status: 'succeeded', object: 'charge' }, 'unknown'],
      [{ status: 'succeeded', id: '../refunds' }, 'unknown'],
    ]
    for (const [changes, kind] of table) assert.equal(read(changes).kind, kind, JSON.stringify(changes))
    for (const status of [201, 409, 429, 500, 503])
      assert.equal(read({ status: 'succeeded' }, status).kind, 'unknown')
  })

  it('echoes the amount and currency that Stripe reports', () => {
    const outcome = read({ status: 'succeeded', amount_received: 99, currency: 'eur' })
    assert.deepEqual(outcome, {
      kind: 'succeeded',
      money: { amount: 99n, currency: 'EUR' },
      channelRef: 'pi_1',
    })
  })

  it('keeps the action while it is being processed', () => {
    const action = { kind: 'redirect', url: 'https://bank.example' } as const
    const reply = answer(200, { ...payment, status: 'processing' })
    assert.deepEqual(fromPayment(reply, { reference: 'A1', action }), {
      kind: 'pending',
      channelRef: 'pi_1',
      action,
    })
  })
})

describe("Stripe's refusals", () => {
  it('are distinguished from unknown outcomes', () => {
    const error = (type: string) => ({ error: { type } })
    for (const status of [400, 401, 403]) assert.ok(isRefusal(answer(status, error('invalid_request_error'))))
    for (const status of [402, 404, 409, 429, 500, 502])
      assert.ok(!isRefusal(answer(status, error('api_error'))))
    for (const type of ['api_error', 'an_error_of_tomorrow'])
      assert.ok(!isRefusal(answer(400, error(type))), type)
    for (const code of ['lock_timeout', 'idempotency_key_in_use'])
      for (const type of ['invalid_request_error', 'idempotency_error']) {
        const busy = answer(400, { error: { type, code } })
        assert.ok(!isRefusal(busy) && !isKeyTaken(busy), `${type} ${code}`)
      }
    for (const body of ['', null, {}, { error: 'no' }]) assert.ok(!isRefusal(answer(400, body)))
    assert.ok(isKeyTaken(answer(400, error('idempotency_error'))))
    assert.ok(!isRefusal(answer(400, error('idempotency_error'))))
    assert.ok(!isRefusal({ kind: 'silent', why: '' }))
  })

  it('that are unknown are reported with their code, without a card number in it', () => {
    const whyWith = (error: Fields) => whyUnknown(answer(400, { error })).why
    assert.equal(whyWith({ type: 'api_error', code: 'lock_timeout' }), 'Stripe responded 400 lock_timeout')
    assert.equal(whyWith({ type: 'api_error' }), 'Stripe responded 400 api_error')
    assert.equal(whyWith({ code: 'x 4111111111111111' }), 'Stripe responded 400 x ***1111')
    for (const code of ['x'.repeat(256), 7]) assert.equal(whyWith({ code }), 'Stripe responded 400')
    assert.equal(whyUnknown(answer(502, '<html>')).why, 'Stripe responded 502')
  })

  it('of cards have a reason and advice, and never say that a card is lost or stolen', () => {
    const table: readonly (readonly [
      code: string,
      declineCode: string | undefined,
      message: RegExp,
      advice?: string,
    ])[] = [
      ['card_declined', 'insufficient_funds', /funds/],
      ['expired_card', undefined, /expired/],
      ['incorrect_cvc', undefined, /security code/],
      ['card_declined', 'generic_decline', /^The bank declined/],
      ['card_declined', 'a_new_reason', /^The bank declined/],
      ['card_declined', 'lost_card', /^The bank declined/, 'never'],
      ['card_declined', 'stolen_card', /^The bank declined/, 'never'],
      ['card_declined', 'fraudulent', /^The bank declined/, 'never'],
      ['card_declined', 'pickup_card', /^The bank declined/, 'never'],
      ['card_declined', 'invalid_account', /^The bank declined/, 'never'],
      ['card_declined', 'restricted_card', /^The bank declined/, 'never'],
      ['card_declined', 'stop_payment_order', /^The bank declined/, 'never'],
      ['card_declined', 'revocation_of_authorization', /^The bank declined/, 'never'],
      ['card_declined', 'revocation_of_all_authorizations', /^The bank declined/, 'never'],
      ['authentication_required', 'authentication_required', /confirm/, 'challenge'],
    ]
    for (const [code, declineCode, message, advice] of table) {
      const error = { type: 'card_error', code, decline_code: declineCode }
      const failed = declineIn(answer(402, { error }), 'pi_1')
      assert.match(failed?.message ?? '', message)
      assert.equal(failed?.advice, advice)
    }
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' }
    const adviceOf = (advice_code: string) =>
      declineIn(answer(402, { error: { ...error, advice_code } }), 'pi_1')
    assert.equal(adviceOf('do_not_try_again')?.advice, 'never')
    assert.equal(adviceOf('try_again_later')?.advice, undefined)
    const soft = { type: 'card_error', code: 'authentication_required', advice_code: 'do_not_try_again' }
    assert.equal(declineIn(answer(402, { error: soft }), 'pi_1')?.advice, 'never')
    assert.equal(declineIn(answer(402, { error: { type: 'api_error' } }), 'pi_1'), undefined)
  })
})

describe("Stripe's refund", () => {
  it('has one outcome for each status', () => {
    const table = {
      pending: 'pending',
      requires_action: 'pending',
      succeeded: 'succeeded',
      failed: 'failed',
      canceled: 'failed',
      other: 'unknown',
    }
    for (const [status, kind] of Object.entries(table))
      assert.equal(fromRefund({ id: 're_1', status, amount: 100, currency: 'usd' }).kind, kind, status)
  })
})

describe("Stripe's next action", () => {
  const url = 'https://pay.example/1'
  it('is a page or a code', () => {
    const table: readonly (readonly [type: string, content: Fields, shown: string | undefined])[] = [
      ['redirect_to_url', { url }, url],
      ['alipay_handle_redirect', { url }, url],
      ['cashapp_handle_redirect_or_display_qr_code', { hosted_instructions_url: url }, url],
      ['wechat_pay_display_qr_code', { data: 'weixin://wxpay/x' }, 'weixin://wxpay/x'],
      ['pix_display_qr_code', { data: '000201' }, '000201'],
      ['redirect_to_url', { url: 'javascript:alert(1)' }, undefined],
      ['pix_display_qr_code', {}, undefined],
      ['something_new', { url }, undefined],
    ]
    for (const [type, content, shown] of table) {
      const action = actionOf({ next_action: { type, [type]: content } })
      const found =
        action?.kind === 'redirect' ? action.url : action?.kind === 'qr' ? action.qrCode : undefined
      assert.equal(found, shown, type)
    }
  })
})

describe("Stripe's dispute", () => {
  const dispute = {
    ...{ id: 'du_1', amount: 1250, currency: 'usd', reason: 'fraudulent', created: 1_795_000_000 },
    payment_intent: { metadata: { order: 'A1' } },
    evidence_details: { due_by: 1_795_600_000 },
  }
  it('has a stage for each status, and waits for one that is known', () => {
    const table: Readonly<Record<string, string | undefined>> = {
      warning_needs_response: 'inquiry',
      warning_closed: 'won',
      needs_response: 'open',
      under_review: 'open',
      won: 'won',
      lost: 'lost',
      prevented: undefined,
      a_new_status: undefined,
    }
    for (const [status, stage] of Object.entries(table)) {
      const read = readDispute({ ...dispute, status })
      assert.equal(typeof read === 'object' ? read.stage : undefined, stage, status)
    }
    const prevented = (case_type: string) => {
      const payment_method_details = { type: 'card', card: { case_type } }
      const read = readDispute({ ...dispute, status: 'prevented', payment_method_details })
      return typeof read === 'object' ? read.stage : undefined
    }
    // After a block the money stays ours. A resolution gives the money back to the payer.
    assert.deepEqual(['block', 'resolution', 'a_new_case'].map(prevented), ['won', 'lost', undefined])
    const read = readDispute({ ...dispute, status: 'needs_response' })
    assert.ok(typeof read === 'object')
    assert.equal(read.respondBy?.getTime(), 1_795_600_000_000)
    assert.equal(readDispute({ ...dispute, payment_intent: 'pi_1' }), 'not-ours')
  })
})

describe("Stripe's signature", () => {
  const body = '{"id":"evt_1"}'
  const now = new Date('2026-11-16T12:00:00Z')
  const signature = (secret: string, atS: number) =>
    createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex')
  const nowS = now.getTime() / 1000
  const accepts = (header: string) =>
    isFromStripe(
      { method: 'POST', path: '/', query: '', headers: { 'stripe-signature': header }, body },
      'whsec_1',
      now,
    )

  it('is accepted from any of several, within five minutes', () => {
    const good = signature('whsec_1', nowS)
    assert.ok(accepts(`t=${nowS},v1=${good}`))
    assert.ok(accepts(`t=${nowS},v1=${'0'.repeat(64)},v1=${good},v0=x`))
    assert.ok(accepts(`t=${nowS - 299},v1=${signature('whsec_1', nowS - 299)}`))
    for (const atS of [nowS - 301, nowS + 301])
      assert.ok(!accepts(`t=${atS},v1=${signature('whsec_1', atS)}`))
    assert.ok(!accepts(`t=${nowS},v0=${good}`))
    assert.ok(!accepts(`t=${nowS},v1=${signature('whsec_2', nowS)}`))
    for (const header of ['', 't=', 'v1', `t=x,v1=${good}`]) assert.ok(!accepts(header))
  })
})

describe("Stripe's forms", () => {
  it('write fields of fields with brackets, and leave out what is empty', () => {
    const form = toForm({
      amount: '100',
      types: ['card', 'pix'],
      card: { cvc: '1', a: { b: 'c d' } },
      none: undefined,
      no: '',
    })
    assert.equal(decodeURIComponent(form), 'amount=100&types[]=card&types[]=pix&card[cvc]=1&card[a][b]=c+d')
  })
})
