// Puts the pages of a statement together, each of which is a message of its own and may come in any order. Banks give the balances of
// the whole on each page, or one of them on the first and the last page, with others between.
import type { Money } from '../../base/money.ts'
import { isObject } from '../../base/object.ts'
import type { ChannelRecord, ChannelStore } from '../store.ts'
import { type Balance, type Entry, fingerprintOf, type Statement, statementKey } from './camt.ts'
import { moneyBody, readMoney, textIn } from './transfers.ts'

/** A whole statement, for the chain of balances. */
export type Link = {
  readonly key: string
  readonly id: string
  readonly print: string
  readonly opening: Balance
  readonly closing: Balance
  /** Of its booked entries. */
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
  /** Its last known day. */
  readonly day: string
}

/** A statement of which pages are missing. */
export type Partly = {
  readonly key: string
  readonly message: string
  /** Statements with a greater key are later ones. */
  readonly before: string
}

const PAGE = 'page'
const AT_ONCE = 500

/** Stores the page. Undefined while others are missing. */
export async function linkOfPages(store: ChannelStore, statement: Statement): Promise<Link | undefined> {
  const { iban, page } = statement
  const reference = referenceOf(statement)
  // A page that the bank has corrected replaces the first one.
  const record = { kind: PAGE, key: `${reference} ${page}`, reference, body: toBody(statement) }
  await store.write([{ put: record }])
  return toLink(iban, (await store.listOf(PAGE, reference)).map(toPage))
}

/** The number of a stored page with the same balances and entries. */
export async function findSamePage(store: ChannelStore, statement: Statement): Promise<string | undefined> {
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

export async function listPartly(store: ChannelStore, iban: string): Promise<Partly[]> {
  const groups = Map.groupBy(await listOfAccount(store, PAGE, iban), ({ reference }) => reference)
  return [...groups].flatMap(([key = '', records]) => {
    const pages = records.map(toPage).sort((one, other) => one.no - other.no)
    const [first] = pages
    if (first === undefined || isComplete(iban, pages)) return []
    const { id, sequence } = first
    const day = pages.reduce((last, page) => (page.day > last ? page.day : last), '')
    // Ids alone do not order the statements of a day.
    const before = `${iban} ${day} ${sequence === '' ? '~' : sequence.padStart(9, '0')}`
    const message = `of statement ${id} only the pages ${pages.map(({ no }) => no).join(', ')} came`
    return [{ key, message, before }]
  })
}

function isComplete(iban: string, pages: readonly Page[]): boolean {
  if (toLink(iban, pages) !== undefined) return true
  const hasBalances = pages.some(({ opening, closing }) => (opening ?? closing) !== undefined)
  return !hasBalances && hasAll(pages)
}

/** In order, up to the one that the bank marks as the last. */
function hasAll(pages: readonly Page[]): boolean {
  return pages.every(({ no }, at) => no === at + 1) && pages.at(-1)?.isLast === true
}

export function sumOf(entries: readonly Entry[]): bigint {
  return entries
    .filter(({ isBooked }) => isBooked)
    .reduce((total, { isCredit, money }) => total + (isCredit ? money.amount : -money.amount), 0n)
}

/**
 * From the first page with an opening balance to the last one with a closing balance: the others of a message may be about other
 * accounts. The entries show that none is missing, or else the numbers of the pages do.
 */
function toLink(iban: string, all: readonly Page[]): Link | undefined {
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

/** All records of a kind whose keys begin with the account. */
export async function listOfAccount(
  store: ChannelStore,
  kind: string,
  iban: string,
): Promise<ChannelRecord[]> {
  const found: ChannelRecord[] = []
  for (let after = iban; ; ) {
    const some = await store.list(kind, { after, limit: AT_ONCE })
    const ours = some.filter(({ key }) => key.startsWith(`${iban} `))
    found.push(...ours)
    after = some.at(-1)?.key ?? ''
    if (some.length < AT_ONCE || ours.length < some.length) return found
  }
}

function toPage({ body }: Pick<ChannelRecord, 'body'>): Page {
  return {
    no: Number(body.no),
    isLast: body.isLast === true,
    id: textIn(body, 'id'),
    sequence: textIn(body, 'sequence'),
    opening: balanceIn(body.opening),
    closing: balanceIn(body.closing),
    sum: BigInt(textIn(body, 'sum')),
    print: textIn(body, 'print'),
    day: textIn(body, 'day'),
  }
}

function balanceIn(value: unknown): Balance | undefined {
  if (!isObject(value)) return undefined
  const money: Money | undefined = readMoney(value)
  return money && { ...money, day: textIn(value, 'day') }
}
