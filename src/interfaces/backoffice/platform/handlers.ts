import {
  listPlatformLimits,
  lockPlatformLimits,
  type PlatformLimits,
  readPlatformLimits,
  setPlatformLimits,
} from '../../../money/orders/platform-limits.ts'
import { actorOf } from '../../../people/roles/caller.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { edit, versionOf } from '../edit.ts'
import type { Handlers } from '../route.ts'
import type { platformApi } from './api.ts'

export type PlatformDeps = { readonly db: Db; readonly clock: Clock }

export function createPlatformHandlers({ db, clock }: PlatformDeps): Handlers<typeof platformApi> {
  async function describe() {
    const limits = await listPlatformLimits(db)
    return { limits: [...limits].map(([method, pair]) => ({ method, ...inDollars(pair) })) }
  }
  return {
    'GET /platform/limits': describe,

    async 'PUT /platform/limits/:method'({ caller, params: { method }, body }) {
      const { daily, monthly, seen, reason } = body
      const change = readPlatformLimits({ method, daily, monthly })
      const actor = actorOf(caller)
      await edit(
        db,
        {
          look: async (tx) => inDollars((await lockPlatformLimits(tx)).get(method)),
          seen: seen && versionOf({ daily: seen.daily ?? null, monthly: seen.monthly ?? null }),
          line: { merNo: 0, at: clock.now(), actor, action: 'platform.limit', subject: method, reason },
        },
        (to) => setPlatformLimits(to, change),
      )
      return describe()
    },
  }
}

function inDollars(limits: PlatformLimits | undefined) {
  return { daily: dollars(limits?.daily), monthly: dollars(limits?.monthly) }
}

function dollars(cents: bigint | undefined): string | null {
  return cents === undefined ? null : formatAmount(cents, 'USD')
}
