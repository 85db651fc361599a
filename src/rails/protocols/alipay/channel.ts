// The Alipay channel. Our reference is the trade's out_trade_no. The payer gets a signed page address, and Alipay
// creates the trade only when the payer opens that address. So if Alipay does not know the trade, the payment has
// failed only if no payer ever got the address, or if the address has expired. Otherwise the outcome is `pending`, or
// `unknown` if the request does not contain the address.
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import type {
  AttemptRef,
  Callback,
  Channel,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../contract/channel.ts'
import { addressSetting, type Connect, textSetting } from '../../contract/settings.ts'
import { alipay } from '../../methods/alipay.ts'
import { timedBy } from '../../toolkit/deadline.ts'
import { cancelled, failed, unknown } from '../../toolkit/outcomes.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import { keySetting } from '../../toolkit/settings/key-settings.ts'
import { type AlipayApi, type AlipayReply, createAlipayApi } from './api.ts'
import { readAlipayCallback } from './callback.ts'
import { type App, appOrder, pageExpiry, pageUrl } from './page.ts'
import {
  fromTrade,
  hasNoRefund,
  isAbsent,
  isClosedNumber,
  isRefusedTrade,
  isUnauthorised,
  refundDone,
  refundTaken,
  toRefund,
} from './wire.ts'

/** Settings: url (of gateway.do), appId, privateKey (ours) and alipayPublicKey, both in PEM. */
export const connectAlipay: Connect = (settings, { clock, timeoutMs }) => {
  const privateKey = keySetting(settings, 'privateKey', 'private')
  const alipayKey = keySetting(settings, 'alipayPublicKey', 'public')
  const app = { url: addressSetting(settings, 'url'), appId: textSetting(settings, 'appId'), privateKey }
  const api = createAlipayApi({ app, alipayKey, clock, http: httpSettings(settings) })
  return createAlipayChannel({ name: settings.name, app, api, alipayKey, timeoutMs, clock })
}

type AlipayChannelOptions = {
  readonly name: string
  readonly app: App
  readonly api: AlipayApi
  readonly alipayKey: KeyObject
  readonly timeoutMs: number
  readonly clock: Clock
}

const MINUTE_MS = 60_000
/** The default currencies. The settings may list further currencies of the account. */
const DOMESTIC = ['CNY']

function createAlipayChannel(options: AlipayChannelOptions): Channel {
  const { name, app, api, alipayKey, timeoutMs, clock } = options
  const timed = timedBy(timeoutMs)
  const query = (reference: string, signal: AbortSignal) =>
    api.call('alipay.trade.query', { out_trade_no: reference }, signal)
  const reachedPayer = ({ action, channelRef }: AttemptRef) =>
    action !== undefined || channelRef !== undefined
  const isOver = ({ action }: AttemptRef) => {
    const until = pageExpiry(action)
    return until !== undefined && until <= clock.now()
  }
  const outcomeOf = (reply: AlipayReply, request: AttemptRef): Outcome => {
    const { reference, action } = request
    if (!isAbsent(reply)) return fromTrade(reply, { reference, action, isOver: isOver(request) })
    if (!reachedPayer(request) || isOver(request)) return { ...cancelled, channelRef: reference }
    return action === undefined
      ? unknown('the payer may still open the page')
      : { kind: 'pending', channelRef: reference, action }
  }

  /**
   * Starts the payment. The gateway opens the page once itself, so that no payer is sent to a page that Alipay refuses.
   * A merchant's app gets signed parameters instead of a page, so nothing is opened for it.
   */
  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const at = createdAt(request, clock.now())
    if (request.terminal === 'APP') {
      const sdkParams = appOrder(app, request, at)
      return { kind: 'pending', channelRef: reference, action: { kind: 'app', sdkParams } }
    }
    const url = pageUrl(app, request, at)
    const reply = await api.open(url, signal)
    if (reply.kind === 'redirects')
      return { kind: 'pending', channelRef: reference, action: { kind: 'redirect', url } }
    if (reply.kind === 'unsent') return failed('unreachable', 'Alipay could not be reached')
    if (reply.kind === 'silent') return unknown(reply.why)
    if (isClosedNumber(reply)) return { ...cancelled, channelRef: reference }
    const message = 'Alipay refused to open the payment'
    if (isUnauthorised(reply)) return failed('unauthorised', message)
    if (isRefusedTrade(reply)) return failed('refused', message)
    return unknown('Alipay neither opened the payment nor refused')
  }

  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await query(request.reference, signal)
    const isWaiting = reply.kind === 'answer' && reply.content.trade_status === 'WAIT_BUYER_PAY'
    // If no payer ever got the address, nobody can pay. So the trade is closed.
    const isLost = !reachedPayer(request) && (isWaiting || isAbsent(reply))
    return isLost ? cancel(request, signal) : outcomeOf(reply, request)
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const closed = await api.call('alipay.trade.close', { out_trade_no: reference }, signal)
    if (isAbsent(closed)) return unlessStillOpen(outcomeOf(closed, request))
    // The trade is queried, because it may have been paid before it could be closed.
    return outcomeOf(await query(reference, signal), request)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const { reference, refundReference } = request
    const content = { out_trade_no: reference, out_request_no: refundReference }
    const ask = () => api.call('alipay.trade.fastpay.refund.query', content, signal)
    const before = refundDone(await ask(), request)
    if (before !== undefined) return before
    const taken = refundTaken(await api.call('alipay.trade.refund', toRefund(request), signal), request)
    if (taken.kind === 'unknown') return taken
    const after = await ask()
    const done = refundDone(after, request)
    if (done !== undefined || taken.kind === 'pending') return done ?? taken
    // Alipay may have refused because an earlier call of ours made this refund and thereby closed the trade. So the
    // refund counts as failed only if Alipay also says that no refund exists under this number.
    return hasNoRefund(after) ? taken : unknown('Alipay refused the refund, and may have made it before')
  }

  return {
    name,
    method: 'alipay',
    traits: { ...alipay, currencies: DOMESTIC, terminals: ['WEB', 'WAP', 'APP'], timeoutMs },
    start: timed(start),
    complete: timed(ask),
    ask: timed(ask),
    cancel: timed(cancel),
    refund: timed(refund),
    readCallback: timed((callback: Callback, signal) =>
      readAlipayCallback(callback, { appId: app.appId, alipayKey, query }, signal),
    ),
  }
}

/**
 * Returns the creation time of the order, calculated from its expiry, so that a repeated start gives the same page
 * address.
 */
function createdAt({ expiresAt }: StartRequest, now: Date): Date {
  const created = expiresAt.getTime() - alipay.awaitsPayerMinutes * MINUTE_MS
  return new Date(Math.min(created, now.getTime()))
}

/** Turns `pending` into `unknown` after a cancellation, because the payer may still open the page and pay. */
function unlessStillOpen(outcome: Outcome): Outcome {
  return outcome.kind === 'pending' ? unknown('the payer may still open the page') : outcome
}
