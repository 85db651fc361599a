// Computes the balance of every ledger account (credits less debits) from the facts of the model. All accounts of a
// merchant in one currency, including the accounts of the channels, sum to zero.
import type { Model, Order, Payout, Shop } from './facts.ts'
import { convertDown } from './money.ts'
import { availableWorth, chargedBackOf, isInFlight } from './orders.ts'

/** Balances that are not zero, by `merchant account currency`. */
export type Accounts = Map<string, bigint>

export function accountsOf(model: Model): Accounts {
  const accounts: Accounts = new Map()
  const add = (merNo: number, account: string, currency: string, amount: bigint) => {
    const key = `${merNo} ${account} ${currency}`
    accounts.set(key, (accounts.get(key) ?? 0n) + amount)
  }
  for (const order of model.orders) addOrder(order, add)
  for (const payout of model.payouts) addPayout(payout, add)
  // Only held money counts here: accepted money is part of its order (addOrder).
  for (const { merNo, channel, currency, amount, state } of model.suspense) {
    if (state !== 'held') continue
    add(merNo, `rail:${channel}`, currency, -amount)
    add(merNo, 'suspense', currency, amount)
  }
  for (const { merNo, from, to, currency, amount } of model.corrections) {
    add(merNo, from, currency, -amount)
    add(merNo, to, currency, amount)
  }
  for (const [key, amount] of accounts) if (amount === 0n) accounts.delete(key)
  return accounts
}

type Add = (merNo: number, account: string, currency: string, amount: bigint) => void

function addOrder(order: Order, add: Add): void {
  const { shop, method, currency, settleCurrency, money, refunds, chargebacks } = order
  const post = (account: string, amount: bigint) => add(shop.merNo, account, currency, amount)
  // The money of a payment in review does not belong to the merchant yet.
  if (order.standing === 'in review') {
    post(`rail:${method}`, -order.price)
    post('transit:review', order.price)
  }
  if (money === undefined) return
  post(`rail:${method}`, chargedBackOf(order) - money.amount)
  post('platform:fees', money.fees)
  for (const { state, amount, fee, cameBack } of refunds) {
    if (state === 'failed') continue
    post('platform:fees', fee)
    if (isInFlight(state)) post('transit:refunds', amount)
    else post(`rail:${method}`, amount - (state === 'returned' ? cameBack : 0n))
  }
  for (const { fee } of chargebacks) post('platform:fees', fee)
  post('merchant:unsettled', money.unsettled)
  post('merchant:margin', money.held)
  if (settleCurrency === currency) {
    post('merchant:available', money.available)
    return
  }
  // The rounding difference of a conversion stays in the exchange accounts of the two currencies.
  post('platform:exchange', money.available)
  const worth = availableWorth(order)
  add(shop.merNo, 'platform:exchange', settleCurrency, -worth)
  add(shop.merNo, 'merchant:available', settleCurrency, worth)
}

function addPayout(payout: Payout, add: Add): void {
  const { shop, currency, amount, fee, funding, rail, state, cameBack } = payout
  if (state === 'failed') return
  const post = (account: string, sum: bigint) => add(shop.merNo, account, currency, sum)
  const isOwn = funding.currency === currency
  add(shop.merNo, 'merchant:available', funding.currency, -funding.amount)
  if (!isOwn) {
    add(shop.merNo, 'platform:exchange', funding.currency, funding.amount)
    post('platform:exchange', -amount - fee)
  }
  if (state !== 'succeeded' && state !== 'returned') {
    post('transit:payouts', amount + fee)
    return
  }
  post(`rail:${rail}`, amount)
  post('platform:fees', fee)
  if (state !== 'returned') return
  // The money that came back is credited at the payout's own rate, rounded down. The rail kept the money that did not
  // come back.
  post(`rail:${rail}`, -cameBack)
  if (isOwn) {
    post('merchant:available', cameBack)
    return
  }
  const worth = convertDown(cameBack, currency, funding.currency, funding.rate)
  post('platform:exchange', cameBack)
  add(shop.merNo, 'platform:exchange', funding.currency, -worth)
  add(shop.merNo, 'merchant:available', funding.currency, worth)
}

/** A merchant's own balances in each currency. */
export type Balances = ReadonlyMap<string, { readonly available: bigint; readonly unsettled: bigint }>

export function balancesOf(model: Model, { merNo }: Shop): Balances {
  const balances = new Map<string, { available: bigint; unsettled: bigint }>()
  for (const [key, amount] of accountsOf(model)) {
    const [owner, account, currency = ''] = key.split(' ')
    if (owner !== String(merNo)) continue
    const own = balances.get(currency) ?? { available: 0n, unsettled: 0n }
    if (account === 'merchant:available') balances.set(currency, { ...own, available: amount })
    if (account === 'merchant:unsettled') balances.set(currency, { ...own, unsettled: amount })
  }
  return balances
}

export function availableIn(balances: Balances, currency: string): bigint {
  return balances.get(currency)?.available ?? 0n
}
