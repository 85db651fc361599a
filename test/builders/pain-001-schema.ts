// The schema of pain.001.001.09 as a table, in our own words, for the elements that we write; an element that is not
// listed here is refused. Where the guidelines for SEPA are narrower than the schema, the guidelines apply: euros,
// names of 70 characters, one line of text.
import {
  both,
  type Content,
  lengthOf,
  many,
  one,
  optional,
  pattern,
  type Simple,
} from '../harness/xml-schema.ts'

export const PAIN_001 = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

const max35 = lengthOf(1, 35)
/** The characters that every bank of SEPA accepts. */
const latin = pattern(/^[a-zA-Z0-9/\-?:().,'+ ]*$/)
/** The pattern of references, which may not begin or end with a slash, or contain two in a row. */
const identifier = both(both(max35, latin), pattern(/^(?!\/)(?!.*\/\/).*(?<!\/)$/))
const dateTime = pattern(
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
)
const date = pattern(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
const count = pattern(/^\d{1,15}$/)
/** The pattern of a sum of at most 18 digits. */
const sum = pattern(/^(?=(\D*\d){1,18}\D*$)\d+(\.\d{1,2})?$/)
const amount = both(pattern(/^\d{1,9}(\.\d{1,2})?$/), (text) => (/[1-9]/.test(text) ? undefined : 'is zero'))
const iban = pattern(/^[A-Z]{2}\d{2}[a-zA-Z0-9]{1,30}$/)
const bic = pattern(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/)

const text = (type: Simple): Content => ({ text: type })
const code = (...allowed: readonly string[]): Content => text(pattern(new RegExp(`^(${allowed.join('|')})$`)))
const party: Content = { sequence: [one('Nm', text(both(lengthOf(1, 70), latin)))] }
const account: Content = { sequence: [one('Id', { choice: [one('IBAN', text(iban))] })] }
const agent: Content = { sequence: [one('FinInstnId', { sequence: [optional('BICFI', text(bic))] })] }

const header: Content = {
  sequence: [
    one('MsgId', text(identifier)),
    one('CreDtTm', text(dateTime)),
    one('NbOfTxs', text(count)),
    one('CtrlSum', text(sum)),
    one('InitgPty', party),
  ],
}

const paymentType: Content = {
  sequence: [
    one('SvcLvl', { choice: [one('Cd', code('SEPA'))] }),
    optional('LclInstrm', { choice: [one('Cd', code('INST'))] }),
  ],
}

const transfer: Content = {
  sequence: [
    one('PmtId', { sequence: [optional('InstrId', text(identifier)), one('EndToEndId', text(identifier))] }),
    one('Amt', {
      choice: [one('InstdAmt', { text: amount, attributes: { Ccy: pattern(/^EUR$/) } })],
    }),
    optional('CdtrAgt', agent),
    one('Cdtr', party),
    one('CdtrAcct', account),
    optional('RmtInf', { sequence: [one('Ustrd', text(both(lengthOf(1, 140), latin)))] }),
  ],
}

const group: Content = {
  sequence: [
    one('PmtInfId', text(identifier)),
    one('PmtMtd', code('TRF')),
    optional('BtchBookg', code('true', 'false', '1', '0')),
    optional('NbOfTxs', text(count)),
    optional('CtrlSum', text(sum)),
    one('PmtTpInf', paymentType),
    one('ReqdExctnDt', { choice: [one('Dt', text(date)), one('DtTm', text(dateTime))] }),
    one('Dbtr', party),
    one('DbtrAcct', account),
    one('DbtrAgt', agent),
    optional('ChrgBr', code('SLEV')),
    many('CdtTrfTxInf', transfer),
  ],
}

export const pain001 = one('Document', {
  choice: [one('CstmrCdtTrfInitn', { sequence: [one('GrpHdr', header), many('PmtInf', group)] })],
})
