// Crypto over the bridge, which watches the chain and quotes prices. Settings: "url" and "secret" of the bridge,
// "xpub", and "confirmations", the required confirmations per network.
//
// The gateway computes every address and amount again before a payer sees it. A transfer counts as a deposit only once
// it has enough confirmations, because before that a reorg can still reverse it.
import { type Money, parseRate } from '../../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../../platform/base/object.ts'
import { SettingError } from '../../../../platform/errors/catalogue.ts'
import type { Deposit, PayerAction } from '../../../contract/channel.ts'
import type { Connect, NamedSettings } from '../../../contract/settings.ts'
import {
  type Coin,
  chainIds,
  coinDecimals,
  contractOf,
  type Network,
  networks,
  readCoin,
  readNetwork,
} from '../../../methods/crypto.ts'
import { coinUnitsUp, formatCoin, worthDown } from '../../../toolkit/coin-amount.ts'
import { type AddressBook, paymentUri } from '../../../toolkit/formats/chain-address.ts'
import { readTime } from '../../../toolkit/read-time.ts'
import { addressBookSetting } from '../../../toolkit/settings/key-settings.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge } from '../bank/charge.ts'

export const connectCrypto: Connect = (settings, tools) => {
  const ours: CryptoSettings = { addresses: addressBookSetting(settings), confirmations: depthsOf(settings) }
  const connect = connectBank({
    method: 'crypto',
    reports: 'deposits',
    toOpen: ({ details: { coin, network } }) => ({ coin, network }),
    actionOf: (charge) => actionOf(charge, ours),
    depositsOf: (charge) => depositsOf(charge, ours),
  })
  return connect(settings, tools)
}

function depthsOf(settings: NamedSettings): Record<Network, number> {
  const { confirmations } = settings
  const depth = (network: Network) => {
    const value = isObject(confirmations) ? confirmations[network] : undefined
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
    throw new SettingError(
      `channel ${settings.name}: "confirmations" must have a number for ${networks.join(' and ')}`,
    )
  }
  return { ERC20: depth('ERC20'), POLYGON: depth('POLYGON') }
}

type CryptoSettings = {
  readonly addresses: AddressBook
  readonly confirmations: Readonly<Record<Network, number>>
}

type Quote = {
  readonly coin: Coin
  readonly network: Network
  readonly address: string
  readonly money: Money
  /** The requested amount in the coin's smallest unit. */
  readonly units: bigint
}

/**
 * Reads the quote in a charge. Undefined if a part is missing, or if the address or the amount is not the one that we
 * computed.
 */
function readQuote(charge: BankCharge, addresses: AddressBook): Quote | undefined {
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

/**
 * Returns the confirmed transfers as deposits in the order's currency. The requested amount of coin is worth the
 * order's amount, and any other amount of coin is worth a proportional amount.
 */
export function depositsOf(charge: BankCharge, settings: CryptoSettings): Deposit[] | undefined {
  const transfers = readTransfers(charge)
  if (transfers === undefined || transfers.length === 0) return transfers && []
  const quote = readQuote(charge, settings.addresses)
  if (quote === undefined) return undefined
  const needed = settings.confirmations[quote.network]
  const confirmed = transfers.filter(({ confirmations }) => confirmations >= needed)
  const worth = worthDown(
    confirmed.map(({ units }) => units),
    quote,
  )
  const { currency } = quote.money
  // A transfer that is worth less than the currency's minor unit is no deposit of its own, but counts with the next
  // one.
  return confirmed.flatMap((transfer, at) => toDeposit(transfer, { amount: worth[at] ?? 0n, currency }))
}

function toDeposit(transfer: Transfer, money: Deposit['money']): Deposit[] {
  const { txHash, logIndex, at, from, gasFee } = transfer
  if (money.amount === 0n) return []
  const about = { ...(from !== undefined && { payerAccount: from }), ...(gasFee !== undefined && { gasFee }) }
  return [{ depositRef: `${txHash}-${logIndex}`, money, at, txHash, ...about }]
}

type Transfer = {
  readonly txHash: string
  /** The index of the transfer's event: one transaction may contain several transfers. */
  readonly logIndex: number
  readonly units: bigint
  readonly confirmations: number
  readonly at: Date
  readonly from?: string
  /** The fee in the network's own coin. */
  readonly gasFee?: string
}

const MAX_TRANSFERS = 200

/**
 * Returns the transfers. One malformed transfer invalidates the whole list, because skipping the transfer would lose
 * money.
 */
function readTransfers({ extra }: BankCharge): Transfer[] | undefined {
  const { transfers: list = [] } = extra
  if (!Array.isArray(list) || list.length > MAX_TRANSFERS) return undefined
  const transfers = list.flatMap((entry) => (isObject(entry) ? (readTransfer(entry) ?? []) : []))
  return transfers.length === list.length ? transfers : undefined
}

function readTransfer({
  txHash,
  logIndex,
  units,
  confirmations,
  at,
  from,
  gasFee,
}: Fields): Transfer | undefined {
  if (typeof txHash !== 'string' || !/^0x[0-9a-f]{64}$/.test(txHash) || !isCount(logIndex)) return undefined
  if (typeof units !== 'string' || !/^[1-9]\d{0,30}$/.test(units) || !isCount(confirmations)) return undefined
  const time = readTime(at)
  if (time === undefined) return undefined
  return {
    txHash,
    logIndex,
    units: BigInt(units),
    confirmations,
    at: time,
    ...(typeof from === 'string' && /^0x[0-9a-fA-F]{40}$/.test(from) && { from }),
    ...(typeof gasFee === 'string' && /^\d{1,9}(\.\d{1,18})?$/.test(gasFee) && { gasFee }),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
