// Reads a customer's message of credit transfers. Refuses a message that breaks the XML schema or the rules of SEPA.
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { isObject } from '../../src/platform/base/object.ts'

export type Order = {
  readonly messageId: string
  readonly groupId: string
  readonly isInstant: boolean
  readonly debtor: string
  readonly transfers: readonly OrderedTransfer[]
}

export type OrderedTransfer = {
  readonly endToEndId: string
  readonly cents: bigint
  readonly iban: string
  readonly name: string
  readonly text: string
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => name === 'CdtTrfTxInf',
})
const schemeText = /^[a-zA-Z0-9/\-?:().,'+ ]+$/

/** Returns undefined if the message is wrong in any part. */
export function readOrder(xml: string): Order | undefined {
  if (XMLValidator.validate(xml) !== true) return undefined
  const document = step(parser.parse(xml), 'Document')
  if (step(document, '@_xmlns') !== 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09') return undefined
  const header = step(document, 'CstmrCdtTrfInitn', 'GrpHdr')
  const group = step(document, 'CstmrCdtTrfInitn', 'PmtInf')
  const listed = step(group, 'CdtTrfTxInf')
  const transfers = (Array.isArray(listed) ? listed : []).map(readTransfer)
  const order = {
    messageId: word(header, 'MsgId'),
    groupId: word(group, 'PmtInfId'),
    isInstant: word(group, 'PmtTpInf', 'LclInstrm', 'Cd') === 'INST',
    debtor: word(group, 'DbtrAcct', 'Id', 'IBAN'),
    transfers: transfers.flatMap((transfer) => transfer ?? []),
  }
  const sum = order.transfers.reduce((total, { cents }) => total + cents, 0n)
  const isRight =
    order.transfers.length === transfers.length &&
    transfers.length > 0 &&
    [header, group].every(
      (part) => word(part, 'NbOfTxs') === String(transfers.length) && centsOf(word(part, 'CtrlSum')) === sum,
    ) &&
    [order.messageId, order.groupId].every((id) => id.length <= 35 && schemeText.test(id)) &&
    word(group, 'PmtMtd') === 'TRF' &&
    word(group, 'PmtTpInf', 'SvcLvl', 'Cd') === 'SEPA' &&
    word(group, 'ChrgBr') === 'SLEV' &&
    /^\d{4}-\d\d-\d\d$/.test(word(group, 'ReqdExctnDt', 'Dt')) &&
    word(group, 'DbtrAgt', 'FinInstnId', 'BICFI') !== ''
  return isRight ? order : undefined
}

function readTransfer(element: unknown): OrderedTransfer | undefined {
  const cents = centsOf(word(element, 'Amt', 'InstdAmt', '#text'))
  const transfer = {
    endToEndId: word(element, 'PmtId', 'EndToEndId'),
    iban: word(element, 'CdtrAcct', 'Id', 'IBAN'),
    name: word(element, 'Cdtr', 'Nm'),
    text: word(element, 'RmtInf', 'Ustrd'),
  }
  const fits = (value: string, most: number) => value.length <= most && schemeText.test(value)
  const isRight =
    fits(transfer.endToEndId, 35) &&
    fits(transfer.name, 70) &&
    fits(transfer.text, 140) &&
    /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(transfer.iban) &&
    word(element, 'Amt', 'InstdAmt', '@_Ccy') === 'EUR'
  return isRight && cents !== undefined ? { ...transfer, cents } : undefined
}

function centsOf(decimal: string): bigint | undefined {
  return /^\d{1,9}\.\d\d$/.test(decimal) ? BigInt(decimal.replace('.', '')) : undefined
}

function step(from: unknown, ...path: readonly string[]): unknown {
  return path.reduce((found, name) => (isObject(found) ? found[name] : undefined), from)
}

function word(from: unknown, ...path: readonly string[]): string {
  const found = step(from, ...path)
  return typeof found === 'string' ? found : ''
}
