// Turns the records of a payment into its outcome. These functions are pure: the same records give the same outcome in
// every process of the gateway.
import { decimalsOf, isCurrency } from '../../../platform/base/currency.ts'
import type { Money, Rate } from '../../../platform/base/money.ts'
import type { Deposit, Outcome, PayerAction } from '../../contract/channel.ts'
import { formatCoin, worthDown } from '../../toolkit/coin-amount.ts'
import { paymentUri, withChecksum } from '../../toolkit/formats/chain-address.ts'
import { cancelledWith, unknown } from '../../toolkit/outcomes.ts'
import { formatUnits } from './hex.ts'
import type { Charge, StoredTransfer } from './records.ts'
import type { EvmCoin, EvmSettings } from './settings.ts'

type OutcomeSettings = Pick<EvmSettings, 'network' | 'chainId' | 'confirmations' | 'coins'>

export type Known = {
  readonly charge: Charge
  /** Transfers in final blocks, in the order of the chain. */
  readonly transfers: readonly StoredTransfer[]
  /** Transfers in blocks that are not final, so that a reorg may still replace these blocks. */
  readonly seen: readonly StoredTransfer[]
  readonly head: number
}

const GAS_DECIMALS = 18
/**
 * If the chain itself reports finality, our pages show payers this number of required confirmations. On Ethereum,
 * finality takes two epochs of 32 blocks.
 */
const EPOCHS_CONFIRMATIONS = 64

/** Returns the price of one coin in the currency. Undefined if a rate is missing. */
export function priceIn(
  currency: string,
  coin: EvmCoin,
  rateOf: (from: string, to: string) => Rate | undefined,
): Rate | undefined {
  if (coin.price === undefined) return rateOf(coin.name, currency)
  const dollar = rateOf('USD', currency)
  if (dollar === undefined) return undefined
  return { digits: coin.price.digits * dollar.digits, scale: coin.price.scale + dollar.scale }
}

export function outcomeOf(settings: OutcomeSettings, known: Known): Outcome {
  const { charge } = known
  const deposits = depositsOf(settings, known)
  const channelRef = charge.address
  if (charge.isCancelled) return cancelledWith(channelRef, deposits)
  const coin = settings.coins.get(charge.coin)
  if (coin === undefined) return unknown(`the coin ${charge.coin} is missing in the channel's settings`)
  const action = actionOf(settings, coin, known)
  return deposits.length > 0
    ? { kind: 'received', channelRef, deposits, action }
    : { kind: 'pending', channelRef, action }
}

function actionOf(
  { network, chainId, confirmations }: OutcomeSettings,
  coin: EvmCoin,
  known: Known,
): PayerAction {
  const { address: account, units } = known.charge
  const contract = coin.token === 'native' ? coin.token : withChecksum(coin.token)
  const needed = typeof confirmations === 'number' ? confirmations : EPOCHS_CONFIRMATIONS
  const depths = known.seen.map(({ block }) => Math.max(0, known.head - block + 1))
  return {
    kind: 'crypto',
    account,
    coin: coin.name,
    network,
    coinAmount: formatCoin(units, coin.decimals),
    qrCode: paymentUri({ contract, chainId, address: account, units }),
    confirmationsNeeded: needed,
    ...(depths.length > 0 && { confirmations: Math.min(needed - 1, ...depths) }),
  }
}

/**
 * Returns the deposits. The requested units are worth exactly the order's amount, and a share of the units is worth the
 * same share of the amount. The running total is rounded down, and not each deposit. A transfer in another listed coin
 * becomes a deposit in that coin, if the coin is a currency of the ledger.
 */
export function depositsOf(settings: OutcomeSettings, { charge, transfers }: Known): Deposit[] {
  const { currency, units, amount } = charge
  const token = settings.coins.get(charge.coin)?.token
  const asked = transfers.filter((one) => one.token === token).sort(byCounting)
  const worth =
    units === 0n
      ? []
      : worthDown(
          asked.map((one) => one.units),
          { units, money: { amount, currency } },
        )
  // A transfer that is too small to raise the rounded total makes no deposit. Its worth becomes part of the next
  // deposit.
  const own = asked.flatMap((one, at) => toDeposit(one, { amount: worth[at] ?? 0n, currency }))
  const others = transfers.filter((one) => one.token !== token)
  return [...own, ...others.flatMap((one) => toDeposit(one, otherCoin(settings, one)))]
}

/**
 * Sorts a transfer that was found late after those that counted before, because their worth is booked and must not
 * change.
 */
function byCounting(one: StoredTransfer, other: StoredTransfer): number {
  const [after, otherAfter] = [one.countedAfter ?? one.block, other.countedAfter ?? other.block]
  const isLate = ({ countedAfter }: StoredTransfer) => Number(countedAfter !== undefined)
  return after - otherAfter || isLate(one) - isLate(other)
}

/**
 * True if the transfer does not count: its coin was not requested, and is either not listed or not a currency of the
 * ledger.
 */
export function isUncounted(settings: OutcomeSettings, charge: Charge, transfer: StoredTransfer): boolean {
  const isAsked = transfer.token === settings.coins.get(charge.coin)?.token
  return !isAsked && otherCoin(settings, transfer) === undefined
}

/**
 * Returns the amount in the transfer's own coin. Undefined if the coin is not listed or not a currency of the ledger. A
 * listed coin that was not requested does not pay the order, but goes to suspense.
 */
function otherCoin({ coins }: OutcomeSettings, { token, units }: StoredTransfer): Money | undefined {
  const coin = [...coins.values()].find((one) => one.token === token)
  if (coin === undefined || !isCurrency(coin.name)) return undefined
  const shift = coin.decimals.chain - decimalsOf(coin.name)
  const amount = shift >= 0 ? units / 10n ** BigInt(shift) : units * 10n ** BigInt(-shift)
  return { amount, currency: coin.name }
}

function toDeposit(transfer: StoredTransfer, money: Money | undefined): Deposit[] {
  const { txHash, place, at, from, gasFee } = transfer
  if (money === undefined || money.amount === 0n || at === undefined) return []
  return [
    {
      depositRef: `${txHash}-${place ?? 'value'}`,
      money,
      at,
      txHash,
      payerAccount: withChecksum(from),
      ...(gasFee !== undefined && { gasFee: formatUnits(gasFee, GAS_DECIMALS) }),
    },
  ]
}

export function isPaid(settings: OutcomeSettings, known: Known): boolean {
  const { amount, currency } = known.charge
  const own = depositsOf(settings, known).filter(({ money }) => money.currency === currency)
  return own.reduce((sum, { money }) => sum + money.amount, 0n) >= amount
}
