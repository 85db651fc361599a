// Risk: the block and allow lists, the rules and their trials, and the hits of lists and rules on payments.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Run } from '../runs/wire.ts'
import { Moment, Money, Nothing, oneOf, onPage, orNull, pageOf, Reason, text } from '../schemas.ts'

/** The merchant to which an entry or rule applies. 0 means every merchant. */
const Scope = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

const ListName = oneOf('block', 'allow')

const Kind = oneOf('card', 'bin', 'country', 'address', 'email', 'device')

const Action = oneOf('refuse', 'challenge', 'review')

const State = oneOf('draft', 'watching', 'on', 'off')

const Entry = Type.Object({
  entryId: Type.String(),
  merNo: Type.Integer(),
  list: ListName,
  kind: Kind,
  shown: Type.String(),
  reason: Type.String(),
  createdAt: Moment,
  createdBy: Type.String(),
  expiresAt: orNull(Moment),
  isExpired: Type.Boolean(),
})

const words = (maxLength: number) => Type.Array(Type.String({ maxLength }), { maxItems: 500 })

const Velocity = Type.Object({
  per: oneOf('card', 'email', 'address', 'device', 'merchant'),
  minutes: Type.Integer(),
  mostPayments: Type.Optional(Type.Integer()),
  mostAmount: Type.Optional(Type.String({ maxLength: 20 })),
})

const Conditions = Type.Object({
  methods: Type.Optional(words(40)),
  countries: Type.Optional(words(2)),
  issuerCountries: Type.Optional(words(2)),
  bins: Type.Optional(words(6)),
  above: Type.Optional(Type.String({ maxLength: 20 })),
  countriesDiffer: Type.Optional(Type.Boolean()),
  newCardDays: Type.Optional(Type.Integer()),
  velocity: Type.Optional(Velocity),
})

const Outcome = oneOf('succeeded', 'refunded', 'chargedBack', 'failed', 'open')

const Trial = Type.Object({
  days: Type.Integer(),
  /** The part of the last 30 days that the trial covers. Missing if the trial covers all 30 days. */
  covers: Type.Optional(Type.Object({ from: Moment, until: Moment })),
  orders: Type.Integer(),
  hits: Type.Integer(),
  usd: Type.String(),
  outcomes: Type.Array(Type.Object({ name: Outcome, orders: Type.Integer(), usd: Type.String() })),
  examples: Type.Array(
    Type.Object({
      tradeNo: Type.String(),
      merNo: Type.Integer(),
      at: Moment,
      method: Type.String(),
      money: Money,
      outcome: Outcome,
    }),
  ),
})

const Rule = Type.Object({
  ruleId: Type.String(),
  merNo: Type.Integer(),
  name: Type.String(),
  action: Action,
  conditions: Conditions,
  state: State,
  version: Type.Integer(),
  changedAt: Moment,
  changedBy: Type.String(),
  /** The number of attempts that the rule hit in the last 30 days. Counting stops at 10,000. */
  hits: Type.Integer(),
  triedAt: orNull(Moment),
})

const content = { name: text(100), action: Action, conditions: Conditions } as const
const params = Type.Object({ ruleId: Type.String({ maxLength: 40 }) })
const version = Type.Integer({ minimum: 1 })

const OfOrder = Type.Object({ tradeNo: Type.String({ maxLength: 40 }) })

const Hit = Type.Object({
  tradeNo: Type.String(),
  merNo: Type.Integer(),
  attemptNo: Type.Integer(),
  sourceId: Type.String(),
  name: Type.String(),
  action: Action,
  watched: Type.Boolean(),
  at: Moment,
})

export const riskApi = {
  'GET /risk/entries': {
    access: 'risk.read',
    query: Type.Object({
      ...onPage,
      merNo: Type.Optional(Scope),
      list: Type.Optional(ListName),
      kind: Type.Optional(Kind),
      search: Type.Optional(Type.String({ maxLength: 255 })),
    }),
    reply: pageOf(Entry),
  },
  /** Adds an entry to a list. The entry's value is `value`, or is taken from the order `tradeNo`. */
  'POST /risk/entries': {
    access: 'risk.edit',
    body: Type.Object({
      merNo: Scope,
      list: ListName,
      kind: Kind,
      value: Type.Optional(Type.String({ maxLength: 255 })),
      tradeNo: Type.Optional(Type.String({ maxLength: 40 })),
      expiresAt: Type.Optional(Moment),
      reason: Reason,
    }),
    reply: Type.Object({ entryId: Type.String(), shown: Type.String() }),
  },
  'POST /risk/entries/:entryId/remove': {
    access: 'risk.edit',
    params: Type.Object({ entryId: Type.String({ maxLength: 40 }) }),
    body: Type.Object({ reason: Reason }),
    reply: Nothing,
  },
  'GET /risk/orders/:tradeNo': {
    access: 'risk.edit',
    params: OfOrder,
    reply: Type.Object({ names: Type.Array(Type.Object({ kind: Kind, shown: Type.String() })) }),
  },
  'POST /risk/orders/:tradeNo/block': {
    access: 'risk.edit',
    params: OfOrder,
    body: Type.Object({
      kinds: Type.Array(Kind, { maxItems: 6 }),
      /** True if the entries apply to all merchants. Otherwise they apply only to the order's merchant. */
      isForAll: Type.Boolean(),
      reason: Reason,
    }),
    reply: Type.Object({ blocked: Type.Array(Type.String()) }),
  },
  'GET /risk/rules': { access: 'risk.read', reply: Type.Object({ rules: Type.Array(Rule) }) },
  'POST /risk/rules': {
    access: 'risk.edit',
    body: Type.Object({ merNo: Scope, ...content, reason: Reason }),
    reply: Type.Object({ ruleId: Type.String() }),
  },
  'GET /risk/rules/:ruleId': {
    access: 'risk.read',
    params,
    reply: Type.Object({
      rule: Rule,
      trial: orNull(Trial),
      /** The last trial, if it is running or has failed. Otherwise null. */
      run: orNull(Run),
    }),
  },
  'PUT /risk/rules/:ruleId': {
    access: 'risk.edit',
    params,
    body: Type.Object({ version, ...content, reason: Reason }),
    reply: Type.Object({ version: Type.Integer() }),
  },
  'POST /risk/rules/:ruleId/state': {
    access: 'risk.edit',
    dangerous: true,
    params,
    body: Type.Object({
      version,
      seen: State,
      state: State,
      reason: Reason,
    }),
    reply: Nothing,
  },
  /** Starts a trial of the rule on the orders of the last 30 days. */
  'POST /risk/rules/:ruleId/try': {
    access: 'risk.edit',
    params,
    reply: Type.Object({ runId: Type.String() }),
  },
  'GET /risk/hits': {
    access: 'risk.read',
    query: Type.Object({ ...onPage, sourceId: Type.Optional(Type.String({ maxLength: 40 })) }),
    reply: pageOf(Hit),
  },
} as const satisfies Routes
