// Payment links with their results, and receipts.
import { Type } from 'typebox'
import { Stage } from '../orders/api.ts'
import type { Routes } from '../route.ts'
import { Moment, Money, Nothing, ofMerchant, oneOf, onPage, pageOf, Reason, text } from '../schemas.ts'

const Uses = oneOf('one', 'many')

const Link = Type.Object({
  linkId: Type.String(),
  url: Type.String(),
  title: Type.String(),
  currency: Type.String(),
  /** The amount. If missing, the payer enters an amount from `least` to `most`. */
  money: Type.Optional(Money),
  least: Type.Optional(Money),
  most: Type.Optional(Money),
  /** If missing, the payer chooses the method. */
  method: Type.Optional(Type.String()),
  uses: Uses,
  status: oneOf('active', 'claimed', 'paid', 'expired', 'off', 'stopped'),
  expiresAt: Type.Optional(Moment),
  /** Empty for the language of the payer's browser. */
  language: Type.String(),
  reference: Type.String(),
  notifyUrl: Type.String(),
  createdBy: Type.String(),
  createdAt: Moment,
})

const LinkOrder = Type.Object({
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  createdAt: Moment,
  state: Type.Integer(),
  stage: Stage,
  method: Type.String(),
  money: Money,
})

const Amount = Type.String({ maxLength: 16 })
const OfLink = Type.Object({ linkId: Type.String({ maxLength: 32 }) })

export const linksApi = {
  'GET /links': {
    access: 'links.read',
    query: Type.Object({ ...ofMerchant, ...onPage }),
    reply: pageOf(Link),
  },
  'GET /link-choices': {
    access: 'links.edit',
    reply: Type.Object({
      currencies: Type.Array(Type.Object({ currency: Type.String(), methods: Type.Array(Type.String()) })),
      languages: Type.Array(Type.String()),
    }),
  },
  'POST /links': {
    access: 'links.edit',
    body: Type.Object({
      title: text(128),
      currency: Type.String({ minLength: 3, maxLength: 5 }),
      amount: Type.Optional(Amount),
      least: Type.Optional(Amount),
      most: Type.Optional(Amount),
      method: Type.Optional(Type.String({ maxLength: 32 })),
      uses: Uses,
      /** The last day on which the link can be paid, in the merchant's time zone. */
      lastDay: Type.Optional(Type.String({ maxLength: 10 })),
      language: Type.String({ maxLength: 10 }),
      reference: Type.String({ maxLength: 64 }),
      notifyUrl: Type.String({ maxLength: 255 }),
    }),
    reply: Link,
  },
  'GET /links/:linkId': {
    access: 'links.read',
    params: OfLink,
    reply: Type.Object({
      link: Link,
      results: Type.Object({
        orders: Type.Integer(),
        open: Type.Integer(),
        paid: Type.Integer(),
        /** The sum of the payments. Refunds are not subtracted. */
        paidSum: Money,
      }),
    }),
  },
  'GET /links/:linkId/orders': {
    access: 'links.read',
    params: OfLink,
    query: Type.Object(onPage),
    reply: pageOf(LinkOrder),
  },
  'PUT /links/:linkId/state': {
    access: 'links.edit',
    params: OfLink,
    body: Type.Object({ state: oneOf('active', 'off') }),
    reply: Link,
  },
  /** Stops a link, or allows it again. Only operators may call this, so the merchant's people cannot undo the stop. */
  'PUT /links/:linkId/stop': {
    access: 'risk.edit',
    params: OfLink,
    body: Type.Object({ isStopped: Type.Boolean(), reason: Reason }),
    reply: Link,
  },
  'POST /links/:linkId/mails': {
    access: 'links.edit',
    params: OfLink,
    body: Type.Object({
      to: Type.String({ minLength: 1, maxLength: 254 }),
      language: oneOf('en', 'zh'),
    }),
    reply: Nothing,
  },
  'GET /links/:linkId/qr.svg': { access: 'links.read', params: OfLink, reply: 'file' },
  'GET /links/:linkId/qr.png': { access: 'links.read', params: OfLink, reply: 'file' },
  'GET /orders/:tradeNo/receipt': {
    access: 'orders.read',
    params: Type.Object({ tradeNo: Type.String({ maxLength: 32 }) }),
    reply: Type.Object({ url: Type.String() }),
  },
} as const satisfies Routes
