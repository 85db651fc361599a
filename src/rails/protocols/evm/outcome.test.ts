import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRate } from '../../../platform/base/money.ts'
import { coinUnitsUp } from '../../toolkit/coin-amount.ts'
import { isPaid, type Known, outcomeOf, priceIn } from './outcome.ts'
import type { Charge, StoredTransfer } from './records.ts'
import type { EvmCoin } from './settings.ts'

const usdc: EvmCoin = {
  name: 'USDC',
  token: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  decimals: { chain: 6, shown: 6 },
  price: parseRate('1'),
}
const eth: EvmCoin = { name: 'ETH', token: 'native', decimals: { chain: 18, shown: 8 }, price: undefined }
const coins = new Map([usdc, eth].map((coin) => [coin.name, coin]))
const settings = { network: 'POLYGON', chainId: 137, confirmations: 3, coins } as const
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const charge: Charge = {
  reference: 'A1',
  coin: 'USDC',
  index: 1,
  address,
  units: 10_000_000n,
  amount: 1_000n,
  currency: 'USD',
  isCancelled: false,
}

let count = 0
function transfer(units: bigint, changes: Partial<StoredTransfer> = {}): StoredTransfer {
  count += 1
  return {
    reference: 'A1',
    txHash: `0x${String(count).padStart(64, '0')}`,
    logIndex: 7,
    token: usdc.token,
    from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    to: address.toLowerCase(),
    units,
    block: 10,
    blockHash: '0xb',
    at: new Date(0),
    place: 2,
    gasFee: 420_000_000_000_000n,
    ...changes,
  }
}

function known(changes: Partial<Known> = {}): Known {
  return { charge, transfers: [], seen: [], head: 10, ...changes }
}

function amounts(transfers: readonly StoredTransfer[]): unknown {
  const outcome = outcomeOf(settings, known({ transfers }))
  return outcome.kind === 'received'
    ? outcome.deposits.map(({ money }) => `${money.amount} ${money.currency}`)
    : outcome.kind
}

describe('the outcome of a payment in coin', () => {
  it('is the full amount if an earlier part is found late: what has counted keeps its worth', () => {
    const [first, second] = [5_005_000n, 4_995_000n]
    assert.deepEqual(amounts([transfer(second, { block: 110 })]), ['499 USD'])
    const late = transfer(first, { block: 100, countedAfter: 164 })
    const later = transfer(second, { block: 110 })
    assert.deepEqual(amounts([late, later]), ['499 USD', '501 USD'])
    const afterwards = transfer(1_000_000n, { block: 165 })
    assert.deepEqual(amounts([late, later, afterwards]), ['499 USD', '501 USD', '100 USD'])
    // When `late` was found, this transfer's block was the last one that counted.
    const sameBlock = transfer(1_000_000n, { block: 164 })
    assert.deepEqual(amounts([late, later, sameBlock]), ['499 USD', '100 USD', '501 USD'])
  })

  it('waits for the payer with address, amount and network', () => {
    assert.deepEqual(outcomeOf(settings, known()), {
      kind: 'pending',
      channelRef: address,
      action: {
        kind: 'crypto',
        account: address,
        coin: 'USDC',
        network: 'POLYGON',
        coinAmount: '10.000000',
        qrCode: `ethereum:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359@137/transfer?address=${address}&uint256=10000000`,
        confirmationsNeeded: 3,
      },
    })
  })

  it('shows the confirmations of a transfer that does not count yet, and never all of them', () => {
    for (const [head, shown] of [
      [9, 0],
      [10, 1],
      [11, 2],
      [50, 2],
    ] as const) {
      const outcome = outcomeOf(settings, known({ seen: [transfer(1n)], head }))
      assert.equal(outcome.kind, 'pending')
      assert.equal(outcome.action.kind === 'crypto' && outcome.action.confirmations, shown)
    }
  })

  it('lists each transfer that counts once, with hash, sender and fee', () => {
    const one = transfer(10_000_000n)
    const outcome = outcomeOf(settings, known({ transfers: [one] }))
    assert.equal(outcome.kind, 'received')
    assert.deepEqual(outcome.deposits, [
      {
        depositRef: `${one.txHash}-2`,
        money: { amount: 1_000n, currency: 'USD' },
        at: new Date(0),
        txHash: one.txHash,
        payerAccount: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        gasFee: '0.00042',
      },
    ])
  })

  it('values parts in proportion, dust with the next transfer, and a surplus on top', () => {
    assert.deepEqual(amounts([transfer(4_000_000n), transfer(6_000_000n)]), ['400 USD', '600 USD'])
    assert.equal(amounts([transfer(9_999n)]), 'pending')
    assert.deepEqual(amounts([transfer(9_999n), transfer(1n)]), ['1 USD'])
    assert.deepEqual(amounts([transfer(12_500_000n)]), ['1250 USD'])
  })

  it('reports another coin of the list under its own name, and an unlisted one not at all', () => {
    const ether = transfer(5n * 10n ** 17n, { token: 'native', logIndex: undefined })
    assert.deepEqual(amounts([ether]), ['500000000 ETH'])
    assert.equal(amounts([transfer(10_000_000n, { token: '0xbb' })]), 'pending')
    assert.equal(isPaid(settings, known({ transfers: [ether] })), false)
  })

  it('ends as cancelled, with the money that came', () => {
    const cancelled = { ...charge, isCancelled: true }
    assert.deepEqual(outcomeOf(settings, known({ charge: cancelled })), {
      kind: 'failed',
      cause: 'cancelled',
      channelRef: address,
      message: 'Cancelled; nothing was charged',
    })
    const late = outcomeOf(settings, known({ charge: cancelled, transfers: [transfer(10_000_000n)] }))
    assert.equal(late.kind === 'failed' && late.deposits?.[0]?.money.amount, 1_000n)
  })

  it('is unknown when the coin has left the settings', () => {
    assert.equal(outcomeOf({ ...settings, coins: new Map() }, known()).kind, 'unknown')
  })
})

describe('the price of a coin', () => {
  const rates: Readonly<Record<string, string>> = { 'USD EUR': '0.8', 'ETH EUR': '2560', 'USD USD': '1' }
  const rateOf = (from: string, to: string) => parseRate(rates[`${from} ${to}`] ?? '')

  it('is its setting in dollars, or the rate of the gateway', () => {
    const euros = { amount: 800n, currency: 'EUR' }
    const price = priceIn('EUR', usdc, rateOf)
    assert.ok(price)
    assert.equal(coinUnitsUp(euros, usdc.decimals, price), 10_000_000n)
    const ether = priceIn('EUR', eth, rateOf)
    assert.ok(ether)
    assert.equal(coinUnitsUp(euros, eth.decimals, ether), 3_125_000_000_000_000n)
    assert.equal(priceIn('SEK', usdc, rateOf), undefined)
    assert.equal(priceIn('SEK', eth, rateOf), undefined)
  })
})
