// The protocol `stp`: payments, refunds and payouts by SPEI through STP, a participant of SPEI. Settings: url, empresa,
// privateKey, clabePrefix, ordenanteClabe, ordenanteName. Optional setting: callbackSecret.

import { createSingleFlight } from '../../../platform/concurrency/single-flight.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Callback } from '../../contract/channel.ts'
import type { Checked, Protocol } from '../../contract/protocol.ts'
import { addressSetting, type ChannelSettings, textSetting } from '../../contract/settings.ts'
import { openAlarms } from '../../toolkit/alarms.ts'
import { notAnswered } from '../../toolkit/check-connection.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { isClabe, isClabePrefix } from '../../toolkit/formats/clabe.ts'
import { createPaidWatcher, joinWatchers } from '../../toolkit/records/paid-payouts.ts'
import { checkServed } from '../../toolkit/settings/check-served.ts'
import { httpSettings } from '../../toolkit/settings/http-settings.ts'
import { keySetting } from '../../toolkit/settings/key-settings.ts'
import { createStpApi, NO_ORDERS, type StpApi } from './api.ts'
import { type Asked, readStpCallback } from './callback.ts'
import { createStpChannel } from './channel.ts'
import { createLists } from './lists.ts'
import { createOrders } from './orders.ts'
import { createPayments } from './payments.ts'
import { createStpRail } from './rail.ts'
import { createRefunds } from './refunds.ts'
import { createWatcher } from './watcher.ts'

export const stp: Protocol = (settings, tools) => {
  checkServed(settings, ['spei'], ['spei'])
  const { name } = settings
  const { clock, timeoutMs, alarm } = tools
  const store = tools.storeOf(name)
  const account = { clabe: clabeSetting(settings), name: textSetting(settings, 'ordenanteName') }
  const clabePrefix = prefixSetting(settings)
  const api = createStpApi({
    url: addressSetting(settings, 'url'),
    empresa: textSetting(settings, 'empresa'),
    privateKey: keySetting(settings, 'privateKey', 'private'),
    http: httpSettings(settings),
  })
  const orders = createOrders({ api, store, clock, account })
  const ownClabe = account.clabe
  const payments = createPayments({ store, clabePrefix, ownClabe, payee: account.name, alarm })
  const callbackSecret =
    settings.callbackSecret === undefined ? undefined : textSetting(settings, 'callbackSecret')
  const lists = createLists({ api, clock, timeoutMs, isSecret: callbackSecret !== undefined })
  const deposits = { lists, store, payments, clabePrefix, ownClabe, clock }
  const alarms = openAlarms(store, tools)
  const refunds = createRefunds({ payments, orders, store })
  const questions = createSingleFlight<Asked>()
  const parts = { ...deposits, orders, questions, refunds, callbackSecret }
  const readCallback = (callback: Callback) =>
    withDeadline(timeoutMs, (signal) => readStpCallback(callback, parts, signal))
  const rail = createStpRail({ name, orders, tools, readCallback })
  return {
    channels: settings.methods.map(() =>
      createStpChannel({ name, payments, refunds, readCallback, timeoutMs }),
    ),
    ...(settings.payoutKinds.length > 0 && { rail }),
    check: async (signal) => advise(settings, await check(api, signal)),
    watcher: joinWatchers([
      ...(settings.methods.length > 0 ? [createWatcher({ ...deposits, alarms })] : []),
      createPaidWatcher({ store, clock, alarm, ask: rail.ask }),
    ]),
  }
}

function clabeSetting(settings: ChannelSettings): string {
  const clabe = textSetting(settings, 'ordenanteClabe')
  if (isClabe(clabe)) return clabe
  throw new SettingError(`channel ${settings.name}: "ordenanteClabe" must be a CLABE`)
}

function prefixSetting(settings: ChannelSettings): string {
  const prefix = textSetting(settings, 'clabePrefix')
  if (isClabePrefix(prefix)) return prefix
  throw new SettingError(
    `channel ${settings.name}: "clabePrefix" must be the 7 to 13 digits that STP gave you: 646180 and your company's`,
  )
}

/** Asks about an order that does not exist. STP answers "nothing found" only if our signature is right. */
async function check(api: StpApi, signal: AbortSignal): Promise<Checked> {
  const reply = await api.findSent('CHECK0', undefined, signal)
  if (reply.kind === 'result' && reply.id === NO_ORDERS)
    return { isRight: true, message: 'STP answered, and accepted our signature.' }
  if (reply.kind === 'unsent' || reply.kind === 'unknown')
    return notAnswered('STP', reply.why, `Check "url", and that STP lets this machine's address in.`)
  return {
    isRight: false,
    message: 'STP refused the question: check "empresa" and "privateKey", and that STP has its certificate.',
  }
}

/**
 * Adds the advice to set "callbackSecret". Without a secret in the URL, strangers can cause queries to STP and thereby
 * delay real webhooks. They cannot fake a deposit, because a query to STP verifies every webhook.
 */
function advise({ methods, callbackSecret }: ChannelSettings, checked: Checked): Checked {
  if (callbackSecret !== undefined || methods.length === 0) return checked
  const advice = 'Set "callbackSecret": without it anybody may send messages, and deposits may count later.'
  return { ...checked, message: `${checked.message} ${advice}` }
}
