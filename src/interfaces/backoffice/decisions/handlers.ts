import { decideApproval } from '../../../money/approvals/decide-approval.ts'
import { listApprovals } from '../../../money/approvals/list-approvals.ts'
import { foreseeSecondPerson } from '../../../money/approvals/second-person.ts'
import { decisionCarrying } from '../../../money/decisions/carrying.ts'
import { correctBalance, readCorrected } from '../../../money/decisions/correct-balance.ts'
import { type DecisionDeps, decideOutcome, listOutcomes } from '../../../money/decisions/decide-outcome.ts'
import { idOf, type Unresolved } from '../../../money/order-queries/list-unresolved.ts'
import { ownerCarrying } from '../../../people/registration/owner-carrying.ts'
import { actorOf, approverOf, type Caller, type PeopleDeps } from '../../../people/roles/caller.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import { toMoney } from '../money.ts'
import { briefsOf, orderIn } from '../orders/brief-order.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { decisionsApi } from './api.ts'
import { approvalPage } from './approval-row.ts'

export type DecisionHandlerDeps = DecisionDeps &
  PeopleDeps & {
    readonly pokeDelivery: () => void
  }

export function createDecisionHandlers(deps: DecisionHandlerDeps): Handlers<typeof decisionsApi> {
  const { db, clock } = deps
  const carrying = { ...decisionCarrying(deps), owner: ownerCarrying(deps) }
  const decide = async (caller: Caller, approvalId: string, approves: boolean, reason: string) => {
    const by = approverOf(caller)
    await decideApproval({ db, clock, carrying }, { approvalId, by, approves, reason })
    deps.pokeDelivery()
    return {}
  }
  return {
    async 'GET /outcomes'({ caller, query }) {
      const { merNo, after } = query
      const found = await listOutcomes(deps, { merNo, after: readAfter(after), limit: PAGE_ROWS + 1 })
      const shown = found.slice(0, PAGE_ROWS)
      const last = found.length > PAGE_ROWS ? shown.at(-1) : undefined
      const merNos = shown.map((one) => one.merNo)
      const needs = await foreseeSecondPerson(db, deps, { merNos, actor: actorOf(caller), at: clock.now() })
      const briefs = await briefsOf(db, caller, shown)
      const rows = shown.map((one) => {
        const needsSecondPerson = needs(one.merNo, one.money)
        return { ...toRow(one), ...orderIn(briefs, one.tradeNo), needsSecondPerson }
      })
      return { rows, ...(last && { next: writeAfter(last) }) }
    },

    async 'POST /outcomes/:tradeNo/decide'({ caller, params, body }) {
      const { approvalId } = await decideOutcome(deps, { ...body, ...params, actor: actorOf(caller) })
      deps.pokeDelivery()
      return approvalId === undefined ? {} : { approvalId }
    },

    async 'POST /corrections'({ caller, body }) {
      const { from, to, reason } = body
      const money = readCorrected(body.amount, body.currency)
      const actor = actorOf(caller)
      const { correctionId, approvalId } = await correctBalance(deps, {
        merNo: Number(body.merNo),
        from,
        to,
        money,
        reason,
        actor,
      })
      return { correctionId, ...(approvalId !== undefined && { approvalId }) }
    },

    async 'GET /approvals'({ caller, query }) {
      const { state, merNo, after } = query
      const now = clock.now()
      const page = { decider: 'platform', merNo, after, now, limit: PAGE_ROWS + 1 } as const
      const found = await listApprovals(db, { ...page, isWaiting: state !== 'decided' })
      return approvalPage(found, { db, caller, now })
    },

    'POST /approvals/:approvalId/approve': ({ caller, params, body }) =>
      decide(caller, params.approvalId, true, body.reason),
    'POST /approvals/:approvalId/reject': ({ caller, params, body }) =>
      decide(caller, params.approvalId, false, body.reason),
  }
}

function toRow(outcome: Unresolved) {
  const { kind, merNo, tradeNo, refundNo, merOrderNo, channel, state, money, received, asks } = outcome
  return {
    kind,
    merNo,
    tradeNo,
    ...(refundNo !== undefined && { refundNo }),
    merOrderNo,
    channel,
    state,
    money: toMoney(money),
    ...(received && { received: toMoney(received) }),
    createdAt: outcome.createdAt.toISOString(),
    asks,
    askAt: outcome.askAt.toISOString(),
  }
}

function writeAfter(last: Unresolved): string {
  return `${last.createdAt.toISOString()}.${idOf(last)}`
}

function readAfter(text: string | undefined): { createdAt: Date; id: string } | undefined {
  if (text === undefined) return undefined
  const [, time = '', id = ''] = /^([\d:.TZ-]{24})\.(\w{1,40})$/.exec(text) ?? []
  const createdAt = new Date(time)
  if (Number.isNaN(createdAt.getTime())) throw new Problem('invalid', 'Open the list again.')
  return { createdAt, id }
}
