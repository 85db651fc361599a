import { nameEntry } from '../../../interfaces/backoffice/risk/entries.ts'
import { tryRule } from '../../../interfaces/backoffice/risk/try-rule.ts'
import { addEntry, listEntries, removeEntry } from '../../../money/risk/change-lists.ts'
import { createRule, findRule, listRules, switchRule } from '../../../money/risk/change-rules.ts'
import { type Entry, entryKinds, isEntryKind } from '../../../money/risk/entry.ts'
import { parseConditions, type Rule, ruleActions, ruleStates } from '../../../money/risk/rule.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { readBins } from '../../../platform/runtime/bins-file.ts'
import { auditId, type Call, type Command, UsageError } from '../command.ts'
import { commandActor } from '../shared/actor.ts'
import { columns, plain } from '../shared/print.ts'
import { readTime } from '../shared/read-input.ts'
import { findMerchant, givenMerNo } from '../shared/show-merchant.ts'

const LIST_LIMIT = 500

const list: Command = {
  name: 'risk list',
  summary: 'List what is blocked and allowed, newest first',
  options: { search: { value: 'TEXT', help: 'only entries that contain this' } },
  async run({ given, tools }) {
    const all = { merNo: undefined, list: undefined, kind: undefined, after: undefined }
    const filter = { ...all, search: given.text('search') }
    const entries = await listEntries(await tools.database(), filter, LIST_LIMIT)
    const rows = entries.map(({ entryId, merNo, list, kind, shown, expiresAt, reason }) => [
      entryId,
      list,
      kind,
      plain(shown),
      scopeOf(merNo),
      expiresAt === undefined ? '' : `until ${expiresAt.toISOString()}`,
      plain(reason),
    ])
    const text = columns(rows, 'Nothing is blocked or allowed.')
    return { json: { entries: entries.map(describeEntry) }, text }
  },
}

function scopeOf(merNo: number): string {
  return merNo === 0 ? 'all merchants' : `merchant ${merNo}`
}

function describeEntry({ value: _value, ...entry }: Entry) {
  return entry
}

const ofMerchant = { value: 'MERNO', help: 'only for this merchant; without it, for all' } as const

const add: Command = {
  name: 'risk add',
  summary:
    'Block or allow a card, BIN, country, address, e-mail or device; an allow entry wins over everything',
  audit: ({ given }) => {
    return {
      merNo: Number(given.text('mer-no') ?? 0),
      subject: given.text('value') ?? given.text('of-order') ?? '',
    }
  },
  options: {
    list: { value: 'block', required: true, help: 'block or allow' },
    kind: { value: 'country', required: true, help: entryKinds.join(', ') },
    value: { value: 'TEXT', help: 'six digits of a card, DE, 203.0.113.0/24, a@b.example, @b.example' },
    'of-order': {
      value: 'TRADENO',
      help: 'instead of a value: what this order has; cards are named only so',
    },
    'mer-no': ofMerchant,
    until: { value: 'TIME', help: 'when it ends; without it, never' },
  },
  async run({ given, tools }) {
    const [name, kind] = [given.text('list'), given.text('kind') ?? '']
    if (name !== 'block' && name !== 'allow') throw new UsageError('--list is block or allow', add)
    if (!isEntryKind(kind)) throw new UsageError(`--kind is one of ${entryKinds.join(', ')}`, add)
    const [value, until] = [given.text('value'), given.text('until')]
    // A card number on the command line is refused, because it would be stored in the audit log and in the history of
    // the shell.
    if (kind === 'card' && value !== undefined)
      throw new OperatorRefusal('name a card by --of-order, never by its number')
    const db = await tools.database()
    const merNo = await readScope({ given, tools })
    const at = tools.clock.now()
    const deps = { db, vault: await tools.vault() }
    const named = await nameEntry(deps, { kind, value, tradeNo: given.text('of-order') })
    const expiresAt = until === undefined ? undefined : readTime(until, at)
    const why = { reason: given.text('why') ?? 'by command', by: commandActor().name, at }
    const entry = await addEntry(db, { merNo, list: name, named, expiresAt, ...why })
    const text = `${plain(entry.shown)} is on the ${name} list: ${entry.entryId}`
    return { json: describeEntry(entry), text }
  },
}

async function readScope({ given, tools }: Pick<Call, 'given' | 'tools'>): Promise<number> {
  const merNo = givenMerNo(given)
  return merNo === undefined ? 0 : (await findMerchant(await tools.database(), tools, merNo)).merNo
}

const remove: Command = {
  name: 'risk remove',
  argument: 'ENTRYID',
  summary: 'Remove an entry of the block or allow list',
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument: entryId, tools }) {
    await removeEntry(await tools.database(), entryId)
    return { json: { entryId, removed: true }, text: 'Removed.' }
  },
}

const rules: Command = {
  name: 'risk rules',
  summary: 'List the risk rules, newest first',
  options: {},
  async run({ tools }) {
    const found = await listRules(await tools.database())
    const rows = found.map(({ ruleId, state, action, merNo, name, conditions }) => [
      ruleId,
      state,
      action,
      scopeOf(merNo),
      plain(name),
      plain(JSON.stringify(conditions)),
    ])
    return { json: { rules: found }, text: columns(rows, 'There are no rules.') }
  },
}

const addRule: Command = {
  name: 'risk add-rule',
  summary: 'Write a rule as a draft; try it before you switch it on',
  audit: ({ given }) => ({ merNo: Number(given.text('mer-no') ?? 0), subject: given.text('name') ?? '' }),
  options: {
    name: { value: 'TEXT', required: true, help: 'merchants read it in their request log' },
    action: { value: 'refuse', required: true, help: `${ruleActions.join(', ')}; challenge is 3-D Secure` },
    conditions: {
      value: 'JSON',
      required: true,
      help: 'as in {"above":"500","countries":["DE"]}; also methods, issuerCountries, bins, countriesDiffer, newCardDays, velocity',
    },
    'mer-no': ofMerchant,
  },
  async run({ given, tools }) {
    const action = ruleActions.find((one) => one === given.text('action'))
    if (action === undefined) throw new UsageError(`--action is one of ${ruleActions.join(', ')}`, addRule)
    const content = {
      name: given.text('name') ?? '',
      action,
      conditions: parseConditions(given.text('conditions') ?? ''),
    }
    const db = await tools.database()
    const merNo = await readScope({ given, tools })
    const rule = await createRule(db, { merNo, content, by: commandActor().name, at: tools.clock.now() })
    return { json: rule, text: `Rule ${rule.ruleId} is a draft.` }
  },
}

const tryOut: Command = {
  name: 'risk try',
  argument: 'RULEID',
  summary: "Try a rule on the last 30 days' orders; nothing happens to them",
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument, tools }) {
    const db = await tools.database()
    const rule = await needRule(db, argument)
    const bins = await readBins(tools.config().binsFile)
    const found = await tryRule({ db, clock: tools.clock, bins }, rule, () => {})
    const rows = found.outcomes.map(({ name, orders, usd }) => [`  ${name}`, String(orders), `USD ${usd}`])
    const first = `It concerns ${found.hits} of ${found.orders} orders, USD ${found.usd}:`
    const { covers } = found
    const note = covers && `There was too much to count: only ${covers.from} to ${covers.until} is covered.\n`
    return { json: found, text: `${note ?? ''}${first}\n${columns(rows)}` }
  },
}

const switchTo: Command = {
  name: 'risk switch',
  argument: 'RULEID',
  summary: 'Switch a rule on, off, or let it only watch',
  audit: ({ argument }) => auditId(argument),
  options: { to: { value: 'on', required: true, help: ruleStates.join(', ') } },
  async run({ argument: ruleId, given, tools }) {
    const state = ruleStates.find((one) => one === given.text('to'))
    if (state === undefined) throw new UsageError(`--to is one of ${ruleStates.join(', ')}`, switchTo)
    const db = await tools.database()
    const { version, state: seen } = await needRule(db, ruleId)
    const by = { by: commandActor().name, at: tools.clock.now() }
    const rule = await switchRule(db, { ruleId, version, seen, state, ...by })
    return { json: rule, text: `Rule ${ruleId} is ${state}.` }
  },
}

async function needRule(db: Db, ruleId: string): Promise<Rule> {
  const rule = await findRule(db, ruleId)
  if (rule === undefined) throw new OperatorRefusal(`rule ${ruleId} is not known`)
  return rule
}

export const riskCommands: readonly Command[] = [list, add, remove, rules, addRule, tryOut, switchTo]
