// Finds missing statements, and joins the pages of a statement. The closing balance of a statement must be the opening
// balance of the next one. Otherwise a statement is missing between them.

import type { Money } from '../../../platform/base/money.ts'
import { isObject, textIn } from '../../../platform/base/object.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../../contract/store.ts'
import type { Tell } from '../../toolkit/alarms.ts'
import { moneyBody, readMoney } from '../../toolkit/records/money.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { type Balance, type Entry, fingerprintOf, type Statement, statementKey } from './camt.ts'
import { shown } from './transfers.ts'

/**
 * If the statement is a copy of a known one, returns it with the id or the page number of the original, so that both
 * have the same key. The id is replaced only if the bank gives no sequence numbers.
 *
 * A copy has the same balances and entries as the original. Two different statements can be equal in this way only if
 * the balance returns to its earlier value between them. A statement whose two balances are equal is never treated as a
 * copy.
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

/**
 * Returns the recorded page number of a statement that is complete on one page, or '' if the record has no page number.
 * Undefined if there is no record. The page number is looked up because a copy may be on another page of its message.
 */
async function knownPage(store: ChannelStore, statement: Statement): Promise<string | undefined> {
  const { opening, closing, entries, iban } = statement
  if (opening === undefined || closing?.amount !== opening.amount + sumOf(entries)) return undefined
  const whole = await store.find({ kind: 'statement', key: `${iban} ${statementKey(statement)}` })
  return whole?.body.print === printOf(statement) ? '' : findSamePage(store, statement)
}

function printOf({ opening, closing, entries }: Statement): string {
  return fingerprintOf([opening, closing, entries.map(({ fingerprint }) => fingerprint)])
}

/**
 * Records the statement. Raises alarms if the sum of its entries is wrong, and about gaps that were not reported
 * before.
 */
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
    // A paged statement is replaced when further pages arrive. Other statements are never replaced.
    const record = { kind: 'statement', key, body }
    await store.write([statement.page === '' ? { add: record } : { put: record }])
  }
  // The process may have died after it recorded the original, so gaps are also reported after a copy.
  await tellGaps(store, statement.iban, tell)
}

/**
 * True if the statement is in euros, as our account is. Some banks keep accounts in other currencies, with their own
 * balances, under the same IBAN.
 */
function isInEuros({ opening, closing, entries }: Statement): boolean {
  const money = opening ?? closing ?? entries[0]?.money
  return money === undefined || money.currency === 'EUR'
}

/** Returns the link that the statement forms in the chain. Undefined if a balance is missing. */
function toLink(statement: Statement): Link | undefined {
  const { iban, id, opening, closing, entries } = statement
  if (opening === undefined || closing === undefined) return undefined
  const key = `${iban} ${statementKey(statement)}`
  return { key, id, print: printOf(statement), opening, closing, sum: sumOf(entries) }
}

/** True if the pages form a copy of a known statement, and the bank gives no sequence numbers. */
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

type Gap = {
  readonly key: string
  readonly message: string
  /** True if the gap must be reported. Missing pages are reported only after a later statement has arrived. */
  readonly isDue: boolean
}

/** Returns the missing statements and pages. A missing statement whose entries add up to zero may stay unnoticed. */
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
 * Leaves out statements that repeat others, such as a monthly statement beside daily ones. The statements are sorted by
 * closing day, so a monthly statement stands next to the last daily statement that it covers. If it is uncertain
 * whether a statement covers its neighbour (mayCover), the statement stays if its opening balance is the closing
 * balance of the previous statement.
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

// Pages. Each page of a statement is a message of its own, and pages arrive in any order. Some banks repeat the
// balances of the whole statement on each page. Other banks give the opening balance on the first page, the closing
// balance on the last page, and intermediate balances on the pages in between.

/** A complete statement in the chain of balances. */
type Link = {
  readonly key: string
  readonly id: string
  readonly print: string
  readonly opening: Balance
  readonly closing: Balance
  /** The sum of the booked entries: credits minus debits. */
  readonly sum: bigint
}

type Page = {
  readonly no: number
  readonly isLast: boolean
  readonly id: string
  readonly sequence: string
  readonly opening: Balance | undefined
  readonly closing: Balance | undefined
  readonly sum: bigint
  readonly print: string
  /** The day of the closing balance, or else the latest day of the entries and the opening balance. */
  readonly day: string
}

/** A statement with missing pages. */
type Partly = {
  readonly key: string
  readonly message: string
  /** A statement is later than the incomplete one if its key is greater than this text. */
  readonly before: string
}

const PAGE = 'page'

/** Stores the page. Returns the link of the whole statement, or undefined while pages are missing. */
async function linkOfPages(store: ChannelStore, statement: Statement): Promise<Link | undefined> {
  const { iban, page } = statement
  const reference = referenceOf(statement)
  // A corrected page replaces the earlier version of the same page.
  const record = { kind: PAGE, key: `${reference} ${page}`, reference, body: toBody(statement) }
  await store.write([{ put: record }])
  return linkOf(iban, (await store.listOf(PAGE, reference)).map(toPage))
}

/** Returns the number of a stored page with the same balances and entries. */
async function findSamePage(store: ChannelStore, statement: Statement): Promise<string | undefined> {
  const printOf = ({ opening, closing, print }: Page) => fingerprintOf([opening, closing, print])
  const own = printOf(toPage({ body: toBody(statement) }))
  const pages = (await store.listOf(PAGE, referenceOf(statement))).map(toPage)
  const found = pages.find((page) => printOf(page) === own)
  return found && String(found.no)
}

function referenceOf({ iban, year, sequence, id }: Statement): string {
  return `${iban} ${year} ${sequence || id}`
}

function toBody({ id, sequence, page, isLastPage: isLast, opening, closing, entries }: Statement) {
  return {
    no: Number(page),
    isLast,
    id,
    sequence,
    opening: opening === undefined ? null : { ...moneyBody(opening), day: opening.day },
    closing: closing === undefined ? null : { ...moneyBody(closing), day: closing.day },
    sum: sumOf(entries).toString(),
    print: fingerprintOf(entries.map(({ fingerprint }) => fingerprint)),
    day: closing?.day ?? entries.reduce((last, { day }) => (day > last ? day : last), opening?.day ?? ''),
  }
}

async function listPartly(store: ChannelStore, iban: string): Promise<Partly[]> {
  const groups = Map.groupBy(await listOfAccount(store, PAGE, iban), ({ reference }) => reference)
  return [...groups].flatMap(([key = '', records]) => {
    const pages = records.map(toPage).sort((one, other) => one.no - other.no)
    const [first] = pages
    if (first === undefined || isComplete(iban, pages)) return []
    const { id, sequence } = first
    const day = pages.reduce((last, page) => (page.day > last ? page.day : last), '')
    // Ids do not show the order of statements within a day. So without sequence numbers, only a statement of a later
    // day counts as later.
    const before = `${iban} ${day} ${sequence === '' ? '~' : sequence.padStart(9, '0')}`
    const message = `of statement ${id} only the pages ${pages.map(({ no }) => no).join(', ')} came`
    return [{ key, message, before }]
  })
}

function isComplete(iban: string, pages: readonly Page[]): boolean {
  if (linkOf(iban, pages) !== undefined) return true
  const hasBalances = pages.some(({ opening, closing }) => (opening ?? closing) !== undefined)
  return !hasBalances && hasAll(pages)
}

/** True if the pages are numbered from 1 without a gap, and the bank marks the final page as the last. */
function hasAll(pages: readonly Page[]): boolean {
  return pages.every(({ no }, at) => no === at + 1) && pages.at(-1)?.isLast === true
}

function sumOf(entries: readonly Entry[]): bigint {
  return entries
    .filter(({ isBooked }) => isBooked)
    .reduce((total, { isCredit, money }) => total + (isCredit ? money.amount : -money.amount), 0n)
}

/**
 * Joins the pages from the first opening balance to the last closing balance. The first of these pages need not have
 * number 1, because other pages of the message may be about other accounts. Undefined if a balance or a page between
 * them is missing. Also undefined if the entries do not lead from the opening to the closing balance, unless all pages
 * of the message have arrived.
 */
function linkOf(iban: string, all: readonly Page[]): Link | undefined {
  const pages = all.toSorted((one, other) => one.no - other.no)
  const first = pages.findIndex(({ opening }) => opening !== undefined)
  const last = pages.findLastIndex(({ closing }) => closing !== undefined)
  const own = pages.slice(first, last + 1)
  const { id = '', sequence = '', opening, no: from = 0 } = pages[first] ?? {}
  const closing = pages[last]?.closing
  if (opening === undefined || closing === undefined || first > last) return undefined
  if (own.some(({ no }, at) => no !== from + at)) return undefined
  const sum = own.reduce((total, one) => total + one.sum, 0n)
  if (opening.amount + sum !== closing.amount && !hasAll(pages)) return undefined
  const print = fingerprintOf([opening, closing, own.map((page) => page.print)])
  return { key: `${iban} ${statementKey({ closing, sequence, id })}`, id, print, opening, closing, sum }
}

/** Lists the account's records of this kind. Their keys begin with the account's IBAN. */
async function listOfAccount(store: ChannelStore, kind: string, iban: string): Promise<ChannelRecord[]> {
  return (await listAll(store, kind, iban)).filter(({ key }) => key.startsWith(`${iban} `))
}

function toPage({ body }: Pick<ChannelRecord, 'body'>): Page {
  return {
    no: Number(body.no),
    isLast: body.isLast === true,
    id: textIn(body, 'id'),
    sequence: textIn(body, 'sequence'),
    opening: pageBalanceIn(body.opening),
    closing: pageBalanceIn(body.closing),
    sum: BigInt(textIn(body, 'sum')),
    print: textIn(body, 'print'),
    day: textIn(body, 'day'),
  }
}

function pageBalanceIn(value: unknown): Balance | undefined {
  if (!isObject(value)) return undefined
  const money: Money | undefined = readMoney(value)
  return money && { ...money, day: textIn(value, 'day') }
}

// Periods show whether two statements may contain the same bookings: some banks send monthly statements beside daily
// ones. The days of the balances are the main evidence. Different sequence numbers do not prove different bookings,
// because monthly statements have their own numbers. Equal balances alone do not prove equal bookings, because a
// balance may return to an earlier value. counted-before.ts decides from this evidence.

export type Period = {
  /** The opening and the closing balance; '' if the statement has none. */
  readonly opening: string
  readonly closing: string
  /** The days of the two balances; '' if they are unknown. */
  readonly openedOn: string
  readonly closedOn: string
}

export function periodOf({ opening, closing }: Pick<Statement, 'opening' | 'closing'>): Period {
  return {
    opening: opening === undefined ? '' : shown(opening),
    closing: closing === undefined ? '' : shown(closing),
    openedOn: opening?.day ?? '',
    closedOn: closing?.day ?? '',
  }
}

/** Reads the period of a stored statement. Records of earlier versions have no days. */
export function periodIn(body: RecordBody): Period {
  const text = (name: keyof Period) => textIn(body, name)
  return {
    opening: text('opening'),
    closing: text('closing'),
    openedOn: text('openedOn'),
    closedOn: text('closedOn'),
  }
}

/** True if `long` begins earlier and ends later. Then `long` contains every booking of `short`. */
export function covers(long: Period, short: Period): boolean {
  if (!hasDays(long) || !hasDays(short)) return false
  return long.openedOn < short.openedOn && long.closedOn > short.closedOn
}

/**
 * True if `long` is longer, and both begin or both end with the same day and balance. Then `long` may contain every
 * booking of `short`, but need not: `long` and `short` may also be consecutive statements if the balance returned to an
 * earlier value.
 */
export function mayCover(long: Period, short: Period): boolean {
  if (!hasDays(long) || !hasDays(short)) return false
  const isSameStart = long.openedOn === short.openedOn && long.opening === short.opening
  const isSameEnd = long.closedOn === short.closedOn && long.closing === short.closing
  return (isSameStart && long.closedOn > short.closedOn) || (isSameEnd && long.openedOn < short.openedOn)
}

/**
 * True if the periods overlap by more than one day, and neither contains the other. Consecutive statements share at
 * most one day.
 */
export function overlaps(one: Period, other: Period): boolean {
  const [first, last] = one.openedOn < other.openedOn ? [one, other] : [other, one]
  if (first.openedOn === '' || first.openedOn === last.openedOn) return false
  return last.openedOn < first.closedOn && first.closedOn < last.closedOn
}

function hasDays({ openedOn, closedOn }: Period): boolean {
  return openedOn !== '' && closedOn !== ''
}
