import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Clock } from '../../base/clock.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { Db } from '../../postgres/db.ts'
import { actorOf, isOperator } from '../caller.ts'
import { needMerchant } from '../need-merchant.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import type { companyApi } from './api.ts'
import { readDetails } from './details.ts'
import { selectDetails, writeDetails } from './sql.ts'

export type CompanyDeps = {
  readonly db: Db
  readonly clock: Clock
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function createCompanyHandlers(deps: CompanyDeps): Handlers<typeof companyApi> {
  const { db, clock } = deps
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
        details: await selectDetails(db, merNo),
      }
    },

    async 'PUT /company/details'({ caller, body: { version, ...typed } }) {
      if (isOperator(caller)) throw noCompany()
      const { details, wrong } = readDetails(typed)
      if (Object.keys(wrong).length > 0) throw new Problem('invalid', 'Check the marked fields.', wrong)
      const { merNo } = caller
      const at = clock.now()
      return db.transaction(async (tx) => {
        const { version: _, ...before } = await selectDetails(tx, merNo)
        const written = await writeDetails(tx, merNo, { ...details, version }, at)
        if (written === undefined)
          throw new Problem('conflict', 'Somebody changed this meanwhile. Load it again, then repeat it.')
        const line = { merNo, at, actor: actorOf(caller), subject: String(merNo) }
        await writeAudit(tx, { ...line, action: 'company.edit', before, after: details })
        return { version: written }
      })
    },

    async 'GET /merchants/:merNo/company'({ params }) {
      return selectDetails(db, (await needMerchant(deps, params.merNo)).merNo)
    },
  }
}

function noCompany(): Problem {
  return new Problem('not-found', 'Operators have no company of their own.')
}
