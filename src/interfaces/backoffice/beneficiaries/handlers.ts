import { findWaitingApproval } from '../../../money/approvals/list-approvals.ts'
import { actorOf, type Caller, isOperator, merchantOf } from '../../../people/roles/caller.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Handlers } from '../route.ts'
import type { beneficiariesApi } from './api.ts'
import type { Beneficiary } from './beneficiary.ts'
import {
  addBeneficiary,
  type BeneficiaryDeps,
  changeBeneficiary,
  dropBeneficiary,
} from './save-beneficiary.ts'
import { selectBeneficiaries } from './sql.ts'

export function createBeneficiaryHandlers(deps: BeneficiaryDeps): Handlers<typeof beneficiariesApi> {
  const { db, clock } = deps
  return {
    async 'GET /beneficiaries'({ caller, query }) {
      const found = await selectBeneficiaries(db, merchantOf(caller, query.merNo))
      const now = clock.now()
      return { rows: await Promise.all(found.map((one) => toRow(one, now))) }
    },

    async 'POST /beneficiaries'({ caller, body }) {
      const { beneficiaryId, usableAt } = await addBeneficiary(deps, savingBy(caller), body)
      return { beneficiaryId, usableAt: usableAt.toISOString() }
    },

    async 'PUT /beneficiaries/:beneficiaryId'({ caller, params, body }) {
      const wanted = { ...body, ...params }
      const { usableAt, version } = await changeBeneficiary(deps, savingBy(caller), wanted)
      return { usableAt: usableAt.toISOString(), version }
    },

    async 'DELETE /beneficiaries/:beneficiaryId'({ caller, params }) {
      await dropBeneficiary(deps, savingBy(caller), params.beneficiaryId)
      return {}
    },
  }

  async function toRow(one: Beneficiary, now: Date) {
    const { merNo, beneficiaryId, label, kind, currency, confirmedBy, createdBy, version } = one
    const isUsable = one.usableAt <= now
    const approval = isUsable
      ? undefined
      : await findWaitingApproval(db, { merNo, kind: 'beneficiary', subject: beneficiaryId })
    const details = Object.entries(one.details).map(([name, value]) => [name, String(value)])
    return {
      beneficiaryId,
      label,
      kind,
      currency,
      account: one.accountMasked,
      details: Object.fromEntries(details),
      usableAt: one.usableAt.toISOString(),
      isUsable,
      ...(confirmedBy !== undefined && { confirmedBy }),
      createdBy,
      createdAt: one.createdAt.toISOString(),
      version,
      ...(approval && { approvalId: approval.approvalId }),
    }
  }
}

/** Returns the caller's merchant and actor. Refuses operators. */
export function savingBy(caller: Caller) {
  if (isOperator(caller)) throw new Problem('not-allowed', "Only the merchant's own people may do this.")
  return { merNo: caller.merNo, actor: actorOf(caller) }
}
