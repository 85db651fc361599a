// Writes payment orders: pain.001.001.09 with one group of credit transfers, which are either all instant or all not.
// The output depends only on the message and our account.
import { formatAmount } from '../../../platform/base/money.ts'

export type OurAccount = { readonly iban: string; readonly bic: string; readonly name: string }

export type TransferLine = {
  /** Our reference, which is also the EndToEndId: the id by which statements, reports and returns name a transfer. */
  readonly reference: string
  /** The amount in cents. */
  readonly amount: string
  readonly iban: string
  /** `name` and `text` contain only characters that SEPA allows. */
  readonly name: string
  readonly text: string
}

export type PaymentMessage = {
  readonly id: string
  /** The time of creation in UTC, to the second. */
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
    // `false` asks the bank to book each transfer separately, with its reference.
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

// Replacements for characters that not every SEPA bank accepts.

const foreign: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'Th',
  þ: 'th',
  ı: 'i',
  '’': "'",
  '–': '-',
  _: '-',
  '&': '+',
}

/**
 * Returns the text in the characters that every SEPA bank accepts; '' if no letter or digit is left. Accents are
 * removed, and other characters are replaced.
 */
export function sepaText(text: string, maxLength: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[_&]/gu, (character) => foreign[character] ?? ' ')
    .replace(/[^a-zA-Z0-9/\-?:().,'+ ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim()
  return /[a-zA-Z0-9]/.test(plain) ? plain : ''
}
