import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoize, onceDone } from './memoize.ts'

test('a result is computed once, also when it is undefined', () => {
  const asked: string[] = []
  const lengthOf = memoize(10, (text) => {
    asked.push(text)
    return text === '' ? undefined : text.length
  })
  assert.deepEqual(
    [lengthOf('abc'), lengthOf(''), lengthOf('abc'), lengthOf('')],
    [3, undefined, 3, undefined],
  )
  assert.deepEqual(asked, ['abc', ''])
})

test('a full cache is cleared, and results stay the same', () => {
  const asked: string[] = []
  const echo = memoize(2, (text) => {
    asked.push(text)
    return text
  })
  for (const text of ['a', 'b', 'c', 'a', 'c']) assert.equal(echo(text), text)
  assert.deepEqual(asked, ['a', 'b', 'c', 'a'])
})

test('an error is not cached', () => {
  let broken = true
  const parse = memoize(2, (text) => {
    if (broken) throw new Error('broken')
    return text
  })
  assert.throws(() => parse('a'), /broken/)
  broken = false
  assert.equal(parse('a'), 'a')
})

test('work that is done once is shared, and is done again after a failure', async () => {
  let runs = 0
  const load = onceDone(async () => {
    if (++runs === 1) throw new Error('the file cannot be read')
    return runs
  })
  const failed = await Promise.allSettled([load(), load()])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await Promise.all([load(), load(), load()]), [2, 2, 2])
})
