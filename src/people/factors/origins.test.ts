import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originsOf, passkeyParty } from './origins.ts'

const cases: readonly (readonly [baseUrl: string, origins: string[], rpId: string | undefined])[] = [
  ['https://pay.example', ['https://pay.example'], 'pay.example'],
  ['https://pay.example/gateway', ['https://pay.example'], 'pay.example'],
  ['http://127.0.0.1:8080', ['http://127.0.0.1:8080', 'http://localhost:8080'], 'localhost'],
  ['http://[::1]:8080', ['http://[::1]:8080', 'http://localhost:8080'], 'localhost'],
  ['http://localhost:8080', ['http://localhost:8080'], 'localhost'],
  ['http://pay.internal', ['http://pay.internal'], undefined],
  ['https://203.0.113.7', ['https://203.0.113.7'], undefined],
]

for (const [baseUrl, origins, rpId] of cases)
  test(`${baseUrl}: where pages may call from, and where passkeys work`, () => {
    assert.deepEqual(originsOf(baseUrl), origins)
    assert.equal(passkeyParty(baseUrl)?.rpId, rpId)
  })
