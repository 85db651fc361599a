import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, passwordMatches } from './password.ts'

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
