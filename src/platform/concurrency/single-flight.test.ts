import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Overloaded } from '../postgres/batch.ts'
import { createSingleFlight } from './single-flight.ts'

test('equal requests share one run, different ones take turns, and other keys do not wait', async () => {
  const flights = createSingleFlight<string>()
  const began: string[] = []
  const release = Promise.withResolvers<void>()
  const work = (name: string) => async () => {
    began.push(name)
    await release.promise
    return name
  }
  const first = flights.run('order', 'x', work('first'))
  const same = flights.run('order', 'x', work('same'))
  const other = flights.run('order', 'y', work('other'))
  const elsewhere = flights.run('another order', 'x', work('elsewhere'))
  assert.deepEqual(began, ['first', 'elsewhere'])
  release.resolve()
  assert.deepEqual(await Promise.all([first, same, other, elsewhere]), [
    'first',
    'first',
    'other',
    'elsewhere',
  ])
  assert.deepEqual(began, ['first', 'elsewhere', 'other'])
})

test('a failure is shared by equal requests, and the next request still runs', async () => {
  const flights = createSingleFlight<string>()
  const fails = async () => {
    throw new Error('no line')
  }
  const results = await Promise.allSettled([
    flights.run('order', 'x', fails),
    flights.run('order', 'x', fails),
    flights.run('order', 'y', async () => 'done'),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
})

test('a key accepts eight different requests and refuses the ninth', async () => {
  const flights = createSingleFlight<number>()
  const runs = Array.from({ length: 9 }, (_, n) => flights.run('order', `request ${n}`, async () => n))
  const results = await Promise.allSettled(runs)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 8)
  const last = results.at(-1)
  assert.ok(last?.status === 'rejected' && last.reason instanceof Overloaded)
  assert.equal(await flights.run('order', 'afterwards', async () => 10), 10)
})
