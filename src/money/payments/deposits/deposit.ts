// Pure rules: the deposits in a channel's outcome, and the fields about them for merchants.
import { formatAmount } from '../../../platform/base/money.ts'
import type { Deposit, Outcome } from '../../../rails/contract/channel.ts'
import { isMethod, methods } from '../../../rails/methods/methods.ts'
import type { Order } from '../../orders/order.ts'

export function depositsOf(outcome: Outcome): readonly Deposit[] {
  if (outcome.kind === 'received') return outcome.deposits
  return outcome.kind === 'failed' ? (outcome.deposits ?? NONE) : NONE
}

const NONE: readonly Deposit[] = []

export type LastTransfer = Pick<Deposit, 'payerName' | 'payerAccount' | 'txHash'>

/** Returns the fields of a notification about received money. Undefined if no transfer or no amount is given. */
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

/** The prefix of the references of deposits that an operator stated. */
export const STATED = 'operator:'

/**
 * Returns the reference of a deposit that an operator stated. The reference is unique, because an attempt's total only
 * grows.
 */
export function statedRef(reference: string, total: bigint): string {
  return `${STATED}${reference}:${total}`
}

export function isStated(depositRef: string): boolean {
  return depositRef.startsWith(STATED)
}
