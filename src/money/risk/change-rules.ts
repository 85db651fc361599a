// Creates, changes and switches rules, and records their trials. A version of a rule can be switched on only after a
// trial of that version on past orders.
import { makeId, merNoOf } from '../../platform/base/id.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { type Rule, type RuleContent, type RuleState, readRule, type Trial } from './rule.ts'
import { announceRisk, saveRule, selectRule, selectRules } from './sql.ts'

const MOST_RULES = 200

type By = { readonly by: string; readonly at: Date }

export function createRule(
  db: Db,
  { merNo, content, by, at }: By & { readonly merNo: number; readonly content: RuleContent },
): Promise<Rule> {
  const rule: Rule = {
    ...readRule(content),
    merNo,
    ruleId: makeId('J', merNo, at),
    state: 'draft',
    version: 1,
    createdAt: at,
    createdBy: by,
    changedAt: at,
    changedBy: by,
    triedAt: undefined,
    tried: undefined,
  }
  return db.transaction(async (tx) => {
    if ((await selectRules(tx, MOST_RULES)).length >= MOST_RULES)
      throw new OperatorRefusal(`there are ${MOST_RULES} rules: change one that is off`)
    await saveRule(tx, rule)
    return rule
  })
}

/**
 * Changes a rule, if it still has the `version` that the person saw. A rule that is on or watching must be switched off
 * first.
 */
export function changeRule(
  db: Db,
  { ruleId, version, content, by, at }: By & RuleKey & { readonly content: RuleContent },
): Promise<Rule> {
  const read = readRule(content)
  return db.transaction(async (tx) => {
    const rule = await lockRule(tx, { ruleId, version })
    if (isActive(rule)) throw new OperatorRefusal('the rule is in use: switch it off before you change it')
    return save(tx, {
      ...rule,
      ...read,
      state: 'draft',
      version: rule.version + 1,
      changedAt: at,
      changedBy: by,
      triedAt: undefined,
      tried: undefined,
    })
  })
}

export type RuleKey = { readonly ruleId: string; readonly version: number }

/**
 * Switches a rule to another state, if the rule still has the version and the state that the person saw. The version
 * alone is not enough, because switching does not change the version.
 */
export function switchRule(
  db: Db,
  {
    ruleId,
    version,
    seen,
    state,
    by,
    at,
  }: By & RuleKey & { readonly seen: RuleState; readonly state: RuleState },
): Promise<Rule> {
  return db.transaction(async (tx) => {
    const rule = await lockRule(tx, { ruleId, version })
    if (rule.state !== seen) throw changedMeanwhile()
    if (rule.state === state) throw new OperatorRefusal(`the rule is ${state} already`)
    if (state === 'on' && rule.triedAt === undefined)
      throw new OperatorRefusal("try the rule on last month's orders first, then switch it on")
    return save(tx, { ...rule, state, changedAt: at, changedBy: by })
  })
}

/** Stores the result of a trial. Refuses if the rule has changed since the trial. */
export function recordTrial(
  db: Db,
  { ruleId, version, found, at }: RuleKey & { readonly found: Trial; readonly at: Date },
): Promise<Rule> {
  return db.transaction(async (tx) => {
    const rule = await lockRule(tx, { ruleId, version })
    return save(tx, { ...rule, triedAt: at, tried: found })
  })
}

/** The refusal if the rule has changed since the caller read it. */
export class RuleChanged extends OperatorRefusal {}

async function lockRule(tx: Tx, { ruleId, version }: RuleKey): Promise<Rule> {
  const rule = await selectRule(tx, merNoOf(ruleId) ?? 0, ruleId, 'for update')
  if (rule === undefined) throw new OperatorRefusal('there is no such rule')
  if (rule.version !== version) throw changedMeanwhile()
  return rule
}

function changedMeanwhile(): RuleChanged {
  return new RuleChanged('somebody changed the rule meanwhile: load it again')
}

async function save(tx: Tx, rule: Rule): Promise<Rule> {
  await saveRule(tx, rule)
  await announceRisk(tx)
  return rule
}

function isActive({ state }: Rule): boolean {
  return state === 'on' || state === 'watching'
}

/** Returns the rule, if there is one. The merchant number is part of the rule's id. */
export function findRule(db: Queryable, ruleId: string): Promise<Rule | undefined> {
  return selectRule(db, merNoOf(ruleId) ?? 0, ruleId)
}

export function listRules(db: Queryable): Promise<Rule[]> {
  return selectRules(db, MOST_RULES)
}
