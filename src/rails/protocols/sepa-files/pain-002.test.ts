import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Meaning, meaningOf, PAIN_002, readStatusReport } from './pain-002.ts'
import { inWords } from './transfers.ts'
import { readMessage } from './xml.ts'

const transfer = (id: string, status = '', reason = '') =>
  `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId>${status && `<TxSts>${status}</TxSts>`}${
    reason && `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn><AddtlInf>not shown</AddtlInf></StsRsnInf>`
  }</TxInfAndSts>`

function read(groupStatus: string, groups: readonly string[]) {
  const status = groupStatus && `<GrpSts>${groupStatus}</GrpSts>`
  const about = `<OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId>${status}</OrgnlGrpInfAndSts>`
  const parts = groups.map(
    (group) => `<OrgnlPmtInfAndSts><OrgnlPmtInfId>M1</OrgnlPmtInfId>${group}</OrgnlPmtInfAndSts>`,
  )
  const xml = `<Document><CstmrPmtStsRpt>${about}${parts.join('')}</CstmrPmtStsRpt></Document>`
  const { name, message } = readMessage(Buffer.from(xml))
  assert.equal(name, PAIN_002)
  return readStatusReport(message)
}

test('each status has its meaning, and one that nobody has seen is unknown', () => {
  const expected: Readonly<Record<Meaning, readonly string[]>> = {
    rejected: ['RJCT', 'CANC'],
    pending: ['RCVD', 'ACTC', 'ACCP', 'ACSP', 'ACWC', 'ACFC', 'PDNG', 'RCVC', 'RVCM', 'RVNC'],
    'by-transfer': ['PART'],
    debited: ['ACSC'],
    credited: ['ACCC'],
    unknown: ['', 'XXXX', 'toString', 'rjct'],
  }
  for (const [meaning, statuses] of Object.entries(expected))
    for (const status of statuses) assert.equal(meaningOf(status), meaning, status)
})

test('a level without a status has that of the level above', () => {
  const statuses = (report: ReturnType<typeof read>) => [
    report.status,
    ...report.transfers.map(({ status }) => status),
  ]
  assert.deepEqual(statuses(read('RJCT', [])), ['RJCT'])
  assert.deepEqual(statuses(read('ACSP', [transfer('P1') + transfer('P2', 'RJCT')])), [
    'ACSP',
    'ACSP',
    'RJCT',
  ])
  assert.deepEqual(statuses(read('', [`<PmtInfSts>ACCP</PmtInfSts>${transfer('P1')}`])), ['ACCP', 'ACCP'])
  assert.deepEqual(statuses(read('ACCP', ['<PmtInfSts>RJCT</PmtInfSts>'])), ['RJCT'])
  assert.deepEqual(statuses(read('PART', [transfer('P2', 'RJCT')])), ['', 'RJCT'])
})

test("a reason is read by its code, and the bank's own text is left out", () => {
  const [first, second] = read('PART', [
    transfer('P1', 'RJCT', 'AC04') + transfer('P2', 'RJCT', 'ZZ99'),
  ]).transfers
  assert.equal(inWords('Rejected', first?.reason ?? ''), 'Rejected: the account is closed (AC04)')
  assert.equal(inWords('Rejected', second?.reason ?? ''), 'Rejected (ZZ99)')
  assert.equal(inWords('Rejected', ''), 'Rejected')
  assert.equal(inWords('Rejected', 'constructor'), 'Rejected')
})
