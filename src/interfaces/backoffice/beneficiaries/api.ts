// Saved beneficiaries of payouts. Accounts are only shown masked.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, ofMerchant, oneOf, pageOf, text } from '../schemas.ts'

export const BeneficiaryKind = oneOf('bank_account', 'pix', 'per_transfer', 'spei', 'coin')

const Beneficiary = Type.Object({
  beneficiaryId: Type.String(),
  label: Type.String(),
  kind: BeneficiaryKind,
  currency: Type.String(),
  account: Type.String(),
  details: Type.Record(Type.String(), Type.String()),
  /** Until this time, a payout to the account needs a second person. */
  usableAt: Moment,
  isUsable: Type.Boolean(),
  confirmedBy: Type.Optional(Type.String()),
  createdBy: Type.String(),
  createdAt: Moment,
  version: Type.Integer(),
  approvalId: Type.Optional(Type.String()),
})

const Entered = {
  label: text(80),
  kind: BeneficiaryKind,
  currency: Type.String({ minLength: 3, maxLength: 5 }),
  /** The payee's fields, with the names that `/payout` uses. The account is `cardNo`. */
  fields: Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 255 })),
} as const

export const BeneficiaryKey = Type.Object({ beneficiaryId: Type.String({ maxLength: 32 }) })

export const beneficiariesApi = {
  'GET /beneficiaries': {
    access: 'payouts.read',
    query: Type.Object(ofMerchant),
    reply: pageOf(Beneficiary),
  },
  'POST /beneficiaries': {
    access: 'beneficiaries.edit',
    dangerous: true,
    body: Type.Object(Entered),
    reply: Type.Object({ beneficiaryId: Type.String(), usableAt: Moment }),
  },
  'PUT /beneficiaries/:beneficiaryId': {
    access: 'beneficiaries.edit',
    dangerous: true,
    params: BeneficiaryKey,
    /**
     * A missing or empty field of `fields` leaves the stored account or document number unchanged, because the form
     * does not get these numbers.
     */
    body: Type.Object({ ...Entered, version: Type.Integer() }),
    reply: Type.Object({ usableAt: Moment, version: Type.Integer() }),
  },
  'DELETE /beneficiaries/:beneficiaryId': {
    access: 'beneficiaries.edit',
    params: BeneficiaryKey,
    reply: Nothing,
  },
} as const satisfies Routes
