// VietQR, Vietnam's dialect of the EMV QR code: a transfer to an account in the interbank network.
import { QRPay } from 'vietnam-qr-pay'
import type { Money } from '../../../platform/base/money.ts'

export type VietQr = {
  readonly bin: string
  readonly account: string
  readonly money: Money
  readonly reference: string
}

/** Returns the payload of the code; undefined if a banking app would refuse the code. */
export function vietQr({ bin, account, money, reference }: VietQr): string | undefined {
  if (money.currency !== 'VND' || money.amount <= 0n) return undefined
  if (!/^\d{6}$/.test(bin) || !isVnAccount(account) || !/^[A-Za-z0-9 ]{1,25}$/.test(reference))
    return undefined
  // The dong has no decimals, so the amount in minor units is also the amount in dong.
  const amount = money.amount.toString()
  return QRPay.initVietQR({ bankBin: bin, bankNumber: account, amount, purpose: reference }).build()
}

/**
 * True for 6 to 19 capital letters and digits. Account numbers differ in length, virtual accounts have letters, and
 * there is no check digit.
 */
function isVnAccount(account: string): boolean {
  return /^[A-Z0-9]{6,19}$/.test(account)
}
