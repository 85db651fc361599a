import type { DecisionDeps } from '../../decisions/decide-outcome.ts'
import { assignToOrder, decideSuspense } from '../../decisions/decide-suspense.ts'
import { needsSecondPerson } from '../../decisions/second-person.ts'
import { listHeld } from '../../suspense/book-suspense.ts'
import type { Suspense } from '../../suspense/suspense.ts'
import { actorOf } from '../caller.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { suspenseApi } from './api.ts'

export type SuspenseHandlerDeps = DecisionDeps & { readonly pokeDelivery: () => void }

export function createSuspenseHandlers(deps: SuspenseHandlerDeps): Handlers<typeof suspenseApi> {
  return {
    async 'GET /suspense'({ query }) {
      const held = await listHeld(deps.db, query.merNo, PAGE_ROWS + 1, query.after)
      const shown = held.slice(0, PAGE_ROWS)
      const last = held.length > PAGE_ROWS ? shown.at(-1) : undefined
      return { rows: shown.map((one) => toRow(deps, one)), ...(last && { next: last.suspenseId }) }
    },

    async 'POST /suspense/:suspenseId/accept'({ caller, params: { suspenseId }, body: { reason } }) {
      const wanted = { suspenseId, as: 'accept', reason, actor: actorOf(caller) } as const
      const { accepted, approvalId } = await decideSuspense(deps, wanted)
      deps.pokeDelivery()
      const surplusId = accepted?.surplus?.suspenseId
      return {
        ...(accepted && { tradeNo: accepted.tradeNo }),
        ...(surplusId !== undefined && { surplusId }),
        ...(approvalId !== undefined && { approvalId }),
      }
    },

    async 'POST /suspense/:suspenseId/return'({ caller, params: { suspenseId }, body: { reason } }) {
      const wanted = { suspenseId, as: 'return', reason, actor: actorOf(caller) } as const
      const { approvalId } = await decideSuspense(deps, wanted)
      return approvalId === undefined ? {} : { approvalId }
    },

    async 'POST /suspense/:suspenseId/assign'({ caller, params: { suspenseId }, body: { tradeNo, reason } }) {
      const wanted = { suspenseId, tradeNo: tradeNo.trim(), reason, actor: actorOf(caller) }
      return { suspenseId: (await assignToOrder(deps, wanted)).suspenseId }
    },
  }
}

function toRow(deps: DecisionDeps, held: Suspense) {
  const { suspenseId, merNo, channel, reference, tradeNo, money, why, bookedAt } = held
  return {
    suspenseId,
    merNo,
    channel,
    reference,
    ...(tradeNo !== undefined && { tradeNo }),
    money: toMoney(money),
    why,
    bookedAt: bookedAt.toISOString(),
    needsSecondPerson: needsSecondPerson(deps, money),
  }
}
