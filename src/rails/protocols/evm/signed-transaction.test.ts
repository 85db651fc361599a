import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signTransaction, testAccounts, testKeys } from '../../../../test/builders/evm-transaction.ts'
import { readSignedTransaction } from './signed-transaction.ts'

const [key = Buffer.of()] = testKeys
const [address] = testAccounts
const to = Buffer.alloc(20, 0xaa)

/** Returns a signed transaction of chain 137 with nonce 5. `change` may alter the signature. */
function signed(data: Buffer, change = (signature: Buffer[]) => signature): string {
  return signTransaction({ key, nonce: 5, to, data, change })
}

test('a transaction tells whose key signed it, however long it is', () => {
  for (const length of [0, 1, 40, 68, 200]) {
    const data = Buffer.alloc(length, 7)
    const read = readSignedTransaction(signed(data))
    assert.ok(read)
    const { from, chainId, nonce } = read
    assert.deepEqual(
      { from, chainId, nonce, data: read.data },
      { from: address, chainId: 137n, nonce: 5, data: `0x${data.toString('hex')}` },
    )
  }
})

test('a changed transaction tells another signer, and a signature that is none makes it no transaction', () => {
  const raw = signed(Buffer.alloc(68, 7))
  const changed = readSignedTransaction(raw.replace('0707', '0708'))
  assert.ok(changed && changed.from !== address)
  const none: ((signature: Buffer[]) => Buffer[])[] = [
    ([, r, s]) => [Buffer.of(4), r ?? key, s ?? key],
    ([parity, , s]) => [parity ?? key, Buffer.of(), s ?? key],
    ([parity, r]) => [parity ?? key, r ?? key, Buffer.alloc(32, 0xff)],
    ([parity, r]) => [parity ?? key, r ?? key, Buffer.alloc(60, 1)],
  ]
  for (const change of none) assert.equal(readSignedTransaction(signed(Buffer.of(7, 7), change)), undefined)
})
