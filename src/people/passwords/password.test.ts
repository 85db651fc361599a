import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { hashPassword, isOutdated, passwordMatches } from './password.ts'

test('a password matches its own hash and no other', async () => {
  const stored = await hashPassword('correct horse')
  assert.ok(!stored.includes('correct horse'))
  assert.equal(await passwordMatches('correct horse', stored), true)
  assert.equal(await passwordMatches('correct horsE', stored), false)
})

test('the same password hashes differently each time', async () => {
  assert.notEqual(await hashPassword('same'), await hashPassword('same'))
})

test('two Unicode forms of the same letter give the same password', async () => {
  assert.equal(await passwordMatches('caf\u00e9', await hashPassword('cafe\u0301')), true)
})

test('a malformed hash matches nothing', async () => {
  assert.equal(await passwordMatches('', ''), false)
  assert.equal(await passwordMatches('x', 'plain$x'), false)
})

test('a scrypt hash still matches, and is to be renewed', async () => {
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync('correct horse', salt, 32, { N: 1024, r: 8, p: 1 })
  const stored = ['scrypt', 1024, salt.toString('base64url'), hash.toString('base64url')].join('$')
  assert.equal(await passwordMatches('correct horse', stored), true)
  assert.equal(await passwordMatches('wrong horse', stored), false)
  assert.equal(isOutdated(stored), true)
  assert.equal(isOutdated(await hashPassword('correct horse')), false)
})

test('two hashes are computed at a time, and a flood is refused instead of waiting', async () => {
  const tries = Array.from({ length: 40 }, async (_, at) => hashPassword(`password ${at}`))
  const results = await Promise.allSettled(tries)
  const refused = results.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 8)
  assert.equal(await passwordMatches('after', await hashPassword('after')), true)
})
