import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { mountStripe } from '../../../../sandbox/stripe/mount.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectChannel, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import {
  type Fault,
  loseAnswer,
  openFaultyProxy,
  respond,
} from '../../../../test/counterparties/faulty-proxy.ts'
import { openMounted } from '../../../../test/counterparties/mounted.ts'
import { openScriptedServer } from '../../../../test/counterparties/scripted-server.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { makeId } from '../../../platform/base/id.ts'
import type { Channel, Dispute } from '../../contract/channel.ts'
import { openStore } from '../../toolkit/records/store.ts'

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
const alarms: [reference: string, what: string][] = []
const tools = toolsWith({
  clock,
  timeoutMs: 60_000,
  storeOf,
  alarm: (reference, what) => alarms.push([reference, what]),
})
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

/** Returns the reference of a paid order, and the id of its dispute. */
async function disputed(status?: string): Promise<{ readonly reference: string; readonly id: string }> {
  const card = { number: '4242424242424242', expiryMonth: '4', expiryYear: '39', securityCode: '123' }
  const reference = `${makeId('A', 10_001, now)}1`
  const money = { amount: 1_250n, currency: 'USD' }
  const request = { ...makeRequest({ method: 'card', money }, 'pays', reference), card }
  assert.equal((await connectChannel(entry, 'card', tools).start(request)).kind, 'succeeded')
  const intent = account.findByOrder(reference)
  assert.ok(intent)
  return { reference, id: disputes.open(intent, status) }
}

const stages = async (of: Channel, since?: Date) =>
  (await listed(of, since)).map(({ disputeRef, stage }) => [disputeRef, stage])

it('a later stage is seen, also of a dispute that is older than what is listed', async () => {
  const channel = connectChannel(entry, 'card', tools)
  const { id } = await disputed()
  assert.deepEqual(await stages(channel), [[id, 'open']])
  // The worker asks for the disputes since the last dispute that it knows.
  const since = new Date(now.getTime() + 1_000)
  assert.deepEqual(await stages(channel, since), [])
  pass(200 * DAY_MS)
  disputes.move(id, 'won')
  const restarted = connectChannel(entry, 'card', tools)
  assert.deepEqual(await stages(restarted, since), [[id, 'won']])
  pass(15 * 60_000)
  assert.deepEqual(await stages(restarted), [])
})

it("a dispute that cannot be read is reported once, is in nobody's way, and is read again until it can be", async () => {
  const [first, odd, last] = [await disputed(), await disputed('mediation'), await disputed('lost')]
  const told = () => alarms.filter(([reference]) => reference === odd.reference)
  const others = [
    [first.id, 'open'],
    [last.id, 'lost'],
  ]
  for (const _restart of [1, 2]) {
    const channel = connectChannel(entry, 'card', tools)
    for (const _again of [1, 2]) {
      assert.deepEqual((await stages(channel)).toSorted(), others.toSorted())
      pass(15 * 60_000)
    }
  }
  assert.match(told().join(), new RegExp(`${odd.id} .mediation.`))
  disputes.move(odd.id, 'arbitration')
  const channel = connectChannel(entry, 'card', tools)
  await listed(channel)
  assert.equal(told().length, 2, 'another status is another alarm')
  pass(200 * DAY_MS)
  disputes.move(first.id, 'won')
  assert.deepEqual(await stages(channel), [[first.id, 'won']])
  disputes.move(odd.id, 'lost')
  pass(15 * 60_000)
  assert.deepEqual(await stages(channel), [[odd.id, 'lost']])
  assert.equal(told().length, 2)
  pass(15 * 60_000)
  assert.deepEqual(await stages(channel), [])
})

it('a dispute is reported again if the process died before it noted that', async () => {
  const { reference } = await disputed('mediation')
  const told = () => alarms.filter(([about]) => about === reference).length
  const store = storeOf(entry.name)
  const dying = {
    ...store,
    async write() {
      throw new Error('the process died')
    },
  }
  await assert.rejects(async () =>
    connectChannel(entry, 'card', { ...tools, storeOf: () => dying }).disputes?.(now),
  )
  assert.equal(told(), 1)
  for (const _again of [1, 2]) await listed(connectChannel(entry, 'card', tools))
  assert.equal(told(), 2)
})

it('an old dispute that Stripe does not return keeps no other from being read, and is soon read again', async () => {
  const ids = [(await disputed()).id, (await disputed()).id].toSorted()
  const [first] = ids
  const proxy = await openFaultyProxy(String(entry.url))
  after(() => proxy.close())
  const channel = connectChannel({ ...entry, url: proxy.url }, 'card', tools)
  const found = async () =>
    (await listed(channel)).flatMap(({ disputeRef: id }) => (ids.includes(id) ? [id] : []))
  await found()
  pass(200 * DAY_MS)
  for (const fault of [respond(500), respond(429), respond(200, '{}'), loseAnswer]) {
    proxy.meet(fault, (path) => path.includes(`/disputes/${first}`))
    assert.deepEqual(await found(), ids.slice(1))
    proxy.meet(undefined)
    pass(60_000)
    assert.deepEqual((await found()).toSorted(), ids)
    pass(15 * 60_000)
  }
})

it('after three old disputes without an answer the others wait for the next round, and what was listed does not', async () => {
  const old: string[] = []
  for (const _ of [1, 2, 3, 4, 5]) old.push((await disputed()).id)
  const proxy = await openFaultyProxy(String(entry.url))
  after(() => proxy.close())
  const channel = connectChannel({ ...entry, url: proxy.url }, 'card', tools)
  await listed(channel)
  pass(200 * DAY_MS)
  const { id: recent } = await disputed()
  const asked: string[] = []
  const isOld = (path: string) => /\/disputes\/\w/.test(path)
  const breaks: Fault = async (_, { path }) => {
    asked.push(path)
    return 'break'
  }
  proxy.meet(breaks, isOld)
  assert.deepEqual(await stages(channel), [[recent, 'open']])
  assert.equal(asked.length, 3)
  // An error response is an answer, and comes at once. So after errors the gateway still reads the other disputes.
  pass(60_000)
  asked.length = 0
  proxy.meet(async (forward, met) => {
    asked.push(met.path)
    return respond(500)(forward, met)
  }, isOld)
  assert.deepEqual(await stages(channel), [[recent, 'open']])
  assert.ok(old.every((id) => asked.some((path) => path.includes(id))))
  pass(60_000)
  proxy.meet(undefined)
  const found = await stages(channel)
  assert.ok([...old, recent].every((id) => found.some(([disputeRef]) => disputeRef === id)))
})
