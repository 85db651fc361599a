import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCamt, readCamt, type Statement } from './camt.ts'
import { partsOf } from './credits.ts'
import { BadFile, readMessage } from './xml.ts'

const IBAN = 'DE89370400440532013000'

function read(xml: string): Statement {
  const { name, message } = readMessage(Buffer.from(xml))
  assert.ok(isCamt(name))
  const [statement] = readCamt(name, message)
  assert.ok(statement)
  return statement
}

const inStatement = (entries: string, prefix = '') => {
  const tag = (name: string) => (prefix === '' ? name : `${prefix}:${name}`)
  const account = `<Acct><Id><IBAN>${IBAN}</IBAN></Id></Acct>`.replace(
    /<(\/?)(\w)/g,
    `<$1${prefix && `${prefix}:`}$2`,
  )
  return `<${tag('Document')}><${tag('BkToCstmrStmt')}><${tag('Stmt')}>${account}${entries}</${tag('Stmt')}></${tag('BkToCstmrStmt')}></${tag('Document')}>`
}

const booked = '<BookgDt><Dt>2026-11-16</Dt></BookgDt>'
const entry = (inside: string, amount = '12.30', status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>${status}${booked}${inside}</Ntry>`

test('an entry without a day of its own has the day of its message', () => {
  const undated = entry('').replace(booked, '')
  const created = '<CreDtTm>2026-11-17T23:30:00+01:00</CreDtTm>'
  const [read053] = read(inStatement(created + undated)).entries
  assert.equal(read053?.day, '2026-11-17')
  assert.deepEqual(read053.at, new Date('2026-11-17T12:00:00Z'))
  const inNotification = inStatement(created + undated)
    .replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
    .replaceAll('Stmt>', 'Ntfctn>')
  assert.deepEqual(read(inNotification).entries[0], read053)
  const inHeader = inStatement(undated).replace('<Stmt>', `<GrpHdr>${created}</GrpHdr><Stmt>`)
  assert.deepEqual(read(inHeader).entries[0], read053)
  assert.throws(() => read(inStatement(undated)), BadFile)
})

test('both versions give the same entry', () => {
  const details = (amount: string, debtor: string) =>
    `<AcctSvcrRef>B1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E1</EndToEndId><TxId>T1</TxId></Refs>${amount}<RltdPties><Dbtr>${debtor}</Dbtr><DbtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>RF18 1234</Ustrd><Ustrd>56</Ustrd></RmtInf></TxDtls></NtryDtls>`
  const amount = '<Amt Ccy="EUR">12.30</Amt>'
  const old = read(
    inStatement(
      entry(
        details(`<AmtDtls><TxAmt>${amount}</TxAmt></AmtDtls>`, '<Nm>Zo&#235; &amp; Co</Nm>'),
        '12.3',
        '<Sts>BOOK</Sts>',
      ),
    ),
  )
  const now = read(inStatement(entry(details(amount, '<Pty><Nm>Zoë &amp; Co</Nm></Pty>'))))
  const [[first], [second]] = [old.entries, now.entries]
  assert.ok(first && second)
  assert.deepEqual(first, second)
  assert.deepEqual(second.money, { amount: 12_30n, currency: 'EUR' })
  assert.equal(second.isBooked, true)
  assert.deepEqual(second.parts[0], {
    money: { amount: 12_30n, currency: 'EUR' },
    endToEndId: 'E1',
    transferId: 'T1',
    messageIds: ['', ''],
    payerName: 'Zoë & Co',
    payerAccount: 'NL91ABNA0417164300',
    texts: ['RF18 123456', 'E1'],
    returnReason: undefined,
    isReturn: false,
  })
})

test('only BOOK is booked', () => {
  for (const status of ['PDNG', 'INFO', 'FUTR', 'XXXX'])
    for (const element of [`<Sts>${status}</Sts>`, `<Sts><Cd>${status}</Cd></Sts>`, ''])
      assert.equal(read(inStatement(entry('', '1.00', element))).entries[0]?.isBooked, false)
})

test('a batch is counted by its parts only if they add up to it', () => {
  const part = (amount: string) => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`
  const amounts = (inside: string) => {
    const [first] = read(inStatement(entry(`<NtryDtls>${inside}</NtryDtls>`, '30.00'))).entries
    assert.ok(first)
    return partsOf(first).map(({ money }) => money.amount)
  }
  assert.deepEqual(amounts(part('10.00') + part('20.00')), [10_00n, 20_00n])
  assert.deepEqual(amounts(part('10.00') + part('10.00')), [30_00n])
  assert.deepEqual(amounts(`${part('10.00')}<TxDtls></TxDtls>`), [30_00n])
  assert.deepEqual(amounts(part('10.00')), [30_00n])
  assert.deepEqual(amounts(''), [30_00n])
})

test('a placeholder is not a reference', () => {
  for (const ref of ['NONREF', 'NOTPROVIDED', ''])
    assert.equal(read(inStatement(entry(`<AcctSvcrRef>${ref}</AcctSvcrRef>`))).entries[0]?.bankRef, '')
})

test('prefixes of namespaces do not matter', () => {
  assert.equal(read(inStatement('', 'c')).iban, IBAN)
})

test('a file that is unsafe, cut off or malformed is refused as a whole', () => {
  const whole = inStatement(entry(''))
  const bad: readonly string[] = [
    '',
    'no XML',
    '<Document/>',
    whole.slice(0, -20),
    `<!DOCTYPE x [<!ENTITY a "b">]>${whole}`,
    inStatement(entry('', '12.345')),
    inStatement(entry('', '-1.00')),
    inStatement(entry('').replace('Ccy="EUR"', '')),
    inStatement(entry('').replace('CRDT', 'XXXX')),
    inStatement(entry('').replace(booked, '')),
    `<Document>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</Document>`,
  ]
  for (const xml of bad) assert.throws(() => read(xml), BadFile, xml.slice(0, 200))
  assert.throws(() => readMessage(Buffer.from([0x3c, 0x61, 0xff, 0x2f, 0x3e])), BadFile)
})

test('a character that the database refuses is replaced, and a day that is none refuses the file', () => {
  const named = (name: string) =>
    `<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties></TxDtls></NtryDtls>`
  for (const bad of ['&#0;', '&#x0;', '&#xD800;', '\0']) {
    const [found] = read(inStatement(entry(named(`A${bad}B`)))).entries
    assert.equal(found?.parts[0]?.payerName, 'A\uFFFDB', JSON.stringify(bad))
  }
  for (const day of ['2026-13-01', '2026-11-45', '0001-01-01', '9999-12-31'])
    assert.throws(() => read(inStatement(entry('').replace('2026-11-16', day))), BadFile, day)
  const late = entry('').replace(
    '<Dt>2026-11-16</Dt>',
    '<Dt>2026-11-16</Dt><DtTm>+050000-01-01T00:00:00Z</DtTm>',
  )
  assert.equal(read(inStatement(late)).entries[0]?.at.toISOString(), '2026-11-16T12:00:00.000Z')
})
