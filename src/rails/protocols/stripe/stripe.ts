// The protocol of Stripe. Settings: url, secretKey, webhookSecret.

import { SettingError } from '../../errors/catalogue.ts'
import { openAlarms } from '../alarms.ts'
import { httpSettings } from '../http-settings.ts'
import type { Method } from '../method.ts'
import { notAnswered } from '../not-answered.ts'
import type { Checked, Protocol } from '../protocol.ts'
import { addressSetting, type ChannelSettings, textSetting } from '../settings.ts'
import type { Reply } from '../transport.ts'
import { type StripeMethod, stripeMethod, stripeMethods } from './payment-methods.ts'
import { createStripeApi } from './stripe-api.ts'
import { createStripeChannels } from './stripe-channel.ts'
import { listIn } from './wire.ts'

export const stripe: Protocol = (settings, tools) => {
  const { clock, timeoutMs, log, isLive = false } = tools
  const served = settings.methods.map((method) => [method, servedBy(settings, method)] as const)
  if (settings.payoutKinds.length > 0) throw notServed(settings)
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
    types: served.map(([, { type }]) => type),
    timeoutMs,
    clock,
  })
  return {
    channels: served.map(([method, found]) => channelOf(method, found)),
    async check(signal) {
      return readCheck(await api.get('/payment_intents', { limit: '1' }, signal), isLive)
    },
  }
}

/** With or without the version, as Stripe's own documents write it both ways. */
function urlSetting(settings: ChannelSettings): string {
  const url = addressSetting(settings, 'url')
  return url.endsWith('/v1') ? url : `${url}/v1`
}

const STRIPE_HOST = 'api.stripe.com'

/** With a key of test mode every payment succeeds, and none brings money. */
function keySetting(settings: ChannelSettings, mustBeLive: boolean): string {
  const key = textSetting(settings, 'secretKey')
  if (mustBeLive && /^(sk_test_|rk_test_|pk_)/.test(key))
    throw new SettingError(
      `channel ${settings.name}: "secretKey" must be a secret or restricted key of Stripe's live mode`,
    )
  return key
}

/** Other secrets of the dashboard look alike, and every event would be refused. */
function webhookSetting(settings: ChannelSettings): string {
  const secret = textSetting(settings, 'webhookSecret')
  if (secret.startsWith('whsec_')) return secret
  throw new SettingError(
    `channel ${settings.name}: "webhookSecret" must begin with whsec_: it is the signing secret of the endpoint in Stripe's dashboard`,
  )
}

function servedBy(settings: ChannelSettings, method: Method): StripeMethod {
  const found = stripeMethod(method)
  if (found === undefined) throw notServed(settings)
  return found
}

function notServed({ name }: ChannelSettings): SettingError {
  return new SettingError(`channel ${name}: the protocol stripe serves ${stripeMethods.join(', ')} only`)
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
