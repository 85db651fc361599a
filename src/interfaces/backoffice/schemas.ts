// Schemas that several routes share.
import { type TSchema, Type } from 'typebox'

/** The amount is a decimal string, as on the merchant interface. */
export const Money = Type.Object({ amount: Type.String(), currency: Type.String() })

/** A time in ISO 8601, in UTC. */
export const Moment = Type.String({ format: 'date-time' })

export const MerNo = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** Operators name the merchant that the call is about. A merchant's own people omit it. */
export const ofMerchant = { merNo: Type.Optional(MerNo) } as const

/** The `next` of the previous page. */
export const onPage = { after: Type.Optional(Type.String({ maxLength: 200 })) } as const

export const PAGE_ROWS = 50

/** `next` is missing on the last page. */
export function pageOf<Row extends TSchema>(row: Row) {
  return Type.Object({ rows: Type.Array(row), next: Type.Optional(Type.String()) })
}

export const Nothing = Type.Object({})

export const NOT_EMPTY = '\\S'
export const DIGITS = '^\\d+$'

/** At least one character is not white space. */
export function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: NOT_EMPTY })
}

/** The audit log gets the reason. */
export const Reason = text(500)
