// Finds missing statements: the closing balance of one is the opening balance of the next.
import type { Tell } from '../alarms.ts'
import type { ChannelStore } from '../store.ts'
import { fingerprintOf, type Statement, statementKey } from './camt.ts'
import { covers, mayCover, type Period, periodIn, periodOf } from './period.ts'
import { findSamePage, type Link, linkOfPages, listOfAccount, listPartly, sumOf } from './statement-pages.ts'
import { moneyBody, readMoney, shown, textIn } from './transfers.ts'

/**
 * A copy of a known statement gets its id, if the bank gives no sequence numbers and another id. Between two statements with the same
 * balances and entries there would have to be one that undoes the first.
 */
export async function asKnown(store: ChannelStore, statement: Statement): Promise<Statement> {
  const { sequence, opening, closing, iban } = statement
  if (statement.kind !== 'statement' || opening === undefined || closing === undefined) return statement
  if (opening.amount === closing.amount) return statement
  if (statement.page !== '') {
    const page = await knownPage(store, statement)
    if (page !== undefined) return { ...statement, page }
  }
  if (sequence !== '') return statement
  const print = printOf(statement)
  const known = (await listStatements(store, iban)).find((one) => one.print === print)
  return known === undefined ? statement : { ...statement, id: known.id }
}

/** Of a whole statement on a page of its message, which may be another page in a copy. */
async function knownPage(store: ChannelStore, statement: Statement): Promise<string | undefined> {
  const { opening, closing, entries, iban } = statement
  if (opening === undefined || closing?.amount !== opening.amount + sumOf(entries)) return undefined
  const whole = await store.find({ kind: 'statement', key: `${iban} ${statementKey(statement)}` })
  return whole?.body.print === printOf(statement) ? '' : findSamePage(store, statement)
}

function printOf({ opening, closing, entries }: Statement): string {
  return fingerprintOf([opening, closing, entries.map(({ fingerprint }) => fingerprint)])
}

/** Reports what is wrong with the statement itself, and gaps that were not reported before. */
export async function linkStatement(store: ChannelStore, statement: Statement, tell: Tell): Promise<void> {
  if (statement.kind !== 'statement' || !isInEuros(statement)) return
  const link = statement.page === '' ? toLink(statement) : await linkOfPages(store, statement)
  if (link === undefined) return
  const { key, id, print, opening, closing } = link
  const known = (await store.find({ kind: 'statement', key }))?.body
  if (known?.print !== print && !(await isCopy(store, statement, link))) {
    if (known === undefined) for (const problem of sumProblem(link)) tell(problem)
    const { openedOn, closedOn } = periodOf(link)
    const body = { id, print, opening: moneyBody(opening), closing: moneyBody(closing), openedOn, closedOn }
    // Pages that came later belong to it, too. Of another statement under its key the first one stays.
    const record = { kind: 'statement', key, body }
    await store.write([statement.page === '' ? { add: record } : { put: record }])
  }
  // Also for a copy: the process may have died before it reported them.
  await tellGaps(store, statement.iban, tell)
}

/** The account is in euros. Some banks have others under its IBAN, with balances of their own. */
function isInEuros({ opening, closing, entries }: Statement): boolean {
  const money = opening ?? closing ?? entries[0]?.money
  return money === undefined || money.currency === 'EUR'
}

/** A whole statement. */
function toLink(statement: Statement): Link | undefined {
  const { iban, id, opening, closing, entries } = statement
  if (opening === undefined || closing === undefined) return undefined
  const key = `${iban} ${statementKey(statement)}`
  return { key, id, print: printOf(statement), opening, closing, sum: sumOf(entries) }
}

/** Pages that came again under another id, without a number. */
async function isCopy(store: ChannelStore, { page, sequence, iban }: Statement, { print }: Link) {
  if (page === '' || sequence !== '') return false
  return (await listStatements(store, iban)).some((one) => one.print === print)
}

function sumProblem({ id, opening, closing, sum }: Link): string[] {
  const amount = opening.amount + sum
  if (amount === closing.amount) return []
  return [`the entries of statement ${id} lead to ${shown({ ...closing, amount })}, not to ${shown(closing)}`]
}

async function tellGaps(store: ChannelStore, iban: string, tell: Tell): Promise<void> {
  for (const { key, message, isDue } of await findGaps(store, iban)) {
    if (!isDue || (await store.find({ kind: 'gap', key })) !== undefined) continue
    tell(message)
    await store.write([{ add: { kind: 'gap', key, body: {} } }])
  }
}

type Known = Period & { readonly key: string; readonly id: string; readonly print: string }

export type Gap = {
  readonly key: string
  readonly message: string
  /** A later statement is there. Until then pages may be on their way. */
  readonly isDue: boolean
}

/** A gap disappears when its statements and pages arrive. Balances that do not change show no missing page. */
export async function findGaps(store: ChannelStore, iban: string): Promise<Gap[]> {
  const statements = await listStatements(store, iban)
  const chain = toChain(statements)
  const gaps = chain.flatMap((statement, at) => {
    const previous = chain[at - 1]
    if (previous === undefined || previous.closing === statement.opening) return []
    const message = `a statement is missing between ${previous.id} and ${statement.id}`
    return [{ key: `${previous.key} ${statement.key}`, message, isDue: true }]
  })
  const partly = (await listPartly(store, iban)).map(({ key, message, before }) => {
    return { key, message, isDue: statements.some((statement) => statement.key > before) }
  })
  return [...gaps, ...partly]
}

/**
 * Without statements that repeat others, as that of a month does with those of its days: its neighbours are those that end last of
 * them. One that only may do so is a link if it begins where the one before it ends.
 */
function toChain(statements: readonly Known[]): Known[] {
  const chain: Known[] = []
  for (const [at, one] of statements.entries()) {
    const isLink = chain.at(-1)?.closing === one.opening
    const neighbours = [statements[at - 1], statements[at + 1]].filter((next) => next !== undefined)
    const isRepeating = neighbours.some((next) => covers(one, next) || (!isLink && mayCover(one, next)))
    if (!isRepeating) chain.push(one)
  }
  return chain
}

export async function listStatements(store: ChannelStore, iban: string): Promise<Known[]> {
  return (await listOfAccount(store, 'statement', iban)).map(({ key, body }) => ({
    ...periodIn(body),
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
