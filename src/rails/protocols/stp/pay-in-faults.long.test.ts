// The shared suite of faults, applied between the gateway and STP. Opening or cancelling a payment needs no call to
// STP. So the faults affect webhooks of deposits, the reading of lists, and refunds. No fault may lose money, send
// money back, or send money twice.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { privatePem } from '../../../../sandbox/rsa-keys.ts'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { errors, rubbish } from '../../../../test/contracts/channel-contract/faults.ts'
import { makeReference, secretsIn } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import {
  change,
  type Fault,
  type FaultyProxy,
  loseAnswer,
  loseRequest,
  openFaultyProxy,
  respond,
} from '../../../../test/counterparties/faulty-proxy.ts'
import { openStp, type StpWorld } from '../../../../test/counterparties/stp.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { Callback } from '../../contract/channel.ts'
import type { Connection } from '../../contract/protocol.ts'

const money = { amount: 845_20n, currency: 'MXN' }
const [HASTY_MS, PATIENT_MS] = [300, 60_000]
const LIST_READ = { kind: 'read', key: 'received' }

let world: StpWorld
let proxy: FaultyProxy
const seen: unknown[] = []
before(async () => {
  world = await openStp()
  proxy = await openFaultyProxy(`${world.url}/stp`)
})
beforeEach(() => world.stp.notifyAt(world.receiver.url))
after(async () => {
  await proxy.close()
  await world.close()
})

const replaced = (status: number) => change((answer) => ({ ...answer, status, headers: {}, body: '<html>' }))
const halved = change((answer) => ({ ...answer, body: answer.body.slice(0, answer.body.length / 2) }))

/** The faults by name, each with the time limit of a call. */
const faults: readonly (readonly [string, Fault, number])[] = [
  ...errors.map((status) => [`${status}`, respond(status), PATIENT_MS] as const),
  ...rubbish.map((body) => [`200 ${body}`, respond(200, body), PATIENT_MS] as const),
  ...[429, 500, 502].map((status) => [`${status} after it acted`, replaced(status), PATIENT_MS] as const),
  ['half an answer', halved, PATIENT_MS],
  ['a broken connection', loseAnswer, PATIENT_MS],
  ['no answer', loseRequest, HASTY_MS],
]

function meeting(fault: Fault, timeoutMs: number): Connection {
  proxy.meet(fault)
  return world.connect({ url: proxy.url }, timeoutMs)
}

const asStranger = () => world.connect({ privateKey: privatePem(rsaPair('stranger').privateKey) })

async function noted<Result>(outcome: Promise<Result> | undefined): Promise<Result> {
  assert.ok(outcome)
  seen.push(await outcome)
  return outcome
}

/**
 * Makes a payment whose payer has made a transfer. Returns the payment and STP's order for the transfer. STP has sent
 * no webhook about the order.
 */
async function transferred() {
  const request = makeRequest({ method: 'spei', money }, 'pays')
  const waiting = await world.channel.start(request)
  assert.ok(waiting.kind === 'pending' && waiting.action.kind === 'transfer')
  world.stp.notifyAt('')
  await world.stp.deposit(waiting.action.account, money.amount)
  world.stp.notifyAt(world.receiver.url)
  const order = world.stp.book.received.at(-1) ?? assert.fail()
  return { attempt: { reference: request.reference, money }, order }
}

async function paid() {
  const { attempt, order } = await transferred()
  assert.equal((await world.stp.announce(order)).status, 200)
  return attempt
}

/** Returns the webhook that STP sends about the order, so that another connection can read it. */
async function messageAbout({ order }: Awaited<ReturnType<typeof transferred>>): Promise<Callback> {
  world.receiver.answerWith(async () => ({ status: 503, type: 'text/plain', body: '' }))
  await world.stp.announce(order)
  world.receiver.answerWith(
    async (callback) => (await world.channel.readCallback?.(callback))?.answer ?? assert.fail(),
  )
  return world.receiver.received().at(-1) ?? assert.fail()
}

const depositsOf = async (reference: string) => (await world.store.listOf('deposit', reference)).length
const countSent = (clave: string) =>
  [...world.stp.book.sent.values()].filter(({ claveRastreo }) => claveRastreo === clave).length

describe('a payment at STP', () => {
  it('is opened, asked about and closed while STP is down: it knows nothing of it', async () => {
    for (const [name, fault, timeoutMs] of faults) {
      const [channel] = meeting(fault, timeoutMs).channels
      const request = makeRequest({ method: 'spei', money }, 'pays')
      assert.equal((await noted(channel?.start(request))).kind, 'pending', name)
      assert.equal((await noted(channel?.ask(request))).kind, 'pending', name)
      assert.partialDeepStrictEqual(await noted(channel?.cancel(request)), { cause: 'cancelled' }, name)
    }
  })
})

describe('the message about a deposit', () => {
  async function assertNotConfirmed(connection: Connection, name: string) {
    const made = await transferred()
    const callback = await messageAbout(made)
    const read = await noted(connection.channels[0]?.readCallback?.(callback))
    assert.ok(read.kind === 'refused' && read.answer.status === 503, name)
    assert.ok(!read.answer.body.includes('devolver'), name)
    assert.equal(await depositsOf(made.attempt.reference), 0, name)
    assert.equal((await world.channel.ask(made.attempt)).kind, 'pending', name)
    // STP repeats the webhook.
    assert.equal((await world.stp.announce(made.order)).text, '{"mensaje":"confirmar"}', name)
    assert.equal(await depositsOf(made.attempt.reference), 1, name)
  }

  it('is neither confirmed nor sent back while the list cannot be read', async () => {
    for (const [name, fault, timeoutMs] of faults) await assertNotConfirmed(meeting(fault, timeoutMs), name)
  })

  it('is neither confirmed nor sent back with credentials that STP does not accept', async () => {
    await assertNotConfirmed(asStranger(), 'a stranger')
  })
})

describe('the reading of lists', () => {
  const readList = (connection: Connection) => connection.watcher?.work(AbortSignal.timeout(PATIENT_MS))
  const lastRead = async () => (await world.store.find(LIST_READ))?.body

  async function assertReadLater(connection: Connection, name: string) {
    const { attempt } = await transferred()
    const before = await lastRead()
    await assert.rejects(async () => readList(connection), /did not list/, name)
    assert.deepEqual(await lastRead(), before, name)
    assert.equal(await depositsOf(attempt.reference), 0, name)
    await readList(world.connect())
    assert.equal(await depositsOf(attempt.reference), 1, name)
    await world.store.write([{ remove: LIST_READ }])
  }

  it('that failed does not count as read', async () => {
    for (const [name, fault, timeoutMs] of faults) await assertReadLater(meeting(fault, timeoutMs), name)
    await assertReadLater(asStranger(), 'a stranger')
  })
})

describe('a refund at STP', () => {
  const refundOf = (attempt: { reference: string; money: typeof money }) => ({
    ...attempt,
    refundReference: makeReference(),
    refund: money,
  })

  async function assertRefundedOnce(connection: Connection, name: string) {
    const request = refundOf(await paid())
    const [channel] = connection.channels
    for (const _again of [1, 2]) {
      const outcome = await noted(channel?.refund(request))
      assert.equal(outcome.kind, 'unknown', `${name}: ${outcome.kind}`)
    }
    const isDone = async () => (await world.channel.refund(request)).kind === 'succeeded'
    assert.ok(await eventually(isDone), name)
    assert.equal(countSent(request.refundReference), 1, name)
  }

  it('stays unknown because of an error on the way, and is sent once', async () => {
    for (const [name, fault, timeoutMs] of faults) await assertRefundedOnce(meeting(fault, timeoutMs), name)
    await assertRefundedOnce(asStranger(), 'a stranger')
  })

  it('is not ended by a message while STP cannot be asked', async () => {
    const request = refundOf(await paid())
    const before = world.receiver.received().length
    assert.equal((await world.channel.refund(request)).kind, 'pending')
    assert.ok(await eventually(() => world.receiver.received().length > before))
    const callback = world.receiver.received().at(-1) ?? assert.fail()
    for (const [name, fault, timeoutMs] of faults) {
      const read = await noted(meeting(fault, timeoutMs).channels[0]?.readCallback?.(callback))
      assert.ok(read.kind === 'refused' && read.answer.status === 503, name)
    }
    assert.equal((await world.channel.refund(request)).kind, 'succeeded')
  })
})

describe('the report of an outcome', () => {
  it('contains no secret', () => {
    const [entry = {}] = world.stp.settings()
    const text = JSON.stringify(seen, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
    const secrets = secretsIn(entry)
    assert.ok(seen.length > 50 && secrets.length > 0)
    for (const secret of secrets) assert.ok(!text.includes(secret))
  })
})
