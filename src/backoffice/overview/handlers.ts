import type { Clock } from '../../base/clock.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { Db } from '../../postgres/db.ts'
import { merchantOf } from '../caller.ts'
import { needMerchant } from '../need-merchant.ts'
import type { Handlers } from '../route.ts'
import type { overviewApi } from './api.ts'
import { readOverview } from './read-overview.ts'

export type OverviewDeps = {
  readonly db: Db
  readonly clock: Clock
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function createOverviewHandlers(deps: OverviewDeps): Handlers<typeof overviewApi> {
  return {
    async 'GET /overview'({ caller, query }) {
      const merchant = await needMerchant(deps, merchantOf(caller, query.merNo))
      return readOverview(deps.db, merchant, deps.clock.now())
    },
  }
}
