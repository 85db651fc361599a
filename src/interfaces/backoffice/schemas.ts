// Schemas that several routes share.
import { type TSchema, Type } from 'typebox'

/** As on the merchant interface: a decimal string, and its currency. */
export const Money = Type.Object({ amount: Type.String(), currency: Type.String() })

/** ISO 8601, in UTC. */
export const Moment = Type.String({ format: 'date-time' })

export const MerNo = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** Which merchant an operator asks about. Staff leave it out. */
export const ofMerchant = { merNo: Type.Optional(MerNo) } as const

/** Where the next page begins: the `next` of the page before. */
export const onPage = { after: Type.Optional(Type.String({ maxLength: 200 })) } as const

export const PAGE_ROWS = 50

/** A page of a list; `next` is missing on the last one. */
export function pageOf<Row extends TSchema>(row: Row) {
  return Type.Object({ rows: Type.Array(row), next: Type.Optional(Type.String()) })
}

export const Nothing = Type.Object({})

export const NOT_EMPTY = '\\S'
export const DIGITS = '^\\d+$'

/** A text with at least one character that is not white space. */
export function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: NOT_EMPTY })
}

/** Every decision names its reason. */
export const Reason = text(500)
