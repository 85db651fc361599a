import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { aPayment } from '../../test/builders.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { systemClock } from '../base/clock.ts'
import { openVault } from '../base/secret.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
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
