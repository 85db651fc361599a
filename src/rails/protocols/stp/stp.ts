// The protocol of STP, a participant of SPEI. Settings: url, empresa, privateKey, clabePrefix, ordenanteClabe, ordenanteName;
// optionally callbackSecret.

import { createSingleFlight } from '../../concurrency/single-flight.ts'
import { SettingError } from '../../errors/catalogue.ts'
import { openAlarms } from '../alarms.ts'
import type { Callback } from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import { httpSettings } from '../http-settings.ts'
import { keySetting } from '../key-setting.ts'
import { notAnswered } from '../not-answered.ts'
import type { PayoutFailed, PayoutRail, PayoutRequest } from '../payout/contract.ts'
import { createPaidWatcher, joinWatchers } from '../payout/paid-payouts.ts'
import type { Checked, Protocol } from '../protocol.ts'
import { addressSetting, type ChannelSettings, type ChannelTools, textSetting } from '../settings.ts'
import { isClabe } from '../spei/clabe.ts'
import { createLists } from './lists.ts'
import { isClabePrefix } from './order-clabe.ts'
import { createOrders, type Orders } from './orders.ts'
import { createPayments } from './payments.ts'
import { type Asked, readStpCallback } from './read-callback.ts'
import { createRefunds } from './refunds.ts'
import { createStpApi, NO_ORDERS, type StpApi } from './stp-api.ts'
import { createStpChannel } from './stp-channel.ts'
import { createWatcher } from './watcher.ts'

export const stp: Protocol = (settings, tools) => {
  checkServed(settings)
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

function checkServed({ name, methods, payoutKinds }: ChannelSettings): void {
  if (methods.every((one) => one === 'spei') && payoutKinds.every((one) => one === 'spei')) return
  throw new SettingError(`channel ${name}: the protocol stp serves spei, payout_spei only`)
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

type RailParts = {
  readonly name: string
  readonly orders: Orders
  readonly tools: Pick<ChannelTools, 'reference' | 'timeoutMs'>
  readonly readCallback: NonNullable<PayoutRail['readCallback']>
}

function createStpRail({ name, orders, tools, readCallback }: RailParts): PayoutRail {
  const { timeoutMs, reference: lists } = tools
  const bankOf = ({ beneficiary: { account, details } }: PayoutRequest) => {
    const { bankCode } = details
    if (typeof bankCode === 'string' && /^\d{5}$/.test(bankCode)) return bankCode
    const codes = ['40', '90'].map((head) => head + account.slice(0, 3))
    return codes.find((code) => lists.find('banks/spei', code) !== undefined) ?? codes[0] ?? ''
  }
  return {
    name,
    kinds: ['spei'],
    currencies: ['MXN'],
    timeoutMs,
    tokenise: async () => notSent('SPEI pays to CLABEs, not to card numbers'),
    async send(request) {
      const { reference, money, beneficiary } = request
      const { account: clabe, details } = beneficiary
      if (!isClabe(clabe)) return notSent('The account is not a CLABE')
      const holder = [details.benFirstName, details.benLastName]
        .filter((one) => typeof one === 'string')
        .join(' ')
      const bank = bankOf(request)
      const transfer = { reference, purpose: 'payout', money, clabe, bank, name: holder } as const
      return withDeadline(timeoutMs, (signal) => orders.send(transfer, signal))
    },
    ask: (reference) => withDeadline(timeoutMs, (signal) => orders.ask(reference, signal)),
    readCallback,
  }
}

/** Asks about an order that does not exist: only with a right signature STP says that there is none. */
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

/** Nothing is believed without asking STP, but strangers may cause questions, and then messages wait for one another. */
function advise({ methods, callbackSecret }: ChannelSettings, checked: Checked): Checked {
  if (callbackSecret !== undefined || methods.length === 0) return checked
  const advice = 'Set "callbackSecret": without it anybody may send messages, and deposits may count later.'
  return { ...checked, message: `${checked.message} ${advice}` }
}

function notSent(message: string): PayoutFailed {
  return { kind: 'failed', cause: 'refused', isLocal: true, message }
}
