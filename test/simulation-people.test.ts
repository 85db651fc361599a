import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someOf } from '../simulation/operations/office-call.ts'
import { randomFor } from './harness/random.ts'

test('all people are returned in some order, also when the first of them is the command line', () => {
  const people = [undefined, 'ann', 'ben']
  for (let seed = 1; seed <= 10; seed++) {
    const some = someOf(people, { random: randomFor(seed, 'people') })
    assert.deepEqual(new Set(some), new Set(people))
  }
})
