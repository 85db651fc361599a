import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PAIN_001, pain001 } from '../../../../test/builders/pain-001-schema.ts'
import { validate } from '../../../../test/harness/xml-schema.ts'
import { type PaymentMessage, sepaText, writePain001 } from './pain-001.ts'

const account = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', name: sepaText('Müller & Söhne', 70) }
const line = { reference: 'P1', amount: '1230', iban: 'NL91ABNA0417164300', name: 'Ann Example', text: 'P1' }
const message: PaymentMessage = {
  id: 'TG000000-20261116141530-000000001',
  createdAt: '2026-11-16T14:15:30',
  executionDay: '2026-11-16',
  isInstant: false,
  lines: [line],
}

const complaints = (xml: string) => validate(xml, pain001, PAIN_001)

/** A message whose texts, amounts and list have the maximum length. */
const most: PaymentMessage = {
  ...message,
  lines: Array.from({ length: 1_000 }, (_, at) => ({
    reference: String(at).padStart(35, 'P'),
    amount: '99999999999',
    iban: 'MT84MALT011000012345MTLCAST001S',
    name: sepaText('Ł'.repeat(80), 70),
    text: 'R'.repeat(140),
  })),
}

describe('a pain.001 message', () => {
  for (const isInstant of [false, true])
    it(`is valid by the schema: ${isInstant ? 'instant' : 'credit'} transfers`, () => {
      assert.deepEqual(complaints(writePain001({ ...message, isInstant }, account)), [])
      assert.deepEqual(complaints(writePain001({ ...most, isInstant }, account)), [])
    })

  const xml = writePain001({ ...message, isInstant: true }, account)
  const faults: readonly (readonly [what: string, from: string | RegExp, to: string])[] = [
    ['another order', /(<MsgId>.*?<\/MsgId>)(<CreDtTm>.*?<\/CreDtTm>)/, '$2$1'],
    ['a missing element', /<EndToEndId>P1<\/EndToEndId>/, ''],
    ['an element twice', '<PmtMtd>TRF</PmtMtd>', '<PmtMtd>TRF</PmtMtd><PmtMtd>TRF</PmtMtd>'],
    ['an element of another place', '<ChrgBr>SLEV</ChrgBr>', '<ChrgBr>SLEV</ChrgBr><Ctry>DE</Ctry>'],
    ['no transfer', /<CdtTrfTxInf>.*<\/CdtTrfTxInf>/, ''],
    ['an empty text', '<Nm>Ann Example</Nm>', '<Nm></Nm>'],
    ['a long name', 'Ann Example', 'n'.repeat(71)],
    ['a long reference', '>P1</EndToEndId>', `>${'P'.repeat(36)}</EndToEndId>`],
    ['a reference with two slashes', '>P1</EndToEndId>', '>P//1</EndToEndId>'],
    ['characters beyond SEPA', 'Ann Example', 'Ánn Example'],
    ['an amount of three decimals', '>12.30</InstdAmt>', '>12.300</InstdAmt>'],
    ['an amount of nothing', '>12.30</InstdAmt>', '>0.00</InstdAmt>'],
    ['an amount beyond SEPA', '>12.30</InstdAmt>', '>1000000000.00</InstdAmt>'],
    ['no currency', ' Ccy="EUR"', ''],
    ['another currency', 'Ccy="EUR"', 'Ccy="USD"'],
    ['a date that is none', '<Dt>2026-11-16</Dt>', '<Dt>16.11.2026</Dt>'],
    ['date and time', '</Dt></ReqdExctnDt>', '</Dt><DtTm>2026-11-16T00:00:00</DtTm></ReqdExctnDt>'],
    ['an IBAN with spaces', 'NL91ABNA0417164300', 'NL91 ABNA 0417 1643 00'],
    ['a short BIC', 'COBADEFFXXX', 'COBADE'],
    ['another scheme', '<Cd>INST</Cd>', '<Cd>INSTANT</Cd>'],
    ['another version', 'pain.001.001.09', 'pain.001.001.03'],
    ['text between elements', '<GrpHdr>', '<GrpHdr>x'],
  ]
  for (const [what, from, to] of faults)
    it(`would be found invalid with ${what}`, () => {
      const faulty = xml.replace(from, to)
      assert.notEqual(faulty, xml)
      assert.notDeepEqual(complaints(faulty), [])
    })
})
