// The protocol `dlocal`. Settings: url, login, transKey, secretKey; for payouts payoutUrl, payoutClientId,
// payoutClientSecret and optionally payoutPurpose, bankCodes.
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Callback } from '../../contract/channel.ts'
import type { Checked, Protocol } from '../../contract/protocol.ts'
import {
  addressSetting,
  type ChannelSettings,
  type ChannelTools,
  textSetting,
} from '../../contract/settings.ts'
import { notAnswered } from '../../toolkit/check-connection.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { createPaidWatcher } from '../../toolkit/records/paid-payouts.ts'
import { checkServed } from '../../toolkit/settings/check-served.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { createDlocalApi, createPayoutApi, type DlocalApi } from './api.ts'
import { readDlocalCallback } from './callback.ts'
import { createDlocalChannels } from './channel.ts'
import { bankCodesSetting, dlocalMethods, servedAs } from './countries.ts'
import { payoutKinds } from './payout-wire.ts'
import { createDlocalRail, type DlocalRail } from './rail.ts'

export const dlocal: Protocol = (settings, tools) => {
  checkServed(settings, dlocalMethods, payoutKinds)
  const { clock, timeoutMs, alarm } = tools
  const text = (name: string) => textSetting(settings, name)
  const signer = { login: text('login'), secretKey: text('secretKey') }
  const api = createDlocalApi({
    ...signer,
    url: addressSetting(settings, 'url'),
    transKey: text('transKey'),
    clock,
    http: httpSettings(settings),
  })
  const rail = settings.payoutKinds.length > 0 ? connectRail(settings, tools) : undefined
  const store = tools.storeOf(settings.name)
  const readCallback = (callback: Callback) =>
    withDeadline(timeoutMs, (signal) =>
      readDlocalCallback(callback, { api, signer, store, askPayout: rail?.ask }, signal),
    )
  const channelOf = createDlocalChannels({
    name: settings.name,
    api,
    store,
    readCallback,
    callbackUrl: tools.callbackUrlOf?.(settings.name) ?? '',
    timeoutMs,
    clock,
  })
  return {
    channels: settings.methods.map(channelOf),
    ...(rail !== undefined && {
      rail: { ...rail, readCallback },
      watcher: createPaidWatcher({ store, clock, alarm, ask: rail.ask }),
    }),
    check: (signal) => check(settings, api, rail, signal),
  }
}

function connectRail(settings: ChannelSettings, { clock, timeoutMs, storeOf }: ChannelTools): DlocalRail {
  const { payoutPurpose: purpose = 'OTHER' } = settings
  if (typeof purpose !== 'string' || !/^[A-Z_]{1,40}$/.test(purpose))
    throw new SettingError(
      `channel ${settings.name}: "payoutPurpose" must be a purpose of dLocal, such as OTHER`,
    )
  const api = createPayoutApi({
    url: addressSetting(settings, 'payoutUrl'),
    clientId: textSetting(settings, 'payoutClientId'),
    clientSecret: textSetting(settings, 'payoutClientSecret'),
    clock,
    http: httpSettings(settings),
  })
  const store = storeOf(settings.name)
  return createDlocalRail({
    name: settings.name,
    kinds: settings.payoutKinds,
    api,
    store,
    clock,
    terms: { purpose, bankCodes: bankCodesSetting(settings) },
    timeoutMs,
  })
}

/** Checks the credentials: lists the payment methods, and queries a payout that does not exist. */
async function check(
  { methods }: ChannelSettings,
  api: DlocalApi,
  rail: DlocalRail | undefined,
  signal: AbortSignal,
): Promise<Checked> {
  const [method = 'pix'] = methods
  const listed = readCheck(await api.get(`/payments-methods?country=${servedAs(method)?.country}`, signal))
  if (!listed.isRight || rail === undefined) return listed
  const asked = await rail.ask('CHECK')
  if (asked.kind === 'absent') return listed
  return {
    isRight: false,
    message: 'The payouts API did not answer as it should: check "payoutUrl" and its credentials.',
  }
}

function readCheck(reply: Reply): Checked {
  if (reply.kind !== 'answer') return notAnswered('dLocal', reply.why, 'Check "url".')
  if (reply.status === 200) return { isRight: true, message: 'dLocal listed its payment methods.' }
  const hint =
    reply.status === 401 || reply.status === 403
      ? 'Check "login", "transKey", "secretKey", the clock of this machine, and that its address is registered at dLocal.'
      : 'Check "url".'
  return { isRight: false, message: `dLocal responded ${reply.status}. ${hint}` }
}
