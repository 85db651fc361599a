// Schemas that several routes share.
import { type TSchema, Type } from 'typebox'

/** An amount as a decimal string, as on the merchant interface, and its currency. */
export const Money = Type.Object({ amount: Type.String(), currency: Type.String() })

/** A time in ISO 8601, in UTC. */
export const Moment = Type.String({ format: 'date-time' })

export const MerNo = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** The merchant that an operator's call is about. A merchant's own people omit it. */
export const ofMerchant = { merNo: Type.Optional(MerNo) } as const

/** The position at which the page begins: the `next` of the previous page. */
export const onPage = { after: Type.Optional(Type.String({ maxLength: 200 })) } as const

export const PAGE_ROWS = 50

/** Returns the schema of a page of a list. `next` is missing on the last page. */
export function pageOf<Row extends TSchema>(row: Row) {
  return Type.Object({ rows: Type.Array(row), next: Type.Optional(Type.String()) })
}

export const Nothing = Type.Object({})

export const NOT_EMPTY = '\\S'
export const DIGITS = '^\\d+$'

/** Returns the schema of a text with at least one character that is not white space. */
export function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: NOT_EMPTY })
}

/** The reason of a decision, which is written to the audit log. */
export const Reason = text(500)
