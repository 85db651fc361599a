// The protocol of Adyen: Checkout v72 for payments, Transfers v4 for payouts.
import { SettingError } from '../../errors/catalogue.ts'
import { checkByAsking } from '../check-by-asking.ts'
import type { Callback } from '../contract.ts'
import type { PayoutRail } from '../payout/contract.ts'
import type { Connection, Protocol } from '../protocol.ts'
import { addressSetting, type ChannelSettings, type ChannelTools, textSetting } from '../settings.ts'
import { createAdyenApi } from './adyen-api.ts'
import { createAdyenChannel } from './adyen-channel.ts'
import { type CallbacksOptions, readPaymentCallback } from './callbacks.ts'
import { isServed, served } from './payment.ts'
import { openPayments } from './payments.ts'
import { openRefunds } from './refunds.ts'
import { createReportWatcher, statementOf } from './reports.ts'
import { createTransferRail, isTransferCallback, readTransferCallback } from './transfer-rail.ts'

/** How long a lost payment waits for a webhook before it is cancelled. */
const GRACE_MS = 1_000

/** Settings: "url" with the version, "apiKey", "merchantAccount", "hmacKey"; see docs/channels/adyen.md. */
export const adyen: Protocol = (settings, tools) => connectAdyen(settings, tools, GRACE_MS)

export function connectAdyen(settings: ChannelSettings, tools: ChannelTools, graceMs: number): Connection {
  const { name } = settings
  const { clock, timeoutMs, useToken } = tools
  const store = tools.storeOf(name)
  const hmacKey = hmacKeySetting(settings)
  const methods = settings.methods.map((method) => {
    if (isServed(method)) return method
    throw new SettingError(`channel ${name}: Adyen does not serve ${method}, but ${served.join(', ')}`)
  })
  const rail = railOf(settings, tools, hmacKey)
  const [first] = methods
  if (first === undefined)
    return { channels: [], ...(rail && { rail }), check: () => checkByAsking(undefined, rail) }
  const api = createAdyenApi({
    url: addressSetting(settings, 'url'),
    apiKey: textSetting(settings, 'apiKey'),
  })
  const merchantAccount = textSetting(settings, 'merchantAccount')
  const payments = openPayments({ api, store, merchantAccount, graceMs, timeoutMs })
  const refunds = openRefunds({ api, store, payments, merchantAccount })
  const callbacks: CallbacksOptions = { hmacKey, merchantAccount, store, payments, refunds }
  const readCallback = (callback: Callback, signal: AbortSignal) =>
    isTransferCallback(callback)
      ? readTransferCallback({ store, hmacKey, clock }, callback)
      : readPaymentCallback(callbacks, callback, signal)
  const shared = { name, merchantAccount, api, payments, clock, timeoutMs, useToken, readCallback }
  const channels = methods.map((method) => createAdyenChannel({ ...shared, ...refunds, method }))
  const [channel] = channels
  return {
    channels,
    // One address receives webhooks of both kinds.
    ...(rail && { rail: { ...rail, ...(channel?.readCallback && { readCallback: channel.readCallback }) } }),
    ...reportsOf(settings, { store, merchantAccount }),
    check: () => checkByAsking(channel, rail),
  }
}

/** Reports are read if there is a user for them. */
function reportsOf(
  settings: ChannelSettings,
  { store, merchantAccount }: Pick<CallbacksOptions, 'store' | 'merchantAccount'>,
): Pick<Connection, 'watcher' | 'statement'> {
  if (settings.reportUser === undefined && settings.reportPassword === undefined) return {}
  const watcher = createReportWatcher({
    store,
    merchantAccount,
    user: textSetting(settings, 'reportUser'),
    password: textSetting(settings, 'reportPassword'),
    host: new URL(addressSetting(settings, 'url')).host,
  })
  return { watcher, statement: (day) => statementOf(store, day) }
}

function railOf(
  settings: ChannelSettings,
  { clock, timeoutMs, storeOf }: ChannelTools,
  hmacKey: Buffer,
): PayoutRail | undefined {
  const { name, payoutKinds } = settings
  if (payoutKinds.length === 0) return undefined
  if (payoutKinds.some((kind) => kind !== 'bank_account'))
    throw new SettingError(`channel ${name}: Adyen sends payouts to bank accounts only (payout_bank)`)
  return createTransferRail({
    name,
    api: createAdyenApi({
      url: addressSetting(settings, 'transfersUrl'),
      apiKey: textSetting(settings, 'transfersKey'),
    }),
    store: storeOf(name),
    balanceAccountId: textSetting(settings, 'balanceAccountId'),
    hmacKey,
    clock,
    timeoutMs,
  })
}

function hmacKeySetting(settings: ChannelSettings): Buffer {
  const text = textSetting(settings, 'hmacKey')
  if (/^([0-9a-f]{2}){16,}$/i.test(text)) return Buffer.from(text, 'hex')
  throw new SettingError(`channel ${settings.name}: "hmacKey" must be the hex text that Adyen shows`)
}
