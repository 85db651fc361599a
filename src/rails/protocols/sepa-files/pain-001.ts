// Writes the bank's orders: pain.001.001.09 with one group of credit transfers, or of instant ones. The same message always gives
// the same bytes.
import { formatAmount } from '../../base/money.ts'

export type OurAccount = { readonly iban: string; readonly bic: string; readonly name: string }

export type TransferLine = {
  /** Our reference, also the EndToEndId: the only one that survives as far as the statement and a return. */
  readonly reference: string
  /** In cents. */
  readonly amount: string
  readonly iban: string
  /** In characters of SEPA, as `text`. */
  readonly name: string
  readonly text: string
}

export type PaymentMessage = {
  readonly id: string
  /** To the second, in UTC. */
  readonly createdAt: string
  readonly executionDay: string
  readonly isInstant: boolean
  readonly lines: readonly TransferLine[]
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

export function writePain001(message: PaymentMessage, { iban, bic, name }: OurAccount): string {
  const { id, createdAt, executionDay, isInstant, lines } = message
  const total = lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const counts = element('NbOfTxs', String(lines.length)) + element('CtrlSum', euros(total))
  const header = wrap('GrpHdr', [
    element('MsgId', id),
    element('CreDtTm', createdAt),
    counts,
    wrap('InitgPty', [element('Nm', name)]),
  ])
  const kind = wrap('PmtTpInf', [
    wrap('SvcLvl', [element('Cd', 'SEPA')]),
    isInstant ? wrap('LclInstrm', [element('Cd', 'INST')]) : '',
  ])
  const group = wrap('PmtInf', [
    element('PmtInfId', id),
    element('PmtMtd', 'TRF'),
    // One booking per transfer, each with its reference.
    element('BtchBookg', 'false'),
    counts,
    kind,
    wrap('ReqdExctnDt', [element('Dt', executionDay)]),
    wrap('Dbtr', [element('Nm', name)]),
    account('DbtrAcct', iban),
    wrap('DbtrAgt', [wrap('FinInstnId', [element('BICFI', bic)])]),
    element('ChrgBr', 'SLEV'),
    ...lines.map(transfer),
  ])
  const body = wrap('CstmrCdtTrfInitn', [header, group])
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">${body}</Document>\n`
}

function transfer({ reference, amount, iban, name, text }: TransferLine): string {
  return wrap('CdtTrfTxInf', [
    wrap('PmtId', [element('EndToEndId', reference)]),
    wrap('Amt', [`<InstdAmt Ccy="EUR">${euros(BigInt(amount))}</InstdAmt>`]),
    wrap('Cdtr', [element('Nm', name)]),
    account('CdtrAcct', iban),
    wrap('RmtInf', [element('Ustrd', text)]),
  ])
}

function account(name: string, iban: string): string {
  return wrap(name, [wrap('Id', [element('IBAN', iban)])])
}

function euros(cents: bigint): string {
  return formatAmount(cents, 'EUR')
}

function wrap(name: string, parts: readonly string[]): string {
  return `<${name}>${parts.join('')}</${name}>`
}

function element(name: string, text: string): string {
  return `<${name}>${escapeText(text)}</${name}>`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => escapes[character] ?? '')
}
