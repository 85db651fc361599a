import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeTotpSecret, stepAt, stepOfCode, totpCode } from './totp.ts'

/**
 * The test vectors for SHA-1 in RFC 6238, appendix B, cut to six digits. Their secret is the ASCII text 1234567890,
 * twice.
 */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const vectors: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
]

for (const [seconds, code] of vectors)
  test(`the code at ${seconds} s is the one of the RFC`, () => {
    assert.equal(totpCode(secret, stepAt(new Date(seconds * 1000))), code)
  })

test('a code counts one step early and one step late, and no further', () => {
  const now = new Date(1_234_567_890_000)
  const step = stepAt(now)
  const found = [-2, -1, 0, 1, 2].map((off) => stepOfCode(secret, totpCode(secret, step + off), now))
  assert.deepEqual(found, [undefined, step - 1, step, step + 1, undefined])
})

test('a new secret has 160 bits in base 32', () => {
  assert.match(makeTotpSecret(), /^[A-Z2-7]{32}$/)
  assert.notEqual(makeTotpSecret(), makeTotpSecret())
})
