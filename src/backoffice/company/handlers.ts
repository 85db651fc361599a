import type { Merchant } from '../../merchants/merchant.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import type { companyApi } from './api.ts'

export type CompanyDeps = { findMerchant(merNo: number): Promise<Merchant | undefined> }

export function createCompanyHandlers({ findMerchant }: CompanyDeps): Handlers<typeof companyApi> {
  return {
    async 'GET /company'({ caller }) {
      const merchant = await findMerchant(caller.merNo)
      if (merchant === undefined) throw new Problem('not-found', 'Operators have no company of their own.')
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
      }
    },
  }
}
