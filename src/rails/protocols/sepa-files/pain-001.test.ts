import assert from 'node:assert/strict'
import { test } from 'node:test'
import sepa from 'sepa'
import { type PaymentMessage, sepaText, writePain001 } from './pain-001.ts'

const account = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', name: 'Example Ltd' }

const message: PaymentMessage = {
  id: 'TG000000-20261116141530-000000001',
  createdAt: '2026-11-16T14:15:30',
  executionDay: '2026-11-16',
  isInstant: false,
  lines: [
    { reference: 'P1', amount: '1230', iban: 'NL91ABNA0417164300', name: 'Ann Example', text: 'P1' },
    {
      reference: 'P2',
      amount: '99999999999',
      iban: 'FR1420041010050500013M02606',
      name: 'Neil + Co',
      text: 'P2',
    },
  ],
}

/** Writes the same message with an independent library. */
function byOthers({ id, createdAt, executionDay, lines }: PaymentMessage): string {
  const document = new sepa.Document('pain.001.001.09')
  document.grpHdr.id = id
  document.grpHdr.created = new Date(createdAt)
  document.grpHdr.initiatorName = account.name
  const group = document.createPaymentInfo()
  group.id = 'x'
  group.requestedExecutionDate = new Date(`${executionDay}T12:00:00`)
  group.debtorIBAN = account.iban
  group.debtorBIC = account.bic
  group.debtorName = account.name
  document.addPaymentInfo(group)
  for (const line of lines) {
    const transfer = group.createTransaction()
    transfer.end2endId = line.reference
    transfer.amount = Number(line.amount) / 100
    transfer.creditorIBAN = line.iban
    transfer.creditorName = line.name
    transfer.remittanceInfo = line.text
    group.addTransaction(transfer)
  }
  return document.toString()
}

test('a message equals that of an independent program, element by element', () => {
  const theirs = byOthers(message)
    .replace(/<Document [^>]*>/, '<Document>')
    .replace(/<InstrId>[^<]*<\/InstrId>/g, '')
    .replace(`<PmtInfId>${message.id}.x</PmtInfId>`, `<PmtInfId>${message.id}</PmtInfId>`)
  const ours = writePain001(message, account)
    .replaceAll('\n', '')
    .replace(/<Document [^>]*>/, '<Document>')
  assert.equal(ours, theirs)
})

test('an instant transfer names its scheme after the service level', () => {
  const xml = writePain001({ ...message, isInstant: true }, account)
  assert.match(xml, /<\/SvcLvl><LclInstrm><Cd>INST<\/Cd><\/LclInstrm><\/PmtTpInf>/)
  assert.doesNotMatch(writePain001(message, account), /LclInstrm/)
})

test('the sum is exact and markup is escaped', () => {
  const xml = writePain001(message, { ...account, name: 'A & B <Ltd>' })
  assert.equal(xml.match(/<CtrlSum>1000000012\.29<\/CtrlSum>/g)?.length, 2)
  assert.match(xml, /<Nm>A &amp; B &lt;Ltd&gt;<\/Nm>/)
})

test('texts are written in the characters of SEPA', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Zoë Müßig-Łukasz', 'Zoe Mussig-Lukasz'],
    ['Søren & Ærø_Co', 'Soren + AEro-Co'],
    ['Tiếng Việt', 'Tieng Viet'],
    ['O’Neil; "Sons"', "O'Neil Sons"],
    ['  two   spaces\n', 'two spaces'],
    ['李雷', ''],
    ['…', ''],
  ]
  for (const [given, written] of cases) assert.equal(sepaText(given, 70), written)
  assert.equal(sepaText(`${'a'.repeat(69)} b`, 70), 'a'.repeat(69))
})
