import { foreseeSecondPerson } from '../../../money/approvals/second-person.ts'
import type { DecisionDeps } from '../../../money/decisions/decide-outcome.ts'
import { assignToOrder, decideSuspense } from '../../../money/decisions/decide-suspense.ts'
import { listHeld } from '../../../money/suspense/book-suspense.ts'
import type { Suspense } from '../../../money/suspense/suspense.ts'
import { actorOf } from '../../../people/roles/caller.ts'
import { toMoney } from '../money.ts'
import { briefsOf, orderIn } from '../orders/brief-order.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { suspenseApi } from './api.ts'

export type SuspenseHandlerDeps = DecisionDeps & { readonly pokeDelivery: () => void }

export function createSuspenseHandlers(deps: SuspenseHandlerDeps): Handlers<typeof suspenseApi> {
  return {
    async 'GET /suspense'({ caller, query }) {
      const held = await listHeld(deps.db, query.merNo, PAGE_ROWS + 1, query.after)
      const page = pageFrom(held, ({ suspenseId }) => suspenseId)
      const wanted = {
        merNos: page.rows.map((one) => one.merNo),
        actor: actorOf(caller),
        at: deps.clock.now(),
      }
      const needs = await foreseeSecondPerson(deps.db, deps, wanted)
      const briefs = await briefsOf(deps.db, caller, page.rows)
      const rows = page.rows.map((one) => {
        const needsSecondPerson = needs(one.merNo, one.money)
        return { ...toRow(one), ...orderIn(briefs, one.tradeNo), needsSecondPerson }
      })
      return { ...page, rows }
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

function toRow(held: Suspense) {
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
  }
}
