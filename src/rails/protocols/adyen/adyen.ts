// The protocol `adyen`: Checkout v72 for payments, Transfers v4 for payouts.
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Callback, Channel } from '../../contract/channel.ts'
import type { PayoutRail } from '../../contract/payout-rail.ts'
import type { Connection, Protocol } from '../../contract/protocol.ts'
import {
  addressSetting,
  type ChannelSettings,
  type ChannelTools,
  textSetting,
} from '../../contract/settings.ts'
import { openAlarms } from '../../toolkit/alarms.ts'
import { checkByAsking } from '../../toolkit/check-connection.ts'
import { createPaidWatcher, joinWatchers } from '../../toolkit/records/paid-payouts.ts'
import { checkServed } from '../../toolkit/settings/check-served.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import { type AdyenApi, createAdyenApi } from './api.ts'
import { readPaymentCallback } from './callback.ts'
import { type CardTokens, openCardTokens } from './card-tokens.ts'
import { createAdyenChannel } from './channel.ts'
import { isServed, served } from './payment-request.ts'
import { openPayments } from './payments.ts'
import { createTransferRail, isTransferCallback } from './rail.ts'
import { openRefunds } from './refunds.ts'
import { createReportWatcher, statementOf } from './reports.ts'

/** If the response to a payment is lost, the gateway waits this long for the webhook before it cancels the payment. */
const GRACE_MS = 1_000

/** Settings of payments: "url" with the version, "apiKey", "merchantAccount", "hmacKey". See docs/channels/adyen.md. */
export const adyen: Protocol = (settings, tools) => connectAdyen(settings, tools, GRACE_MS)

export function connectAdyen(settings: ChannelSettings, tools: ChannelTools, graceMs: number): Connection {
  checkServed(settings, served, ['bank_account', 'card'])
  const rail = railOf(settings, tools)
  const channels = channelsOf(settings, tools, { rail, graceMs })
  const [channel] = channels
  // Webhooks about payments and about transfers go to the same URL. The channel's `readCallback` reads both.
  const readCallback = channel?.readCallback
  return {
    channels,
    ...(rail && { rail: { ...rail, ...(readCallback && { readCallback }) } }),
    ...backgroundOf(settings, tools, rail),
    check: () => checkByAsking(channel, rail),
  }
}

function channelsOf(
  settings: ChannelSettings,
  tools: ChannelTools,
  { rail, graceMs }: { readonly rail: PayoutRail | undefined; readonly graceMs: number },
): readonly Channel[] {
  const { name } = settings
  const { clock, timeoutMs, useToken, isPaid, storeOf } = tools
  if (settings.methods.length === 0) return []
  const api = checkoutOf(settings)
  const merchantAccount = textSetting(settings, 'merchantAccount')
  const store = storeOf(name)
  const alarms = openAlarms(store, tools)
  const payments = openPayments({ api, store, alarms, merchantAccount, clock, graceMs, timeoutMs })
  const { refund, report } = openRefunds({ api, store, alarms, payments, merchantAccount, clock, isPaid })
  const hmacKey = hmacKeySetting(settings, 'hmacKey')
  const callbacks = { hmacKey, merchantAccount, store, alarms, clock, payments, refunds: { report } }
  const readCallback = async (callback: Callback) =>
    (isTransferCallback(callback) && (await rail?.readCallback?.(callback))) ||
    readPaymentCallback(callbacks, callback)
  const shared = { name, merchantAccount, api, payments, clock, timeoutMs, useToken, refund, readCallback }
  return settings.methods.filter(isServed).map((method) => createAdyenChannel({ ...shared, method }))
}

function backgroundOf(
  settings: ChannelSettings,
  tools: ChannelTools,
  rail: PayoutRail | undefined,
): Pick<Connection, 'watcher' | 'statement'> {
  const { watcher, ...reports } = reportsOf(settings, tools)
  const { clock, alarm, storeOf } = tools
  const paid = rail && createPaidWatcher({ store: storeOf(settings.name), clock, alarm, ask: rail.ask })
  const watchers = [watcher, paid].filter((one) => one !== undefined)
  return { ...reports, ...(watchers.length > 0 && { watcher: joinWatchers(watchers) }) }
}

function reportsOf(
  settings: ChannelSettings,
  tools: ChannelTools,
): Pick<Connection, 'watcher' | 'statement'> {
  if (settings.reportUser === undefined && settings.reportPassword === undefined) return {}
  const store = tools.storeOf(settings.name)
  const watcher = createReportWatcher({
    store,
    alarm: tools.alarm,
    merchantAccount: textSetting(settings, 'merchantAccount'),
    user: textSetting(settings, 'reportUser'),
    password: textSetting(settings, 'reportPassword'),
    http: httpSettings(settings),
    origin: new URL(addressSetting(settings, 'url')).origin,
  })
  return { watcher, statement: (day) => statementOf(store, day) }
}

function checkoutOf(settings: ChannelSettings): AdyenApi {
  const url = addressSetting(settings, 'url')
  return createAdyenApi({ url, apiKey: textSetting(settings, 'apiKey'), http: httpSettings(settings) })
}

/** Returns the exchange of cards for tokens. Undefined if the channel has no payouts to cards. */
function cardTokensOf(
  settings: ChannelSettings,
  { timeoutMs, callbackUrlOf }: ChannelTools,
): CardTokens | undefined {
  if (!settings.payoutKinds.includes('card')) return undefined
  const returnUrl = callbackUrlOf?.(settings.name) ?? addressSetting(settings, 'url')
  const merchantAccount = textSetting(settings, 'merchantAccount')
  return openCardTokens({ api: checkoutOf(settings), merchantAccount, returnUrl, timeoutMs })
}

function railOf(settings: ChannelSettings, tools: ChannelTools): PayoutRail | undefined {
  const { clock, timeoutMs, storeOf } = tools
  const { name, payoutKinds, transfersHmacKey } = settings
  if (payoutKinds.length === 0) return undefined
  const url = addressSetting(settings, 'transfersUrl')
  return createTransferRail({
    name,
    kinds: payoutKinds,
    cards: cardTokensOf(settings, tools),
    api: createAdyenApi({ url, apiKey: textSetting(settings, 'transfersKey'), http: httpSettings(settings) }),
    store: storeOf(name),
    balanceAccountId: textSetting(settings, 'balanceAccountId'),
    // At Adyen, each configured webhook has its own HMAC key. Without `transfersHmacKey`, `hmacKey` serves both.
    hmacKey: hmacKeySetting(settings, transfersHmacKey === undefined ? 'hmacKey' : 'transfersHmacKey'),
    clock,
    timeoutMs,
  })
}

function hmacKeySetting(settings: ChannelSettings, name: string): Buffer {
  const text = textSetting(settings, name)
  if (/^([0-9a-f]{2}){16,}$/i.test(text)) return Buffer.from(text, 'hex')
  throw new SettingError(`channel ${settings.name}: "${name}" must be the hex text that Adyen shows`)
}
