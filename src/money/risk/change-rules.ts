// Writes rules and switches them. A rule is switched on only after exactly this version was tried on last month's orders.
import { makeId, merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../postgres/db.ts'
import { type Rule, type RuleContent, type RuleState, readRule } from './rule.ts'
import { announceRisk, saveRule, selectRule, selectRules } from './sql.ts'
import type { Trial } from './trial.ts'

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

/** The rule must be as the person saw it. A rule that is on or watching must be switched off first. */
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

/** The rule must be in the state that the person saw: its version does not change when it is switched. */
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

/** Stores what a trial found, unless the rule has changed since. */
export function recordTrial(
  db: Db,
  { ruleId, version, found, at }: RuleKey & { readonly found: Trial; readonly at: Date },
): Promise<Rule> {
  return db.transaction(async (tx) => {
    const rule = await lockRule(tx, { ruleId, version })
    return save(tx, { ...rule, triedAt: at, tried: found })
  })
}

/** Somebody else was faster. */
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

/** Undefined if there is none. A rule's id contains its merchant. */
export function findRule(db: Queryable, ruleId: string): Promise<Rule | undefined> {
  return selectRule(db, merNoOf(ruleId) ?? 0, ruleId)
}

/** Newest first. */
export function listRules(db: Queryable): Promise<Rule[]> {
  return selectRules(db, MOST_RULES)
}
