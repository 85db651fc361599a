import { APPROVAL_MS } from '../../../money/approvals/approval.ts'
import { decideApproval } from '../../../money/approvals/decide-approval.ts'
import { listApprovals } from '../../../money/approvals/list-approvals.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { maskAccount } from '../../../money/payouts/account.ts'
import { approvePayout, rejectPayout } from '../../../money/payouts/approve-payout.ts'
import {
  findNumberedPayout,
  isPayoutState,
  type ListedPayout,
  pageAllPayouts,
  pagePayouts,
} from '../../../money/payouts/find-payout.ts'
import type { PayoutSettings } from '../../../money/payouts/payout.ts'
import { changePayoutSettings, readPayoutSettings } from '../../../money/payouts/settings.ts'
import { ownerCarrying } from '../../../people/registration/owner-carrying.ts'
import {
  actorOf,
  approverOf,
  type Caller,
  isOperator,
  merchantOf,
  type PeopleDeps,
} from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { audited, writeAudit } from '../../../platform/audit-log/write-entry.ts'
import { currencyDoubt } from '../../../platform/base/iban-currency.ts'
import { makeId, merNoOf } from '../../../platform/base/id.ts'
import { formatAmount, parseDecimal } from '../../../platform/base/money.ts'
import { atField, Problem } from '../../../platform/errors/problem.ts'
import type { PayoutRails } from '../../../rails/routing/payout-routing.ts'
import { lineAbout } from '../audit-lines.ts'
import { savingBy } from '../beneficiaries/handlers.ts'
import { beneficiaryCarrying } from '../beneficiaries/save-beneficiary.ts'
import { approvalPage } from '../decisions/approval-row.ts'
import { ownOnly } from '../merchant-of-call.ts'
import { toMoney } from '../money.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { payoutsApi } from './api.ts'
import { type CheckedLine, checkLines, readLines, totalsOf } from './check-lines.ts'
import { type PayeeDeps, payeesOf, readPayees, withNewness } from './payees.ts'
import { type RunLine, type RunSummary, selectLines, selectRun, selectRuns } from './sql.ts'
import { payoutsCarrying, type RunDeps, startRun, whySecondPerson } from './start-run.ts'

export type PayoutHandlerDeps = RunDeps &
  PeopleDeps & {
    readonly pokeDelivery: () => void
    readonly rails: PayoutRails
    findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
  }

export function createPayoutHandlers(deps: PayoutHandlerDeps): Handlers<typeof payoutsApi> {
  const { db, clock } = deps

  async function ownMerchant(caller: Caller): Promise<Merchant> {
    const merchant = await deps.findMerchant(savingBy(caller).merNo)
    if (merchant === undefined) throw new Problem('not-found', 'There is no such merchant.')
    return merchant
  }

  async function decide(caller: Caller, approvalId: string, approves: boolean, reason: string) {
    ownOnly(caller, approvalId)
    const merchant = await ownMerchant(caller)
    const carrying = {
      payouts: payoutsCarrying(deps, merchant),
      beneficiary: beneficiaryCarrying(deps),
      owner: ownerCarrying(deps),
    }
    await decideApproval({ db, clock, carrying }, { approvalId, by: approverOf(caller), approves, reason })
    return {}
  }

  return {
    async 'GET /payouts'({ caller, query }) {
      const state = query.state !== undefined && isPayoutState(query.state) ? query.state : undefined
      const { number, after, awaits } = query
      const page = { state, after, limit: PAGE_ROWS + 1 }
      const isForAll = isOperator(caller) && query.merNo === undefined && awaits === undefined
      if (isForAll && number === undefined) return payoutPage(deps, await pageAllPayouts(db, page))
      const merNo = isForAll ? (merNoOf(number ?? '') ?? PLATFORM) : merchantOf(caller, query.merNo)
      const numbered = number === undefined ? undefined : await findNumberedPayout(db, merNo, number.trim())
      if (number !== undefined && numbered === undefined) return { rows: [] }
      const found = await pagePayouts(db, { ...page, awaits, merNo, tradeNo: numbered?.tradeNo })
      return payoutPage(deps, found)
    },

    async 'POST /payouts/check'({ caller, body }) {
      const merchant = await ownMerchant(caller)
      const runId = makeId('W', merchant.merNo, clock.now())
      const checked = await checkLines(deps, merchant, await readLines(body), runId)
      return {
        lines: checked.lines.map(toChecked),
        totals: totalsOf(checked).map(({ lines, money, fees, available }) => {
          return { lines, money: toMoney(money), fees: toMoney(fees), available: toMoney(available) }
        }),
        problems: checked.lines.filter(({ problem }) => problem !== undefined).length,
        secondPerson: await whySecondPerson(deps, merchant.merNo, checked),
      }
    },

    async 'POST /payouts/runs'({ caller, body }) {
      const merchant = await ownMerchant(caller)
      const lines = await readLines(body)
      const { name = '', reason, key } = body
      const wanted = { merchant, actor: actorOf(caller), lines, name, reason, key }
      const { runId, approvalId } = await startRun(deps, wanted)
      return { runId, ...(approvalId !== undefined && { approvalId }) }
    },

    async 'GET /payouts/runs'({ caller, query }) {
      const merNo = merchantOf(caller, query.merNo)
      const found = await selectRuns(db, merNo, query.after, PAGE_ROWS + 1)
      const now = clock.now()
      const rows = found.map((run) => toRun(run, now))
      return pageFrom(rows, ({ runId }) => runId)
    },

    async 'GET /payouts/runs/:runId'({ caller, params: { runId } }) {
      const merNo = merNoOf(runId)
      const run =
        merNo === undefined || (!isOperator(caller) && merNo !== caller.merNo)
          ? undefined
          : await selectRun(db, merNo, runId)
      if (run === undefined) throw new Problem('not-found', 'There is no such run of payouts.')
      const lines = await readPayees(deps, await selectLines(db, run.merNo, runId))
      return { run: toRun(run, clock.now()), lines: lines.map(toLine) }
    },

    async 'GET /payouts/approvals'({ caller, query }) {
      const { state, after } = query
      const merNo = merchantOf(caller, query.merNo)
      const now = clock.now()
      const page = { decider: 'merchant', merNo, after, now, limit: PAGE_ROWS + 1 } as const
      const found = await listApprovals(db, { ...page, isWaiting: state !== 'decided' })
      return approvalPage(found, { db, caller, now, payees: await payeesOf(deps, merNo, found) })
    },

    'POST /payouts/approvals/:approvalId/approve': ({ caller, params, body }) =>
      decide(caller, params.approvalId, true, body.reason),
    'POST /payouts/approvals/:approvalId/reject': ({ caller, params, body }) =>
      decide(caller, params.approvalId, false, body.reason),

    async 'POST /payouts/own/:tradeNo/approve'({ caller, params: { tradeNo }, body: { reason } }) {
      checkOwnPayout(caller, tradeNo)
      const to = audited(db, lineAbout(caller, clock, { id: tradeNo, action: 'payout.approve', reason }))
      await approvePayout({ ...deps, db: to, routing: deps }, tradeNo, {
        by: approverOf(caller),
        at: clock.now(),
      })
      return {}
    },
    async 'POST /payouts/own/:tradeNo/reject'({ caller, params: { tradeNo }, body: { reason } }) {
      checkOwnPayout(caller, tradeNo)
      const to = audited(db, lineAbout(caller, clock, { id: tradeNo, action: 'payout.reject', reason }))
      await rejectPayout(to, tradeNo, { by: approverOf(caller), at: clock.now(), why: reason })
      deps.pokeDelivery()
      return {}
    },

    async 'GET /payouts/coins'() {
      return { coins: payableCoins(deps.rails) }
    },

    async 'GET /payouts/settings'({ caller, query }) {
      const settings = await readPayoutSettings(db, merchantOf(caller, query.merNo))
      return { ...toSettings(settings), version: settings.version }
    },

    async 'PUT /payouts/settings'({ caller, body }) {
      const { merNo, actor } = savingBy(caller)
      const secondPersonAbove = readDollars(body.secondPersonAbove)
      if (body.includesInterface && secondPersonAbove === undefined) throw noDollars()
      const at = clock.now()
      return db.transaction(async (tx) => {
        const before = toSettings(await readPayoutSettings(tx, merNo))
        const { includesInterface, version: seen } = body
        const wanted = { secondPersonAbove, includesInterface, version: seen }
        const version = await changePayoutSettings(tx, merNo, wanted, at)
        if (version === undefined)
          throw new Problem('conflict', 'Somebody else changed the settings. Load them again.')
        const after = toSettings(wanted)
        const subject = String(merNo)
        await writeAudit(tx, { merNo, at, actor, action: 'payouts.settings', subject, before, after })
        return { version }
      })
    },
  }
}

/**
 * Refuses operators and people of other merchants. Any other person of the merchant may decide, because the payout was
 * requested by a program and not by a person.
 */
function checkOwnPayout(caller: Caller, tradeNo: string): void {
  savingBy(caller)
  ownOnly(caller, tradeNo)
}

function toSettings({ secondPersonAbove: cents, includesInterface }: PayoutSettings) {
  return { ...(cents !== undefined && { secondPersonAbove: formatAmount(cents, 'USD') }), includesInterface }
}

function readDollars(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '') return undefined
  const cents = parseDecimal(text, 'USD')
  if (cents !== undefined) return cents
  throw noDollars()
}

function noDollars(): Problem {
  return atField('secondPersonAbove', 'Enter an amount in US dollars, such as 1000.00.')
}

async function payoutPage(deps: PayeeDeps, found: readonly ListedPayout[]) {
  const page = pageFrom(found, ({ tradeNo }) => tradeNo)
  return { ...page, rows: (await withNewness(deps, page.rows)).map(toPayout) }
}

function toPayout(payout: ListedPayout & { readonly isNew?: boolean }) {
  const { tradeNo, merOrderNo, kind, state, amount, fee, currency, account, beneficiary, createdAt } = payout
  return {
    merNo: payout.merNo,
    merchant: payout.merchant,
    tradeNo,
    merOrderNo,
    kind,
    state,
    money: { amount, currency },
    fee: { amount: fee, currency },
    account,
    beneficiary,
    ...(payout.country !== undefined && { country: payout.country }),
    ...(payout.isNew !== undefined && { isNew: payout.isNew }),
    message: payout.message,
    createdAt,
    awaits: [...payout.awaits],
    ...(payout.returnCost !== undefined && { returnCost: { amount: payout.returnCost, currency } }),
    ...(payout.transaction !== undefined && { transaction: payout.transaction }),
  }
}

function toChecked(line: CheckedLine) {
  const { no, merOrderNo, beneficiary, requested, payout, coin, isNew, problem, field } = line
  const isMasked = requested !== undefined && requested.kind !== 'checkout' && requested.account !== ''
  const doubt =
    requested?.kind === 'bank_account' ? currencyDoubt(requested.account, requested.currencyCode) : undefined
  return {
    line: no,
    merOrderNo,
    beneficiary,
    account: isMasked ? maskAccount(requested.kind, requested.account) : '',
    ...(payout && { money: toMoney(payout.money) }),
    ...(coin && { coin: { amount: coin.amount, currency: coin.name } }),
    isNew,
    ...(doubt && { currencyDoubt: { country: doubt.country, usual: [...doubt.usual] } }),
    ...(problem !== undefined && { problem }),
    ...(field !== undefined && { field }),
  }
}

function toRun(run: RunSummary, now: Date) {
  const { runId, name, reason, createdBy, createdAt, lines, made, refused, totals } = run
  return {
    runId,
    name,
    state: stateOf(run, now),
    reason,
    createdBy,
    createdAt: createdAt.toISOString(),
    lines,
    made,
    refused,
    totals: totals.map(toMoney),
  }
}

type ShownState = 'waiting' | 'released' | 'done' | 'rejected' | 'expired'

function stateOf(run: RunSummary, now: Date): ShownState {
  if (run.state === 'released') return run.waiting === 0 ? 'done' : 'released'
  if (run.state === 'rejected') return 'rejected'
  return now.getTime() - run.createdAt.getTime() >= APPROVAL_MS ? 'expired' : 'waiting'
}

function toLine(line: Awaited<ReturnType<typeof readPayees<RunLine>>>[number]) {
  const { lineNo, merOrderNo, beneficiary, accountMasked, kind, money, state, tradeNo, problem } = line
  return {
    line: lineNo,
    merOrderNo,
    beneficiary,
    account: accountMasked,
    ...(line.country !== undefined && { country: line.country }),
    ...(line.isNew !== undefined && { isNew: line.isNew }),
    kind,
    money: toMoney(money),
    state,
    ...(tradeNo !== undefined && { tradeNo }),
    ...(problem !== undefined && { problem }),
  }
}

type PayableCoin = { readonly coin: string; readonly network: string }

function payableCoins({ all }: Pick<PayoutRails, 'all'>): PayableCoin[] {
  const rails = all.filter(({ kinds }) => kinds.includes('coin'))
  return rails.flatMap(({ serves: { coin: coins = [], network: networks = [] } = {} }) =>
    networks.flatMap((network) => coins.map((coin) => ({ coin, network }))),
  )
}
