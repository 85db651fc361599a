// Alipay's payment page, behind the channel contract. Our reference is the trade's number there.
//
// The payer is told a signed address, which Alipay knows nothing of until a payer comes with it. So a trade that Alipay
// does not know has failed for certain only if the address was never told, or its time is over; until then it is unknown.
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { withDeadline } from '../../concurrency/deadline.ts'
import type {
  AttemptRef,
  Callback,
  Channel,
  Heard,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import type { AlipayApi, AlipayReply } from './alipay-api.ts'
import { alipay } from './method.ts'
import { type App, appOrder, pageExpiry, pageUrl } from './page.ts'
import { isSignedNotice } from './signature.ts'
import {
  cancelled,
  fromTrade,
  isAbsent,
  isClosedNumber,
  isRefusal,
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
/** Unless the settings list what else the account was opened for. */
const DOMESTIC = ['CNY']

export function createAlipayChannel(options: AlipayChannelOptions): Channel {
  const { name, app, api, alipayKey, timeoutMs, clock } = options
  const timed = <Request, Told>(work: (request: Request, signal: AbortSignal) => Promise<Told>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }
  const look = (reference: string, signal: AbortSignal) =>
    api.call('alipay.trade.query', { out_trade_no: reference }, signal)
  const wasTold = ({ action, channelRef }: AttemptRef) => action !== undefined || channelRef !== undefined
  const isOver = ({ action }: AttemptRef) => {
    const until = pageExpiry(action)
    return until !== undefined && until <= clock.now()
  }
  const told = (reply: AlipayReply, request: AttemptRef): Outcome => {
    const { reference, action } = request
    if (!isAbsent(reply)) return fromTrade(reply, { reference, action, isOver: isOver(request) })
    if (!wasTold(request) || isOver(request)) return { ...cancelled, channelRef: reference }
    return action === undefined
      ? unknown('the payer may still open the page')
      : { kind: 'pending', channelRef: reference, action }
  }

  /**
   * Alipay is shown the page first, so that a payer is never sent to one that it does not open. An app's order cannot be
   * shown: Alipay hears of it from the app.
   */
  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const made = madeAt(request, clock.now())
    if (request.terminal === 'APP') {
      const sdkParams = appOrder(app, request, made)
      return { kind: 'pending', channelRef: reference, action: { kind: 'app', sdkParams } }
    }
    const url = pageUrl(app, request, made)
    const reply = await api.open(url, signal)
    if (reply.kind === 'leads-on')
      return { kind: 'pending', channelRef: reference, action: { kind: 'redirect', url } }
    if (reply.kind === 'unsent')
      return { kind: 'failed', cause: 'unreachable', message: 'Alipay could not be reached' }
    if (reply.kind === 'silent') return unknown(reply.why)
    if (isClosedNumber(reply)) return { ...cancelled, channelRef: reference }
    if (isRefusal(reply))
      return { kind: 'failed', cause: 'refused', message: 'Alipay refused to open the payment' }
    return unknown('Alipay neither opened the payment nor refused')
  }

  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await look(request.reference, signal)
    const isWaiting = reply.kind === 'answer' && reply.content.trade_status === 'WAIT_BUYER_PAY'
    // An address that nobody was told can be paid by nobody.
    const isLost = !wasTold(request) && (isWaiting || isAbsent(reply))
    return isLost ? cancel(request, signal) : told(reply, request)
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const { reference } = request
    const closed = await api.call('alipay.trade.close', { out_trade_no: reference }, signal)
    if (isAbsent(closed)) return unlessStillOpen(told(closed, request))
    // It may have been paid before it could be closed.
    return told(await look(reference, signal), request)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const { reference, refundReference } = request
    const query = { out_trade_no: reference, out_request_no: refundReference }
    const ask = () => api.call('alipay.trade.fastpay.refund.query', query, signal)
    const before = refundDone(await ask(), request)
    if (before !== undefined) return before
    const taken = refundTaken(await api.call('alipay.trade.refund', toRefund(request), signal), request)
    return taken.kind === 'pending' ? (refundDone(await ask(), request) ?? taken) : taken
  }

  async function hear(callback: Callback, signal: AbortSignal): Promise<Heard> {
    const notice = Object.fromEntries(new URLSearchParams(callback.body))
    if (!isSignedNotice(notice, alipayKey)) return notHeard('the signature is missing or wrong')
    const { app_id: appId, out_trade_no: reference = '', trade_no: no = '', trade_status: status } = notice
    if (appId !== app.appId || reference === '' || no === '')
      return notHeard('it is not about a trade of ours')
    if (status === 'WAIT_BUYER_PAY') return heard([])
    // Closed because nobody paid, or because all was refunded: asking tells which.
    const isClosed = status === 'TRADE_CLOSED'
    const trade = { reference, isOver: false }
    const outcome = isClosed ? fromTrade(await look(reference, signal), trade) : paid(notice, no)
    if (!isClosed && status !== 'TRADE_SUCCESS' && status !== 'TRADE_FINISHED')
      return notHeard('no such state')
    return outcome.kind === 'unknown' ? notHeard(outcome.why) : heard([{ reference, outcome }])
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
    hear: timed(hear),
  }
}

/** When the attempt was made: starting it again makes the same address. */
function madeAt({ expiresAt }: StartRequest, now: Date): Date {
  const made = expiresAt.getTime() - alipay.awaitsPayerMinutes * MINUTE_MS
  return new Date(Math.min(made, now.getTime()))
}

/** What could not be closed may yet be paid: that is not to be told as if the payer were only awaited. */
function unlessStillOpen(outcome: Outcome): Outcome {
  return outcome.kind === 'pending' ? unknown('the payer may still open the page') : outcome
}

function heard(reports: Extract<Heard, { kind: 'heard' }>['reports']): Heard {
  return { kind: 'heard', reports, answer: { status: 200, type: 'text/plain', body: 'success' } }
}

function notHeard(why: string): Heard {
  return { kind: 'refused', why, answer: { status: 400, type: 'text/plain', body: 'fail' } }
}
