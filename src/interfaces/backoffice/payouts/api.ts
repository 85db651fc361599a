// Payouts of a merchant: the list, runs of one or many payouts, the second person, and the amount above which one is needed.
import { Type } from 'typebox'
import { ApprovalKey, ApprovalRow, approvalQuery } from '../decisions/api.ts'
import type { Routes } from '../route.ts'
import { Moment, Money, Nothing, ofMerchant, onPage, pageOf, Reason } from '../schemas.ts'

const Payout = Type.Object({
  merNo: Type.Integer(),
  /** Its name, in a list of all merchants. */
  merchant: Type.String(),
  tradeNo: Type.String(),
  merOrderNo: Type.String(),
  kind: Type.String(),
  state: Type.String(),
  money: Money,
  fee: Money,
  account: Type.String(),
  beneficiary: Type.String(),
  message: Type.String(),
  createdAt: Moment,
  /** On the chain, of a payout in coin. */
  transaction: Type.Optional(Type.String()),
})

/** The fields of `/payout` by name; `beneficiary` may name a saved one instead. A CSV file has the same columns. */
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
  /** What a payout in coin comes to at the price of now. It is fixed when the payout is sent. */
  coin: Type.Optional(Money),
  /** The account is not a saved one, or it still waits. */
  isNew: Type.Boolean(),
  problem: Type.Optional(Type.String()),
  field: Type.Optional(Type.String()),
})

const Total = Type.Object({ lines: Type.Integer(), money: Money, fees: Money, available: Money })

const Why = Type.Union([Type.Literal('amount'), Type.Literal('account')])

const Run = Type.Object({
  runId: Type.String(),
  name: Type.String(),
  /** `expired`: nobody approved it in time. `done`: every line was made or refused. */
  state: Type.Union([
    Type.Literal('waiting'),
    Type.Literal('released'),
    Type.Literal('done'),
    Type.Literal('rejected'),
    Type.Literal('expired'),
  ]),
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
  kind: Type.String(),
  money: Money,
  state: Type.Union([
    Type.Literal('waiting'),
    Type.Literal('made'),
    Type.Literal('refused'),
    Type.Literal('rejected'),
  ]),
  tradeNo: Type.Optional(Type.String()),
  problem: Type.Optional(Type.String()),
})

const BODY_BYTES = 1_500_000

export const payoutsApi = {
  /** Of all merchants if an operator names none; then `number` must be one of ours. */
  'GET /payouts': {
    access: 'payouts.read',
    query: Type.Object({
      ...ofMerchant,
      ...onPage,
      state: Type.Optional(Type.String({ maxLength: 20 })),
      /** Ours or the merchant's. */
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
      /** Why a second person has to approve it; empty if nobody has to. */
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
      /** Made when the form was opened: the same key makes no second run. */
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
  'GET /payouts/coins': {
    access: 'payouts.read',
    /** What can be paid out now. */
    reply: Type.Object({ coins: Type.Array(Type.Object({ coin: Type.String(), network: Type.String() })) }),
  },
  'GET /payouts/settings': {
    access: 'payouts.read',
    query: Type.Object(ofMerchant),
    reply: Type.Object({ secondPersonAbove: Type.Optional(Type.String()), version: Type.Integer() }),
  },
  'PUT /payouts/settings': {
    access: 'company.edit',
    dangerous: true,
    body: Type.Object({
      /** In US dollars; left out: no amount needs a second person. */
      secondPersonAbove: Type.Optional(Type.String({ maxLength: 16 })),
      version: Type.Integer(),
    }),
    reply: Type.Object({ version: Type.Integer() }),
  },
} as const satisfies Routes
