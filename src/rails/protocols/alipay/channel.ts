// The Alipay channel. Our reference is the trade's out_trade_no.
//
// The payer gets a signed page address; Alipay creates the trade only when the payer opens it. So a trade that Alipay does not
// know has failed only if no payer ever got the address or the address has expired. Until then it is unknown.
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type {
  AttemptRef,
  Callback,
  CallbackResult,
  Channel,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type { AlipayApi, AlipayReply } from './alipay-api.ts'
import { alipay } from './method.ts'
import { type App, appOrder, pageExpiry, pageUrl } from './page.ts'
import { isSignedNotice } from './signature.ts'
import {
  cancelled,
  fromTrade,
  hasNoRefund,
  isAbsent,
  isClosedNumber,
  isRefusedTrade,
  isUnauthorised,
  paid,
  refundDone,
  refundTaken,
  toRefund,
  unknown,
} from './wire.ts'

export type AlipayChannelOptions = {
  readonly name: string
  readonly app: App
  readonly api: AlipayApi
  readonly alipayKey: KeyObject
  readonly timeoutMs: number
  readonly clock: Clock
}

const MINUTE_MS = 60_000
/** The default; settings may list further currencies of the account. */
const DOMESTIC = ['CNY']

export function createAlipayChannel(options: AlipayChannelOptions): Channel {
  const { name, app, api, alipayKey, timeoutMs, clock } = options
  const timed = <Request, Result>(work: (request: Request, signal: AbortSignal) => Promise<Result>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }
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

  /** Opens the page once ourselves, so that no payer is sent to a page that Alipay refuses. This cannot test an app's order. */
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
    if (reply.kind === 'unsent')
      return { kind: 'failed', cause: 'unreachable', message: 'Alipay could not be reached' }
    if (reply.kind === 'silent') return unknown(reply.why)
    if (isClosedNumber(reply)) return { ...cancelled, channelRef: reference }
    const message = 'Alipay refused to open the payment'
    if (isUnauthorised(reply)) return { kind: 'failed', cause: 'unauthorised', message }
    if (isRefusedTrade(reply)) return { kind: 'failed', cause: 'refused', message }
    return unknown('Alipay neither opened the payment nor refused')
  }

  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await query(request.reference, signal)
    const isWaiting = reply.kind === 'answer' && reply.content.trade_status === 'WAIT_BUYER_PAY'
    // If no payer ever got the address, nobody can pay it.
    const isLost = !reachedPayer(request) && (isWaiting || isAbsent(reply))
    return isLost ? cancel(request, signal) : outcomeOf(reply, request)
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const closed = await api.call('alipay.trade.close', { out_trade_no: reference }, signal)
    if (isAbsent(closed)) return unlessStillOpen(outcomeOf(closed, request))
    // It may have been paid before it was closed.
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
    // It may be refused because an earlier call of ours refunded the rest of the trade, which closes it.
    return hasNoRefund(after) ? taken : unknown('Alipay refused the refund, and may have made it before')
  }

  async function readCallback(callback: Callback, signal: AbortSignal): Promise<CallbackResult> {
    const notice = Object.fromEntries(new URLSearchParams(callback.body))
    if (!isSignedNotice(notice, alipayKey)) return refuseCallback('the signature is missing or wrong')
    const { app_id: appId, out_trade_no: reference = '', trade_no: no = '', trade_status: status } = notice
    if (appId !== app.appId || reference === '' || !/^\w{1,64}$/.test(no))
      return refuseCallback('the callback is not about one of our trades')
    if (status === 'WAIT_BUYER_PAY') return acceptCallback([])
    // Closed means never paid or fully refunded: query to find out.
    const isClosed = status === 'TRADE_CLOSED'
    const trade = { reference, isOver: false }
    const outcome = isClosed ? fromTrade(await query(reference, signal), trade) : paid(notice, no)
    if (!isClosed && status !== 'TRADE_SUCCESS' && status !== 'TRADE_FINISHED')
      return refuseCallback('the callback has no known state')
    return outcome.kind === 'unknown' ? refuseCallback(outcome.why) : acceptCallback([{ reference, outcome }])
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
    readCallback: timed(readCallback),
  }
}

/** The creation time of the attempt, so that starting it again gives the same address. */
function createdAt({ expiresAt }: StartRequest, now: Date): Date {
  const created = expiresAt.getTime() - alipay.awaitsPayerMinutes * MINUTE_MS
  return new Date(Math.min(created, now.getTime()))
}

/** A page that could not be closed may still be paid, so cancelling it is not `pending` but `unknown`. */
function unlessStillOpen(outcome: Outcome): Outcome {
  return outcome.kind === 'pending' ? unknown('the payer may still open the page') : outcome
}

function acceptCallback(reports: Extract<CallbackResult, { kind: 'accepted' }>['reports']): CallbackResult {
  return { kind: 'accepted', reports, answer: { status: 200, type: 'text/plain', body: 'success' } }
}

function refuseCallback(why: string): CallbackResult {
  return { kind: 'refused', why, answer: { status: 400, type: 'text/plain', body: 'fail' } }
}
