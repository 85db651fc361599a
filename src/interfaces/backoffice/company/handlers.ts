import { setOptions } from '../../../money/merchants/change-merchant.ts'
import { lookAtMerchant } from '../../../money/merchants/describe-merchant.ts'
import { findLogo } from '../../../money/merchants/logo.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { changeDetails, companyDetails } from '../../../people/registration/company-details.ts'
import { actorOf, isOperator } from '../../../people/roles/caller.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { edit, versionOf } from '../edit.ts'
import { needMerchant } from '../merchant-of-call.ts'
import { optionsAtFields } from '../merchants/edit-terms.ts'
import type { Handlers } from '../route.ts'
import type { companyApi } from './api.ts'

export type CompanyDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function createCompanyHandlers(deps: CompanyDeps): Handlers<typeof companyApi> {
  const { db, clock, vault } = deps

  /** Reads and locks the look of the payment pages. `logo` is the fingerprint of the image. */
  const look = (merNo: number) => async (tx: Tx) => {
    const { accent, logo } = await lookAtMerchant(tx, vault, merNo, clock.now())
    return { accent, logo }
  }

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

    async 'GET /company/look'({ caller }) {
      if (isOperator(caller)) throw noCompany()
      return db.transaction(async (tx) => {
        const looks = await look(caller.merNo)(tx)
        const logo = await findLogo(tx, caller.merNo)
        const image = logo && `data:${logo.type};base64,${logo.bytes.toString('base64')}`
        return { accent: looks.accent, logo: image ?? null, version: versionOf(looks) }
      })
    },

    async 'PUT /company/look'({ caller, body: { version: seen, accent, logo } }) {
      if (isOperator(caller)) throw noCompany()
      const { merNo } = caller
      const at = clock.now()
      const options = optionsAtFields({ accent, logo })
      const line = { merNo, at, actor: actorOf(caller), action: 'company.look', subject: String(merNo) }
      const { version } = await edit(db, { look: look(merNo), seen, line }, (to) =>
        setOptions(to, merNo, options, at),
      )
      return { version }
    },

    async 'GET /merchants/:merNo/company'({ params }) {
      return companyDetails(db, (await needMerchant(deps, params.merNo)).merNo)
    },
  }
}

function noCompany(): Problem {
  return new Problem('not-found', 'Operators have no company of their own.')
}
