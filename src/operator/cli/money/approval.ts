import type { Approval } from '../../../money/approvals/approval.ts'
import { decideApproval } from '../../../money/approvals/decide-approval.ts'
import { listApprovals } from '../../../money/approvals/list-approvals.ts'
import { decisionCarrying } from '../../../money/decisions/carrying.ts'
import { type Call, type Command, type Result, UsageError } from '../command.ts'
import { commandApprover, withDecisions } from '../shared/actor.ts'
import { columns, moneyFields, plain } from '../shared/print.ts'
import { readReason, reasonOption } from '../shared/read-input.ts'

const LIST_LIMIT = 500

const list: Command = {
  name: 'approval list',
  summary: 'List what waits for a second person, newest first',
  options: { state: { value: 'waiting|decided|all', help: 'which of them (default: waiting)' } },
  async run({ given, tools }) {
    const state = given.text('state') ?? 'waiting'
    if (!['waiting', 'decided', 'all'].includes(state))
      throw new UsageError('--state must be waiting, decided or all', list)
    const db = await tools.database()
    const filter = { decider: 'platform', merNo: undefined, after: undefined, limit: LIST_LIMIT } as const
    const wanted = [true, false].filter((isWaiting) => state === 'all' || isWaiting === (state === 'waiting'))
    const found = await Promise.all(
      wanted.map((isWaiting) => listApprovals(db, { ...filter, isWaiting, now: tools.clock.now() })),
    )
    const json = found.flat().map(describe)
    return { json: { approvals: json }, text: columns(json.map(toRow), 'Nothing.') }
  },
}

function describe(approval: Approval) {
  const { approvalId, merNo, kind, subject, action, money, askedBy, reason, state, decidedBy } = approval
  return {
    approvalId,
    merNo,
    kind,
    subject,
    action,
    ...(money === undefined ? { amount: null, currency: null } : moneyFields(money)),
    askedBy: askedBy.name,
    askedAt: approval.askedAt.toISOString(),
    reason,
    expiresAt: approval.expiresAt.toISOString(),
    state,
    decidedBy: decidedBy?.name ?? null,
    decidedAt: approval.decidedAt?.toISOString() ?? null,
    decision: approval.decision ?? null,
  }
}

function toRow(one: ReturnType<typeof describe>): string[] {
  const { approvalId, askedAt, kind, subject, merNo, amount, currency, action, askedBy, reason, state } = one
  const what = Object.entries(action).map(([name, value]) => `${name} ${value}`)
  const sum = amount === null ? '' : `${amount} ${currency}`
  const about = [kind, subject, `merchant ${merNo}`, sum, what.join(', ')]
  return [approvalId, askedAt, ...about, askedBy, reason, state].map(plain)
}

const approve: Command = {
  name: 'approval approve',
  argument: 'APPROVALID',
  summary: 'Approve what another person asked for; it is carried out immediately',
  options: { reason: reasonOption },
  run: (call) => decide(call, true),
}

const reject: Command = {
  name: 'approval reject',
  argument: 'APPROVALID',
  summary: 'Reject what waits for a second person; nothing is changed',
  options: { reason: reasonOption },
  run: (call) => decide(call, false),
}

function decide({ argument: approvalId, given, tools }: Call, approves: boolean): Promise<Result> {
  const reason = readReason(given)
  return withDecisions(tools, async (deps) => {
    const wanted = { approvalId, by: commandApprover(), approves, reason }
    const decided = await decideApproval({ ...deps, carrying: decisionCarrying(deps) }, wanted)
    const text = `${approvalId} is ${decided.state}${approves ? ' and carried out' : '; nothing was changed'}.`
    return { json: describe(decided), text }
  })
}

export const approvalCommands: readonly Command[] = [list, approve, reject]
