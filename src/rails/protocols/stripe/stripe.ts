// The protocol `stripe`. Settings: url, secretKey, webhookSecret.

import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Checked, Protocol } from '../../contract/protocol.ts'
import { addressSetting, type ChannelSettings, textSetting } from '../../contract/settings.ts'
import { isMethod } from '../../methods/methods.ts'
import { openAlarms } from '../../toolkit/alarms.ts'
import { notAnswered } from '../../toolkit/check-connection.ts'
import { checkServed } from '../../toolkit/settings/check-served.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { createStripeApi } from './api.ts'
import { createStripeChannels } from './channel.ts'
import { stripeMethods } from './payment-methods.ts'
import { listIn } from './wire.ts'

export const stripe: Protocol = (settings, tools) => {
  const { clock, timeoutMs, log, isLive = false } = tools
  checkServed(settings, Object.keys(stripeMethods).filter(isMethod))
  const served = settings.methods.flatMap((method) => {
    const found = stripeMethods[method]
    return found === undefined ? [] : [{ method, found }]
  })
  const url = urlSetting(settings)
  const api = createStripeApi({
    url,
    secretKey: keySetting(settings, isLive && new URL(url).hostname === STRIPE_HOST),
    http: httpSettings(settings),
  })
  const store = tools.storeOf(settings.name)
  const channelOf = createStripeChannels({
    name: settings.name,
    api,
    store,
    alarms: openAlarms(store, tools),
    log,
    webhookSecret: webhookSetting(settings),
    types: served.map(({ found }) => found.type),
    timeoutMs,
    clock,
  })
  return {
    channels: served.map(({ method, found }) => channelOf(method, found)),
    async check(signal) {
      return readCheck(await api.get('/payment_intents', { limit: '1' }, signal), isLive)
    },
  }
}

/** Returns the URL with the API version, which the setting may leave out: Stripe's documents use both forms. */
function urlSetting(settings: ChannelSettings): string {
  const url = addressSetting(settings, 'url')
  return url.endsWith('/v1') ? url : `${url}/v1`
}

const STRIPE_HOST = 'api.stripe.com'

/** If `mustBeLive`, test and publishable keys are refused. With a test key, payments would bring no money. */
function keySetting(settings: ChannelSettings, mustBeLive: boolean): string {
  const key = textSetting(settings, 'secretKey')
  if (mustBeLive && /^(sk_test_|rk_test_|pk_)/.test(key))
    throw new SettingError(
      `channel ${settings.name}: "secretKey" must be a secret or restricted key of Stripe's live mode`,
    )
  return key
}

/**
 * Returns the signing secret of webhooks. If another secret of the dashboard were used, every event would be refused.
 * If the secret were only the prefix, anybody could sign events.
 */
function webhookSetting(settings: ChannelSettings): string {
  const secret = textSetting(settings, 'webhookSecret')
  if (/^whsec_\S{16,}$/.test(secret)) return secret
  throw new SettingError(
    `channel ${settings.name}: "webhookSecret" must be whsec_ and at least 16 characters: it is the signing secret of the endpoint in Stripe's dashboard`,
  )
}

function readCheck(reply: Reply, isLive: boolean): Checked {
  if (reply.kind !== 'answer') return notAnswered('Stripe', reply.why, 'Check "url".')
  if (reply.status === 200 && isLive && listIn(reply)?.list[0]?.livemode === false)
    return wrong('"secretKey" is of Stripe\'s test mode: copy the one of live mode from the dashboard.')
  if (reply.status === 200) return { isRight: true, message: 'Stripe listed payments with this secret key.' }
  if (reply.status === 401)
    return wrong('Stripe does not accept "secretKey": copy it again from the dashboard.')
  if (reply.status === 403)
    return wrong(
      '"secretKey" may not read payments: give the key write permission for payments, refunds and disputes.',
    )
  return wrong(`Stripe responded ${reply.status}. Check "url".`)
}

function wrong(message: string): Checked {
  return { isRight: false, message }
}
