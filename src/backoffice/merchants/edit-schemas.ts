// What edits of terms share: merchants and named fee plans.
import { Type } from 'typebox'
import { Reason } from '../schemas.ts'

export const Plan = {
  feeBps: Type.Integer(),
  feeFixed: Type.String(),
  refundFee: Type.String(),
  chargebackFee: Type.String(),
  marginBps: Type.Integer(),
  marginDays: Type.Integer(),
  settleDays: Type.Integer(),
} as const

const optional = Type.Optional(Type.String({ maxLength: 1000 }))

/** As the command line takes them; what is missing stays. */
export const terms = {
  feeBps: optional,
  feeFixed: optional,
  refundFee: optional,
  chargebackFee: optional,
  marginBps: optional,
  marginDays: optional,
  settleDays: optional,
} as const

/** The version is the one that was read with what is edited. */
export const editing = {
  version: Type.Optional(Type.String({ maxLength: 64 })),
  dryRun: Type.Optional(Type.Boolean()),
  reason: Reason,
} as const

export const Edited = Type.Object({
  changes: Type.Array(Type.Object({ name: Type.String(), before: Type.Unknown(), after: Type.Unknown() })),
  /** What an order of 100.00 costs, where that changes. */
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
