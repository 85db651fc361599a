// What routes about orders share.
import { Type } from 'typebox'
import { Moment, Money, ofMerchant } from '../schemas.ts'

const word = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** The filters of the order list, as they stand in the address of the page. Lists are separated by commas. */
export const orderFilter = {
  ...ofMerchant,
  number: word(64),
  email: word(255),
  name: word(100),
  card: word(4),
  amount: word(20),
  currency: word(5),
  least: word(20),
  most: word(20),
  reference: word(200),
  state: word(60),
  method: word(200),
  from: word(30),
  to: word(30),
} as const

export const OrderFilterFields = Type.Object(orderFilter)

export const OrderRow = Type.Object({
  merNo: Type.Integer(),
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  createdAt: Moment,
  state: Type.Integer(),
  method: Type.String(),
  money: Money,
  /** Missing unless something was. */
  refunded: Type.Optional(Money),
  chargedBack: Type.Optional(Money),
  fees: Type.Optional(Money),
  settled: Type.Boolean(),
  settleMoney: Type.Optional(Money),
  message: Type.String(),
  email: Type.String(),
  payerName: Type.String(),
  card: Type.Optional(Type.Object({ brand: Type.String(), last4: Type.String() })),
  reference: Type.Optional(Type.String()),
  /** For operators. */
  channel: Type.Optional(Type.String()),
})
