// Every visit of the payment page is an order of its own at the gateway: the code of Vendure's order, and some random digits. Its
// refunds add a number to it. Both fit into the gateway's 32 characters.
import { randomBytes } from 'node:crypto'

const LONGEST_CODE = 19

export function newOrderNumber(code: string): string {
  if (code.length > LONGEST_CODE)
    throw new Error(`order codes have at most ${LONGEST_CODE} characters: change the orderCodeStrategy`)
  return `${code}-${randomBytes(4).toString('hex')}`
}

export function orderCodeOf(merOrderNo: string): string {
  return merOrderNo.slice(0, merOrderNo.lastIndexOf('-'))
}

export function refundNumber(merOrderNo: string, count: number): string {
  return `${merOrderNo}-R${count}`
}

/** The one refund of a payment that no order awaits. */
export function lateRefundNumber(merOrderNo: string): string {
  return `${merOrderNo}-R0`
}
