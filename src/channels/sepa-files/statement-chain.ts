// Finds missing statements: the closing balance of one is the opening balance of the next.
import type { Tell } from '../alarms.ts'
import type { ChannelStore } from '../store.ts'
import { type Balance, fingerprintOf, type Statement, statementKey } from './camt.ts'
import { moneyBody, readMoney, shown, textIn } from './transfers.ts'

const PAGE = 500

/**
 * A copy of a known statement gets its id, if the bank gives no sequence numbers and another id. Between two statements with the same
 * balances and entries there would have to be one that undoes the first.
 */
export async function asKnown(store: ChannelStore, statement: Statement): Promise<Statement> {
  const { sequence, opening, closing, iban } = statement
  if (statement.kind !== 'statement' || sequence !== '' || opening === undefined || closing === undefined)
    return statement
  if (opening.amount === closing.amount) return statement
  const print = printOf(statement)
  const known = (await listStatements(store, iban)).find((one) => one.print === print)
  return known === undefined ? statement : { ...statement, id: known.id }
}

function printOf({ opening, closing, entries }: Statement): string {
  return fingerprintOf([opening, closing, entries.map(({ fingerprint }) => fingerprint)])
}

/** Tells what is wrong with the statement itself, and gaps that were not told before. */
export async function linkStatement(store: ChannelStore, statement: Statement, tell: Tell): Promise<void> {
  const { kind, iban, id, opening, closing } = statement
  if (kind !== 'statement' || opening === undefined || closing === undefined) return
  const key = `${iban} ${statementKey(statement)}`
  const print = printOf(statement)
  const body = { id, print, opening: moneyBody(opening), closing: moneyBody(closing) }
  if ((await store.find({ kind: 'statement', key })) === undefined) {
    for (const problem of sumProblem(statement, opening, closing)) tell(problem)
    await store.write([{ add: { kind: 'statement', key, body } }])
  }
  // Also for a copy: the process may have died before it told them.
  await tellGaps(store, iban, tell)
}

function sumProblem({ id, entries }: Statement, opening: Balance, closing: Balance): string[] {
  const sum = entries
    .filter(({ isBooked }) => isBooked)
    .reduce((total, { isCredit, money }) => total + (isCredit ? money.amount : -money.amount), opening.amount)
  if (sum === closing.amount) return []
  return [
    `the entries of statement ${id} lead to ${shown({ ...closing, amount: sum })}, not to ${shown(closing)}`,
  ]
}

async function tellGaps(store: ChannelStore, iban: string, tell: Tell): Promise<void> {
  for (const { key, message } of await findGaps(store, iban)) {
    if ((await store.find({ kind: 'gap', key })) !== undefined) continue
    tell(message)
    await store.write([{ add: { kind: 'gap', key, body: {} } }])
  }
}

export type Gap = { readonly key: string; readonly message: string }

/** A gap disappears when its statements arrive. */
export async function findGaps(store: ChannelStore, iban: string): Promise<Gap[]> {
  const statements = await listStatements(store, iban)
  return statements.flatMap((statement, at) => {
    const previous = statements[at - 1]
    if (previous === undefined || previous.closing === statement.opening) return []
    const between = `${previous.id} and ${statement.id}`
    return [{ key: `${previous.key} ${statement.key}`, message: `a statement is missing between ${between}` }]
  })
}

async function listStatements(store: ChannelStore, iban: string) {
  const found = []
  for (let after = iban; ; ) {
    const page = await store.list('statement', { after, limit: PAGE })
    const ours = page.filter(({ key }) => key.startsWith(`${iban} `))
    found.push(...ours)
    after = page.at(-1)?.key ?? ''
    if (page.length < PAGE || ours.length < page.length) break
  }
  return found.map(({ key, body }) => ({
    key,
    id: textIn(body, 'id'),
    print: textIn(body, 'print'),
    opening: balanceIn(body.opening),
    closing: balanceIn(body.closing),
  }))
}

function balanceIn(value: unknown): string {
  const money = readMoney(typeof value === 'object' && value !== null ? { ...value } : undefined)
  return money === undefined ? '' : shown(money)
}
