// Payouts of a merchant: the list, runs of one or many payouts, approvals by a second person, and the amount above
// which a second person must approve.
import { Type } from 'typebox'
import { ApprovalKey, ApprovalRow, approvalQuery, payeeFields } from '../decisions/api.ts'
import type { Routes } from '../route.ts'
import { Moment, Money, Nothing, ofMerchant, oneOf, onPage, pageOf, Reason, text } from '../schemas.ts'

const Awaited = oneOf('platform', 'merchant')

const Payout = Type.Object({
  merNo: Type.Integer(),
  merchant: Type.String(),
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  kind: Type.String(),
  state: Type.String(),
  money: Money,
  fee: Money,
  account: Type.String(),
  beneficiary: Type.String(),
  ...payeeFields,
  message: Type.String(),
  createdAt: Moment,
  /** Who must still approve the payout before it is sent: the platform, the merchant, or both. */
  awaits: Type.Array(Awaited),
  /** The part of a returned payout that did not arrive. */
  returnCost: Type.Optional(Money),
  transaction: Type.Optional(Type.String()),
})

/**
 * The fields of one payout, with the names that `/payout` uses. The additional field `beneficiary` may contain the id
 * of a saved beneficiary, whose fields then replace the given ones. A CSV file has the same names as columns.
 */
const Line = Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 512 }))

const Entered = {
  lines: Type.Optional(Type.Array(Line, { maxItems: 100 })),
  csv: Type.Optional(Type.String({ maxLength: 1_000_000 })),
} as const

const CheckedLine = Type.Object({
  line: Type.Integer(),
  merOrderNo: Type.String(),
  beneficiary: Type.String(),
  account: Type.String(),
  money: Type.Optional(Money),
  /** The amount in the coin at the current price. The final amount is fixed when the payout is sent. */
  coin: Type.Optional(Money),
  /** True if the account is not saved, or is saved and not usable yet. */
  isNew: Type.Boolean(),
  /** Present if accounts in the IBAN's country are usually kept in other currencies. `usual` lists those currencies. */
  currencyDoubt: Type.Optional(Type.Object({ country: Type.String(), usual: Type.Array(Type.String()) })),
  problem: Type.Optional(Type.String()),
  field: Type.Optional(Type.String()),
})

const Total = Type.Object({ lines: Type.Integer(), money: Money, fees: Money, available: Money })

const Why = oneOf('amount', 'account')

const Run = Type.Object({
  runId: Type.String(),
  name: Type.String(),
  /** `expired`: nobody approved the run in time. `done`: every line was made or refused. */
  state: oneOf('waiting', 'released', 'done', 'rejected', 'expired'),
  reason: Type.String(),
  createdBy: Type.String(),
  createdAt: Moment,
  lines: Type.Integer(),
  made: Type.Integer(),
  refused: Type.Integer(),
  totals: Type.Array(Money),
})

const RunLine = Type.Object({
  line: Type.Integer(),
  merOrderNo: Type.String(),
  beneficiary: Type.String(),
  account: Type.String(),
  ...payeeFields,
  kind: Type.String(),
  money: Money,
  state: oneOf('waiting', 'made', 'refused', 'rejected'),
  tradeNo: Type.Optional(Type.String()),
  problem: Type.Optional(Type.String()),
})

const BODY_BYTES = 1_500_000
const TradeNo = Type.Object({ tradeNo: Type.String({ maxLength: 32 }) })

export const payoutsApi = {
  /**
   * Lists the payouts of a merchant. If an operator names no merchant, the payouts of all merchants are listed.
   * `number` must then be a trade number.
   */
  'GET /payouts': {
    access: 'payouts.read',
    query: Type.Object({
      ...ofMerchant,
      ...onPage,
      state: Type.Optional(Type.String({ maxLength: 20 })),
      /** Lists only payouts that wait for approval by this side. With this filter, operators must name the merchant. */
      awaits: Type.Optional(Awaited),
      /** The trade number of the payout, or the merchant's order number. */
      number: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    reply: pageOf(Payout),
  },
  'POST /payouts/check': {
    access: 'payouts.create',
    bodyLimit: BODY_BYTES,
    body: Type.Object(Entered),
    reply: Type.Object({
      lines: Type.Array(CheckedLine),
      totals: Type.Array(Total),
      problems: Type.Integer(),
      /** The reasons why a second person must approve the run. Empty if no approval is required. */
      secondPerson: Type.Array(Why),
    }),
  },
  'POST /payouts/runs': {
    access: 'payouts.create',
    dangerous: true,
    bodyLimit: BODY_BYTES,
    body: Type.Object({
      ...Entered,
      name: Type.Optional(Type.String({ maxLength: 120 })),
      reason: Reason,
      /** The idempotency key. The form creates the key when it opens. A repeated key starts no second run. */
      key: Type.String({ minLength: 8, maxLength: 64 }),
    }),
    reply: Type.Object({ runId: Type.String(), approvalId: Type.Optional(Type.String()) }),
  },
  'GET /payouts/runs': {
    access: 'payouts.read',
    query: Type.Object({ ...ofMerchant, ...onPage }),
    reply: pageOf(Run),
  },
  'GET /payouts/runs/:runId': {
    access: 'payouts.read',
    params: Type.Object({ runId: Type.String({ maxLength: 32 }) }),
    reply: Type.Object({ run: Run, lines: Type.Array(RunLine) }),
  },
  'GET /payouts/approvals': {
    access: 'payouts.read',
    query: Type.Object({ ...ofMerchant, ...approvalQuery }),
    reply: pageOf(ApprovalRow),
  },
  'POST /payouts/approvals/:approvalId/approve': {
    access: 'payouts.approve',
    dangerous: true,
    params: ApprovalKey,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
  'POST /payouts/approvals/:approvalId/reject': {
    access: 'payouts.approve',
    params: ApprovalKey,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
  /** Approves a payout that the merchant's program sent and that waits for approval by the merchant's people. */
  'POST /payouts/own/:tradeNo/approve': {
    access: 'payouts.approve',
    dangerous: true,
    params: TradeNo,
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
  'POST /payouts/own/:tradeNo/reject': {
    access: 'payouts.approve',
    params: TradeNo,
    /** The reason. The merchant's program can read it. */
    body: Type.Object({ reason: text(255) }),
    reply: Nothing,
  },
  'GET /payouts/coins': {
    access: 'payouts.read',
    reply: Type.Object({ coins: Type.Array(Type.Object({ coin: Type.String(), network: Type.String() })) }),
  },
  'GET /payouts/settings': {
    access: 'payouts.read',
    query: Type.Object(ofMerchant),
    reply: Type.Object({
      secondPersonAbove: Type.Optional(Type.String()),
      includesInterface: Type.Boolean(),
      version: Type.Integer(),
    }),
  },
  'PUT /payouts/settings': {
    access: 'company.edit',
    dangerous: true,
    body: Type.Object({
      /** The limit in US dollars. If missing, no amount requires approval by a second person. */
      secondPersonAbove: Type.Optional(Type.String({ maxLength: 16 })),
      /** True if the limit also applies to payouts that the merchant's program sends to `/payout`. */
      includesInterface: Type.Boolean(),
      version: Type.Integer(),
    }),
    reply: Type.Object({ version: Type.Integer() }),
  },
} as const satisfies Routes
