// What the transfers that lie deep enough are worth. A shallow one may still be taken back, so it is no money yet.
import type { BankCharge } from '../bank/charge.ts'
import type { Deposit } from '../contract.ts'
import { worthDown } from './coin-amount.ts'
import { type CryptoSettings, readQuote } from './quote.ts'
import { readTransfers, type Transfer } from './transfers.ts'

/** In the order's currency: all the coin that was asked for is the order's amount, a part of it as much in proportion. */
export function depositsOf(charge: BankCharge, settings: CryptoSettings): Deposit[] | undefined {
  const transfers = readTransfers(charge)
  if (transfers === undefined || transfers.length === 0) return transfers && []
  const quote = readQuote(charge, settings.addresses)
  if (quote === undefined) return undefined
  const needed = settings.confirmations[quote.network]
  const deep = transfers.filter(({ confirmations }) => confirmations >= needed)
  const worth = worthDown(
    deep.map(({ units }) => units),
    quote,
  )
  const { currency } = quote.money
  // What is worth less than the smallest unit counts with the next.
  return deep.flatMap((transfer, at) => toDeposit(transfer, { amount: worth[at] ?? 0n, currency }))
}

function toDeposit(transfer: Transfer, money: Deposit['money']): Deposit[] {
  const { txHash, logIndex, at, from, gasFee } = transfer
  if (money.amount === 0n) return []
  const about = { ...(from !== undefined && { payerAccount: from }), ...(gasFee !== undefined && { gasFee }) }
  return [{ depositRef: `${txHash}-${logIndex}`, money, at, txHash, ...about }]
}
