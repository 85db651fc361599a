// Stores a payout run. A worker makes the payouts at once, or after a second person has approved the run. The order
// number of each line is fixed here, so that making a line is idempotent.
import type { Approval } from '../../../money/approvals/approval.ts'
import { askApproval } from '../../../money/approvals/ask-approval.ts'
import type { Carrying } from '../../../money/approvals/decide-approval.ts'
import { findWaitingApproval } from '../../../money/approvals/list-approvals.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { maskAccount } from '../../../money/payouts/account.ts'
import type { PayoutRequested } from '../../../money/payouts/prepare-payout.ts'
import { readPayoutSettings } from '../../../money/payouts/settings.ts'
import type { Actor } from '../../../platform/audit-log/entry.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import { makeId } from '../../../platform/base/id.ts'
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { assert, OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { accountInWords } from '../beneficiaries/beneficiary.ts'
import type { BeneficiaryDeps } from '../beneficiaries/save-beneficiary.ts'
import {
  type CheckDeps,
  type CheckedRun,
  checkLines,
  type Line,
  problemOfStored,
  totalsOf,
} from './check-lines.ts'
import {
  decideRun,
  insertLines,
  insertRun,
  type NewLine,
  type NewRun,
  rejectLines,
  releaseLines,
  selectRunByKey,
  selectSealed,
} from './sql.ts'

export type RunDeps = CheckDeps & Pick<BeneficiaryDeps, 'tellAccountChanged'> & { readonly db: Db }

export type WantedRun = {
  readonly merchant: Merchant
  readonly actor: Actor
  readonly lines: readonly Line[]
  readonly name: string
  readonly reason: string
  readonly key: string
}

export type StartedRun = { readonly runId: string; readonly approvalId: string | undefined }

export async function startRun(deps: RunDeps, wanted: WantedRun): Promise<StartedRun> {
  const { merNo } = wanted.merchant
  const known = await selectRunByKey(deps.db, merNo, wanted.key)
  if (known !== undefined) return startedBefore(deps, merNo, known)
  const at = deps.clock.now()
  const runId = makeId('W', merNo, at)
  const checked = await checkLines(deps, wanted.merchant, wanted.lines, runId)
  const wrong = checked.lines.filter(({ problem }) => problem !== undefined)
  if (wrong.length > 0) throw wrongLines(wrong)
  const why = await whySecondPerson(deps, merNo, checked)
  const { name, reason, actor, key: requestKey } = wanted
  const state = why.length > 0 ? 'waiting' : 'released'
  const run: NewRun = { merNo, runId, requestKey, name, state, reason, createdBy: actor.name, createdAt: at }
  const started = await deps.db.transaction((tx) => store(tx, deps, run, checked, { actor, why }))
  return started ?? startedBefore(deps, merNo, (await selectRunByKey(deps.db, merNo, requestKey)) ?? '')
}

async function startedBefore({ db }: RunDeps, merNo: number, runId: string): Promise<StartedRun> {
  const approval = await findWaitingApproval(db, { merNo, kind: 'payouts', subject: runId })
  return { runId, approvalId: approval?.approvalId }
}

function wrongLines(wrong: CheckedRun['lines']): Problem {
  const [first] = wrong
  const problem = `${wrong.length} of the payouts cannot be made. Line ${first?.no}: ${first?.problem}`
  const field = first?.field
  return new Problem(
    'invalid',
    problem,
    field === undefined ? {} : { [field]: { domain: first?.problem ?? '' } },
  )
}

export type Why = 'amount' | 'account'

/** Returns the reasons why a second person must approve the run. Empty if no approval is required. */
export async function whySecondPerson(deps: RunDeps, merNo: number, checked: CheckedRun): Promise<Why[]> {
  const { secondPersonAbove } = await readPayoutSettings(deps.db, merNo)
  const why: Why[] = []
  if (secondPersonAbove !== undefined && checked.usdValue > secondPersonAbove) why.push('amount')
  if (checked.lines.some(({ isNew }) => isNew)) why.push('account')
  return why
}

type Start = { readonly actor: Actor; readonly why: readonly Why[] }

async function store(
  tx: Tx,
  deps: RunDeps,
  run: NewRun,
  checked: CheckedRun,
  { actor, why }: Start,
): Promise<StartedRun | undefined> {
  const { merNo, runId, reason, createdAt: at } = run
  if (!(await insertRun(tx, run))) return undefined
  const askAt = run.state === 'released' ? at : undefined
  await insertLines(
    tx,
    checked.lines.map((line) => toLine(deps.vault, run, line, askAt)),
  )
  const sums = totalsOf(checked).map(({ money }) => money)
  const after = { lines: checked.lines.length, total: sums.map(inWords), state: run.state }
  await writeAudit(tx, { merNo, at, actor, action: 'payouts.create', subject: runId, after, reason })
  if (why.length === 0) return { runId, approvalId: undefined }
  const action = {
    lines: String(after.lines),
    total: after.total.join(', '),
    why: why.join(', '),
    name: run.name,
  }
  const money = sums.length === 1 ? sums[0] : undefined
  const asked = { merNo, kind: 'payouts', subject: runId } as const
  const { approvalId } = await askApproval(tx, { ...asked, action, money, reason, actor, at })
  if (why.includes('account'))
    await deps.tellAccountChanged(tx, { merNo, ...newAccounts(run, checked), by: actor.name, at })
  return { runId, approvalId }
}

/** The maximum number of accounts that the mail names. The run's page shows all accounts. */
const MOST_NAMED = 10

function newAccounts({ runId }: NewRun, { lines }: CheckedRun) {
  const named = lines.flatMap(({ isNew, requested, beneficiary }) =>
    isNew && requested !== undefined ? `${beneficiary} (${shownIn(requested)})` : [],
  )
  const all = [...new Set(named)]
  const what = all.slice(0, MOST_NAMED).join(', ')
  return { what, run: { runId, more: Math.max(0, all.length - MOST_NAMED) } }
}

function shownIn({ kind, account, details }: PayoutRequested): string {
  assert(kind !== 'checkout', 'the line was checked')
  return accountInWords(maskAccount(kind, account), details)
}

function toLine(
  vault: Vault,
  { merNo, runId }: NewRun,
  { no, requested, payout, beneficiary }: CheckedRun['lines'][number],
  askAt: Date | undefined,
): NewLine {
  assert(
    requested !== undefined && payout !== undefined && requested.kind !== 'checkout',
    'the line was checked',
  )
  return {
    merNo,
    runId,
    lineNo: no,
    merOrderNo: requested.merOrderNo,
    money: payout.money,
    kind: requested.kind,
    beneficiary,
    accountMasked: shownIn(requested),
    sealed: vault.seal(JSON.stringify(requested), contextOf(runId, no)),
    askAt,
  }
}

export function openLine(vault: Vault, runId: string, lineNo: number, sealed: Buffer): PayoutRequested {
  return JSON.parse(vault.open(sealed, contextOf(runId, lineNo)))
}

function contextOf(runId: string, lineNo: number): string {
  return `payout-line:${runId}:${lineNo}`
}

function inWords({ amount, currency }: Money): string {
  return `${formatAmount(amount, currency)} ${currency}`
}

/**
 * The effects of a decision. An approval checks the lines again and releases the run to the worker, which checks each
 * line once more. A rejection rejects all lines.
 */
export function payoutsCarrying(deps: CheckDeps, merchant: Merchant): Carrying {
  return {
    async approved(tx, approval, { at }) {
      const { merNo, subject: runId } = approval
      await decided(tx, approval, 'released', at)
      const stored = (await selectSealed(tx, merNo, runId)).map(({ lineNo: no, sealed }) => {
        return { no, requested: openLine(deps.vault, runId, no, sealed) }
      })
      const problem = await problemOfStored({ ...deps, db: tx }, merchant, stored)
      if (problem !== undefined)
        throw new OperatorRefusal(`the payouts of ${runId} cannot be made any more. ${problem}`)
      await releaseLines(tx, merNo, runId, at)
    },
    async rejected(tx, approval, { at }) {
      await decided(tx, approval, 'rejected', at)
      await rejectLines(tx, approval.merNo, approval.subject)
    },
  }
}

async function decided(
  tx: Tx,
  { merNo, subject: runId }: Approval,
  state: 'released' | 'rejected',
  at: Date,
): Promise<void> {
  if (!(await decideRun(tx, { merNo, runId }, state, at)))
    throw new OperatorRefusal(`the payouts of ${runId} are decided already`)
}
