import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { aPayment } from '../../../test/builders/builders.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { operatorAt } from '../../../test/harness/operator.ts'
import { acceptPayments } from '../../money/payments/accept-payments.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { openVault } from '../../platform/base/secret.ts'
import { makeProof, type ProofDeps, proofProblem } from './restored.ts'

let live: TestDatabase
let copy: TestDatabase
before(async () => {
  live = await cloneDatabase()
  copy = await cloneDatabase()
})
after(async () => {
  await live.drop()
  await copy.drop()
})

const vault = openVault(randomBytes(32))
const deps = ({ db }: TestDatabase, changes: Partial<ProofDeps> = {}): ProofDeps => {
  return { db, vault, clock: systemClock, ...changes }
}
const later = (days: number) => ({ now: () => new Date(Date.now() + days * 86_400_000) })

test('a copy with the orders and the key of the live database proves that it was restored', async () => {
  assert.equal(await makeProof(deps(copy)), undefined)
  const payment = aPayment({ merNo: 58_100_001 })
  for (const { db } of [live, copy]) await acceptPayments(db, [payment])
  const proof = await makeProof(deps(copy))
  assert.ok(proof)
  for (const text of [proof, ` ${proof}\n`]) assert.equal(await proofProblem(deps(live), text), undefined)
  assert.equal(await proofProblem(deps(live, { clock: later(6) }), proof), undefined)
  assert.match((await proofProblem(deps(live, { clock: later(8) }), proof)) ?? '', /older than 7 days/)
})

test('neither the live database itself, nor another key, order or text proves it', async () => {
  const problem = async (text = '', changes: Partial<ProofDeps> = {}) =>
    (await proofProblem(deps(live, changes), text)) ?? 'none'
  const itself = await makeProof(deps(live))
  assert.match(await problem(itself), /made on the live database/)
  const proof = await makeProof(deps(copy))
  assert.match(await problem(proof, { vault: openVault(randomBytes(32)) }), /master key/)
  for (const text of ['', 'restored', proof?.slice(0, -1), proof?.replace(/^\d/, '2'), `${proof}.`])
    assert.match(await problem(text), /master key/)
  const merNo = 58_100_002
  await acceptPayments(copy.db, [aPayment({ merNo, createdAt: new Date(Date.now() + 1000) })])
  assert.match(await problem(await makeProof(deps(copy))), /is not here/)
})

test('golive restored finds the copy by its name, although DATABASE_URL names the live database', async () => {
  const own = await cloneDatabase()
  const restored = await cloneDatabase()
  const payment = aPayment({ merNo: 58_100_003 })
  for (const { db } of [own, restored]) await acceptPayments(db, [payment])
  const masterKey = randomBytes(32).toString('hex')
  const operator = operatorAt({ databaseUrl: own.url, dataDir: '/nowhere', masterKey })
  const [{ name } = { name: '' }] = await restored.db.query<{ name: string }>({
    text: 'select current_database() as name',
  })
  const confirm = ['golive', 'confirm', 'backups', '--why', 'restored beside it', '--proof']
  for (const copy of [name, restored.url]) {
    const { proof } = await operator.run('golive', 'restored', '--database', copy)
    assert.equal((await operator.run(...confirm, String(proof))).confirmed, true)
  }
  const { proof: itself } = await operator.run('golive', 'restored')
  assert.match(await operator.refused(...confirm, String(itself)), /made on the live database/)
  assert.match(await operator.refused('golive', 'restored', '--database', 'absent'), /has no database absent/)
  for (const one of [own, restored]) await one.drop()
})
