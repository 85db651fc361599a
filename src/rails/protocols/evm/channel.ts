// Payments in the coins of one chain. The channel calls no node: a payment gets its address from the account's public
// key, and its outcome from the records of the watcher. While the chain cannot be read, the channel opens and cancels
// no payment, because a payer who pays during that time must not find the order closed.
import type { Clock } from '../../../platform/base/clock.ts'
import type { Money, Rate } from '../../../platform/base/money.ts'
import type {
  AttemptRef,
  Channel,
  ChannelTraits,
  Failed,
  Outcome,
  StartRequest,
} from '../../contract/channel.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { crypto } from '../../methods/crypto.ts'
import { coinUnitsUp } from '../../toolkit/coin-amount.ts'
import { failed, notSent, unknown } from '../../toolkit/outcomes.ts'
import { isPaid, type Known, outcomeOf, priceIn } from './outcome.ts'
import {
  type Charge,
  coinKey,
  findCharge,
  findProgress,
  isOfChain,
  readTransfer,
  toCharge,
  toWatch,
} from './records.ts'
import { refundFrom } from './refunds.ts'
import type { EvmCoin, EvmSettings } from './settings.ts'

export type EvmChannelOptions = {
  readonly name: string
  readonly settings: EvmSettings
  readonly store: ChannelStore
  readonly clock: Clock
  readonly timeoutMs: number
  readonly rateOf: (from: string, to: string) => Rate | undefined
}

const DAY_MS = 86_400_000
/** The chain counts as readable for this time after a polling round has read up to a current head. */
const FRESH_MS = 120_000

export function createEvmChannel(options: EvmChannelOptions): Channel {
  const { name, settings, store, clock, timeoutMs } = options

  async function start(request: StartRequest): Promise<Outcome> {
    const known = await findCharge(store, request.reference)
    if (known !== undefined) return outcome(known)
    const coin = coinOf(settings, request.details)
    const price = coin && priceIn(request.money.currency, coin, options.rateOf)
    if (coin === undefined || price === undefined) return refused(coin, request.money)
    if (!(await isFresh(coin))) return unreachable
    const index = await store.numberOf(request.reference)
    const address = settings.addresses.at(index)
    if (address === undefined) return refused(coin, request.money)
    const { reference, money } = request
    const units = coinUnitsUp(money, coin.decimals, price)
    const charge: Charge = { reference, coin: coin.name, index, address, units, ...money, isCancelled: false }
    const until = new Date(request.expiresAt.getTime() + settings.watchDays * DAY_MS)
    await store.write([{ add: toCharge(charge) }, { add: toWatch(charge, until) }])
    return ask(request)
  }

  /**
   * True if the watcher, perhaps in another process, has read the chain recently and has compared the coin's decimals.
   */
  async function isFresh(coin: EvmCoin | undefined): Promise<boolean> {
    const progress = await findProgress(store)
    if (progress === undefined || !isOfChain(progress, settings)) return false
    if (coin !== undefined && progress.coins?.includes(coinKey(coin)) === false) return false
    return clock.now().getTime() - progress.readAt.getTime() < FRESH_MS
  }

  async function know(charge: Charge): Promise<Known> {
    const { reference } = charge
    const [transfers, seen, progress] = await Promise.all([
      store.listOf('transfer', reference),
      store.listOf('seen', reference),
      findProgress(store),
    ])
    const counted = transfers.map(readTransfer)
    return { charge, transfers: counted, seen: seen.map(readTransfer), head: progress?.head ?? 0 }
  }

  async function outcome(charge: Charge): Promise<Outcome> {
    return outcomeOf(settings, await know(charge))
  }

  async function ask(request: AttemptRef): Promise<Outcome> {
    const charge = (await findCharge(store, request.reference)) ?? (await close(request))
    return outcome(charge)
  }

  /** Records a cancelled charge, so that a late `start` cannot open the payment. */
  async function close({ reference, money }: AttemptRef): Promise<Charge> {
    const nothing = { coin: '', index: 0, address: '', units: 0n }
    const closed: Charge = { reference, ...nothing, ...money, isCancelled: true }
    await store.write([{ add: toCharge(closed) }])
    return (await findCharge(store, reference)) ?? closed
  }

  /**
   * Cancels the payment, unless a transfer waits for finality. Such a transfer keeps the payment open until it counts
   * or a reorg removes it.
   */
  async function cancel(request: AttemptRef): Promise<Outcome> {
    const charge = (await findCharge(store, request.reference)) ?? (await close(request))
    if (charge.isCancelled) return outcome(charge)
    const known = await know(charge)
    if (known.seen.length > 0 || isPaid(settings, known)) return outcomeOf(settings, known)
    if (!(await isFresh(settings.coins.get(charge.coin)))) return blind
    const cancelled = { ...charge, isCancelled: true }
    await store.write([{ put: toCharge(cancelled) }])
    return outcome(cancelled)
  }

  return {
    name,
    method: 'crypto',
    traits: traitsOf(settings, timeoutMs),
    start,
    complete: ask,
    ask,
    cancel,
    refund: (request) => refundFrom({ settings, store }, request),
  }
}

/** Returns the traits. The payer can choose only the coins and the network of this channel. */
function traitsOf({ network, coins, outgoing }: EvmSettings, timeoutMs: number): ChannelTraits {
  const serves = { coin: [...coins.keys()], network: [network] }
  const named = (value: string) => ({ value, label: value })
  const asks = crypto.asks.map((field) => ({
    ...field,
    maxLength: 20,
    choices: serves[field.name].map(named),
  }))
  return { ...crypto, asks, serves, refundable: outgoing !== undefined, timeoutMs }
}

/** Returns the coin that the payer chose. Undefined if the channel does not have this coin or this network. */
function coinOf(
  { network, coins }: EvmSettings,
  details: Readonly<Record<string, unknown>>,
): EvmCoin | undefined {
  if (details.network !== network || typeof details.coin !== 'string') return undefined
  return coins.get(details.coin)
}

function refused(coin: EvmCoin | undefined, { currency }: Money): Failed {
  if (coin === undefined) return notSent('The channel does not take this coin')
  return notSent(`There is no price of ${coin.name} in ${currency}`)
}

const unreachable: Failed = failed('unreachable', 'The chain cannot be read at the moment')

const blind = unknown('the chain cannot be read at the moment')
