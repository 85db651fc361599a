import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { mountStripe } from '../../../sandbox/stripe/mount.ts'
import { connectChannel, toolsWith } from '../../../test/connect-entry.ts'
import { cloneDatabase } from '../../../test/harness.ts'
import { openMounted } from '../../../test/mounted.ts'
import { makeRequest } from '../../../test/sandbox-driver.ts'
import { openScriptedServer } from '../../../test/scripted-server.ts'
import { systemClock } from '../../base/clock.ts'
import { makeId } from '../../base/id.ts'
import type { Channel, Dispute } from '../contract.ts'
import { openStore } from '../open-store.ts'

const DAY_MS = 86_400_000
let now = new Date()
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const clock = { now: () => now }
const { counterparty, entry, close } = await openMounted(mountStripe, { clock })
const { account, disputes } = counterparty
const database = await cloneDatabase()
const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
const tools = toolsWith({ clock, timeoutMs: 60_000, storeOf })
const server = await openScriptedServer()
after(async () => {
  await close()
  await server.close()
  await database.drop()
})

async function listed(channel: Channel, since = new Date(0)): Promise<readonly Dispute[]> {
  const answer = await channel.disputes?.(since)
  assert.ok(answer?.kind === 'listed')
  return answer.list
}

it('Stripe is asked every fifteen minutes, for 120 days, however often the worker asks', async () => {
  const channel = connectChannel({ ...entry, name: 'scripted', url: server.url }, 'card', tools)
  let status = 200
  server.answerWith(() => ({ status, body: { object: 'list', data: [], has_more: false } }))
  for (const _ of [1, 2, 3]) await listed(channel)
  assert.equal(server.requests.length, 1)
  const from = Number(new URLSearchParams(server.requests[0]?.path.split('?')[1]).get('created[gte]'))
  assert.equal(from, Math.floor((now.getTime() - 120 * DAY_MS) / 1000))
  pass(15 * 60_000)
  status = 500
  for (const _ of [1, 2]) assert.equal((await channel.disputes?.(new Date(0)))?.kind, 'unknown')
  assert.equal(server.requests.length, 2)
  pass(60_000)
  status = 200
  assert.deepEqual(await listed(channel), [])
})

it('a later stage is seen, also of a dispute that is older than what is listed', async () => {
  const card = { number: '4242424242424242', expiryMonth: '4', expiryYear: '39', securityCode: '123' }
  const reference = `${makeId('A', 10_001, now)}1`
  const money = { amount: 1_250n, currency: 'USD' }
  const request = { ...makeRequest({ method: 'card', money }, 'pays', reference), card }
  const channel = connectChannel(entry, 'card', tools)
  assert.equal((await channel.start(request)).kind, 'succeeded')
  const intent = account.findByOrder(reference)
  assert.ok(intent)
  const id = disputes.open(intent)
  const stages = async (of: Channel, since?: Date) =>
    (await listed(of, since)).map(({ disputeRef, stage }) => [disputeRef, stage])
  assert.deepEqual(await stages(channel), [[id, 'open']])
  // The worker asks from the last dispute on.
  const since = new Date(now.getTime() + 1_000)
  assert.deepEqual(await stages(channel, since), [])
  pass(200 * DAY_MS)
  disputes.move(id, 'won')
  const restarted = connectChannel(entry, 'card', tools)
  assert.deepEqual(await stages(restarted, since), [[id, 'won']])
  pass(15 * 60_000)
  assert.deepEqual(await stages(restarted), [])
})
