// Reads statements (camt.053) and notifications (camt.054), versions 02 to 08. If one entry is malformed, the whole
// file is refused, because skipping the entry would lose money.
import { createHash } from 'node:crypto'
import { type Money, parseDecimal } from '../../../platform/base/money.ts'
import { readTime as plausible } from '../../toolkit/read-time.ts'
import { all, at, attributeOf, BadFile, textAt, textOf, type XmlElement } from './xml.ts'

export type Statement = {
  /** A notification (camt.054) announces entries that a later statement (camt.053) lists again. */
  readonly kind: 'statement' | 'notification'
  readonly iban: string
  readonly id: string
  /** The electronic sequence number, or '' if the bank gives none. */
  readonly sequence: string
  /** The page number, or '' if the statement has only one page or the bank gives none. */
  readonly page: string
  readonly isLastPage: boolean
  /** The year in which the bank wrote the statement. Sequence numbers begin again every year. */
  readonly year: string
  /** True if the bank marks the statement as a duplicate. */
  readonly isCopy: boolean
  readonly opening: Balance | undefined
  readonly closing: Balance | undefined
  readonly entries: readonly Entry[]
}

/** A balance of the account. The amount is negative if the account is overdrawn. */
export type Balance = Money & { readonly day: string }

export type Entry = {
  /** The bank's own reference of the booking, or '' if there is none. */
  readonly bankRef: string
  /** A hash of amount, direction, day and details. Equal entries of different files have the same hash. */
  readonly fingerprint: string
  readonly money: Money
  readonly isCredit: boolean
  readonly isBooked: boolean
  readonly isReversal: boolean
  /** True if the bank transaction code marks the whole entry as a return. */
  readonly isReturn: boolean
  /** The time of the booking. If the file contains only the day, it is noon (UTC) of that day. */
  readonly at: Date
  readonly day: string
  /** The transfers of the entry. A batch has several, and an entry without details has none. */
  readonly parts: readonly Part[]
}

export type Part = {
  readonly money: Money | undefined
  readonly endToEndId: string
  /** The id that the banks gave the transfer, or '' if there is none. */
  readonly transferId: string
  readonly messageIds: readonly string[]
  readonly payerName: string
  readonly payerAccount: string
  /** The texts that may contain the payment's reference. The last text is the end-to-end id. */
  readonly texts: readonly string[]
  readonly returnReason: string | undefined
  /** True if the part contains return information, or if its own bank transaction code marks it as a return. */
  readonly isReturn: boolean
}

const kinds = { BkToCstmrStmt: 'statement', BkToCstmrDbtCdtNtfctn: 'notification' } as const
const lists = { statement: 'Stmt', notification: 'Ntfctn' } as const

export function isCamt(name: string): name is keyof typeof kinds {
  return Object.hasOwn(kinds, name)
}

export function readCamt(name: keyof typeof kinds, message: XmlElement): Statement[] {
  const kind = kinds[name]
  const header = at(message, 'GrpHdr')
  return all(message, lists[kind]).map((element) => readStatement(kind, element, header))
}

function readStatement(kind: Statement['kind'], element: XmlElement, header?: XmlElement): Statement {
  const balances = all(element, 'Bal')
  // In newer versions of the format, a statement may lack its time of creation. The header always contains one.
  const createdAt = at(element, 'CreDtTm') ?? at(header, 'CreDtTm')
  return {
    kind,
    iban: textAt(element, 'Acct', 'Id', 'IBAN'),
    id: textAt(element, 'Id'),
    sequence: textAt(element, 'ElctrncSeqNb'),
    // In version 02, only the whole message has a page number.
    ...readPage(at(element, 'StmtPgntn') ?? at(header, 'MsgPgntn')),
    year: textAt(element, 'CreDtTm').slice(0, 4),
    // COPY does not count, because it only means that somebody else also got the statement. Some banks set it always.
    isCopy: ['DUPL', 'CODU'].includes(textAt(element, 'CpyDplctInd')),
    // Some banks give the previous closing balance (PRCD) instead of the opening balance (OPBD).
    opening: readBalance(balances, ['OPBD', 'PRCD']),
    closing: readBalance(balances, ['CLBD']),
    entries: all(element, 'Ntry').map((entry) => readEntry(entry, createdAt)),
  }
}

function readPage(element: XmlElement | undefined): Pick<Statement, 'page' | 'isLastPage'> {
  const [page, isLastPage] = [textAt(element, 'PgNb'), textAt(element, 'LastPgInd') === 'true']
  if (!/^\d{1,9}$/.test(page)) return { page: '', isLastPage }
  // If page 1 is the last page, the statement has no other pages.
  return { page: Number(page) === 1 && isLastPage ? '' : String(Number(page)), isLastPage }
}

/**
 * Returns the key of a statement: the closing day and the sequence number. If there is no sequence number, the key
 * contains the id instead.
 */
export function statementKey({
  closing,
  sequence,
  id,
}: Pick<Statement, 'closing' | 'sequence' | 'id'>): string {
  return `${closing?.day ?? ''} ${sequence === '' ? id : sequence.padStart(9, '0')}`
}

function readBalance(balances: readonly XmlElement[], codes: readonly string[]): Balance | undefined {
  const found = codes.flatMap((code) =>
    balances.filter((one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === code),
  )[0]
  if (found === undefined) return undefined
  const { amount, currency } = readAmount(at(found, 'Amt'))
  return { amount: isCreditIn(found) ? amount : -amount, currency, day: readDay(at(found, 'Dt')) }
}

/**
 * Reads an entry. Some banks give neither booking day nor value day, mostly in notifications. The day of creation then
 * counts.
 */
function readEntry(element: XmlElement, createdAt: XmlElement | undefined): Entry {
  const details = all(element, 'NtryDtls').flatMap((one) => all(one, 'TxDtls'))
  const parts = details.map(readPart)
  const money = readAmount(at(element, 'Amt'))
  const isCredit = isCreditIn(element)
  const dated = at(element, 'BookgDt') ?? at(element, 'ValDt')
  const day = dated === undefined ? dayIn(textOf(createdAt)) : readDay(dated)
  return {
    bankRef: bankRefOf(element, details),
    // Stored keys contain the fingerprint, so it must be the same in every version. Fields that earlier versions did
    // not have are therefore left out.
    fingerprint: fingerprintOf([
      money,
      isCredit,
      day,
      parts.map(({ transferId: _, isReturn: __, ...part }) => part),
    ]),
    money,
    isCredit,
    isBooked: (textAt(element, 'Sts', 'Cd') || textAt(element, 'Sts')) === 'BOOK',
    isReversal: textAt(element, 'RvslInd') === 'true',
    isReturn: isReturnCode(element),
    at: plausible(textAt(element, 'BookgDt', 'DtTm')) ?? new Date(`${day}T12:00:00Z`),
    day,
    parts,
  }
}

/** Returns a hash that must be the same in every version, because stored keys contain it. */
export function fingerprintOf(content: readonly unknown[]): string {
  const text = JSON.stringify(content, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}

function isReturnCode(element: XmlElement): boolean {
  return textAt(element, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd') === 'RRTN'
}

/** The values that banks write when they have no reference. */
const NO_REFERENCE = /^(NONREF|NOTPROVIDED|NOT PROVIDED)?$/i

function bankRefOf(element: XmlElement, parts: readonly XmlElement[]): string {
  const own = textAt(element, 'AcctSvcrRef')
  const found = NO_REFERENCE.test(own) && parts.length === 1 ? textAt(parts[0], 'Refs', 'AcctSvcrRef') : own
  return NO_REFERENCE.test(found) ? '' : found
}

function readPart(part: XmlElement): Part {
  const amount = at(part, 'Amt') ?? at(part, 'AmtDtls', 'TxAmt', 'Amt')
  const debtor = at(part, 'RltdPties', 'Dbtr')
  const remittance = at(part, 'RmtInf')
  const lines = all(remittance, 'Ustrd').map(textOf)
  const structured = all(remittance, 'Strd').map((one) => textAt(one, 'CdtrRefInf', 'Ref'))
  const endToEndId = textAt(part, 'Refs', 'EndToEndId')
  const transferId = textAt(part, 'Refs', 'TxId')
  const returned = at(part, 'RtrInf')
  return {
    money: amount && readAmount(amount),
    endToEndId,
    transferId: NO_REFERENCE.test(transferId) ? '' : transferId,
    messageIds: [textAt(part, 'Refs', 'PmtInfId'), textAt(part, 'Refs', 'MsgId')],
    // Version 08 has the additional element `Pty`.
    payerName: textAt(debtor, 'Pty', 'Nm') || textAt(debtor, 'Nm'),
    payerAccount: textAt(part, 'RltdPties', 'DbtrAcct', 'Id', 'IBAN'),
    // Banks may break the text anywhere, even within a reference, so the lines are joined without a space.
    texts: [...structured, lines.join(''), endToEndId],
    returnReason: returned && (textAt(returned, 'Rsn', 'Cd') || textAt(returned, 'Rsn', 'Prtry')),
    isReturn: returned !== undefined || isReturnCode(part),
  }
}

function isCreditIn(element: XmlElement): boolean {
  const indicator = textAt(element, 'CdtDbtInd')
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    throw new BadFile('has an amount that is neither credit nor debit')
  return indicator === 'CRDT'
}

export function readAmount(element: XmlElement | undefined): Money {
  const currency = attributeOf(element, 'Ccy')
  const amount = /^[A-Z]{3}$/.test(currency) ? parseDecimal(textOf(element), currency) : undefined
  if (amount === undefined) throw new BadFile('has an amount that cannot be read')
  return { amount, currency }
}

function readDay(element: XmlElement | undefined): string {
  return dayIn(textAt(element, 'Dt') || textAt(element, 'DtTm'))
}

function dayIn(time: string): string {
  const day = time.slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || plausible(`${day}T12:00:00Z`) === undefined)
    throw new BadFile('has an entry or a balance without a date')
  return day
}
