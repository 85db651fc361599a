// STP's deposits, queries over several days, and settings.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openStp, type StpWorld } from '../../../../test/counterparties/stp.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { Callback } from '../../contract/channel.ts'

const money = { amount: 845_20n, currency: 'MXN' }
let now = () => new Date()
let world: StpWorld
before(async () => {
  world = await openStp({ now: () => now() })
})
after(() => world.close())

async function waiting() {
  const request = makeRequest({ method: 'spei', money }, 'pays')
  const outcome = await world.channel.start(request)
  assert.ok(outcome.kind === 'pending' && outcome.action.kind === 'transfer')
  return { request, clabe: outcome.action.account }
}

const deposited = async (reference: string) => {
  const outcome = await world.channel.ask({ reference, money })
  return outcome.kind === 'received' ? outcome.deposits.map((one) => one.money.amount) : outcome.kind
}

describe('a deposit at STP', () => {
  it('counts once, however often it is announced, and is confirmed each time', async () => {
    const { request, clabe } = await waiting()
    await world.stp.deposit(clabe, money.amount)
    const order = world.stp.book.received.at(-1)
    assert.ok(order)
    for (const _again of [1, 2])
      assert.deepEqual((await world.stp.announce(order)).text, '{"mensaje":"confirmar"}')
    assert.deepEqual(await deposited(request.reference), [money.amount])
  })

  it('to a CLABE that no order has is sent back', async () => {
    for (const clabe of ['646180123499999996', '032180000118359719', '6461801234']) {
      const answer = await world.stp.deposit(clabe, 100n)
      assert.equal(answer.status, 400)
      assert.equal(answer.text, '{"mensaje":"devolver","id":1}')
    }
  })

  it('is believed only as far as STP says the same', async () => {
    const { request, clabe } = await waiting()
    await world.stp.deposit(clabe, money.amount)
    const callback = world.receiver.received().at(-1)
    assert.ok(callback)
    const read = async (changes: Partial<Callback>) =>
      world.channel.readCallback?.({ ...callback, ...changes })
    const richer = await read({ body: callback.body.replace('845.20', '9845.20') })
    assert.ok(richer?.kind === 'accepted')
    assert.deepEqual(await deposited(request.reference), [money.amount])
    const invented = await read({ body: callback.body.replace(/SBX\w{4}/, 'SBX0000') })
    assert.ok(invented?.kind === 'refused' && invented.answer.status === 503)
    const unproven = await read({ path: '/callbacks/stp/guess' })
    assert.ok(unproven?.kind === 'refused' && unproven.answer.status === 401)
    for (const body of ['', '[]', '{']) assert.equal((await read({ body }))?.kind, 'refused', body)
  })

  it('whose message never came is found in the list, and its message changes nothing then', async () => {
    const { request, clabe } = await waiting()
    world.stp.notifyAt('')
    await world.stp.deposit(clabe, money.amount)
    world.stp.notifyAt(world.receiver.url)
    assert.equal(await deposited(request.reference), 'pending')
    const { watcher } = world.connect()
    for (const _round of [1, 2]) await watcher?.work(AbortSignal.timeout(10_000))
    assert.deepEqual(await deposited(request.reference), [money.amount])
    const order = world.stp.book.received.at(-1)
    assert.equal(order && (await world.stp.announce(order)).status, 200)
    assert.deepEqual(await deposited(request.reference), [money.amount])
    const nowhere = world.connect({ url: 'http://127.0.0.1:1' }).watcher
    await assert.rejects(async () => nowhere?.work(AbortSignal.timeout(10_000)), /did not list/)
  })

  it("is sent on the sandbox's page, which says what became of it", async () => {
    const { request, clabe } = await waiting()
    const page = `${world.url}/stp/transfer`
    assert.match(await (await fetch(page)).text(), /name="clabe".*name="amount"/s)
    const send = async (form: Record<string, string>) => {
      const answer = await fetch(page, { method: 'POST', body: new URLSearchParams(form) })
      return `${answer.status} ${await answer.text()}`
    }
    const grouped = `${clabe.slice(0, 4)} ${clabe.slice(4)} `
    assert.match(await send({ clabe: grouped, amount: '845.20' }), /^200 .*MX\$845\.20 has arrived/s)
    assert.deepEqual(await deposited(request.reference), [money.amount])
    assert.match(await send({ clabe: '032180000118359719', amount: '1' }), /^200 .*No order has this CLABE/s)
    assert.match(await send({ clabe: '1<b>', amount: '1' }), /^400 .*value="1&#60;b&#62;".*18 digits/s)
    for (const amount of ['', '0', '-1', '1.234'])
      assert.match(await send({ clabe, amount }), /^400 .*an amount above zero/s, amount)
    world.stp.notifyAt('')
    const unheard = await send({ clabe, amount: '1' })
    world.stp.notifyAt(world.receiver.url)
    assert.match(unheard, /^200 .*The gateway did not confirm it/s)
  })

  it('is not confirmed while STP cannot be asked', async () => {
    const { clabe } = await waiting()
    await world.stp.deposit(clabe, money.amount)
    const callback = world.receiver.received().at(-1)
    const [nowhere] = world.connect({ url: 'http://127.0.0.1:1' }).channels
    const result = callback && (await nowhere?.readCallback?.(callback))
    assert.ok(result?.kind === 'refused' && result.answer.status === 503)
  })
})

describe('an order at STP', () => {
  const payout = () =>
    ({
      reference: makeReference(),
      kind: 'spei',
      money: { amount: 5_000n, currency: 'MXN' },
      beneficiary: { account: '032180000118359719', details: {} },
    }) as const

  it('is found on later days, and never sent twice', async () => {
    const request = payout()
    await world.rail().send(request)
    assert.ok(await eventually(async () => (await world.rail().ask(request.reference)).kind === 'succeeded'))
    now = () => new Date(Date.now() + 3 * 86_400_000)
    assert.equal((await world.rail().send(request)).kind, 'succeeded')
    assert.equal(
      [...world.stp.book.sent.values()].filter((one) => one.folioOrigen === request.reference).length,
      1,
    )
    now = () => new Date()
  })

  it('that STP has already, from a call whose response was lost, is asked about', async () => {
    const request = payout()
    await world.rail().send(request)
    await world.store.write([{ remove: { kind: 'order', key: request.reference } }])
    const again = await world.rail().send(request)
    assert.ok(again.kind === 'processing' || again.kind === 'succeeded', again.kind)
    assert.equal(again.railRef, request.reference)
  })

  it('to an account that is no CLABE is not sent', async () => {
    const request = payout()
    const beneficiary = { account: '032180000118359718', details: {} }
    const outcome = await world.rail().send({ ...request, beneficiary })
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'refused')
  })
})

describe('settings of STP', () => {
  it('are refused with one sentence, and tried by a question', async () => {
    for (const name of ['url', 'empresa', 'privateKey', 'clabePrefix', 'ordenanteClabe', 'ordenanteName'])
      assert.throws(() => world.connect({ [name]: '' }), new RegExp(`stp: "${name}"`))
    for (const changes of [
      { clabePrefix: '646180' },
      { clabePrefix: '0121801234' },
      { clabePrefix: '6461811234' },
      { ordenanteClabe: '646180123400000001' },
      { privateKey: 'x' },
    ])
      assert.throws(() => world.connect(changes), new RegExp(`stp: "${Object.keys(changes)[0]}"`))
    assert.throws(() => world.connect({ methods: ['spei', 'payout_pix'] }), /serves spei, payout_spei only/)
    const check = (changes: object) => world.connect(changes).check(AbortSignal.timeout(10_000))
    assert.equal((await check({})).isRight, true)
    assert.match((await check({ empresa: 'OTHER' })).message, /"empresa" and "privateKey"/)
    assert.match((await check({ url: 'http://127.0.0.1:1' })).message, /"url"/)
  })
})
