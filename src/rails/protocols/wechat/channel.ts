// The WeChat Pay channel. Our reference is the order's out_trade_no.
//
// WeChat Pay returns the payer's code only once, when the order is opened. If the code never reached us, nobody can pay the
// order, so `ask` closes it. A number that WeChat Pay does not know is used up by a placeholder order that is closed
// immediately, so that no order can be opened under it later.
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { isObject } from '../../base/object.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type {
  AttemptRef,
  Callback,
  CallbackResult,
  Channel,
  Failed,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import { allTerminals } from '../terminal.ts'
import type { Reply } from '../transport.ts'
import { wechat } from './method.ts'
import { openResource } from './resource.ts'
import { appParams, miniProgramParams } from './sdk-params.ts'
import { isFromPlatform } from './signature.ts'
import type { WechatApi } from './wechat-api.ts'
import {
  type Account,
  actionIn,
  appidFor,
  cancelled,
  causeOf,
  fromNewRefund,
  fromOrder,
  fromRefund,
  isRefusedOrder,
  isUnrefunded,
  mayBeRefunded,
  orderKinds,
  toOrder,
  toPlaceholder,
  toRefund,
  unknown,
  whyUnknown,
} from './wire.ts'

export type WechatChannelOptions = {
  readonly name: string
  readonly api: WechatApi
  readonly account: Account
  /** Our key, which signs the SDK parameters. */
  readonly privateKey: KeyObject
  readonly platformKey: KeyObject
  readonly apiV3Key: string
  /** The notify_url of placeholder orders, which is never called. */
  readonly unusedUrl: string
  readonly timeoutMs: number
  readonly clock: Clock
}

const orders = '/v3/pay/transactions'
const refunds = '/v3/refund/domestic/refunds'
/** The default; settings may list further currencies of the account. */
const DOMESTIC = ['CNY']
const MINUTE_MS = 60_000

export function createWechatChannel(options: WechatChannelOptions): Channel {
  const { name, api, account, timeoutMs } = options
  const { mchid } = account
  const timed = <Request, Result>(work: (request: Request, signal: AbortSignal) => Promise<Result>) => {
    return (request: Request) => withDeadline(timeoutMs, (signal) => work(request, signal))
  }
  const post = (path: string, body: unknown, signal: AbortSignal) =>
    api({ method: 'POST', path, body }, signal)
  const query = ({ reference }: AttemptRef, signal: AbortSignal) =>
    api({ method: 'GET', path: `${orders}/out-trade-no/${reference}?mchid=${mchid}` }, signal)
  const close = ({ reference }: AttemptRef, signal: AbortSignal) =>
    post(`${orders}/out-trade-no/${reference}/close`, { mchid }, signal)
  const outcomeOf = (reply: Reply, { reference, action }: AttemptRef): Outcome => {
    if (reply.kind !== 'answer') return unknown(reply.why)
    if (reply.status !== 200) return whyUnknown(reply)
    return fromOrder(reply.body, { reference, account, action })
  }

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const path = `${orders}/${orderKinds[request.terminal]}`
    const reply = await post(path, toOrder(request, account), signal)
    if (reply.kind === 'unsent') return failed('unreachable', 'WeChat Pay could not be reached')
    if (reply.kind === 'silent') return unknown(reply.why)
    if (reply.status === 200) return opened(reply.body, request, options)
    if (reply.status >= 500) return whyUnknown(reply)
    // Refused, perhaps because another call has used up the number.
    const found = await query(request, signal)
    const cause = causeOf(reply)
    // Without the right to open an order we may lack the right to query it.
    const isClosedToUs = found.kind === 'answer' && cause === 'unauthorised' && causeOf(found) === cause
    if (!isAbsent(found) && !isClosedToUs) return outcomeOf(found, request)
    return cause === undefined ? whyUnknown(reply) : failed(cause, 'WeChat Pay refused to open the payment')
  }

  async function ask(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await query(request, signal)
    if (isAbsent(reply)) return cancel(request, signal)
    const outcome = outcomeOf(reply, request)
    const isWaiting = reply.kind === 'answer' && isObject(reply.body) && reply.body.trade_state === 'NOTPAY'
    return isWaiting && hasNoCode(request) ? cancel(request, signal) : outcome
  }

  async function cancel(request: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await close(request, signal)
    // It may have been paid before it was closed.
    if (!isAbsent(reply)) return outcomeOf(await query(request, signal), request)
    const placeholder = toPlaceholder(request.reference, account, options.unusedUrl)
    const placed = await post(`${orders}/native`, placeholder, signal)
    await close(request, signal)
    const found = await query(request, signal)
    // Nothing may be opened under the number. If our first call does so later, its code reaches no payer, and the order expires.
    const isOver = isAbsent(found) && isRefusedOrder(placed) && hasNoCode(request)
    return isOver ? { ...cancelled, channelRef: request.reference } : outcomeOf(found, request)
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const path = `${refunds}/${request.refundReference}`
    const made = await api({ method: 'GET', path }, signal)
    if (!isAbsent(made)) return fromRefund(made, request)
    const reply = await post(refunds, toRefund(request), signal)
    const outcome = fromNewRefund(reply, request)
    if (outcome.kind !== 'failed') return outcome
    // It may be refused because an earlier call of ours, which the first query did not show yet, refunded the rest of the order.
    const after = await api({ method: 'GET', path }, signal)
    if (!isAbsent(after)) return fromRefund(after, request)
    // That query may lag behind, too; the order shows whether anything of it was refunded.
    if (!mayBeRefunded(reply) || isUnrefunded(await query(request, signal), request)) return outcome
    return unknown('WeChat Pay refused the refund, perhaps because an earlier call has made it')
  }

  return {
    name,
    method: 'wechat',
    traits: { ...wechat, currencies: DOMESTIC, terminals: terminalsOf(account), timeoutMs },
    start: timed(start),
    complete: timed(ask),
    ask: timed(ask),
    cancel: timed(cancel),
    refund: timed(refund),
    readCallback: async (callback) => readCallback(callback, options),
  }
}

/** Apps and mini programs are served only if one is registered. */
function terminalsOf(account: Account) {
  return allTerminals.filter((terminal) => appidFor(account, terminal) !== undefined)
}

function opened(
  body: unknown,
  request: StartRequest,
  { account, privateKey }: WechatChannelOptions,
): Outcome {
  const action = actionIn(body, request, ({ terminal, expiresAt }, prepayId) => {
    const { mchid } = account
    const at = new Date(expiresAt.getTime() - wechat.awaitsPayerMinutes * MINUTE_MS)
    const prepaid = { appid: appidFor(account, terminal) ?? '', mchid, prepayId, at }
    return terminal === 'APP' ? appParams(prepaid, privateKey) : miniProgramParams(prepaid, privateKey)
  })
  return action === undefined
    ? unknown("WeChat Pay's response has no action for the payer")
    : { kind: 'pending', channelRef: request.reference, action }
}

function readCallback(
  callback: Callback,
  { account, platformKey, apiV3Key, clock }: WechatChannelOptions,
): CallbackResult {
  if (!isFromPlatform(callback, platformKey, clock.now()))
    return refuseCallback('the signature is missing, wrong or too old')
  const message = parseJson(callback.body)
  const event = isObject(message) ? message.event_type : undefined
  const order = isObject(message) ? openResource(message.resource, apiV3Key) : undefined
  if (typeof event !== 'string' || order === undefined)
    return refuseCallback('the callback cannot be decrypted')
  if (!event.startsWith('TRANSACTION.')) return acceptCallback([])
  const { out_trade_no: reference } = order
  if (typeof reference !== 'string') return refuseCallback('the callback names no order')
  const outcome = fromOrder(order, { reference, account })
  return outcome.kind === 'unknown' ? refuseCallback(outcome.why) : acceptCallback([{ reference, outcome }])
}

function acceptCallback(reports: Extract<CallbackResult, { kind: 'accepted' }>['reports']): CallbackResult {
  return { kind: 'accepted', reports, answer: { status: 204, type: 'application/json', body: '' } }
}

function refuseCallback(why: string): CallbackResult {
  const body = JSON.stringify({ code: 'FAIL', message: why })
  return { kind: 'refused', why, answer: { status: 401, type: 'application/json', body } }
}

function failed(cause: Failed['cause'], message: string): Outcome {
  return { kind: 'failed', cause, message }
}

/** No payer can have it: WeChat Pay returns it once, to the call that opens the order. */
function hasNoCode({ action, channelRef }: AttemptRef): boolean {
  return action === undefined && channelRef === undefined
}

function isAbsent(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status === 404
}
