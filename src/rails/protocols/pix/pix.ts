// The protocol `pix`, for banks with the central bank's Pix API. Required settings: url, clientId, clientSecret,
// pixKey, payeeName, payeeCity, webhookSecret. Optional settings: tokenUrl, scopes, clientCertificate, clientKey.
// Payouts require "outgoing".

import type { Clock } from '../../../platform/base/clock.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Callback } from '../../contract/channel.ts'
import type { PayoutRail } from '../../contract/payout-rail.ts'
import type { Checked, Protocol } from '../../contract/protocol.ts'
import { addressSetting, type ChannelSettings, textSetting } from '../../contract/settings.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { notAnswered } from '../../toolkit/check-connection.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { createPaidWatcher, readPaid } from '../../toolkit/records/paid-payouts.ts'
import { checkServed } from '../../toolkit/settings/check-served.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { createPixApi, type PixApi } from './api.ts'
import { createWebhook, readPixCallback } from './callback.ts'
import { createPixChannel } from './channel.ts'
import { createMedList } from './med.ts'
import { createEfiForm } from './outgoing/efi.ts'
import { createInterForm } from './outgoing/inter.ts'
import { createPixRail, type OutgoingForm, rememberPaid } from './outgoing/rail.ts'

/** The maximum size of a response. A page of received Pix is longer than other responses. */
const MAX_RESPONSE_BYTES = 1_048_576

export const pix: Protocol = (settings, tools) => {
  checkServed(settings, ['pix'], ['pix'])
  const { name } = settings
  const { clock, timeoutMs, alarm } = tools
  const text = (setting: string) => textSetting(settings, setting)
  const url = addressSetting(settings, 'url')
  const bank = bankOf(settings)
  const apiAt = createPixApi({
    tokenUrl: settings.tokenUrl === undefined ? `${url}/oauth/token` : addressSetting(settings, 'tokenUrl'),
    clientId: text('clientId'),
    clientSecret: text('clientSecret'),
    credentialsIn: bank === 'inter' ? 'form' : 'header',
    scopes: settings.scopes === undefined ? undefined : text('scopes'),
    clock,
    http: { ...httpSettings(settings), maxResponseBytes: MAX_RESPONSE_BYTES },
  })
  const api = apiAt(url)
  const payee = { pixKey: text('pixKey'), payeeName: text('payeeName'), payeeCity: text('payeeCity') }
  const webhookSecret = text('webhookSecret')
  const webhook = createWebhook({
    api,
    pixKey: payee.pixKey,
    secret: webhookSecret,
    // Without this header, Efí requires that our server verifies Efí's client certificate (mTLS).
    headers: bank === 'efi' || isAtEfi(url) ? { 'x-skip-mtls-checking': 'true' } : {},
    refused: (what) => alarm(name, `channel ${name}: ${what}`),
  })
  const registerWebhook = webhook.register
  const store = () => tools.storeOf(name)
  const form = formOf(settings, { apiAt, url, pixKey: payee.pixKey, clock, store })
  const askSent = bank === 'efi' ? form?.ask : undefined
  const readCallback = (callback: Callback) =>
    withDeadline(timeoutMs, (signal) =>
      readPixCallback(callback, { api, payee, webhookSecret, askSent }, signal),
    )
  const disputes = createMedList({ api, clock, timeoutMs })
  const shared = { name, timeoutMs, readCallback }
  const callbackUrl = tools.callbackUrlOf?.(name)
  const rail =
    form &&
    createPixRail({
      name,
      form,
      timeoutMs,
      ...(askSent !== undefined && {
        readCallback,
        ...(callbackUrl !== undefined && { prepare: (signal) => registerWebhook(callbackUrl, signal) }),
      }),
    })
  return {
    channels: settings.methods.map(() =>
      createPixChannel({ ...shared, api, payee, registerWebhook, disputes, store, clock }),
    ),
    ...(rail !== undefined && {
      rail,
      watcher: createPaidWatcher({ store: store(), clock, alarm, ask: rail.ask }),
    }),
    async check(signal) {
      const checked = await check(api, rail, signal)
      if (!checked.isRight || callbackUrl === undefined) return checked
      return { ...checked, message: `${checked.message} ${await webhook.describe(callbackUrl, signal)}` }
    },
  }
}

type Bank = 'efi' | 'inter'

function bankOf({ name, outgoing, payoutKinds }: ChannelSettings): Bank | undefined {
  if (outgoing === 'efi' || outgoing === 'inter') return outgoing
  if (outgoing === undefined && payoutKinds.length === 0) return undefined
  throw new SettingError(`channel ${name}: "outgoing" must name the bank's form of sent Pix: efi or inter`)
}

/**
 * True if the URL is Efí's. The setting "outgoing" is not enough to recognise Efí, because a channel without payouts
 * need not have it.
 */
export function isAtEfi(url: string): boolean {
  return /(^|\.)efipay\.com\.br$/.test(new URL(url).hostname)
}

type FormParts = {
  readonly apiAt: (url: string) => PixApi
  readonly url: string
  readonly pixKey: string
  readonly clock: Clock
  readonly store: () => ChannelStore
}

/**
 * Returns the bank's own API for outgoing Pix. Its URL is that of the central bank's API without the version and, at
 * Inter, without /pix.
 */
function formOf(
  settings: ChannelSettings,
  { apiAt, url, pixKey, clock, store }: FormParts,
): OutgoingForm | undefined {
  if (settings.payoutKinds.length === 0) return undefined
  const form =
    bankOf(settings) === 'efi'
      ? createEfiForm(apiAt(url.replace(/\/v\d+$/, '')), pixKey, store())
      : createInterForm(apiAt(url.replace(/(\/pix)?\/v\d+$/, '')), store(), clock)
  return rememberPaid(form, readPaid({ store: store(), clock, kind: 'payout-paid' }))
}

/**
 * Checks the credentials by a query about an unknown charge and, for payouts at Efí, by a query about an unknown sent
 * Pix. At Inter, an unknown Pix cannot be queried.
 */
async function check(api: PixApi, rail: PayoutRail | undefined, signal: AbortSignal): Promise<Checked> {
  const asked = readCheck(await api({ method: 'GET', path: `/cob/CHECK${'0'.repeat(25)}` }, signal))
  if (!asked.isRight || rail === undefined) return asked
  const { kind } = await rail.ask('CHECK0')
  return kind === 'absent'
    ? asked
    : { isRight: false, message: 'The bank did not answer about sent Pix: check "outgoing" and the scopes.' }
}

function readCheck(reply: Reply): Checked {
  if (reply.kind !== 'answer')
    return notAnswered('The bank', reply.why, 'Check "url", "tokenUrl" and the certificate.')
  if (reply.status === 200 || reply.status === 404)
    return { isRight: true, message: 'The bank answered, and accepted our credentials.' }
  const hint =
    reply.status === 401
      ? 'Check "clientId", "clientSecret" and "scopes".'
      : reply.status === 403
        ? 'Check that the application has the scopes cob, pix and webhook.'
        : 'Check "url".'
  return { isRight: false, message: `The bank responded ${reply.status}. ${hint}` }
}
