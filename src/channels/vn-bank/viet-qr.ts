// VietQR: Vietnam's dialect of the EMV code, a transfer to an account at a bank of the interbank network.
import { QRPay } from 'vietnam-qr-pay'
import type { Money } from '../../base/money.ts'

export type VietQr = {
  readonly bin: string
  readonly account: string
  readonly money: Money
  /** What the transfer says it is for. */
  readonly reference: string
}

/** Undefined when the parts make no code that an app would take. */
export function vietQr({ bin, account, money, reference }: VietQr): string | undefined {
  if (money.currency !== 'VND' || money.amount <= 0n) return undefined
  if (!/^\d{6}$/.test(bin) || !isVnAccount(account) || !/^[A-Za-z0-9 ]{1,25}$/.test(reference))
    return undefined
  // The dong has no smaller unit: its minor units are what the code asks for.
  const amount = money.amount.toString()
  return QRPay.initVietQR({ bankBin: bin, bankNumber: account, amount, purpose: reference }).build()
}

/** There is no check digit in Vietnam: each bank has its own lengths, and virtual ones may begin with letters. */
function isVnAccount(account: string): boolean {
  return /^[A-Z0-9]{6,19}$/.test(account)
}
