// Deposits as a channel reports them, and as merchants read them. Pure.
import { formatAmount } from '../../base/money.ts'
import type { Deposit, Outcome } from '../../channels/contract.ts'
import { isMethod, methods } from '../../channels/method.ts'
import type { Order } from '../../orders/order.ts'

export function depositsOf(outcome: Outcome): readonly Deposit[] {
  if (outcome.kind === 'received') return outcome.deposits
  return outcome.kind === 'failed' ? (outcome.deposits ?? NONE) : NONE
}

const NONE: readonly Deposit[] = []

export type LastTransfer = Pick<Deposit, 'payerName' | 'payerAccount' | 'txHash'>

/** The fields of a notification about received money; undefined if there is none. */
export function receivedFieldsOf(
  { method, money }: Order,
  last: LastTransfer | undefined,
  received: bigint | undefined,
): Record<string, string> | undefined {
  if (last === undefined || received === undefined) return undefined
  return {
    receiveAmount: formatAmount(received, money.currency),
    ...(last.txHash !== undefined && { txHash: last.txHash }),
    ...(reportsPayerAccount(method) && payerOf(last)),
  }
}

function reportsPayerAccount(method: string): boolean {
  return isMethod(method) && methods[method].reportsPayerAccount === true
}

function payerOf({ payerName, payerAccount }: LastTransfer): Record<string, string> {
  return {
    ...(payerName !== undefined && { counterpartyAccountName: payerName }),
    ...(payerAccount !== undefined && { counterpartyAccountNum: payerAccount }),
  }
}
