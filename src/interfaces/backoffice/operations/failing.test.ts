import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failingOf } from './failing.ts'

function compared(name: string, now: readonly [number, number], usual: readonly [number, number]) {
  const toDecided = ([paid, failed]: readonly [number, number]) => ({ paid, failed })
  return { name, now: toDecided(now), usual: toDecided(usual) }
}

const namesOf = (some: readonly ReturnType<typeof compared>[]) => failingOf(some).map(({ name }) => name)

test('the largest drop of the success rate comes first', () => {
  const rows = [
    compared('usual', [90, 10], [900, 100]),
    compared('worse', [70, 30], [900, 100]),
    compared('dead', [0, 40], [900, 100]),
    compared('better', [100, 0], [500, 500]),
  ]
  assert.deepEqual(namesOf(rows), ['dead', 'worse'])
})

test('few payments say nothing, and many say something about a small drop', () => {
  assert.deepEqual(namesOf([compared('few now', [0, 19], [900, 100])]), [])
  assert.deepEqual(namesOf([compared('few before', [0, 40], [90, 9])]), [])
  assert.deepEqual(namesOf([compared('small drop', [17, 3], [900, 100])]), [])
  assert.deepEqual(namesOf([compared('small drop of many', [1700, 300], [900, 100])]), ['small drop of many'])
})

test('a single failure of what never failed is no drop', () => {
  assert.deepEqual(namesOf([compared('one', [19, 1], [500, 0])]), [])
  assert.deepEqual(namesOf([compared('two', [18, 2], [500, 0])]), ['two'])
})
