import { audited } from '../../audit-log/audited-db.ts'
import type { Clock } from '../../base/clock.ts'
import { acceptSuspense } from '../../payments/deposits/accept-suspense.ts'
import type { Db } from '../../postgres/db.ts'
import type { Rates } from '../../rates/rates.ts'
import { listHeld } from '../../suspense/book-suspense.ts'
import { returnSuspense } from '../../suspense/decide-suspense.ts'
import type { Suspense } from '../../suspense/suspense.ts'
import { lineAbout } from '../line-about.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import type { suspenseApi } from './api.ts'

export type SuspenseHandlerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly rates: Pick<Rates, 'find'>
  readonly pokeDelivery: () => void
}

const MOST_LISTED = 500

export function createSuspenseHandlers(deps: SuspenseHandlerDeps): Handlers<typeof suspenseApi> {
  const { db, clock } = deps
  return {
    async 'GET /suspense'({ query }) {
      return { rows: (await listHeld(db, query.merNo, MOST_LISTED)).map(toRow) }
    },

    async 'POST /suspense/:suspenseId/accept'({ caller, params: { suspenseId }, body: { reason } }) {
      const line = lineAbout(caller, clock, { id: suspenseId, action: 'suspense.accept', reason })
      const accepted = await acceptSuspense({ ...deps, db: audited(db, line) }, suspenseId)
      deps.pokeDelivery()
      const { tradeNo, surplus } = accepted
      return { tradeNo, ...(surplus && { surplusId: surplus.suspenseId }) }
    },

    async 'POST /suspense/:suspenseId/return'({ caller, params: { suspenseId }, body: { reason } }) {
      const line = lineAbout(caller, clock, { id: suspenseId, action: 'suspense.return', reason })
      await returnSuspense({ db: audited(db, line), clock }, suspenseId)
      return {}
    },
  }
}

function toRow({ suspenseId, merNo, channel, reference, tradeNo, money, why, bookedAt }: Suspense) {
  return {
    suspenseId,
    merNo,
    channel,
    reference,
    ...(tradeNo !== undefined && { tradeNo }),
    money: toMoney(money),
    why,
    bookedAt: bookedAt.toISOString(),
  }
}
