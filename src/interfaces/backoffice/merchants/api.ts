// Merchants and their terms, for operators. A PUT with `dryRun` says what would change and changes nothing.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { MerNo, onPage, pageOf, Reason, text } from '../schemas.ts'
import { Edited, editing, Plan, terms } from './edit-schemas.ts'

const State = Type.Union([
  Type.Literal('pending'),
  Type.Literal('active'),
  Type.Literal('suspended'),
  Type.Literal('closed'),
])

const Listed = Type.Object({
  merNo: Type.Integer(),
  name: Type.String(),
  state: State,
  askedWebsites: Type.Integer(),
})

const NullableText = Type.Union([Type.String(), Type.Null()])
const AllOrSome = Type.Union([Type.Literal('all'), Type.Array(Type.String())])

const Route = Type.Object({
  method: Type.String(),
  channel: Type.String(),
  priority: Type.Integer(),
  weight: Type.Integer(),
})

const Merchant = Type.Object({
  merNo: Type.Integer(),
  name: Type.String(),
  state: State,
  timezone: Type.String(),
  websites: Type.Array(Type.String()),
  askedWebsites: Type.Array(Type.String()),
  /** Currency → the currency it settles in. */
  currencies: Type.Record(Type.String(), Type.String()),
  methods: AllOrSome,
  cardBrands: AllOrSome,
  feePlans: Type.Array(Type.Object({ method: Type.String(), ...Plan })),
  /** The named plan that they follow; null if they are the merchant's own. */
  feePlan: NullableText,
  routes: Type.Array(Route),
  limits: Type.Object({ single: NullableText, daily: NullableText, monthly: NullableText }),
  refundCredit: NullableText,
  approveRefunds: Type.Boolean(),
  payoutApproval: NullableText,
  reviewAbove: NullableText,
  chargebackUrl: Type.String(),
  accent: NullableText,
  /** Another image has another one; null: there is none. */
  logo: NullableText,
  keys: Type.Array(Type.Object({ keyId: Type.String(), used: Type.Boolean(), retiresAt: NullableText })),
  rsaKey: Type.Boolean(),
  ips: Type.Array(Type.String()),
  requireIp: Type.Boolean(),
  requireRsa: Type.Boolean(),
  signAnswers: Type.Boolean(),
  notifyReview: Type.Boolean(),
})

const optional = Type.Optional(Type.String({ maxLength: 1000 }))
const optionalList = Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 }))

const options = {
  name: optional,
  sites: optionalList,
  currencies: optional,
  settleCurrency: optional,
  ...terms,
  methods: optional,
  cardBrands: optional,
  requireRsa: optional,
  requireIp: optional,
  signAnswers: optional,
  notifyReview: optional,
  ips: optionalList,
  limitSingle: optional,
  limitDaily: optional,
  limitMonthly: optional,
  refundCredit: optional,
  approveRefunds: optional,
  payoutApproval: optional,
  reviewAbove: optional,
  payoutFeeBps: optional,
  payoutFeeFixed: optional,
  chargebackUrl: optional,
  timezone: optional,
  accent: optional,
  /** A PNG or JPEG file in base64, or `none`. */
  logo: Type.Optional(Type.String()),
} as const

/** A logo in base64, and the rest; a little more, so that a logo that is too large is refused at its field. */
const BODY_BYTES = 262_144

const params = Type.Object({ merNo: MerNo })

const methodParams = Type.Object({ merNo: MerNo, method: Type.String({ maxLength: 40 }) })

export const merchantsApi = {
  'GET /merchants': {
    access: 'merchants.read',
    query: Type.Object({
      ...onPage,
      state: Type.Optional(State),
      text: Type.Optional(Type.String({ maxLength: 100 })),
      asksForWebsite: Type.Optional(Type.Boolean()),
    }),
    reply: pageOf(Listed),
  },
  'GET /merchants/:merNo': {
    access: 'merchants.read',
    params,
    reply: Type.Object({ merchant: Merchant, version: Type.String() }),
  },
  'POST /merchants': {
    access: 'merchants.edit',
    dangerous: true,
    bodyLimit: BODY_BYTES,
    body: Type.Object({
      ...options,
      name: text(100),
      sites: Type.Array(Type.String()),
      /** It must be approved before it may take payments. */
      pending: Type.Optional(Type.Boolean()),
      reason: Reason,
    }),
    reply: Type.Object({ merNo: Type.Integer(), key: Type.String(), webhookSecret: Type.String() }),
  },
  'PUT /merchants/:merNo': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params,
    bodyLimit: BODY_BYTES,
    body: Type.Object({ options: Type.Object(options), ...editing }),
    reply: Edited,
  },
  'POST /merchants/:merNo/state': {
    access: 'merchants.approve',
    dangerous: 'unless-dry-run',
    params,
    body: Type.Object({
      transition: Type.Union([Type.Literal('approve'), Type.Literal('suspend'), Type.Literal('close')]),
      ...editing,
    }),
    reply: Edited,
  },
  'PUT /merchants/:merNo/plans/:method': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params: methodParams,
    body: Type.Object({ terms: Type.Object(terms), ...editing }),
    reply: Edited,
  },
  'DELETE /merchants/:merNo/plans/:method': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params: methodParams,
    body: Type.Object(editing),
    reply: Edited,
  },
  /** Null: the merchant keeps its terms, but they no longer follow a plan. */
  'PUT /merchants/:merNo/fee-plan': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params,
    body: Type.Object({ plan: NullableText, ...editing }),
    reply: Edited,
  },
  'PUT /merchants/:merNo/routes/:method/:channel': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params: Type.Object({
      ...methodParams.properties,
      channel: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' }),
    }),
    body: Type.Object({
      priority: Type.Integer({ minimum: 1, maximum: 100 }),
      weight: Type.Integer({ minimum: 1, maximum: 1000 }),
      ...editing,
    }),
    reply: Edited,
  },
  'DELETE /merchants/:merNo/routes/:method/:channel': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params: Type.Object({ ...methodParams.properties, channel: Type.String({ maxLength: 40 }) }),
    body: Type.Object(editing),
    reply: Edited,
  },
  'POST /merchants/:merNo/websites': {
    access: 'merchants.approve',
    params,
    body: Type.Object({
      site: text(255),
      action: Type.Union([Type.Literal('approve'), Type.Literal('remove')]),
      ...editing,
    }),
    reply: Edited,
  },
} as const satisfies Routes
