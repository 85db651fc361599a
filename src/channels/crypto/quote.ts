// Checks a charge of the chain watcher. The watcher reads the chain and quotes prices; we compute address and amount again,
// and no payer sees a charge that differs.
import { type Money, parseRate } from '../../base/money.ts'
import { appUrlOf } from '../bank/app-url.ts'
import type { BankCharge } from '../bank/charge.ts'
import type { PayerAction } from '../contract.ts'
import type { AddressBook } from './address.ts'
import { type Coin, chainIds, coinDecimals, contractOf, type Network, readCoin, readNetwork } from './coin.ts'
import { coinUnitsUp, formatCoin } from './coin-amount.ts'
import { paymentUri } from './payment-uri.ts'
import { readTransfers } from './transfers.ts'

export type CryptoSettings = {
  readonly addresses: AddressBook
  /** Confirmations that a transfer needs before it counts. */
  readonly confirmations: Readonly<Record<Network, number>>
}

export type Quote = {
  readonly coin: Coin
  readonly network: Network
  readonly address: string
  readonly money: Money
  /** The requested amount in the coin's smallest unit. */
  readonly units: bigint
}

/** Undefined when a part is missing or wrong. */
export function readQuote(charge: BankCharge, addresses: AddressBook): Quote | undefined {
  const { money, account: address, extra } = charge
  const coin = readCoin(extra.coin)
  const network = readNetwork(extra.network)
  const price = typeof extra.price === 'string' ? parseRate(extra.price) : undefined
  if (!coin || !network || !price || !money || !address) return undefined
  const units = coinUnitsUp(money, coinDecimals[coin], price)
  const isOurs = typeof extra.index === 'number' && addresses.at(extra.index) === address
  return isOurs && extra.coinUnits === units.toString() ? { coin, network, address, money, units } : undefined
}

export function actionOf(
  charge: BankCharge,
  { addresses, confirmations }: CryptoSettings,
): PayerAction | undefined {
  const quote = readQuote(charge, addresses)
  const contract = quote && contractOf(quote.coin, quote.network)
  const transfers = readTransfers(charge)
  if (quote === undefined || contract === undefined || transfers === undefined) return undefined
  const { coin, network, address: account, units } = quote
  const needed = confirmations[network]
  const unconfirmed = transfers.map((transfer) => transfer.confirmations).filter((depth) => depth < needed)
  return {
    kind: 'crypto',
    account,
    coin,
    network,
    coinAmount: formatCoin(units, coinDecimals[coin]),
    qrCode: paymentUri({ contract, chainId: chainIds[network], address: account, units }),
    confirmationsNeeded: needed,
    ...(unconfirmed.length > 0 && { confirmations: Math.min(...unconfirmed) }),
    ...appUrlOf(charge),
  }
}
