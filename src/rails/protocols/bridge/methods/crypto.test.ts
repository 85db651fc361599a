import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toolsWith } from '../../../../../test/counterparties/connect-entry.ts'
import { openAddressBook } from '../../../toolkit/formats/chain-address.ts'
import { readCharge } from '../bank/charge.ts'
import { actionOf, connectCrypto, depositsOf } from './crypto.ts'

const xpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const settings = { addresses: openAddressBook(xpub), confirmations: { ERC20: 3, POLYGON: 5 } }
const quoted = { coin: 'USDT', network: 'ERC20', price: '1.25', index: 1, coinUnits: '8000000' }

function chargeWith(extra: object = {}, changed: object = {}) {
  const charge = readCharge({
    id: '1',
    reference: 'A1',
    status: 'open',
    amount: '1000',
    currency: 'USD',
    account,
    deposits: [],
    extra: { ...quoted, ...extra },
    ...changed,
  })
  assert.ok(charge)
  return charge
}

const txHash = (digit: string) => `0x${digit.repeat(64)}`
const transfer = (digit: string, units: string, confirmations: number) => {
  return { txHash: txHash(digit), logIndex: 0, units, confirmations, at: '2026-07-01T12:00:00.000Z' }
}

describe("a crypto payer's action", () => {
  it('is the address of the order, the exact amount and the network', () => {
    assert.deepEqual(actionOf(chargeWith(), settings), {
      kind: 'crypto',
      account,
      coin: 'USDT',
      network: 'ERC20',
      coinAmount: '8.000000',
      qrCode: `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${account}&uint256=8000000`,
      confirmationsNeeded: 3,
    })
  })

  it('is missing when the watcher sends a wrong address, price or amount', () => {
    const wrongs = [
      { index: 2 },
      { index: '1' },
      { coinUnits: '7999999' },
      { price: '1.26' },
      { price: '0' },
      { coin: 'ETH' },
      { coin: 'DOGE' },
      { network: 'TRON' },
      { transfers: [{}] },
      { transfers: 'none' },
    ]
    for (const extra of wrongs)
      assert.equal(actionOf(chargeWith(extra), settings), undefined, JSON.stringify(extra))
    assert.equal(actionOf(chargeWith({}, { account: account.toLowerCase() }), settings), undefined)
    assert.equal(actionOf(chargeWith({}, { amount: '1001' }), settings), undefined)
  })

  it('shows the fewest confirmations, until all transfers have enough', () => {
    const seen = (...depths: number[]) => {
      const transfers = depths.map((depth, at) => transfer(String(at), '1', depth))
      const action = actionOf(chargeWith({ transfers }), settings)
      return action?.kind === 'crypto' ? action.confirmations : 'none'
    }
    assert.equal(seen(), undefined)
    assert.equal(seen(0), 0)
    assert.equal(seen(3, 2, 1), 1)
    assert.equal(seen(3, 4), undefined)
  })
})

describe('deposits in coin', () => {
  it("count with enough confirmations, in the order's currency, in proportion", () => {
    const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const whole = { ...transfer('a', '8000000', 3), from, gasFee: '0.00042' }
    const at = new Date(whole.at)
    assert.deepEqual(depositsOf(chargeWith({ transfers: [whole] }), settings), [
      {
        depositRef: `${txHash('a')}-0`,
        money: { amount: 1_000n, currency: 'USD' },
        at,
        txHash: txHash('a'),
        payerAccount: from,
        gasFee: '0.00042',
      },
    ])
    const amounts = (...transfers: object[]) =>
      depositsOf(chargeWith({ transfers }), settings)?.map(({ money }) => money.amount)
    assert.deepEqual(amounts(transfer('a', '8000000', 2)), [])
    assert.deepEqual(amounts(transfer('a', '4000000', 3), transfer('b', '4000000', 0)), [500n])
    assert.deepEqual(amounts(transfer('a', '3999999', 3), transfer('b', '4000001', 3)), [499n, 501n])
    assert.deepEqual(amounts(transfer('a', '7999', 3)), [], 'less than a cent does not count yet')
    assert.deepEqual(amounts(transfer('a', '7999', 3), transfer('b', '1', 3)), [1n])
  })

  it('are refused as a whole when one transfer is malformed', () => {
    const good = transfer('a', '8000000', 3)
    const wrongs = [
      { units: '0' },
      { units: 8 },
      { txHash: '0x1' },
      { confirmations: -1 },
      { at: 'x' },
      { logIndex: null },
    ]
    for (const wrong of wrongs)
      assert.equal(depositsOf(chargeWith({ transfers: [good, { ...good, ...wrong }] }), settings), undefined)
    assert.equal(depositsOf(chargeWith({ transfers: [good], index: 7 }), settings), undefined)
  })
})

describe('the settings of a crypto channel', () => {
  const tools = toolsWith({ timeoutMs: 1_000 })
  const good = { name: 'coins', method: 'crypto', url: 'http://127.0.0.1:1', secret: 's', xpub } as const

  it('must have an extended public key and confirmations for each network', () => {
    const confirmations = { ERC20: 3, POLYGON: 5 }
    assert.equal(connectCrypto({ ...good, confirmations }, tools).name, 'coins')
    assert.throws(() => connectCrypto({ ...good, confirmations, xpub: 'x' }, tools), /channel coins: "xpub"/)
    for (const wrong of [undefined, {}, { ERC20: 3 }, { ERC20: 0, POLYGON: 5 }, 3])
      assert.throws(
        () => connectCrypto({ ...good, confirmations: wrong }, tools),
        /channel coins: "confirmations"/,
      )
  })
})
