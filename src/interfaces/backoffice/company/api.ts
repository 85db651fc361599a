// The page of the caller's own company: its settings at the gateway, and the details that its people enter.
import { Type } from 'typebox'
import { LOGO_BODY_BYTES } from '../merchants/api.ts'
import type { Routes } from '../route.ts'
import { MerNo, oneOf, orNull, text } from '../schemas.ts'

/** The details that people enter. All texts are empty until somebody enters them. */
const details = {
  contact: Type.String(),
  email: Type.String(),
  website: Type.String(),
  /** The country's ISO 3166-1 alpha-2 code. */
  country: Type.String(),
} as const

export const companyApi = {
  /** The caller's company. Operators use the routes of merchants instead. */
  'GET /company': {
    access: 'signed-in',
    reply: Type.Object({
      merNo: Type.Integer(),
      name: Type.String(),
      state: oneOf('pending', 'active', 'suspended', 'closed'),
      /** The IANA name of the time zone that applies to days, dates and limits. */
      timezone: Type.String(),
      websites: Type.Array(Type.String()),
      askedWebsites: Type.Array(Type.String()),
      /** The currency in which payments of each currency are settled. */
      currencies: Type.Array(Type.Object({ currency: Type.String(), settlesIn: Type.String() })),
      /** The methods that the merchant may use. If missing, the merchant may use every method. */
      methods: Type.Optional(Type.Array(Type.String())),
      details: Type.Object({ ...details, version: Type.Integer() }),
    }),
  },
  /** Changes the details. Only operators can change the company's name. */
  'PUT /company/details': {
    access: 'company.edit',
    body: Type.Object({
      contact: text(100),
      email: Type.String({ minLength: 3, maxLength: 255 }),
      website: text(255),
      country: Type.String({ maxLength: 2 }),
      version: Type.Integer({ minimum: 0 }),
    }),
    reply: Type.Object({ version: Type.Integer() }),
  },
  /**
   * The look of the company's payment pages. `accent` is null for the gateway's own colour. `logo` is null if there is
   * no logo.
   */
  'GET /company/look': {
    access: 'company.edit',
    reply: Type.Object({
      accent: orNull(Type.String()),
      /** The image as a data URL. */
      logo: orNull(Type.String()),
      version: Type.String(),
    }),
  },
  'PUT /company/look': {
    access: 'company.edit',
    bodyLimit: LOGO_BODY_BYTES,
    body: Type.Object({
      /** A colour such as #0f766e, or `none`. */
      accent: Type.String({ maxLength: 20 }),
      /** A PNG or JPEG file in base64, or `none`. If missing, the logo stays unchanged. */
      logo: Type.Optional(Type.String()),
      version: Type.String(),
    }),
    reply: Type.Object({ version: Type.String() }),
  },
  'GET /merchants/:merNo/company': {
    access: 'merchants.read',
    params: Type.Object({ merNo: MerNo }),
    reply: Type.Object(details),
  },
} as const satisfies Routes
