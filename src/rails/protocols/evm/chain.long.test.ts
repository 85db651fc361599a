import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  aRequest,
  CONFIRMATIONS,
  clock,
  confirmationsOf,
  counted,
  DOLLAR,
  type EvmWatch,
  money,
  openEvmWatch,
  type Watched,
} from '../../../../test/counterparties/evm-watch.ts'
import { listAll } from '../../toolkit/records/store.ts'

let evm: EvmWatch
let usual: Watched
before(async () => {
  evm = await openEvmWatch()
  usual = evm.connect()
  await usual.round()
})
after(() => evm.close())

/** Mines enough blocks to make the last transfers final, and runs a round. */
async function finish(watched = usual): Promise<void> {
  await evm.chain.mine(CONFIRMATIONS)
  await watched.round()
}

describe('a token transfer', () => {
  it('is shown with its confirmations, and counts once it has enough, with hash, sender and fee', async () => {
    const { reference, address } = await usual.open()
    const txHash = await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
    await usual.round()
    const seen = await usual.outcome(reference)
    assert.deepEqual(
      { kind: seen.kind, confirmations: confirmationsOf(seen), counted: counted(seen) },
      { kind: 'pending', confirmations: 1, counted: [] },
    )
    await evm.chain.mine(CONFIRMATIONS - 2)
    await usual.round()
    assert.equal(confirmationsOf(await usual.outcome(reference)), CONFIRMATIONS - 1)
    await evm.chain.mine()
    await usual.round()
    const paid = await usual.outcome(reference)
    assert.equal(paid.kind, 'received')
    assert.equal(confirmationsOf(paid), undefined)
    const [deposit] = paid.deposits
    assert.deepEqual(deposit?.money, money)
    assert.equal(deposit?.depositRef, `${txHash}-0`)
    assert.equal(deposit?.payerAccount?.toLowerCase(), evm.chain.payer.toLowerCase())
    assert.match(deposit?.gasFee ?? '', /^0\.0\d+$/)
    assert.deepEqual(await usual.channel.cancel({ reference, money }), paid)
  })

  it('adds up with others, in one block or several, and a surplus counts too', async () => {
    const { reference, address } = await usual.open()
    await evm.chain.sendToken(evm.token, address, 4n * DOLLAR)
    await evm.chain.sendToken(evm.token, address, 6n * DOLLAR)
    await finish()
    assert.deepEqual(counted(await usual.outcome(reference)), ['400 USD', '600 USD'])
    await evm.chain.sendToken(evm.token, address, 3n * DOLLAR)
    await finish()
    await usual.round()
    assert.deepEqual(counted(await usual.outcome(reference)), ['400 USD', '600 USD', '300 USD'])
  })

  it('of zero, of dust or of an unlisted token pays nothing', async () => {
    const { reference, address } = await usual.open()
    const other = await evm.chain.deployToken()
    await evm.chain.sendToken(evm.token, address, 0n)
    await evm.chain.sendToken(evm.token, address, DOLLAR / 1_000n)
    const txHash = await evm.chain.sendToken(other, address, 10n * DOLLAR)
    clock.shiftMs += 60_000
    await finish()
    const outcome = await usual.outcome(reference)
    assert.deepEqual({ kind: outcome.kind, counted: counted(outcome) }, { kind: 'pending', counted: [] })
    assert.partialDeepStrictEqual(usual.warnings, [{ reference, token: other.toLowerCase(), txHash }])
  })

  for (const [count, most] of [
    // The node gets seven calls each for the final blocks, for the later blocks, and for unlisted tokens.
    [3_000, 21],
    // With so many addresses, the gateway reads all transfers of the tokens, without a filter by address.
    [6_000, 2],
  ] as const)
    it(`to one of ${count} addresses is found in a few calls`, () => findAmong(count, most))

  async function findAmong(count: number, most: number): Promise<void> {
    const many = evm.connect()
    await many.round()
    const opened = await many.open()
    const until = new Date(clock.now().getTime() + 1_000_000).toISOString()
    const others = Array.from({ length: count }, (_, at) => ({
      add: {
        kind: 'watch',
        key: `${until} X${at}`,
        reference: `X${at}`,
        body: { address: `0x${(at + 1).toString(16).padStart(40, '0')}` },
      },
    }))
    await many.store.write(others)
    await evm.chain.sendToken(evm.token, opened.address, 10n * DOLLAR)
    await evm.chain.mine(CONFIRMATIONS)
    const before = evm.nodes[0].calls.length
    await many.round()
    assert.deepEqual(counted(await many.outcome(opened.reference)), ['1000 USD'])
    const calls = evm.nodes[0].calls.slice(before)
    assert.ok(calls.filter((method) => method === 'eth_getLogs').length <= most, calls.join(' '))
  }
})

describe('a transfer of the native coin', () => {
  it('is found in its block, and counts at the rate of the gateway', async () => {
    const { reference, address, action } = await usual.open({ coin: 'ETH' })
    assert.equal(action.kind === 'crypto' && action.coinAmount, '0.00312500')
    await evm.chain.sendCoin(address, 3_125_000_000_000_000n)
    await usual.round()
    assert.equal(confirmationsOf(await usual.outcome(reference)), 1)
    await finish()
    const paid = await usual.outcome(reference)
    assert.deepEqual(counted(paid), ['1000 USD'])
    assert.match(paid.kind === 'received' ? (paid.deposits[0]?.depositRef ?? '') : '', /^0x\w{64}-value$/)
  })

  it('to an order in tokens is reported as another coin', async () => {
    const { reference, address } = await usual.open()
    await evm.chain.sendCoin(address, 2_000_000_000_000_000_000n)
    await finish()
    assert.deepEqual(counted(await usual.outcome(reference)), ['2000000000 ETH'])
  })
})

describe('a reorganisation', () => {
  it('takes a transfer back before it counts, and counts it where it comes again', async () => {
    const { reference, address } = await usual.open()
    const goBack = await evm.chain.remember()
    const first = await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
    await usual.round()
    assert.equal(confirmationsOf(await usual.outcome(reference)), 1)
    await goBack()
    await evm.chain.mine(2)
    await usual.round()
    assert.equal(confirmationsOf(await usual.outcome(reference)), undefined)
    await finish()
    assert.deepEqual(counted(await usual.outcome(reference)), [])
    const again = await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
    await finish()
    const paid = await usual.outcome(reference)
    assert.equal(paid.kind, 'received')
    assert.deepEqual(
      paid.deposits.map(({ txHash }) => txHash),
      [again],
    )
    assert.equal(first, again, 'the same transaction in another block')
  })

  it('takes back the native coin, too', async () => {
    const { reference, address } = await usual.open({ coin: 'ETH' })
    const goBack = await evm.chain.remember()
    await evm.chain.sendCoin(address, 3_125_000_000_000_000n)
    await evm.chain.mine()
    await usual.round()
    assert.equal(confirmationsOf(await usual.outcome(reference)), 2)
    await goBack()
    await evm.chain.mine(3)
    await usual.round()
    assert.equal(confirmationsOf(await usual.outcome(reference)), undefined)
    await finish()
    assert.deepEqual(counted(await usual.outcome(reference)), [])
  })

  it('deeper than the confirmations is reported, and the blocks are read again', async () => {
    const own = evm.connect()
    await own.round()
    const { reference, address } = await own.open()
    const goBack = await evm.chain.remember()
    await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
    await finish(own)
    assert.deepEqual(counted(await own.outcome(reference)), ['1000 USD'])
    await goBack()
    await evm.chain.sendToken(evm.token, evm.chain.other, 1n)
    await evm.chain.mine(CONFIRMATIONS + 2)
    await assert.rejects(own.round(), new RegExp(`blocks after \\d+ that were final.*${reference} by 0x`))
    assert.deepEqual(counted(await own.outcome(reference)), [])
    await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
    await finish(own)
    assert.deepEqual(counted(await own.outcome(reference)), ['1000 USD'])
  })
})

describe('a payment', () => {
  it('keeps its address, amount and outcome however often it is started', async () => {
    const request = aRequest()
    const all = await Promise.all([1, 2, 3].map(() => usual.channel.start(request)))
    assert.deepEqual(all[1], all[0])
    assert.deepEqual(all[2], all[0])
    const others = await Promise.all(Array.from({ length: 20 }, () => usual.open()))
    assert.equal(new Set(others.map(({ address }) => address)).size, 20)
  })

  it('may be asked for on any network that an entry names', async () => {
    const own = evm.connect({ network: 'TESTNET' })
    await own.round()
    const { action } = await own.open({ network: 'TESTNET' })
    assert.equal(action.kind === 'crypto' && action.network, 'TESTNET')
    assert.deepEqual(own.channel.traits.serves, { coin: ['USDC', 'ETH'], network: ['TESTNET'] })
  })

  it('is refused for a coin or network that the channel does not have', async () => {
    for (const details of [{ coin: 'USDT' }, { network: 'ERC20' }, { coin: undefined }]) {
      const outcome = await usual.channel.start(aRequest(details))
      assert.deepEqual(
        { kind: outcome.kind, cause: 'cause' in outcome && outcome.cause },
        { kind: 'failed', cause: 'refused' },
      )
    }
  })

  it('that was never started can be closed, and is never opened afterwards', async () => {
    for (const end of ['ask', 'cancel'] as const) {
      const request = aRequest()
      assert.equal((await usual.channel[end](request)).kind, 'failed')
      assert.equal((await usual.channel.start(request)).kind, 'failed')
    }
  })

  it('stays open while a transfer is on its way, and ends without one; later money is still found', async () => {
    const { reference, address } = await usual.open()
    const attempt = { reference, money }
    const idle = await usual.open()
    await evm.chain.sendToken(evm.token, address, 5n * DOLLAR)
    await usual.round()
    assert.equal((await usual.channel.cancel(attempt)).kind, 'pending')
    await finish()
    const ended = await usual.channel.cancel(attempt)
    assert.deepEqual({ kind: ended.kind, counted: counted(ended) }, { kind: 'failed', counted: ['500 USD'] })
    assert.equal((await usual.channel.cancel({ ...attempt, reference: idle.reference })).kind, 'failed')
    await evm.chain.sendToken(evm.token, idle.address, 10n * DOLLAR)
    await finish()
    const late = await usual.outcome(idle.reference)
    assert.deepEqual({ kind: late.kind, counted: counted(late) }, { kind: 'failed', counted: ['1000 USD'] })
  })

  it('is neither opened nor ended while the chain cannot be read', async () => {
    const { reference } = await usual.open()
    clock.shiftMs += 180_000
    const opened = await usual.channel.start(aRequest())
    assert.deepEqual(
      { kind: opened.kind, cause: 'cause' in opened && opened.cause },
      { kind: 'failed', cause: 'unreachable' },
    )
    assert.equal((await usual.channel.cancel({ reference, money })).kind, 'unknown')
    await usual.round()
    assert.equal((await usual.channel.cancel({ reference, money })).kind, 'failed')
  })

  it('is not opened before the first blocks were read', async () => {
    const fresh = evm.connect()
    assert.equal((await fresh.channel.start(aRequest())).kind, 'failed')
    await fresh.round()
    await fresh.open()
  })
})

describe('watching', () => {
  it('goes on where it ended, over any gap, and finds nothing twice', async () => {
    const { reference, address } = await usual.open()
    await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
    await evm.chain.mine(700)
    await usual.round()
    await usual.round()
    assert.deepEqual(counted(await usual.outcome(reference)), ['1000 USD'])
  })

  it('forgets an address some time after its payment, and the oldest hashes', async () => {
    const own = evm.connect({ watchDays: 1 })
    await own.round()
    await own.open()
    for (let block = 0; block < 5; block += 1) {
      await evm.chain.mine()
      await own.round()
    }
    assert.equal((await listAll(own.store, 'block')).length, 6)
    assert.equal((await listAll(own.store, 'watch')).length, 1)
    clock.shiftMs += 2 * 86_400_000
    await assert.rejects(own.round(), /the chain stands at block/)
    await evm.chain.call('evm_increaseTime', [2 * 86_400])
    await evm.chain.mine()
    // The first round reads past the end of the watch, and the next round removes the watch.
    for (const left of [1, 0]) {
      await own.round()
      assert.equal((await listAll(own.store, 'watch')).length, left)
    }
  })
})
