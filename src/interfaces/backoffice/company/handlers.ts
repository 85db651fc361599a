import type { Merchant } from '../../../money/merchants/merchant.ts'
import { changeDetails, companyDetails } from '../../../people/registration/company-details.ts'
import { isOperator } from '../../../people/roles/caller.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { needMerchant } from '../merchant-of-call.ts'
import type { Handlers } from '../route.ts'
import type { companyApi } from './api.ts'

export type CompanyDeps = {
  readonly db: Db
  readonly clock: Clock
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function createCompanyHandlers(deps: CompanyDeps): Handlers<typeof companyApi> {
  const { db } = deps
  return {
    async 'GET /company'({ caller }) {
      const merchant = await deps.findMerchant(caller.merNo)
      if (merchant === undefined) throw noCompany()
      const { merNo, name, state, timezone, websites, askedWebsites, currencies, methods } = merchant
      return {
        merNo,
        name,
        state,
        timezone,
        websites: [...websites],
        askedWebsites: [...askedWebsites],
        currencies: [...currencies].map(([currency, settlesIn]) => ({ currency, settlesIn })),
        ...(methods !== undefined && { methods: [...methods] }),
        details: await companyDetails(db, merNo),
      }
    },

    async 'PUT /company/details'({ caller, body }) {
      if (isOperator(caller)) throw noCompany()
      return { version: await changeDetails(deps, caller, body) }
    },

    async 'GET /merchants/:merNo/company'({ params }) {
      return companyDetails(db, (await needMerchant(deps, params.merNo)).merNo)
    },
  }
}

function noCompany(): Problem {
  return new Problem('not-found', 'Operators have no company of their own.')
}
