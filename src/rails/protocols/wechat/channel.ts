// The WeChat Pay channel. Our reference is the order's out_trade_no. WeChat Pay returns the payer's code only in the
// response that opens the order. If this response never reached us, nobody can pay the order, so `ask` closes it. If
// WeChat Pay has no order with our number, `cancel` opens a placeholder order with this number and closes it at once.
// Afterwards no order can be opened with the number. If WeChat Pay refuses the placeholder, a late order could still be
// opened, but its code would reach no payer.
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import { isObject } from '../../../platform/base/object.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type {
  AttemptRef,
  Channel,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../contract/channel.ts'
import { addressSetting, type Connect, type NamedSettings, textSetting } from '../../contract/settings.ts'
import { allTerminals } from '../../methods/terminal.ts'
import { wechat } from '../../methods/wechat.ts'
import { timedBy } from '../../toolkit/deadline.ts'
import { cancelled, failed, unknown } from '../../toolkit/outcomes.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import { keySetting } from '../../toolkit/settings/key-settings.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { createWechatApi, type WechatApi } from './api.ts'
import { readWechatCallback } from './callback.ts'
import { appParams, miniProgramParams } from './signature.ts'
import {
  type Account,
  actionIn,
  appidFor,
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
  whyUnknown,
} from './wire.ts'

/**
 * Settings: url, mchid, appid, serial (of our certificate), privateKey, platformPublicKey (PEM), apiV3Key. Optional
 * settings: mobileAppid and miniProgramAppid, if payers pay in a merchant's app or mini program.
 */
export const connectWechat: Connect = (settings, { clock, timeoutMs }) => {
  const url = addressSetting(settings, 'url')
  const text = (name: string) => textSetting(settings, name)
  const optionalText = (name: string) => (settings[name] === undefined ? undefined : text(name))
  const mchid = text('mchid')
  const privateKey = keySetting(settings, 'privateKey', 'private')
  const platformKey = keySetting(settings, 'platformPublicKey', 'public')
  return createWechatChannel({
    name: settings.name,
    api: createWechatApi({
      url,
      signer: { mchid, serial: text('serial'), privateKey },
      platformKey,
      clock,
      http: httpSettings(settings),
    }),
    account: {
      mchid,
      appid: text('appid'),
      mobileAppid: optionalText('mobileAppid'),
      miniProgramAppid: optionalText('miniProgramAppid'),
    },
    privateKey,
    platformKey,
    apiV3Key: apiV3Key(settings),
    unusedUrl: url,
    timeoutMs,
    clock,
  })
}

type WechatChannelOptions = {
  readonly name: string
  readonly api: WechatApi
  readonly account: Account
  /** Our private key, which signs the SDK parameters. */
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
/** The default currencies. The settings may list further currencies of the account. */
const DOMESTIC = ['CNY']
const MINUTE_MS = 60_000

function createWechatChannel(options: WechatChannelOptions): Channel {
  const { name, api, account, timeoutMs } = options
  const { mchid } = account
  const timed = timedBy(timeoutMs)
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
    // WeChat Pay may have refused because an earlier call for the same attempt has used the number.
    const found = await query(request, signal)
    const cause = causeOf(reply)
    // An account without the right to open orders may lack the right to query them, too.
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
    // The order is queried, because it may have been paid before it could be closed.
    if (!isAbsent(reply)) return outcomeOf(await query(request, signal), request)
    const placeholder = toPlaceholder(request.reference, account, options.unusedUrl)
    const placed = await post(`${orders}/native`, placeholder, signal)
    await close(request, signal)
    const found = await query(request, signal)
    // The attempt has failed if WeChat Pay has no order under the number and has refused the placeholder. An order that
    // our first call opens later has a code that reaches no payer, so the order expires unpaid.
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
    // WeChat Pay may have refused because an earlier call of ours has refunded the rest of the order. The first query
    // may not have shown that refund yet.
    const after = await api({ method: 'GET', path }, signal)
    if (!isAbsent(after)) return fromRefund(after, request)
    // The second query may not show that refund yet, either. The order itself shows whether any part was refunded.
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
    readCallback: async (callback) => readWechatCallback(callback, options),
  }
}

/** Returns the terminals that the channel serves: apps and mini programs only if the settings have their appid. */
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

/** True if no payer can have the code: the response to the call that opened the order never reached us. */
function hasNoCode({ action, channelRef }: AttemptRef): boolean {
  return action === undefined && channelRef === undefined
}

function isAbsent(reply: Reply): boolean {
  return reply.kind === 'answer' && reply.status === 404
}

function apiV3Key(settings: NamedSettings): string {
  const key = textSetting(settings, 'apiV3Key')
  if (Buffer.byteLength(key) === 32) return key
  throw new SettingError(`channel ${settings.name}: "apiV3Key" must be 32 bytes`)
}
