// The process dies before and after every write to its records.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openStp, type StpWorld } from '../../../../test/counterparties/stp.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { dieEverywhere, perhaps } from '../../../../test/harness/mortal-store.ts'
import type { Channel } from '../../contract/channel.ts'

const money = { amount: 845_20n, currency: 'MXN' }
let world: StpWorld
before(async () => {
  world = await openStp()
})
after(() => world.close())

const countSent = (reference: string) =>
  [...world.stp.book.sent.values()].filter(({ claveRastreo }) => claveRastreo === reference).length

async function opened() {
  const request = makeRequest({ method: 'spei', money }, 'pays')
  const outcome = await world.channel.start(request)
  assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'transfer')
  return { request, clabe: outcome.action.account }
}

test('a payout is sent once', async () => {
  const beneficiary = { account: '032180000118359719', details: { benFirstName: 'Ana' } }
  const deaths = await dieEverywhere(async (through, name) => {
    const payout = { reference: makeReference(), kind: 'spei', money, beneficiary } as const
    await perhaps(world.connect({}, undefined, through).rail?.send(payout))
    const rail = world.rail()
    await rail.send(payout)
    const isPaid = async () => (await rail.ask(payout.reference)).kind === 'succeeded'
    assert.ok(await eventually(isPaid), name)
    assert.equal(countSent(payout.reference), 1, name)
  })
  assert.ok(deaths >= 4, `${deaths} deaths`)
})

test('a refund is sent once, to the account that was chosen first', async () => {
  const deaths = await dieEverywhere(async (through, name) => {
    const { request, clabe } = await opened()
    await world.stp.deposit(clabe, money.amount)
    const refund = { ...request, refundReference: makeReference(), refund: money }
    await perhaps(world.connect({}, undefined, through).channels[0]?.refund(refund))
    const isDone = async () => (await world.channel.refund(refund)).kind === 'succeeded'
    assert.ok(await eventually(isDone), name)
    assert.equal(countSent(refund.refundReference), 1, name)
  })
  assert.ok(deaths >= 6, `${deaths} deaths`)
})

test('a deposit counts once, although the process dies on its first message', async () => {
  const answerBy = ([channel]: readonly Channel[]) =>
    world.receiver.answerWith(async (callback) => {
      const read = await channel?.readCallback?.(callback).catch(() => undefined)
      return read?.answer ?? { status: 503, type: 'text/plain', body: '' }
    })
  const deaths = await dieEverywhere(async (through, name) => {
    const { request, clabe } = await opened()
    answerBy(world.connect({}, undefined, through).channels)
    await world.stp.deposit(clabe, money.amount)
    answerBy([world.channel])
    const order = world.stp.book.received.at(-1) ?? assert.fail()
    assert.equal((await world.stp.announce(order)).status, 200, name)
    const outcome = await world.channel.ask(request)
    assert.ok(outcome.kind === 'received' && outcome.deposits.length === 1, name)
  })
  assert.ok(deaths >= 2, `${deaths} deaths`)
})
