// The Adyen channel. Methods differ only in the request that opens a payment and in the traits. Our reference is both
// the payment's merchantReference and the idempotency key. Only `start` sees card data and tokens.
import { createHash } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import type {
  AttemptRef,
  Callback,
  CallbackResult,
  Channel,
  ChannelTraits,
  CompleteRequest,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
  Succeeded,
} from '../../contract/channel.ts'
import type { UseToken } from '../../contract/settings.ts'
import { methods } from '../../methods/methods.ts'
import { timedBy } from '../../toolkit/deadline.ts'
import { notSent } from '../../toolkit/outcomes.ts'
import { notRefundable } from '../../toolkit/refunds.ts'
import { tokenIdOf } from '../../toolkit/wallet-token.ts'
import { type AdyenApi, isRefusal } from './api.ts'
import { outcomeOf } from './payment-records.ts'
import { type AdyenMethod, MAX_TOKEN, tokenIn, toPayment } from './payment-request.ts'
import type { Payments } from './payments.ts'
import { declined, fromPayment, fromStart, type PartlyPaid } from './wire.ts'

type AdyenChannelOptions = {
  readonly name: string
  readonly method: AdyenMethod
  readonly merchantAccount: string
  readonly api: AdyenApi
  readonly payments: Payments
  readonly clock: Clock
  readonly timeoutMs: number
  readonly useToken: UseToken
  readonly refund: (request: RefundRequest, signal: AbortSignal) => Promise<RefundOutcome>
  readonly readCallback: (callback: Callback) => Promise<CallbackResult>
}

export function createAdyenChannel(options: AdyenChannelOptions): Channel {
  const { name, method, merchantAccount, api, payments, clock, timeoutMs, useToken } = options
  const timed = timedBy(timeoutMs)

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const { reference, money } = request
    const before = await payments.records.find(reference)
    if (before !== undefined) return (await payments.settled(request, signal)) ?? outcomeOf(before)
    const body = toPayment(method, request, { merchantAccount, now: clock.now() })
    if (body === undefined) return notSent('Adyen cannot take this payment')
    const token = tokenIn(body)
    if (token !== undefined && token.length > MAX_TOKEN)
      return { ...declined, isLocal: true, message: 'The wallet token is longer than Adyen accepts' }
    if (
      token !== undefined &&
      !(await useToken({ merNo: request.merNo, tokenId: tokenIdOf(token) }, reference))
    )
      return { ...declined, isLocal: true, message: 'The wallet token has already been used' }
    const reply = await api.postUntilKnown('/payments', body, { key: reference, signal })
    const outcome = fromStart(reply, { reference, money })
    if (outcome.kind === 'partial') return refusePartial(reference, outcome, signal)
    // The authorisation is recorded before it is reported. Otherwise a webhook about another authorisation could decide
    // the payment first.
    if (outcome.kind === 'succeeded') return decidePaid(request, outcome, signal)
    if (outcome.kind === 'pending' && outcome.action.kind === 'transfer')
      await payments.records.openTransfer(reference, { psp: outcome.channelRef, action: outcome.action })
    return outcome
  }

  /**
   * Declines the payment and reverses its partial authorisation. The reversal is recorded first, so that it is not lost
   * if the process dies.
   */
  async function refusePartial(reference: string, part: PartlyPaid, signal: AbortSignal): Promise<Outcome> {
    const failed = { ...declined, channelRef: part.psp }
    await payments.reversals.note(reference, part)
    await payments.records.overrule(reference, { kind: 'failed', failed })
    return (await payments.settled({ reference }, signal)) ?? failed
  }

  async function decidePaid(request: AttemptRef, paid: Succeeded, signal: AbortSignal): Promise<Outcome> {
    const { channelRef: psp, money } = paid
    return (await payments.paid(request.reference, { psp, money })) ?? ask(request, signal)
  }

  /**
   * Completes a payment after the payer's return. The browser's `redirectResult` is opaque to us, so Adyen's response
   * to it gives the result.
   */
  async function complete(request: CompleteRequest, signal: AbortSignal): Promise<Outcome> {
    const { reference, money, action, answer } = request
    const before = await payments.settled(request, signal)
    if (before !== undefined) return before
    const { redirectResult } = answer
    if (redirectResult === undefined || redirectResult === '') return ask(request, signal)
    const call = { key: keyOf(reference, redirectResult), signal }
    const reply = await api.postUntilKnown('/payments/details', { details: { redirectResult } }, call)
    if (isRefusal(reply)) return ask(request, signal)
    const result = fromPayment(reply, { reference, money, action })
    // If the response does not prove the result, the signed webhook decides.
    if (result.kind === 'unproven') return ask(request, signal)
    if (result.kind === 'partial') return refusePartial(reference, result, signal)
    if (result.kind === 'succeeded') return decidePaid(request, result, signal)
    if (result.kind !== 'failed') return result
    return outcomeOf(await payments.records.decide(reference, { kind: 'failed', failed: result }))
  }

  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const before = await payments.settled(request, signal)
    if (before !== undefined) return before
    const transfer = await payments.records.findTransfer(reference)
    const action = request.action ?? transfer?.action
    if (action === undefined || (await payments.isClosing(reference))) return payments.close(request, signal)
    return { kind: 'pending', channelRef: request.channelRef ?? transfer?.psp ?? reference, action }
  }

  const refund: AdyenChannelOptions['refund'] = async (request, signal) =>
    methods[method].refundable ? options.refund(request, signal) : notRefundable

  return {
    name,
    method,
    traits: traitsOf(method, timeoutMs),
    start: timed(start),
    complete: timed(complete),
    ask: timed(ask),
    cancel: timed(payments.close),
    refund: timed(refund),
    readCallback: timed(options.readCallback),
  }
}

/** Returns the traits of the method, with Adyen's restrictions. */
function traitsOf(method: AdyenMethod, timeoutMs: number): ChannelTraits {
  const traits: ChannelTraits = { ...methods[method], timeoutMs }
  switch (method) {
    case 'apple_pay':
    case 'google_pay':
      return { ...traits, needsToken: true }
    case 'alipay':
    case 'gcash':
      return { ...traits, terminals: ['WEB', 'WAP'] }
    case 'wechat':
      return { ...traits, terminals: ['WEB'] }
    default:
      return traits
  }
}

/** Returns the idempotency key. Each different `redirectResult` of the payer's browser is a separate operation. */
function keyOf(reference: string, redirectResult: string): string {
  return createHash('sha256').update(`${reference} ${redirectResult}`).digest('hex')
}
