// Turns confirmed transfers into deposits. A transfer without enough confirmations can still be reversed, so it is ignored.
import type { BankCharge } from '../bank/charge.ts'
import type { Deposit } from '../contract.ts'
import { worthDown } from './coin-amount.ts'
import { type CryptoSettings, readQuote } from './quote.ts'
import { readTransfers, type Transfer } from './transfers.ts'

/** In the order's currency: the requested coin amount is worth the order's amount, and a part of it in proportion. */
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
  // A transfer below the smallest unit is counted with the next one.
  return confirmed.flatMap((transfer, at) => toDeposit(transfer, { amount: worth[at] ?? 0n, currency }))
}

function toDeposit(transfer: Transfer, money: Deposit['money']): Deposit[] {
  const { txHash, logIndex, at, from, gasFee } = transfer
  if (money.amount === 0n) return []
  const about = { ...(from !== undefined && { payerAccount: from }), ...(gasFee !== undefined && { gasFee }) }
  return [{ depositRef: `${txHash}-${logIndex}`, money, at, txHash, ...about }]
}
