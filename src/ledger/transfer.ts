import type { Money } from '../base/money.ts'

/** Money that moves from one account of a merchant to another. */
export type Transfer = {
  readonly merNo: number
  readonly debit: string
  readonly credit: string
  readonly money: Money
  readonly at: Date
}
