import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { readSignedTransaction } from './signed-transaction.ts'

/** The private key 1, whose address is well known. */
const key = Buffer.alloc(32)
key[31] = 1
const address = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'
const to = Buffer.alloc(20, 0xaa)

function text(bytes: Uint8Array): Buffer {
  const [first = 0x80] = bytes
  if (bytes.length === 1 && first < 0x80) return Buffer.from(bytes)
  return Buffer.concat([
    bytes.length <= 55 ? Buffer.of(0x80 + bytes.length) : Buffer.of(0xb8, bytes.length),
    bytes,
  ])
}

function listOf(items: readonly Buffer[]): Buffer {
  const content = Buffer.concat(items)
  const { length } = content
  const header =
    length <= 55 ? [0xc0 + length] : length <= 255 ? [0xf8, length] : [0xf9, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(header), content])
}

const hexOf = (...parts: Uint8Array[]) => `0x${Buffer.concat(parts).toString('hex')}`

/** Of chain 137 with nonce 5, signed with the key, and perhaps changed. */
function signed(data: Buffer, change = (signature: Buffer[]) => signature): string {
  const numbers = [[137], [5], [1], [2], [0x52, 0x08]].map((bytes) => text(Buffer.from(bytes)))
  const fields = [...numbers, text(to), text(Buffer.of()), text(data), listOf([])]
  const hash = keccak_256(Buffer.concat([Buffer.of(2), listOf(fields)]))
  const [parity = 0, ...rest] = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
  const withoutZeros = (bytes: number[]) => Buffer.from(bytes.slice(bytes.findIndex((byte) => byte !== 0)))
  const parts = [
    parity === 0 ? Buffer.of() : Buffer.of(parity),
    withoutZeros(rest.slice(0, 32)),
    withoutZeros(rest.slice(32)),
  ]
  return hexOf(Buffer.of(2), listOf([...fields, ...change(parts).map(text)]))
}

test('a transaction tells whose key signed it, however long it is', () => {
  for (const length of [0, 1, 40, 68, 200]) {
    const data = Buffer.alloc(length, 7)
    const read = readSignedTransaction(signed(data))
    assert.ok(read)
    const { from, chainId, nonce } = read
    assert.deepEqual(
      { from, chainId, nonce, data: read.data },
      { from: address, chainId: 137n, nonce: 5, data: hexOf(data) },
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
