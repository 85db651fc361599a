// Finds missing statements: the closing balance of one is the opening balance of the next.
import type { ChannelStore } from '../store.ts'
import type { Balance, Statement } from './camt.ts'
import { statementKey } from './credits.ts'
import { moneyBody, readMoney, shown, textIn } from './transfers.ts'

const PAGE = 500

/** Returns what is wrong with the statement itself, and a gap beside it that was not reported before. */
export async function linkStatement(store: ChannelStore, statement: Statement): Promise<string[]> {
  const { kind, iban, id, opening, closing } = statement
  if (kind !== 'statement' || opening === undefined || closing === undefined) return []
  const key = `${iban} ${statementKey(statement)}`
  const body = { id, opening: moneyBody(opening), closing: moneyBody(closing) }
  const [isNew] = await store.write([{ add: { kind: 'statement', key, body } }])
  if (!isNew) return []
  return [...sumProblem(statement, opening, closing), ...(await newGaps(store, iban))]
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

async function newGaps(store: ChannelStore, iban: string): Promise<string[]> {
  const fresh: string[] = []
  for (const { key, message } of await findGaps(store, iban)) {
    const [isNew] = await store.write([{ add: { kind: 'gap', key, body: {} } }])
    if (isNew) fresh.push(message)
  }
  return fresh
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
    opening: balanceIn(body.opening),
    closing: balanceIn(body.closing),
  }))
}

function balanceIn(value: unknown): string {
  const money = readMoney(typeof value === 'object' && value !== null ? { ...value } : undefined)
  return money === undefined ? '' : shown(money)
}
