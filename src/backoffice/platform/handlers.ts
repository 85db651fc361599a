import { audited } from '../../audit-log/audited-db.ts'
import type { Clock } from '../../base/clock.ts'
import { formatAmount } from '../../base/money.ts'
import { listPlatformLimits, readPlatformLimits, setPlatformLimits } from '../../orders/platform-limits.ts'
import type { Db } from '../../postgres/db.ts'
import { actorOf } from '../caller.ts'
import type { Handlers } from '../route.ts'
import type { platformApi } from './api.ts'

export type PlatformDeps = { readonly db: Db; readonly clock: Clock }

export function createPlatformHandlers({ db, clock }: PlatformDeps): Handlers<typeof platformApi> {
  async function describe() {
    const limits = [...(await listPlatformLimits(db))].map(([method, { daily, monthly }]) => {
      return { method, daily: dollars(daily), monthly: dollars(monthly) }
    })
    return { limits }
  }
  return {
    'GET /platform/limits': describe,

    async 'PUT /platform/limits/:method'({ caller, params: { method }, body: { daily, monthly, reason } }) {
      const before = (await listPlatformLimits(db)).get(method)
      const line = {
        merNo: 0,
        at: clock.now(),
        actor: actorOf(caller),
        action: 'platform.limit',
        subject: method,
        before: { daily: dollars(before?.daily), monthly: dollars(before?.monthly) },
        after: { daily, monthly },
        reason,
      }
      await setPlatformLimits(audited(db, line), readPlatformLimits({ method, daily, monthly }))
      return describe()
    },
  }
}

function dollars(cents: bigint | undefined): string | null {
  return cents === undefined ? null : formatAmount(cents, 'USD')
}
