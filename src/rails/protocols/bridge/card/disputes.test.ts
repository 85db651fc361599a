import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '../../../../../sandbox/server.ts'
import { noAlarms } from '../../../../../test/builders/no-alarms.ts'
import { giveSandboxKeys } from '../../../../../test/builders/rsa-keys.ts'
import { makeRequest } from '../../../../../test/contracts/sandbox-driver.ts'
import { connectChannel, toolsWith } from '../../../../../test/counterparties/connect-entry.ts'
import { openScriptedServer } from '../../../../../test/counterparties/scripted-server.ts'
import { cloneDatabase } from '../../../../../test/harness/harness.ts'
import { systemClock } from '../../../../platform/base/clock.ts'
import { openStore } from '../../../toolkit/records/store.ts'
import { signatureHeader, signRequest, timestampHeader } from '../../../toolkit/signature.ts'
import { httpTransport } from '../../../toolkit/transport.ts'
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
const now = new Date(1_789_000_600_000)
const secret = 'a secret for tests'
const answer = (list: unknown, status = 200) => ({ kind: 'answer', status, body: { list } }) as const

test('a dispute is read with its reference, money, reason and time', () => {
  assert.deepEqual(fromChargebacks(answer([dispute, { ...dispute, reasonCode: undefined }]), now), {
    kind: 'read',
    malformed: [],
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
  const read = fromChargebacks(answer([later]), now)
  assert.partialDeepStrictEqual(read, {
    list: [{ stage: 'lost', respondBy: new Date(1_789_600_000_000) }],
  })
})

const broken = [
  null,
  { ...dispute, id: '' },
  { ...dispute, merchantReference: 7 },
  { ...dispute, amount: '12.34' },
  { ...dispute, amount: '-1234' },
  { ...dispute, amount: 1234 },
  { ...dispute, currency: 'XXXX' },
  { ...dispute, disputedAt: '2026' },
  { ...dispute, disputedAt: 1e300 },
  { ...dispute, disputedAt: now.getTime() + 300_001 },
  { ...dispute, stage: 'escalated' },
  { ...dispute, respondBy: 'soon' },
]

test('a malformed entry is returned apart, and a response without a list is unknown', () => {
  const [good] = [fromChargebacks(answer([dispute]), now)].flatMap((read) =>
    read.kind === 'read' ? read.list : [],
  )
  for (const entry of broken)
    assert.deepEqual(fromChargebacks(answer([entry, dispute]), now), {
      kind: 'read',
      list: [good],
      malformed: [entry],
    })
  assert.equal(fromChargebacks(answer('none'), now).kind, 'unknown')
  assert.equal(fromChargebacks(answer([], 500), now).kind, 'unknown')
  assert.deepEqual(fromChargebacks({ kind: 'silent', why: 'no response in time' }, now), {
    kind: 'unknown',
    why: 'no response in time',
  })
})

test('the channel reports the disputed sandbox card since a given time', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-disputes-'))
  giveSandboxKeys(dataDir)
  const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 20, secret })
  try {
    const transport = httpTransport({ url: sandbox.url, secret })
    const channel = createCardChannel({ transport, timeoutMs: 60_000, alarms: noAlarms })
    const money = { amount: 1_250n, currency: 'USD' }
    const card = { number: '4000000000000259', expiryMonth: '4', expiryYear: '39', securityCode: '123' }
    await channel.start({ ...makeRequest({ method: 'card', money }, 'pays', 'A-disputed'), card })
    await sleep(40)
    const disputes = await channel.disputes?.(new Date(0))
    assert.ok(disputes?.kind === 'listed')
    const [dispute] = disputes.list
    assert.ok(dispute)
    assert.deepEqual(
      { reference: dispute.reference, money: dispute.money, reason: dispute.reason },
      { reference: 'A-disputed', money, reason: '4853' },
    )
    assert.deepEqual(await channel.disputes?.(dispute.at), disputes)
    const later = await channel.disputes?.(new Date(dispute.at.getTime() + 1))
    assert.deepEqual(later, { kind: 'listed', list: [] })
  } finally {
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  }
})

/** Opens a scripted bridge, and collects the alarms of its channels. */
async function openBridge(t: TestContext) {
  const database = await cloneDatabase()
  const server = await openScriptedServer()
  t.after(async () => {
    await server.close()
    await database.drop()
  })
  const alarms: [reference: string, what: string][] = []
  const tools = toolsWith({
    alarm: (reference, what) => alarms.push([reference, what]),
    storeOf: (channel) => openStore({ db: database.db, clock: systemClock }, channel),
  })
  return { server, alarms, tools }
}

test('a malformed dispute is reported once for each stage, whichever method asks, and the others are taken', async (t) => {
  const { server, alarms, tools } = await openBridge(t)
  const methods = ['card', 'spei', 'google_pay'] as const
  for (const method of methods) {
    alarms.length = 0
    const entry = { name: `acme-${method}`, protocol: 'bridge', method, url: server.url, secret }
    const own = method === 'card' ? entry : { ...entry, ownDisputes: true }
    const listed = async (list: readonly unknown[]) => {
      server.answerWith(() => ({ status: 200, body: { list } }))
      // Each list is read by a new channel, as in another process.
      return connectChannel(own, method, tools).disputes?.(new Date(0))
    }
    // The id contains half a surrogate pair, but the alarm must be recorded all the same.
    const odd = { ...dispute, id: 'ch_2\ud800', merchantReference: 'A2', stage: 'escalated' }
    for (const _again of [1, 2]) {
      const disputes = await listed([odd, dispute])
      assert.ok(disputes?.kind === 'listed')
      assert.deepEqual(
        disputes.list.map(({ disputeRef }) => disputeRef),
        ['ch_1'],
      )
    }
    assert.equal(alarms.length, 1)
    assert.match(`${alarms}`, /^A2,.*ch_2.*escalated.*cannot be read/)
    await listed([{ ...odd, stage: 'arbitration' }, dispute, null, 7])
    assert.equal(alarms.length, 4, 'a later stage, and two entries that are no disputes at all')
    // If every entry is malformed, the whole list probably has a wrong format.
    assert.equal((await listed([odd]))?.kind, 'unknown')
    assert.equal(alarms.length, 4)
    // A malformed entry without a usable id is identified by its whole content.
    const long = `ch_${'x'.repeat(64)}`
    const nameless = [71, 72, '', '', {}, undefined, `${long}1`, `${long}2`, 'ch_\ud800', 'ch_\ud801'].map(
      (id, at) => ({ ...dispute, id, amount: `${at}.00`, merchantReference: 7 }),
    )
    for (const _again of [1, 2]) await listed([...nameless, dispute])
    assert.equal(alarms.length, 4 + nameless.length)
    assert.match(`${alarms[4]}`, /^7,the dispute 71 .open. cannot be read/)
  }
})

test('a callback about a dispute that cannot be read brings an operator once for each stage, as the list does', async (t) => {
  const { server, alarms, tools } = await openBridge(t)
  for (const methods of [['card'], ['spei'], ['google_pay'], ['card', 'spei']] as const) {
    alarms.length = 0
    const name = `calls-${methods.join('-')}`
    const entry = { name, protocol: 'bridge', methods: [...methods], url: server.url, secret }
    const channel = connectChannel(entry, methods[0], tools)
    const called = async (changes: object, key = secret) => {
      const body = JSON.stringify({ type: 'dispute', ...dispute, ...changes })
      const timestamp = String(Math.floor(Date.now() / 1_000))
      const request = { method: 'POST', path: `/callbacks/${name}`, timestamp, body }
      const headers = { [timestampHeader]: timestamp, [signatureHeader]: signRequest(key, request) }
      return (await channel.readCallback?.({ ...request, query: '', headers }))?.answer.status
    }
    const disputedAt = Date.now() + 3_600_000
    assert.equal(await called({ disputedAt }, 'a secret of somebody else'), 401)
    assert.equal(await called({ disputedAt: Date.now() }), 200)
    assert.equal(alarms.length, 0)
    for (const _again of [1, 2]) assert.equal(await called({ disputedAt }), 422)
    assert.equal(alarms.length, 1, name)
    assert.match(`${alarms}`, /^A1,the dispute ch_1 .open. cannot be read/)
    assert.equal(await called({ disputedAt, stage: 'lost' }), 422)
    assert.equal(alarms.length, 2)
    if (methods[0] !== 'card') continue
    server.answerWith(() => ({ status: 200, body: { list: [{ ...dispute, disputedAt }] } }))
    await channel.disputes?.(new Date(0))
    assert.equal(alarms.length, 2, 'the list has the dispute that a callback was about')
  }
})
