import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { type EvmSigner, openEvmSigner } from '../../../../test/counterparties/evm-signer.ts'
import {
  CONFIRMATIONS,
  DOLLAR,
  type EvmWatch,
  openEvmWatch,
  type Watched,
} from '../../../../test/counterparties/evm-watch.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import type { PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { PayoutRail, PayoutRequest } from '../../contract/payout-rail.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-coin-payouts-'))
const beneficiary = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'

let evm: EvmWatch
let signer: EvmSigner
let watched: Watched
let rail: PayoutRail
before(async () => {
  evm = await openEvmWatch()
  evm.nodes[1].set({ writesLogsInAnotherWay: true })
  signer = openEvmSigner(folder)
  const { from, socket } = signer
  await evm.chain.sendCoin(from, 10n ** 18n)
  await evm.chain.sendToken(evm.token, from, 1_000n * DOLLAR)
  watched = evm.connect({ payoutKinds: ['coin'], outgoing: { from, socket } })
  await watched.round()
  assert.ok(watched.connection.rail)
  rail = watched.connection.rail
})
after(async () => {
  await signer.close()
  await evm.close()
  rmSync(folder, { recursive: true })
})

function aPayout(amount: bigint, details: object = {}, account = beneficiary): PayoutRequest {
  return {
    reference: makeReference(),
    kind: 'coin',
    money: { amount, currency: 'USD' },
    beneficiary: { account, details: { coin: 'USDC', network: 'POLYGON', ...details } },
  }
}

async function balanceOf(address: string): Promise<bigint> {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(String(await evm.chain.call('eth_call', [{ to: evm.token, data }, 'latest'])))
}

/** Sets the balance of an address in the token's storage, where the balances are the first mapping. */
async function setBalance(address: string, units: bigint): Promise<void> {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const place = keccak_256(Buffer.from(word(BigInt(address)) + word(0n), 'hex'))
  const params = [evm.token, `0x${Buffer.from(place).toString('hex')}`, `0x${word(units)}`]
  await evm.chain.call('hardhat_setStorageAt', params)
  assert.equal(await balanceOf(address), units)
}

async function finish(): Promise<void> {
  await evm.chain.mine(CONFIRMATIONS + 1)
  await watched.round()
}

/** Runs rounds until the signer's answer is recorded, and one more. Returns the hash of the signed transaction. */
async function whenSigned({ reference }: PayoutRequest): Promise<string> {
  let ref = reference
  const isSigned = async () => {
    await watched.round()
    ref = refOf(await asked(reference))
    return ref !== reference
  }
  assert.ok(await eventually(isSigned))
  await watched.round()
  return ref
}

async function asked(reference: string): Promise<PayoutOutcome> {
  const outcome = await rail.ask(reference)
  assert.ok(outcome.kind !== 'absent')
  return outcome
}

const refOf = (outcome: PayoutOutcome) => ('railRef' in outcome ? (outcome.railRef ?? '') : '')
const whyOf = (outcome: PayoutOutcome) => (outcome.kind === 'failed' ? outcome.message : outcome.kind)

describe('a payout in coin', () => {
  it('waits for a signer that is away, leaves once, and succeeds when its block is final', async () => {
    const request = aPayout(1_234n)
    const before = await balanceOf(beneficiary)
    assert.deepEqual(await rail.ask(request.reference), { kind: 'absent' })
    assert.deepEqual(await rail.send(request), { kind: 'processing', railRef: request.reference })
    await assert.rejects(watched.round(), /the signer cannot be reached/)
    await signer.start()
    const txHash = await whenSigned(request)
    await evm.chain.mine()
    await watched.round()
    assert.equal((await asked(request.reference)).kind, 'processing')
    await finish()
    const done = { kind: 'succeeded', money: request.money, railRef: txHash }
    assert.deepEqual(await rail.ask(request.reference), done)
    assert.deepEqual(await rail.send(request), done)
    assert.equal((await balanceOf(beneficiary)) - before, (1_234n * DOLLAR) / 100n)
  })

  it('leaves once if the signer is restarted, also one that has forgotten its answer', async () => {
    const request = aPayout(500n)
    const before = await balanceOf(beneficiary)
    await rail.send(request)
    // The signer dies after the request, so its answer may or may not have arrived.
    await watched.round()
    await signer.stop()
    await signer.start()
    await whenSigned(request)
    await finish()
    await watched.round()
    await finish()
    assert.equal((await asked(request.reference)).kind, 'succeeded')
    assert.equal((await balanceOf(beneficiary)) - before, 5n * DOLLAR)
  })

  it('goes back to processing when its block is replaced, and is then sent again', async () => {
    const request = aPayout(300n)
    const before = await balanceOf(beneficiary)
    await rail.send(request)
    const txHash = await whenSigned(request)
    const goBack = await evm.chain.remember()
    await evm.chain.mine()
    await watched.round()
    assert.equal((await balanceOf(beneficiary)) - before, 3n * DOLLAR)
    await goBack()
    assert.equal(await balanceOf(beneficiary), before)
    await watched.round()
    assert.deepEqual(await rail.ask(request.reference), { kind: 'processing', railRef: txHash })
    await finish()
    assert.equal((await asked(request.reference)).kind, 'succeeded')
    assert.equal((await balanceOf(beneficiary)) - before, 3n * DOLLAR)
  })

  it('keeps its first quote, rounded down', async () => {
    const request = aPayout(1_000n, { coin: 'ETH' })
    assert.deepEqual(rail.quote?.(request), { kind: 'quoted', amount: '0.00312500', coin: 'ETH' })
    assert.deepEqual(await rail.ask(request.reference), { kind: 'absent' }, 'a preview stores nothing')
    await rail.send(request)
    // The payout is 10.00 USD at a price of 3200. A further call with the same reference and more money must change
    // nothing.
    await rail.send({ ...request, money: { amount: 9_000n, currency: 'USD' } })
    const before = BigInt(String(await evm.chain.call('eth_getBalance', [beneficiary, 'latest'])))
    await whenSigned(request)
    await finish()
    assert.deepEqual((await asked(request.reference)).kind, 'succeeded')
    const after = BigInt(String(await evm.chain.call('eth_getBalance', [beneficiary, 'latest'])))
    assert.equal(after - before, 3_125_000_000_000_000n)
  })

  it('fails when the chain reverts it, once that is final', async () => {
    const request = aPayout(20_000n)
    await rail.send(request)
    await whenSigned(request)
    // The account loses its tokens before a block contains the transaction.
    const rest = await balanceOf(signer.from)
    await setBalance(signer.from, 0n)
    await evm.chain.mine()
    await watched.round()
    assert.equal((await asked(request.reference)).kind, 'processing')
    await finish()
    assert.match(whyOf(await asked(request.reference)), /reverted/)
    await setBalance(signer.from, rest)
  })

  it('is refused for good if it cannot be quoted or must not be paid', async () => {
    const cases: readonly (readonly [PayoutRequest, RegExp])[] = [
      [aPayout(100n, { coin: 'DOGE' }), /not pay in this coin/],
      [aPayout(100n, { network: 'ERC20' }), /not pay in this coin/],
      [{ ...aPayout(100n), money: { amount: 100n, currency: 'EUR' } }, /no price of USDC in EUR/],
      [aPayout(100n, {}, beneficiary.toLowerCase()), /checksum/],
      [aPayout(100n, {}, evm.token), /contract/],
      [aPayout(100n, {}, `0x${'0'.repeat(40)}`), /zero address/],
    ]
    for (const [request, why] of cases) {
      const quote = rail.quote?.(request)
      assert.match(quote?.kind === 'refused' ? quote.why : '', why, 'a preview says so before')
      assert.match(whyOf(await rail.send(request)), why)
      assert.match(whyOf(await asked(request.reference)), why)
      const better = { ...aPayout(100n), reference: request.reference }
      assert.match(whyOf(await rail.send(better)), why)
    }
    assert.equal((await rail.tokenise('4242424242424242')).kind, 'failed')
  })

  it('needs a signer, and the check says whether it answers', async () => {
    assert.throws(() => evm.connect({ payoutKinds: ['coin'] }), /payout_coin needs "outgoing"/)
    assert.throws(() => evm.connect({ payoutKinds: ['spei'] }), /crypto, payout_coin only/)
    const signal = AbortSignal.timeout(60_000)
    const right = await watched.connection.check(signal)
    assert.deepEqual(
      { isRight: right.isRight, saysSo: /signer answers at/.test(right.message) },
      { isRight: true, saysSo: true },
    )
    await signer.stop()
    const wrong = await watched.connection.check(signal)
    assert.deepEqual(
      { isRight: wrong.isRight, saysSo: /cannot be reached/.test(wrong.message) },
      { isRight: false, saysSo: true },
    )
  })
})
