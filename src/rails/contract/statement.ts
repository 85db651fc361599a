// Money that moved at a channel under a reference of ours: what a line of the channel's statement is compared with.
import type { Money } from '../base/money.ts'

export type Movement = {
  readonly merNo: number
  readonly tradeNo: string
  /** Where it really went, whatever statement names it. */
  readonly channel: string
  readonly money: Money
  readonly standing: 'done' | 'open' | 'failed'
  readonly reference: string
}

/** A movement as a statement selects it. */
export type MovementRow = {
  readonly mer_no: bigint
  readonly trade_no: string
  readonly channel: string
  readonly currency: string
  readonly amount: bigint
  readonly state: string
}

export function toMovement(row: MovementRow, reference: string): Movement {
  const { currency, amount, state } = row
  // Money that came back had left: the statement of that day lists it.
  const isDone = state === 'succeeded' || state === 'returned'
  const standing = isDone ? 'done' : state === 'failed' ? 'failed' : 'open'
  const money = { amount, currency }
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    channel: row.channel,
    money,
    standing,
    reference,
  }
}

/** Movements that were done at the channel from one moment until another. */
export type MovementPeriod = { readonly channel: string; readonly from: Date; readonly until: Date }
