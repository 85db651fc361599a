// Orders: the list, the search, an order now or at an earlier time, and the refund of an order.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, ofMerchant, oneOf, onPage, orNull, Reason } from '../schemas.ts'
import { type OrderStage, stateWords } from '../state-words.ts'

const word = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** The maximum number of orders that a person can choose for one action. */
export const MOST_CHOSEN = 500

/** The filters in the form of the page's address. Several values of a filter are separated by commas. */
const orderFilter = {
  ...ofMerchant,
  number: word(64),
  /** The trade numbers of chosen orders, separated by commas. */
  tradeNos: word(28 * MOST_CHOSEN),
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

/** The state of an order in more detail, as people see it in words. Programs use the number of the state. */
export const Stage = Type.Unsafe<OrderStage>(
  Type.Union(Object.keys(stateWords.en.orders).map((stage) => Type.Literal(stage))),
)

export const OrderFilterFields = Type.Object(orderFilter)

export const OrderRow = Type.Object({
  merNo: Type.Integer(),
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  createdAt: Moment,
  state: Type.Integer(),
  stage: Stage,
  method: Type.String(),
  money: Money,
  /** The refunded money. Missing if it is zero. */
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
  /** The channel, which only operators see. */
  channel: Type.Optional(Type.String()),
})

const OfOrder = Type.Object({ tradeNo: Type.String({ maxLength: 32 }) })
const optional = Type.Optional
const text = Type.String()

const Delivery = Type.Object({
  attemptNo: Type.Integer(),
  startedAt: Moment,
  finishedAt: orNull(Moment),
  status: orNull(Type.Integer()),
  latencyMs: orNull(Type.Integer()),
  answer: orNull(text),
  error: orNull(text),
})

const OrderView = Type.Object({
  order: OrderRow,
  kind: text,
  merchant: text,
  decidedAt: orNull(Moment),
  received: orNull(Money),
  fees: Type.Object({
    handling: orNull(Money),
    processing: orNull(Money),
    exceptions: Money,
  }),
  margin: orNull(Money),
  marginHeld: Money,
  remainder: orNull(Money),
  /** The money that can be refunded now, or zero. */
  refundable: Money,
  settledAt: orNull(Moment),
  /** The order's other fields as texts. URLs, lists and personal numbers are left out. */
  details: Type.Array(Type.Object({ name: text, value: text })),
  states: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer(), why: text, at: Moment })),
  attempts: Type.Array(
    Type.Object({
      attemptNo: Type.Integer(),
      channel: optional(text),
      state: text,
      channelRef: orNull(text),
      message: text,
      card: orNull(text),
      createdAt: Moment,
      decidedAt: orNull(Moment),
    }),
  ),
  deposits: Type.Array(Type.Object({ depositRef: text, money: Money, state: text, at: Moment })),
  risk: Type.Array(
    Type.Object({ attemptNo: Type.Integer(), name: text, action: text, watched: Type.Boolean(), at: Moment }),
  ),
  refunds: Type.Array(
    Type.Object({
      refundNo: text,
      merRefundNo: orNull(text),
      money: Money,
      fee: Money,
      state: text,
      message: text,
      remark: text,
      createdAt: Moment,
      decidedAt: orNull(Moment),
    }),
  ),
  chargebacks: Type.Array(
    Type.Object({
      chargebackId: text,
      state: text,
      reason: text,
      reasonInWords: text,
      money: Money,
      fee: Money,
      openedAt: Moment,
      resolvedAt: orNull(Moment),
    }),
  ),
  entries: Type.Array(Type.Object({ step: text, debit: text, credit: text, money: Money, at: Moment })),
  notifications: Type.Array(
    Type.Object({
      notificationId: text,
      event: text,
      url: text,
      state: text,
      madeAt: Moment,
      dueAt: orNull(Moment),
      paused: Type.Boolean(),
      deliveries: Type.Array(Delivery),
    }),
  ),
  /** The logged requests about the order. Empty for people who may not see the request log. */
  requests: Type.Array(
    Type.Object({
      requestId: text,
      at: Moment,
      endpoint: text,
      code: text,
      reason: orNull(text),
    }),
  ),
})

const PastView = Type.Object({
  moment: Moment,
  /** Missing if the order did not exist yet at `moment`. */
  order: optional(
    Type.Object({
      state: Type.Integer(),
      stage: Stage,
      message: text,
      settled: Type.Boolean(),
      refunded: Money,
      attempts: Type.Integer(),
    }),
  ),
  balances: Type.Array(Type.Object({ currency: text, available: Money, unsettled: Money, margin: Money })),
  /** The response that `/order/query` would have given at `moment`. */
  answer: Type.Object({
    code: text,
    data: optional(Type.Record(Type.String(), Type.Union([text, Type.Number()]))),
  }),
  /** The fields of `answer` whose exact values at `moment` are not in the history. */
  uncertain: Type.Array(text),
})

export const SearchGroup = Type.Object({
  kind: oneOf(
    'orders',
    'refunds',
    'payouts',
    'payoutRuns',
    'beneficiaries',
    'disputes',
    'reviews',
    'links',
    'notifications',
    'people',
    'roles',
    'merchants',
    'channels',
    'rules',
    'statements',
    'suspense',
    'audit',
  ),
  rows: Type.Array(
    Type.Object({
      /** The path of the page below /backoffice. */
      path: text,
      title: text,
      note: text,
      /** The stage of an order, or the state of anything else. */
      state: optional(text),
      at: optional(Moment),
      money: optional(Money),
    }),
  ),
})

const OrderPage = Type.Object({
  rows: Type.Array(OrderRow),
  next: optional(text),
  /** True if the search stopped because it had read the maximum number of orders. `next` continues the search. */
  isCut: Type.Boolean(),
})

const customer = { by: oneOf('email', 'card') } as const

export const ordersApi = {
  'GET /orders': {
    access: 'orders.read',
    query: Type.Object({ ...orderFilter, ...onPage }),
    reply: OrderPage,
  },
  /** Returns the number of orders that match the filter. If `isExact` is false, there are more orders than `count`. */
  'GET /orders/count': {
    access: 'orders.read',
    query: Type.Object(orderFilter),
    reply: Type.Object({ count: Type.Integer(), isExact: Type.Boolean() }),
  },
  'GET /orders/:tradeNo': { access: 'orders.read', params: OfOrder, reply: OrderView },
  'GET /orders/:tradeNo/at': {
    access: 'orders.read',
    params: OfOrder,
    query: Type.Object({ moment: Moment }),
    reply: PastView,
  },
  /**
   * Returns the customer of an order, identified by e-mail address or by card, with sums of the customer's latest
   * orders.
   */
  'GET /orders/:tradeNo/customer': {
    access: 'orders.read',
    params: OfOrder,
    query: Type.Object(customer),
    reply: Type.Object({
      email: optional(text),
      card: optional(Type.Object({ brand: text, last4: text })),
      sums: Type.Array(
        Type.Object({
          orders: Type.Integer(),
          failed: Type.Integer(),
          paid: Money,
          refunded: Money,
          /** The sum of the open and lost disputes. */
          disputed: Money,
        }),
      ),
      /** True if the customer may have older orders. The sums do not include older orders. */
      isCut: Type.Boolean(),
    }),
  },
  'GET /orders/:tradeNo/customer/orders': {
    access: 'orders.read',
    params: OfOrder,
    query: Type.Object({ ...customer, ...onPage }),
    reply: OrderPage,
  },
  'POST /orders/:tradeNo/refunds': {
    access: 'refunds.create',
    params: OfOrder,
    body: Type.Object({
      amount: Type.String({ minLength: 1, maxLength: 20 }),
      reason: Reason,
      /** The idempotency key. The form chooses the number, so that a repeated click makes only one refund. */
      merRefundNo: Type.String({ minLength: 8, maxLength: 32, pattern: '^[A-Za-z0-9-]+$' }),
    }),
    dangerous: true,
    reply: Type.Object({ refundNo: text, state: text, money: Money }),
  },
  'GET /search': {
    access: 'signed-in',
    query: Type.Object({ ...ofMerchant, q: Type.String({ minLength: 1, maxLength: 255 }) }),
    reply: Type.Object({ groups: Type.Array(SearchGroup) }),
  },
} as const satisfies Routes
