import type { Merchant } from '../../../money/merchants/merchant.ts'
import { addEntry, findEntry, listEntries, removeEntry } from '../../../money/risk/change-lists.ts'
import {
  changeRule,
  createRule,
  findRule,
  listRules,
  RuleChanged,
  switchRule,
} from '../../../money/risk/change-rules.ts'
import { isCurrent } from '../../../money/risk/entry.ts'
import type { FoundHit } from '../../../money/risk/evaluate.ts'
import { hitsSince, listHits } from '../../../money/risk/hits.ts'
import { MOST_DAYS, type Rule, WrongRule } from '../../../money/risk/rule.ts'
import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import type { AuditEntry } from '../../../platform/audit-log/entry.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { BinTable } from '../../../platform/base/bin-table.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { domainText } from '../../../platform/errors/page-texts.ts'
import { atField, Problem } from '../../../platform/errors/problem.ts'
import type { Handlers } from '../route.ts'
import { type RunDeps, startRun } from '../runs/run.ts'
import { selectRuns } from '../runs/sql.ts'
import { describeRun } from '../runs/wire.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { riskApi } from './api.ts'
import { blockOrder, nameEntry, namesOfOrder } from './entries.ts'
import { tryRule } from './try-rule.ts'

export type RiskHandlerDeps = RunDeps & {
  readonly vault: Vault
  readonly bins: BinTable
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

const DAY_MS = 86_400_000

export function createRiskHandlers(deps: RiskHandlerDeps): Handlers<typeof riskApi> {
  const { db, clock } = deps

  type Line = Pick<AuditEntry, 'merNo' | 'action' | 'subject' | 'reason' | 'before' | 'after'>
  const withLine = (caller: Caller, line: Line) =>
    audited(db, { ...line, at: clock.now(), actor: actorOf(caller) })
  const checkScope = async (merNo: number) => {
    if (merNo === PLATFORM || (await deps.findMerchant(merNo)) !== undefined) return
    throw new Problem('invalid', 'There is no such merchant.', { merNo: 'There is no such merchant.' })
  }
  const needRule = async (ruleId: string): Promise<Rule> => {
    const rule = await findRule(db, ruleId)
    if (rule === undefined) throw new Problem('not-found', 'There is no such rule.')
    return rule
  }
  const hitsLately = (ruleIds: readonly string[]) =>
    hitsSince(db, ruleIds, new Date(clock.now().getTime() - MOST_DAYS * DAY_MS))

  return {
    async 'GET /risk/entries'({ query }) {
      const { merNo, list, kind, search, after } = query
      const found = await listEntries(db, { merNo, list, kind, search, after }, PAGE_ROWS + 1)
      const now = clock.now()
      const rows = found.map(({ value: _value, ...entry }) => ({
        ...entry,
        createdAt: entry.createdAt.toISOString(),
        expiresAt: entry.expiresAt?.toISOString() ?? null,
        isExpired: !isCurrent(entry, now),
      }))
      return pageFrom(rows, ({ entryId }) => entryId)
    },

    async 'POST /risk/entries'({ caller, body }) {
      const { merNo, list, kind, value, tradeNo, expiresAt, reason } = body
      await checkScope(merNo)
      const at = clock.now()
      const named = await nameEntry(deps, { kind, value, tradeNo })
      const line = { merNo, action: 'risk.list-add', subject: named.shown, reason, after: { list, kind } }
      const entry = await addEntry(withLine(caller, line), {
        merNo,
        list,
        reason,
        named,
        expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
        by: caller.email,
        at,
      })
      return { entryId: entry.entryId, shown: entry.shown }
    },

    async 'POST /risk/entries/:entryId/remove'({ caller, params: { entryId }, body: { reason } }) {
      const entry = await findEntry(db, entryId)
      if (entry === undefined) throw new Problem('not-found', 'There is no such entry.')
      const { merNo, shown, list, kind } = entry
      const line = { merNo, action: 'risk.list-remove', subject: shown, reason, before: { list, kind } }
      await removeEntry(withLine(caller, line), entryId)
      return {}
    },

    async 'GET /risk/orders/:tradeNo'({ params: { tradeNo } }) {
      return { names: (await namesOfOrder(deps, tradeNo)).map(({ kind, shown }) => ({ kind, shown })) }
    },

    async 'POST /risk/orders/:tradeNo/block'({ caller, params: { tradeNo }, body }) {
      return { blocked: await blockOrder(deps, caller, { ...body, tradeNo }) }
    },

    async 'GET /risk/rules'() {
      const rules = await listRules(db)
      const hits = await hitsLately(rules.map(({ ruleId }) => ruleId))
      return { rules: rules.map((rule) => toRow(rule, hits)) }
    },

    async 'POST /risk/rules'({ caller, body }) {
      const { merNo, reason, ...content } = body
      await checkScope(merNo)
      const after = { ...content }
      const line = { merNo, action: 'risk.rule-create', subject: content.name, reason, after }
      const made = { merNo, content, by: caller.email, at: clock.now() }
      const { ruleId } = await atRule(() => createRule(withLine(caller, line), made))
      return { ruleId }
    },

    async 'GET /risk/rules/:ruleId'({ params: { ruleId } }) {
      const [rule, hits, runs] = await Promise.all([
        needRule(ruleId),
        hitsLately([ruleId]),
        selectRuns(db, kindOf(ruleId), 1),
      ])
      const [run] = runs
      const isShown = run !== undefined && run.state !== 'done'
      return { rule: toRow(rule, hits), trial: trialOf(rule), run: isShown ? describeRun(run) : null }
    },

    async 'PUT /risk/rules/:ruleId'({ caller, params: { ruleId }, body }) {
      const { version, reason, ...content } = body
      const { merNo, name, action, conditions } = await needRule(ruleId)
      const line = { merNo, action: 'risk.rule-change', subject: ruleId, reason }
      const sides = { before: { name, action, conditions }, after: { ...content } }
      const change = { ruleId, version, content, by: caller.email, at: clock.now() }
      const changed = await atRule(() => changeRule(withLine(caller, { ...line, ...sides }), change))
      return { version: changed.version }
    },

    async 'POST /risk/rules/:ruleId/state'({ caller, params: { ruleId }, body }) {
      const { version, seen, state, reason } = body
      const { merNo } = await needRule(ruleId)
      const line = { merNo, action: 'risk.rule-switch', subject: ruleId, reason }
      const sides = { before: { state: seen }, after: { state } }
      const wanted = { ruleId, version, seen, state, by: caller.email, at: clock.now() }
      await atRule(() => switchRule(withLine(caller, { ...line, ...sides }), wanted))
      return {}
    },

    async 'POST /risk/rules/:ruleId/try'({ caller, params: { ruleId } }) {
      const rule = await needRule(ruleId)
      const audit = { action: 'risk.rule-try', after: { ruleId, version: rule.version } }
      const start = { kind: kindOf(ruleId), by: actorOf(caller), audit }
      return { runId: await startRun(deps, start, (report) => tryRule(deps, rule, report)) }
    },

    async 'GET /risk/hits'({ query: { after, sourceId } }) {
      const found = await listHits(db, { sourceId, after: readAfter(after) }, PAGE_ROWS + 1)
      const page = pageFrom(found, writeAfter)
      return { ...page, rows: page.rows.map((hit) => ({ ...hit, at: hit.at.toISOString() })) }
    },
  }
}

/**
 * Returns the kind of a trial's run. The kind contains the rule's id, because only one run of a kind can be in
 * progress.
 */
function kindOf(ruleId: string): string {
  return `risk-trial:${ruleId}`
}

function toRow(rule: Rule, hits: ReadonlyMap<string, number>) {
  const { methods, countries, issuerCountries, bins, ...others } = rule.conditions
  return {
    ...rule,
    conditions: {
      ...others,
      ...(methods && { methods: [...methods] }),
      ...(countries && { countries: [...countries] }),
      ...(issuerCountries && { issuerCountries: [...issuerCountries] }),
      ...(bins && { bins: [...bins] }),
    },
    changedAt: rule.changedAt.toISOString(),
    triedAt: rule.triedAt?.toISOString() ?? null,
    hits: hits.get(rule.ruleId) ?? 0,
  }
}

function trialOf({ tried }: Rule) {
  if (tried === undefined) return null
  return { ...tried, outcomes: [...tried.outcomes], examples: [...tried.examples] }
}

async function atRule<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WrongRule) throw atField(error.field, domainText(error.advice))
    if (error instanceof RuleChanged)
      throw new Problem(
        'conflict',
        'Somebody changed this meanwhile. Load it again, then repeat your change.',
      )
    throw error
  }
}

// `next` is a text that clients send back unchanged.

type Position = Pick<FoundHit, 'at' | 'tradeNo' | 'sourceId'>

function writeAfter({ at, tradeNo, sourceId }: Position): string {
  return `${at.getTime().toString(36)}.${tradeNo}.${sourceId}`
}

function readAfter(after: string | undefined): Position | undefined {
  if (after === undefined) return undefined
  const form = /^([0-9a-z]{1,10})\.([0-9A-Z]{1,32})\.([0-9A-Z]{1,32})$/
  const [, at = '', tradeNo = '', sourceId = ''] = form.exec(after) ?? []
  if (at === '') throw new Problem('invalid', 'This page does not exist. Go to the first page.')
  return { at: new Date(Number.parseInt(at, 36)), tradeNo, sourceId }
}
