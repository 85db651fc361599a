// Reads statements (camt.053) and notifications (camt.054), in the versions 02 and 08 and those between. One malformed entry
// refuses the file, because skipping it would lose money.
import { createHash } from 'node:crypto'
import { type Money, parseDecimal } from '../../base/money.ts'
import { readTime as plausible } from '../read-time.ts'
import { all, at, attributeOf, BadFile, textAt, textOf, type XmlElement } from './xml.ts'

export type Statement = {
  /** A notification announces entries that a statement lists again. */
  readonly kind: 'statement' | 'notification'
  readonly iban: string
  readonly id: string
  /** The electronic sequence number; '' if the bank gives none. */
  readonly sequence: string
  /** Its number, if the statement comes in several; '' if it is whole. */
  readonly page: string
  readonly isLastPage: boolean
  /** When the bank wrote it; sequence numbers begin again every year. */
  readonly year: string
  /** The bank says that it sent the same before. */
  readonly isCopy: boolean
  readonly opening: Balance | undefined
  readonly closing: Balance | undefined
  readonly entries: readonly Entry[]
}

/** Negative if the account is overdrawn. */
export type Balance = Money & { readonly day: string }

export type Entry = {
  /** The bank's own reference of the booking; '' if it gives none. */
  readonly bankRef: string
  /** Differs between entries that look alike. */
  readonly fingerprint: string
  readonly money: Money
  readonly isCredit: boolean
  readonly isBooked: boolean
  readonly isReversal: boolean
  /** By its bank transaction code, for all its parts. */
  readonly isReturn: boolean
  readonly at: Date
  readonly day: string
  /** More than one for a batch. */
  readonly parts: readonly Part[]
}

export type Part = {
  readonly money: Money | undefined
  readonly endToEndId: string
  /** Of the transfer, by its banks; '' if none. */
  readonly transferId: string
  readonly messageIds: readonly string[]
  readonly payerName: string
  readonly payerAccount: string
  /** What may contain the payer's reference. */
  readonly texts: readonly string[]
  readonly returnReason: string | undefined
  /** By its reason, or a bank transaction code of its own. */
  readonly isReturn: boolean
}

const kinds = { BkToCstmrStmt: 'statement', BkToCstmrDbtCdtNtfctn: 'notification' } as const
const lists = { statement: 'Stmt', notification: 'Ntfctn' } as const

export function isCamt(name: string): name is keyof typeof kinds {
  return Object.hasOwn(kinds, name)
}

export function readCamt(name: keyof typeof kinds, message: XmlElement): Statement[] {
  const kind = kinds[name]
  const page = at(message, 'GrpHdr', 'MsgPgntn')
  return all(message, lists[kind]).map((element) => readStatement(kind, element, page))
}

function readStatement(kind: Statement['kind'], element: XmlElement, page?: XmlElement): Statement {
  const balances = all(element, 'Bal')
  return {
    kind,
    iban: textAt(element, 'Acct', 'Id', 'IBAN'),
    id: textAt(element, 'Id'),
    sequence: textAt(element, 'ElctrncSeqNb'),
    // Version 02 has pages of messages only.
    ...readPage(at(element, 'StmtPgntn') ?? page),
    year: textAt(element, 'CreDtTm').slice(0, 4),
    // COPY alone says that others got it too; banks mark all statements so.
    isCopy: ['DUPL', 'CODU'].includes(textAt(element, 'CpyDplctInd')),
    // Some banks repeat the previous closing balance (PRCD) instead of an opening one.
    opening: readBalance(balances, ['OPBD', 'PRCD']),
    closing: readBalance(balances, ['CLBD']),
    entries: all(element, 'Ntry').map(readEntry),
  }
}

function readPage(element: XmlElement | undefined): Pick<Statement, 'page' | 'isLastPage'> {
  const [page, isLastPage] = [textAt(element, 'PgNb'), textAt(element, 'LastPgInd') === 'true']
  if (!/^\d{1,9}$/.test(page)) return { page: '', isLastPage }
  // The only one is no page.
  return { page: Number(page) === 1 && isLastPage ? '' : String(Number(page)), isLastPage }
}

/** The same for copies of a statement. */
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

function readEntry(element: XmlElement): Entry {
  const details = all(element, 'NtryDtls').flatMap((one) => all(one, 'TxDtls'))
  const parts = details.map(readPart)
  const money = readAmount(at(element, 'Amt'))
  const isCredit = isCreditIn(element)
  const day = readDay(at(element, 'BookgDt') ?? at(element, 'ValDt'))
  return {
    bankRef: bankRefOf(element, details),
    // The name of an entry without a reference of the bank: files that were read by an older version must have the same one.
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
    at: readTime(element),
    day,
    parts,
  }
}

/** The same in every version. */
export function fingerprintOf(content: readonly unknown[]): string {
  const text = JSON.stringify(content, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}

function isReturnCode(element: XmlElement): boolean {
  return textAt(element, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd') === 'RRTN'
}

/** Values that banks write where they have no reference. */
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
    // Version 08 has `Pty` between.
    payerName: textAt(debtor, 'Pty', 'Nm') || textAt(debtor, 'Nm'),
    payerAccount: textAt(part, 'RltdPties', 'DbtrAcct', 'Id', 'IBAN'),
    // Banks break the text at any place, so the lines are joined as they are.
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
  const day = (textAt(element, 'Dt') || textAt(element, 'DtTm')).slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || plausible(`${day}T12:00:00Z`) === undefined)
    throw new BadFile('has an entry or a balance without a date')
  return day
}

/** The booking's time if the bank tells it, else noon of its day. */
function readTime(element: XmlElement): Date {
  const time = plausible(textAt(element, 'BookgDt', 'DtTm'))
  return time ?? new Date(`${readDay(at(element, 'BookgDt') ?? at(element, 'ValDt'))}T12:00:00Z`)
}
