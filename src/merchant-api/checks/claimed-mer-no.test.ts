import assert from 'node:assert/strict'
import { it } from 'node:test'
import { claimedMerNo } from './claimed-mer-no.ts'

const bodies: readonly (readonly [string, number | undefined])[] = [
  ['{"merNo":100001}', 100001],
  ['{"sign":"F","merNo":"100001","version":"V3.0.0"}', 100001],
  ['{ "merNo" :\n 100001\n}', 100001],
  ['{"merNo":9999999999}', 9_999_999_999],
  ['{"merNo":99999999999}', undefined],
  ['{"merNo":100001', undefined],
  ['{"merNo":1.5}', undefined],
  ['{"merNo":-1}', undefined],
  ['{"merNo":null}', undefined],
  ['{"merOrderNo":"100001"}', undefined],
  ['{"name":"merNo","merNo":7}', undefined],
  ['', undefined],
]
for (const [body, expected] of bodies) {
  it(`finds ${expected ?? 'no number'} in ${JSON.stringify(body)}`, () => {
    assert.equal(claimedMerNo(Buffer.from(body)), expected)
  })
}
