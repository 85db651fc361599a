// Statements (camt.053) and notifications (camt.054), as banks write them: in version 02 or 08, with batches, and with
// the remittance text cut into lines of fixed length.
import type { Booking } from './book.ts'
import { documentOf, money, side, tag, text, type Xml } from './xml.ts'

export type Version = '02' | '08'

export type Account = { readonly iban: string; readonly bic: string; readonly name: string }

export type CamtOptions = {
  readonly account: Account
  readonly version: Version
  readonly id: string
  readonly at: Date
  readonly bookings: readonly Booking[]
  /** The status of the entries. PDNG means announced but not booked. */
  readonly status?: string
  readonly isCopy?: boolean
  /** True to leave out the details of entries, as statements may. */
  readonly isSummary?: boolean
  /** True to leave out the bank's own references, as some banks do. */
  readonly withoutRefs?: boolean
}

/** A part of a statement, which has its own message. */
export type Page = {
  readonly no: number
  readonly isLast: boolean
  readonly balances: PageBalances
  /** The balances of the whole statement, computed from all its bookings. */
  readonly whole: { readonly opening: bigint; readonly closing: bigint }
}

/**
 * `all`: each page has the balances of the whole statement. `ends`: only the first page has an opening balance, and
 * only the last page has a closing balance. `interim`: like `ends`, but every missing opening or closing balance is
 * replaced by an interim balance of the page.
 */
export type PageBalances = 'all' | 'ends' | 'interim'

const LINE = 27

export function writeNotification(options: CamtOptions): Xml {
  return camt('054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', options, [])
}

export function writeStatement(
  options: CamtOptions & { readonly sequence: number; readonly opening: bigint; readonly page?: Page },
): Xml {
  const { opening, bookings, at, sequence, page } = options
  const closing = bookings.reduce((sum, { cents }) => sum + cents, opening)
  const balances =
    page === undefined
      ? [balance('OPBD', opening, at), balance('CLBD', closing, at)]
      : balancesOf(page, { opening, closing }, at)
  return camt('053', 'BkToCstmrStmt', 'Stmt', options, balances, { sequence, page })
}

function balancesOf({ no, isLast, balances, whole }: Page, own: Page['whole'], at: Date): Xml[] {
  const [first, last] = [balance('OPBD', whole.opening, at), balance('CLBD', whole.closing, at)]
  if (balances === 'all') return [first, last]
  const between = (cents: bigint) => (balances === 'interim' ? [balance('ITBD', cents, at)] : [])
  return [...(no === 1 ? [first] : between(own.opening)), ...(isLast ? [last] : between(own.closing))]
}

function camt(
  kind: string,
  root: string,
  list: string,
  options: CamtOptions,
  balances: readonly Xml[],
  { sequence, page }: { readonly sequence?: number; readonly page?: Page | undefined } = {},
): Xml {
  const { id, at, account, version, isCopy = false } = options
  const header = tag('GrpHdr', [
    text('MsgId', `${id}${isCopy ? '-COPY' : ''}`),
    text('CreDtTm', at.toISOString()),
    page === undefined
      ? ''
      : tag('MsgPgntn', [text('PgNb', String(page.no)), text('LastPgInd', String(page.isLast))]),
  ])
  const body = tag(list, [
    text('Id', id),
    sequence === undefined ? '' : text('ElctrncSeqNb', String(sequence)),
    text('CreDtTm', at.toISOString()),
    isCopy ? text('CpyDplctInd', 'DUPL') : '',
    tag('Acct', tag('Id', text('IBAN', account.iban))),
    ...balances,
    ...entriesOf(options),
  ])
  return documentOf(`camt.${kind}.001.${version}`, tag(root, [header, body]))
}

function balance(code: string, cents: bigint, at: Date): Xml {
  return tag('Bal', [
    tag('Tp', tag('CdOrPrtry', text('Cd', code))),
    money('Amt', cents),
    side(cents),
    tag('Dt', text('Dt', at.toISOString().slice(0, 10))),
  ])
}

function entriesOf(options: CamtOptions): Xml[] {
  const groups = Map.groupBy(options.bookings, ({ no, batch }) => batch || String(no))
  return [...groups.values()].map((bookings) => entry(options, bookings))
}

function entry(options: CamtOptions, bookings: readonly Booking[]): Xml {
  const { version, status = 'BOOK', isSummary = false, withoutRefs = false } = options
  const [first] = bookings
  if (first === undefined) return ''
  const cents = bookings.reduce((sum, one) => sum + one.cents, 0n)
  const family = first.reason === '' ? 'ESCT' : 'RRTN'
  return tag('Ntry', [
    money('Amt', cents),
    side(cents),
    version === '02' ? text('Sts', status) : tag('Sts', text('Cd', status)),
    tag('BookgDt', text('Dt', first.at.toISOString().slice(0, 10))),
    tag('ValDt', text('Dt', first.at.toISOString().slice(0, 10))),
    withoutRefs ? '' : text('AcctSvcrRef', `BK${String(first.no).padStart(12, '0')}`),
    tag(
      'BkTxCd',
      tag('Domn', [text('Cd', 'PMNT'), fmly(cents < 0n || first.reason !== '' ? 'ICDT' : 'RCDT', family)]),
    ),
    isSummary
      ? ''
      : tag(
          'NtryDtls',
          bookings.map((booking) => details(options, booking)),
        ),
  ])
}

function fmly(family: string, sub: string): Xml {
  return tag('Fmly', [text('Cd', family), text('SubFmlyCd', sub)])
}

function details({ version, account }: CamtOptions, booking: Booking): Xml {
  const { cents, endToEndId, messageId, name, iban, reason } = booking
  const other = { name, iban }
  const [debtor, creditor] = cents < 0n || reason !== '' ? [account, other] : [other, account]
  const amount = version === '02' ? tag('AmtDtls', tag('TxAmt', money('Amt', cents))) : money('Amt', cents)
  return tag('TxDtls', [
    tag('Refs', [text('MsgId', messageId), text('EndToEndId', endToEndId || 'NOTPROVIDED')]),
    amount,
    version === '02' ? '' : side(cents),
    tag('RltdPties', [...party('Dbtr', debtor, version), ...party('Cdtr', creditor, version)]),
    remittance(booking),
    tag('RtrInf', tag('Rsn', text('Cd', reason))),
  ])
}

function party(
  role: string,
  { name, iban }: { readonly name: string; readonly iban: string },
  version: Version,
): Xml[] {
  const named = text('Nm', name)
  const account = iban === '' ? '' : tag(`${role}Acct`, tag('Id', text('IBAN', iban)))
  return [tag(role, version === '02' ? named : tag('Pty', named)), account]
}

/**
 * Every second booking has its text in capitals without blanks. In the other bookings, a text that is only a creditor
 * reference is written as a structured reference. Unstructured text is cut into lines.
 */
function remittance({ no, text: given }: Booking): Xml {
  if (/^RF\d{2}[A-Z0-9]{1,21}$/.test(given) && no % 2 === 0)
    return tag('RmtInf', tag('Strd', tag('CdtrRefInf', text('Ref', given))))
  const written = (no % 2 === 0 ? given : given.toUpperCase().replaceAll(' ', '')).slice(0, 140)
  const lines = written.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  return tag(
    'RmtInf',
    lines.map((line) => text('Ustrd', line)),
  )
}
