// Merchants and their terms, for operators. An edit with `dryRun` returns the changes and saves nothing.
import { type TSchema, Type } from 'typebox'
import { type FeePlan, perTerm, type TermName, terms } from '../../../money/merchants/terms.ts'
import type { Routes } from '../route.ts'
import { MerNo, oneOf, onPage, orNull, pageOf, Reason, text } from '../schemas.ts'

const planFields = perTerm<Readonly<Record<TermName, TSchema>>>((name) =>
  typeof terms[name].initial === 'string' ? Type.String() : Type.Integer(),
)

// Edits of a merchant and edits of a named fee plan share these schemas.
export const Plan = Type.Unsafe<FeePlan & { readonly method: string }>(
  Type.Object({ method: Type.String(), ...planFields }),
)

const optional = Type.Optional(Type.String({ maxLength: 1000 }))

/** The terms as texts, in the format of the command line. In an edit, a missing term keeps its value. */
export const termTexts = perTerm<Readonly<Record<TermName, typeof optional>>>(() => optional)

/** The fields of every edit. `version` is the version that the person saw. */
export const editing = {
  version: Type.Optional(Type.String({ maxLength: 64 })),
  dryRun: Type.Optional(Type.Boolean()),
  reason: Reason,
} as const

export const Edited = Type.Object({
  changes: Type.Array(Type.Object({ name: Type.String(), before: Type.Unknown(), after: Type.Unknown() })),
  /** The fees of an order of 100.00, for the methods whose fees change. */
  fees: Type.Array(
    Type.Object({
      method: Type.String(),
      currency: Type.String(),
      before: Type.String(),
      after: Type.String(),
    }),
  ),
  version: Type.String(),
})

const State = oneOf('pending', 'active', 'suspended', 'closed')

const Listed = Type.Object({
  merNo: Type.Integer(),
  name: Type.String(),
  state: State,
  askedWebsites: Type.Integer(),
})

const NullableText = orNull(Type.String())
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
  /** The currency in which payments of each currency are settled. */
  currencies: Type.Record(Type.String(), Type.String()),
  methods: AllOrSome,
  cardBrands: AllOrSome,
  feePlans: Type.Array(Plan),
  /** The merchant's fee plan. Null if the merchant has its own terms. */
  feePlan: NullableText,
  routes: Type.Array(Route),
  limits: Type.Object({ single: NullableText, daily: NullableText, monthly: NullableText }),
  refundCredit: NullableText,
  approveRefunds: Type.Boolean(),
  payoutApproval: NullableText,
  reviewAbove: NullableText,
  chargebackUrl: Type.String(),
  accent: NullableText,
  /** A fingerprint of the image. Null if there is no logo. */
  logo: NullableText,
  keys: Type.Array(Type.Object({ keyId: Type.String(), used: Type.Boolean(), retiresAt: NullableText })),
  rsaKey: Type.Boolean(),
  ips: Type.Array(Type.String()),
  requireIp: Type.Boolean(),
  requireRsa: Type.Boolean(),
  signAnswers: Type.Boolean(),
  notifyReview: Type.Boolean(),
  amountsInNotifications: Type.Boolean(),
})

const optionalList = Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 }))

const options = {
  name: optional,
  sites: optionalList,
  currencies: optional,
  settleCurrency: optional,
  ...termTexts,
  methods: optional,
  cardBrands: optional,
  requireRsa: optional,
  requireIp: optional,
  signAnswers: optional,
  notifyReview: optional,
  amountsInNotifications: optional,
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

/**
 * The maximum size of a body with a logo. The limit exceeds the largest logo, so a logo that is only slightly too large
 * is refused with a problem at its field.
 */
export const LOGO_BODY_BYTES = 262_144

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
    bodyLimit: LOGO_BODY_BYTES,
    body: Type.Object({
      ...options,
      name: text(100),
      sites: Type.Array(Type.String()),
      /** True if an operator must approve the merchant before it may take payments. */
      pending: Type.Optional(Type.Boolean()),
      reason: Reason,
    }),
    /**
     * In live, only a caller who may see live keys gets the secrets, because a person who has the key can send payouts
     * alone. Otherwise the company's owner makes new secrets with `POST /keys/rotate` and `POST /keys/webhook-secret`.
     */
    reply: Type.Object({
      merNo: Type.Integer(),
      key: Type.Optional(Type.String()),
      webhookSecret: Type.Optional(Type.String()),
    }),
  },
  'PUT /merchants/:merNo': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params,
    bodyLimit: LOGO_BODY_BYTES,
    body: Type.Object({ options: Type.Object(options), ...editing }),
    reply: Edited,
  },
  'POST /merchants/:merNo/state': {
    access: 'merchants.approve',
    dangerous: 'unless-dry-run',
    params,
    body: Type.Object({
      transition: oneOf('approve', 'suspend', 'close'),
      ...editing,
    }),
    reply: Edited,
  },
  'PUT /merchants/:merNo/plans/:method': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params: methodParams,
    body: Type.Object({ terms: Type.Object(termTexts), ...editing }),
    reply: Edited,
  },
  'DELETE /merchants/:merNo/plans/:method': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params: methodParams,
    body: Type.Object(editing),
    reply: Edited,
  },
  /**
   * Assigns a fee plan to the merchant. With null, the merchant keeps its present terms, which then no longer change
   * with a plan.
   */
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
      action: oneOf('approve', 'remove'),
      ...editing,
    }),
    reply: Edited,
  },
} as const satisfies Routes
