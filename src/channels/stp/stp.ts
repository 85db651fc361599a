// The protocol of STP, a participant of SPEI. Settings: url, empresa, privateKey, clabePrefix, ordenanteClabe, ordenanteName;
// callbackSecret, which only payouts and tests may leave out.

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
import { readStpCallback } from './read-callback.ts'
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
  const callbackSecret = secretSetting(settings, tools)
  const lists = createLists({ api, clock, timeoutMs })
  const deposits = { lists, store, payments, clabePrefix, ownClabe, clock }
  const alarms = openAlarms(store, tools)
  const refunds = createRefunds({ payments, orders, store })
  const parts = { ...deposits, orders, refunds, callbackSecret }
  const readCallback = (callback: Callback) =>
    withDeadline(timeoutMs, (signal) => readStpCallback(callback, parts, signal))
  const rail = createStpRail({ name, orders, tools, readCallback })
  return {
    channels: settings.methods.map(() =>
      createStpChannel({ name, payments, refunds, readCallback, timeoutMs }),
    ),
    ...(settings.payoutKinds.length > 0 && { rail }),
    check: (signal) => check(api, signal),
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
    `channel ${settings.name}: "clabePrefix" must be the 7 to 13 digits that STP gave you: 646, 180 and your company's`,
  )
}

/** Without it anybody who knows a CLABE could make us read STP's long lists. */
function secretSetting(settings: ChannelSettings, { isLive = false }: ChannelTools): string | undefined {
  const mayLack = !isLive || settings.methods.length === 0
  return settings.callbackSecret === undefined && mayLack
    ? undefined
    : textSetting(settings, 'callbackSecret')
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

function notSent(message: string): PayoutFailed {
  return { kind: 'failed', cause: 'refused', isLocal: true, message }
}
