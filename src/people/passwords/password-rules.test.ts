import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceOn } from './password-rules.ts'

const refused: readonly string[] = [
  'short1!xY',
  'password123',
  'P@ssw0rd2026!',
  '123password',
  'iloveyou2026',
  'qwertyuiop',
  '1q2w3e4r5t6y',
  '1234567890',
  '0987654321',
  '19850412-1985',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'Liverpool1892',
  'welcome.to.my.shop',
  'Summer-2026!!',
  'letmein-please',
  'tollgate-admin',
]

for (const password of refused)
  test(`${password} is refused with advice`, () => {
    assert.match(adviceOn(password) ?? '', /\.$/)
  })

const accepted: readonly string[] = [
  'correct horse battery staple',
  'kX9#vTq2LmZ4',
  'violet tractor 88 harbour',
  '窗前明月光疑是地上霜',
  'Grüße aus Oberammergau',
]

for (const password of accepted)
  test(`${password} is accepted`, () => {
    assert.equal(adviceOn(password), undefined)
  })

test('what others know about the person is no password', () => {
  assert.ok(adviceOn('zephyrine-1990', ['zephyrine@example.com']))
  assert.ok(adviceOn('Quokkaland2026', ['Quokkaland Trading Ltd']))
  assert.equal(adviceOn('zephyrine-1990-teapot', ['zephyrine@example.com']), undefined)
})
