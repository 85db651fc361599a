import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { HDKey } from '@scure/bip32'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import {
  CONFIRMATIONS,
  DOLLAR,
  type EvmWatch,
  money,
  openEvmWatch,
  type Watched,
} from '../../../../test/counterparties/evm-watch.ts'
import type { RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import { openAddressBook } from '../../toolkit/formats/chain-address.ts'
import { toTransfer } from './records.ts'
import { readSignedTransaction } from './signed-transaction.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-signer-'))
const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(99)).derive("m/44'/60'/0'")
const keyFile = join(folder, 'key')
/** The copy of the example signer, in the folder of the packages that the signer imports. */
const signer = 'test/counterparties/evm/node_modules/.sign.mjs'

let evm: EvmWatch
let watched: Watched
let from: string
before(async () => {
  evm = await openEvmWatch()
  cpSync('examples/evm-signer/sign.mjs', signer)
  from = openAddressBook(account.publicExtendedKey).at(0) ?? ''
  writeFileSync(keyFile, `0x${Buffer.from(account.derive('m/0/0').privateKey ?? []).toString('hex')}\n`)
  await evm.chain.sendCoin(from, 10n ** 18n)
  await evm.chain.sendToken(evm.token, from, 1_000n * DOLLAR)
  watched = evm.connect({ outgoing: { from, folder } })
  await watched.round()
})
after(async () => {
  await evm.close()
  rmSync(signer, { force: true })
  rmSync(folder, { recursive: true })
})

async function paidPayment(details: object = {}): Promise<string> {
  const { reference, address } = await watched.open(details)
  if ('coin' in details) await evm.chain.sendCoin(address, 3_125_000_000_000_000n)
  else await evm.chain.sendToken(evm.token, address, 10n * DOLLAR)
  await evm.chain.mine(CONFIRMATIONS)
  await watched.round()
  return reference
}

function refundOf(reference: string, amount = 400n): RefundRequest {
  return { reference, money, refundReference: makeReference(), refund: { amount, currency: 'USD' } }
}

function sign(where = folder, key = keyFile): void {
  const { status, stderr } = spawnSync(process.execPath, [signer, where, key, '--all'], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

const answer = (id: string, content: object) =>
  writeFileSync(join(folder, 'signed', `${id}.json`), JSON.stringify(content))

/** Changes the request, lets a signer with this key sign it, and returns the signed transaction. */
function signedBy(key: string, request: object, changes: object): string {
  const own = mkdtempSync(join(tmpdir(), 'tollgate-signer-'))
  for (const name of ['unsigned', 'signed']) mkdirSync(join(own, name))
  writeFileSync(join(own, 'unsigned', 'one.json'), JSON.stringify({ ...request, id: 'one', ...changes }))
  sign(own, key)
  const { raw } = JSON.parse(readFileSync(join(own, 'signed', 'one.json'), 'utf8'))
  rmSync(own, { recursive: true })
  return raw
}

const requestOf = (id: string) => JSON.parse(readFileSync(join(folder, 'unsigned', `${id}.json`), 'utf8'))

async function balanceOf(address: string): Promise<bigint> {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(String(await evm.chain.call('eth_call', [{ to: evm.token, data }, 'latest'])))
}

async function finish(): Promise<void> {
  await evm.chain.mine(CONFIRMATIONS + 1)
  await watched.round()
}

const causeOf = (outcome: RefundOutcome) => ('cause' in outcome ? outcome.cause : outcome.kind)

describe('a refund in coin', () => {
  it('waits for the signer, leaves once, and succeeds when its block is final', async () => {
    const request = refundOf(await paidPayment())
    const { refundReference: id } = request
    const before = await balanceOf(evm.chain.payer)
    assert.deepEqual(await watched.channel.refund(request), { kind: 'pending', channelRef: id })
    await watched.round()
    assert.match(requestOf(id).pays, /^4 USDC on POLYGON to 0x/)
    sign()
    await watched.round()
    assert.deepEqual(readdirSync(join(folder, 'signed')), [])
    assert.equal(existsSync(join(folder, 'done', `${id}.json`)), true)
    await evm.chain.mine()
    await watched.round()
    assert.equal((await watched.channel.refund(request)).kind, 'pending')
    await finish()
    const done = { kind: 'succeeded', money: request.refund, channelRef: id }
    assert.deepEqual(await watched.channel.refund(request), done)
    assert.equal((await balanceOf(evm.chain.payer)) - before, 4n * DOLLAR)
    await watched.round()
    await finish()
    assert.equal((await balanceOf(evm.chain.payer)) - before, 4n * DOLLAR)
  })

  it('is limited to what was paid, in all parts together', async () => {
    const reference = await paidPayment()
    const first = refundOf(reference, 700n)
    assert.equal((await watched.channel.refund(first)).kind, 'pending')
    assert.equal(causeOf(await watched.channel.refund(refundOf(reference, 301n))), 'declined')
    const second = refundOf(reference, 300n)
    assert.equal((await watched.channel.refund(second)).kind, 'pending')
    await watched.round()
    sign()
    await watched.round()
    await finish()
    for (const one of [first, second]) assert.equal((await watched.channel.refund(one)).kind, 'succeeded')
  })

  it('pays the native coin back, too', async () => {
    const request = refundOf(await paidPayment({ coin: 'ETH' }), 1_000n)
    await watched.channel.refund(request)
    await watched.round()
    assert.equal(BigInt(requestOf(request.refundReference).value), 3_125_000_000_000_000n)
    sign()
    await watched.round()
    await finish()
    assert.equal((await watched.channel.refund(request)).kind, 'succeeded')
  })

  it('fails when the signer refuses it', async () => {
    const request = refundOf(await paidPayment())
    await watched.channel.refund(request)
    await watched.round()
    answer(request.refundReference, { refused: 'The address is an exchange' })
    await watched.round()
    assert.deepEqual(await watched.channel.refund(request), {
      kind: 'failed',
      cause: 'declined',
      message: 'The address is an exchange',
      channelRef: request.refundReference,
    })
  })

  it('accepts no transaction that pays something else, and no second nonce', async () => {
    const [one, other] = [refundOf(await paidPayment()), refundOf(await paidPayment(), 500n)]
    // The refunds are requested one after the other, so that the first has the lower nonce.
    for (const request of [one, other]) {
      await watched.channel.refund(request)
      await watched.round()
    }
    const asked = requestOf(one.refundReference)
    sign()
    const rawOf = (request: RefundRequest) =>
      JSON.parse(readFileSync(join(folder, 'signed', `${request.refundReference}.json`), 'utf8')).raw
    const [right, wrong] = [rawOf(one), rawOf(other)]
    answer(one.refundReference, { raw: wrong })
    answer('unasked', { raw: right })
    answer(other.refundReference, { nothing: true })
    await assert.rejects(watched.round(), /pays something else.*/)
    assert.equal(readdirSync(join(folder, 'bad')).length, 3)
    answer(one.refundReference, { raw: right })
    await watched.round()
    assert.ok(readSignedTransaction(right))
    answer(one.refundReference, { refused: 'too late' })
    await assert.rejects(watched.round(), /signed before/)
    answer(one.refundReference, {
      raw: signedBy(keyFile, asked, { nonce: `0x${(Number(asked.nonce) + 1).toString(16)}` }),
    })
    await assert.rejects(
      watched.round(),
      /an earlier answer has nonce \d+: sign it again with that nonce only/,
    )
    await finish()
    assert.equal((await watched.channel.refund(one)).kind, 'succeeded')
    assert.equal((await watched.channel.refund(other)).kind, 'pending')
  })

  it('is not sent with the signature of another key, and waits for the right one', async () => {
    const stranger = openAddressBook(account.publicExtendedKey).at(1) ?? ''
    const strangersFile = join(folder, 'another-key')
    const otherKey = account.derive('m/0/1').privateKey ?? assert.fail()
    writeFileSync(strangersFile, `0x${Buffer.from(otherKey).toString('hex')}\n`)
    // The stranger's account has coin and tokens, so the transaction could pay, and only its key is wrong.
    await evm.chain.sendCoin(stranger, 10n ** 18n)
    await evm.chain.sendToken(evm.token, stranger, 1_000n * DOLLAR)
    const request = refundOf(await paidPayment())
    const { refundReference: id } = request
    await watched.channel.refund(request)
    await watched.round()
    const asked = requestOf(id)
    for (const nonce of [asked.nonce, '0x0']) {
      answer(id, { raw: signedBy(strangersFile, asked, { from: stranger, nonce }) })
      await assert.rejects(
        watched.round(),
        new RegExp(`signed by ${stranger}, not by ${from}: .*nothing was sent`),
      )
      await finish()
      assert.deepEqual(await watched.channel.refund(request), { kind: 'pending', channelRef: id })
    }
    assert.equal(await balanceOf(stranger), 1_000n * DOLLAR)
    sign()
    await watched.round()
    await finish()
    assert.equal((await watched.channel.refund(request)).kind, 'succeeded')
    assert.equal(await balanceOf(stranger), 1_000n * DOLLAR)
  })

  it('that no node takes is reported with advice, and leaves once it can', async () => {
    const request = refundOf(await paidPayment())
    const { refundReference: id } = request
    const before = await balanceOf(evm.chain.payer)
    await watched.channel.refund(request)
    await watched.round()
    const asked = requestOf(id)
    const again = (changes: object) => answer(id, { raw: signedBy(keyFile, asked, changes) })
    const coin = await evm.chain.call('eth_getBalance', [from, 'latest'])
    const raised = (fees: bigint) => {
      const more = (field: string) => `0x${((BigInt(asked[field]) * fees) / 100n).toString(16)}`
      return { maxFeePerGas: more('maxFeePerGas'), maxPriorityFeePerGas: more('maxPriorityFeePerGas') }
    }
    again({})
    await evm.chain.call('hardhat_setBalance', [from, '0x1'])
    await assert.rejects(
      watched.round(),
      /no node takes .* lacks native coin for it and its fee: fill the account/,
    )
    await evm.chain.call('hardhat_setBalance', [from, coin])
    await watched.round()
    await watched.round()
    again(raised(101n))
    await assert.rejects(watched.round(), /with nonce \d+ waits, and either may count/)
    again(raised(200n))
    await watched.round()
    assert.equal((await watched.channel.refund(request)).kind, 'pending')
    await finish()
    assert.equal((await watched.channel.refund(request)).kind, 'succeeded')
    assert.equal((await balanceOf(evm.chain.payer)) - before, 4n * DOLLAR)
  })

  it('of coin that was made for the payment goes to nobody: its sender is the zero address', async () => {
    const { reference, address } = await watched.open()
    const found = { txHash: `0x${'1'.repeat(64)}`, blockHash: `0x${'2'.repeat(64)}`, block: 1, logIndex: 0 }
    const made = { ...found, token: evm.token.toLowerCase(), from: `0x${'0'.repeat(40)}`, to: address }
    const paid = { ...made, reference, units: 10n * DOLLAR, place: 0, gasFee: 1n, at: new Date() }
    await watched.store.write([{ add: toTransfer('transfer', paid) }])
    const outcome = await watched.channel.refund(refundOf(reference))
    assert.equal(causeOf(outcome), 'declined')
    assert.match('message' in outcome ? outcome.message : '', /came from no address/)
    const other = { ...paid, logIndex: 1, from: `0x${'3'.repeat(40)}`, units: 1n }
    await watched.store.write([{ add: toTransfer('transfer', other) }])
    const again = await watched.channel.refund(refundOf(reference))
    assert.equal(causeOf(again), 'declined', 'nor to somebody who sent a little beside it')
  })

  it('is refused without a signer, or for a payment that nobody knows', async () => {
    const without = evm.connect()
    assert.equal(without.channel.traits.refundable, false)
    assert.equal(causeOf(await without.channel.refund(refundOf(makeReference()))), 'refused')
    assert.equal(causeOf(await watched.channel.refund(refundOf(makeReference()))), 'refused')
  })
})
