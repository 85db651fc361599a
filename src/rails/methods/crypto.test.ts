import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { coins, contractOf, crypto, networks } from './crypto.ts'

describe('the check of a crypto payment', () => {
  it('accepts the pairs that have a contract', () => {
    for (const coin of coins)
      for (const network of networks) {
        const isTaken = crypto.checkFields({ coin, network }) === undefined
        assert.equal(contractOf(coin, network) !== undefined, isTaken)
      }
  })

  it('requires a network that supports the coin, and ignores missing fields', () => {
    const problem = { field: 'network', rule: 'must be one that supports ETH' }
    assert.deepEqual(crypto.checkFields({ coin: 'ETH', network: 'POLYGON' }), problem)
    for (const fields of [{}, { coin: 'ETH' }, { network: 'POLYGON' }, { coin: 'USDT', network: 'POLYGON' }])
      assert.equal(crypto.checkFields(fields), undefined)
  })
})
