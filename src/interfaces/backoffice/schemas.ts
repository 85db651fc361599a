// Schemas that several routes share.
import { type TSchema, Type } from 'typebox'

/** An amount of money. `amount` is a decimal string, as on the merchant interface. */
export const Money = Type.Object({ amount: Type.String(), currency: Type.String() })

/** A time in ISO 8601. Replies are in UTC. */
export const Moment = Type.String({ format: 'date-time' })

export const MerNo = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** The merchant of an operator's call. A merchant's own people omit the field. */
export const ofMerchant = { merNo: Type.Optional(MerNo) } as const

/** The payment or payout that a row of a queue is about, in short. */
export const OrderBrief = Type.Object({
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  /** The payer's name or e-mail address, or the beneficiary of a payout. */
  person: Type.String(),
  /** The payment method, or the kind of a payout's account. */
  method: Type.String(),
  money: Money,
})

/** The field is missing for people who may not see the order. */
export const ofOrder = { order: Type.Optional(OrderBrief) } as const

/** The position of a page in a list. `after` is `next` of the previous page. */
export const onPage = { after: Type.Optional(Type.String({ maxLength: 200 })) } as const

/** A schema for a text that must be one of these values. */
export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return Type.Unsafe<Values[number]>(Type.Union(values.map((value) => Type.Literal(value))))
}

export function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export const PAGE_ROWS = 50

/** A schema for a page of rows. `next` is missing on the last page. */
export function pageOf<Row extends TSchema>(row: Row) {
  return Type.Object({ rows: Type.Array(row), next: Type.Optional(Type.String()) })
}

/**
 * Returns a page of `found`. The caller must read one row more than a page has, so that this function sees whether
 * there is a next page.
 */
export function pageFrom<Row>(found: readonly Row[], positionOf: (last: Row) => string) {
  const rows = found.slice(0, PAGE_ROWS)
  const last = found.length > PAGE_ROWS ? rows.at(-1) : undefined
  return { rows, ...(last !== undefined && { next: positionOf(last) }) }
}

export const Nothing = Type.Object({})

export const NOT_EMPTY = '\\S'
export const DIGITS = '^\\d+$'

/** A schema for a text with at least one character other than white space. */
export function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: NOT_EMPTY })
}

/** The reason for an action. The reason is written to the audit log. */
export const Reason = text(500)
