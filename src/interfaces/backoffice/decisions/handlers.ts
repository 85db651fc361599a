import type { Approval, ApprovalKind } from '../../approvals/approval.ts'
import { decideApproval, noApproval } from '../../approvals/decide-approval.ts'
import { listApprovals } from '../../approvals/list-approvals.ts'
import { decisionCarrying } from '../../decisions/carrying.ts'
import { correctBalance, readCorrected } from '../../decisions/correct-balance.ts'
import { type DecisionDeps, decideOutcome } from '../../decisions/decide-outcome.ts'
import { listOutcomes } from '../../decisions/list-outcomes.ts'
import { needsSecondPerson } from '../../decisions/second-person.ts'
import { idOf, type Unresolved } from '../../order-queries/list-unresolved.ts'
import { actorOf, type Caller } from '../caller.ts'
import { toMoney } from '../money.ts'
import type { Permission } from '../permissions.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { decisionsApi } from './api.ts'
import { approvalPage } from './approval-row.ts'

export type DecisionHandlerDeps = DecisionDeps & {
  /** Called when there may be new notifications to deliver. */
  readonly pokeDelivery: () => void
}

/** Approving something takes the permission to do it. */
const permissionFor: Readonly<Partial<Record<ApprovalKind, Permission>>> = {
  outcome: 'outcomes.decide',
  correction: 'books.correct',
  suspense: 'suspense.decide',
}

export function createDecisionHandlers(deps: DecisionHandlerDeps): Handlers<typeof decisionsApi> {
  const { db, clock } = deps
  const carrying = decisionCarrying(deps)
  const decide = async (caller: Caller, approvalId: string, approves: boolean, reason: string) => {
    const check = checkFor(caller)
    await decideApproval(
      { db, clock, carrying },
      { approvalId, actor: actorOf(caller), approves, reason, check },
    )
    deps.pokeDelivery()
    return {}
  }
  return {
    async 'GET /outcomes'({ query }) {
      const { merNo, after } = query
      const found = await listOutcomes(deps, { merNo, after: readAfter(after), limit: PAGE_ROWS + 1 })
      const shown = found.slice(0, PAGE_ROWS)
      const last = found.length > PAGE_ROWS ? shown.at(-1) : undefined
      return { rows: shown.map((one) => toRow(deps, one)), ...(last && { next: writeAfter(last) }) }
    },

    async 'POST /outcomes/:tradeNo/decide'({ caller, params, body }) {
      const { approvalId } = await decideOutcome(deps, { ...params, ...body, actor: actorOf(caller) })
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
      return approvalPage(await listApprovals(db, { ...page, isWaiting: state !== 'decided' }), caller, now)
    },

    'POST /approvals/:approvalId/approve': ({ caller, params, body }) =>
      decide(caller, params.approvalId, true, body.reason),
    'POST /approvals/:approvalId/reject': ({ caller, params, body }) =>
      decide(caller, params.approvalId, false, body.reason),
  }
}

function checkFor({ permissions }: Caller): (approval: Approval) => void {
  return ({ decider, kind, approvalId }) => {
    const needed = permissionFor[kind]
    if (decider !== 'platform' || needed === undefined) throw noApproval(approvalId)
    if (!permissions.has(needed))
      throw new Problem('not-allowed', 'Approving this needs the permission to do it yourself.')
  }
}

function toRow(deps: DecisionDeps, outcome: Unresolved) {
  const { kind, merNo, tradeNo, refundNo, merOrderNo, channel, state, money, asks } = outcome
  return {
    kind,
    merNo,
    tradeNo,
    ...(refundNo !== undefined && { refundNo }),
    merOrderNo,
    channel,
    state,
    money: toMoney(money),
    createdAt: outcome.createdAt.toISOString(),
    asks,
    askAt: outcome.askAt.toISOString(),
    needsSecondPerson: needsSecondPerson(deps, money),
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
