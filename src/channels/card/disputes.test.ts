import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '../../../sandbox/server.ts'
import { giveSandboxKeys } from '../../../test/rsa-keys.ts'
import { makeRequest } from '../../../test/sandbox-driver.ts'
import { httpTransport } from '../transport.ts'
import { createCardChannel } from './card-channel.ts'
import { fromChargebacks } from './disputes.ts'

const dispute = {
  id: 'ch_1',
  merchantReference: 'A1',
  amount: '1234',
  currency: 'USD',
  reasonCode: '4853',
  disputedAt: 1_789_000_000_000,
}
const answer = (list: unknown, status = 200) => ({ kind: 'answer', status, body: { list } }) as const

test('a dispute is read with its reference, money, reason and time', () => {
  assert.deepEqual(fromChargebacks(answer([dispute, { ...dispute, reasonCode: undefined }])), {
    kind: 'listed',
    list: ['4853', ''].map((reason) => ({
      disputeRef: 'ch_1',
      reference: 'A1',
      money: { amount: 1234n, currency: 'USD' },
      reason,
      at: new Date(1_789_000_000_000),
    })),
  })
})

test('a dispute has its stage and the time for evidence, if the issuer says them', () => {
  const later = { ...dispute, stage: 'lost', respondBy: 1_789_600_000_000 }
  const read = fromChargebacks(answer([later]))
  assert.partialDeepStrictEqual(read, {
    list: [{ stage: 'lost', respondBy: new Date(1_789_600_000_000) }],
  })
})

test('one malformed entry makes the whole response unknown', () => {
  const broken = [
    null,
    { ...dispute, id: '' },
    { ...dispute, merchantReference: 7 },
    { ...dispute, amount: '12.34' },
    { ...dispute, amount: 1234 },
    { ...dispute, currency: 'XXXX' },
    { ...dispute, disputedAt: '2026' },
    { ...dispute, disputedAt: 1e300 },
    { ...dispute, stage: 'escalated' },
    { ...dispute, respondBy: 'soon' },
  ]
  for (const entry of broken) assert.equal(fromChargebacks(answer([dispute, entry])).kind, 'unknown')
  assert.equal(fromChargebacks(answer('none')).kind, 'unknown')
  assert.equal(fromChargebacks(answer([], 500)).kind, 'unknown')
  assert.deepEqual(fromChargebacks({ kind: 'silent', why: 'no response in time' }), {
    kind: 'unknown',
    why: 'no response in time',
  })
})

test('the channel reports the disputed sandbox card since a given time', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-disputes-'))
  const secret = 'a secret for tests'
  giveSandboxKeys(dataDir)
  const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 20, secret })
  try {
    const transport = httpTransport({ url: sandbox.url, secret })
    const channel = createCardChannel({ transport, timeoutMs: 60_000 })
    const money = { amount: 1_250n, currency: 'USD' }
    const card = { number: '4000000000000259', expiryMonth: '4', expiryYear: '39', securityCode: '123' }
    await channel.start({ ...makeRequest({ method: 'card', money }, 'pays', 'A-disputed'), card })
    await sleep(40)
    const disputes = await channel.disputes?.(new Date(0))
    assert.ok(disputes?.kind === 'listed')
    const [dispute] = disputes.list
    assert.ok(dispute)
    assert.deepEqual([dispute.reference, dispute.money, dispute.reason], ['A-disputed', money, '4853'])
    assert.deepEqual(await channel.disputes?.(dispute.at), disputes)
    const later = await channel.disputes?.(new Date(dispute.at.getTime() + 1))
    assert.deepEqual(later, { kind: 'listed', list: [] })
  } finally {
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  }
})
