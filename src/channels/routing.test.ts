import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  declines,
  isSilent,
  isUnreachable,
  refusesToOpen,
  scriptedChannel,
  succeeds,
} from '../../test/scripted-channel.ts'
import type { Outcome } from './contract.ts'
import { registerChannels } from './registry.ts'
import { createRouting, orderByRoutes, type Route, type Routing } from './routing.ts'

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('the order of routes', () => {
  const random = seeded(4)
  const leads = (routes: readonly Route[], times: number) => {
    const counts = new Map<string, number>()
    for (let at = 0; at < times; at++) {
      const [first] = orderByRoutes(routes, random)
      if (first !== undefined) counts.set(first.channel, (counts.get(first.channel) ?? 0) + 1)
    }
    return counts
  }

  it('puts channels of equal priority first in proportion to their weights', () => {
    const routes = [
      { channel: 'one', priority: 1, weight: 1 },
      { channel: 'three', priority: 1, weight: 3 },
      { channel: 'six', priority: 1, weight: 6 },
    ]
    const counts = leads(routes, 10_000)
    const share = (channel: string) => (counts.get(channel) ?? 0) / 10_000
    for (const [channel, wanted] of [
      ['one', 0.1],
      ['three', 0.3],
      ['six', 0.6],
    ] as const)
      assert.ok(Math.abs(share(channel) - wanted) < 0.02, `${channel} led ${share(channel)} of the time`)
  })

  it('puts the lowest priority first, whatever the weights', () => {
    const routes = [
      { channel: 'second', priority: 2, weight: 1000 },
      { channel: 'first', priority: 1, weight: 1 },
    ]
    assert.deepEqual(leads(routes, 100), new Map([['first', 100]]))
    assert.deepEqual(
      orderByRoutes(routes, random).map(({ channel }) => channel),
      ['first', 'second'],
    )
  })
})

describe('picking channels', () => {
  const [one, two, other] = [scriptedChannel('one'), scriptedChannel('two'), scriptedChannel('other', 'pix')]
  const routes = [
    { channel: 'one', priority: 1, weight: 1 },
    { channel: 'two', priority: 2, weight: 1 },
  ]
  let nowMs = 0
  let routing: Routing
  beforeEach(() => {
    nowMs = 1_000_000
    const channels = registerChannels([one, two, other])
    routing = createRouting({ channels, clock: { now: () => new Date(nowMs) }, random: seeded(1) })
  })
  const picked = (of: readonly Route[] | undefined = routes) =>
    routing.pick('card', of).map(({ name }) => name)
  const opened = async (times: number, says: () => Outcome | Promise<Outcome>) => {
    for (let at = 0; at < times; at++) routing.opened(one, await says())
  }

  it('uses all channels of the method if the merchant has no routes', () => {
    assert.deepEqual(picked(undefined).sort(), ['one', 'two'])
    assert.deepEqual(
      routing.pick('pix', undefined).map(({ name }) => name),
      ['other'],
    )
    assert.deepEqual(routing.pick('spei', undefined), [])
  })

  it('ignores a route to a channel that is not configured or serves another method', () => {
    const astray = ['gone', 'other'].map((channel) => ({ channel, priority: 1, weight: 1 }))
    assert.deepEqual(picked([...astray, ...routes]), ['one', 'two'])
    assert.deepEqual(picked(astray), [])
  })

  it('puts a channel last after five technical failures in a row', async () => {
    await opened(2, isUnreachable)
    await opened(1, refusesToOpen)
    await opened(1, isSilent)
    assert.deepEqual(picked(), ['one', 'two'])
    await opened(1, isUnreachable)
    assert.deepEqual(picked(), ['two', 'one'])
  })

  it('resets the failure count on a decline', async () => {
    await opened(4, isUnreachable)
    await opened(1, declines)
    await opened(4, isUnreachable)
    assert.deepEqual(picked(), ['one', 'two'])
  })

  it('lets one payment try a channel again after half a minute', async () => {
    await opened(5, isUnreachable)
    nowMs += 29_999
    assert.deepEqual(picked(), ['two', 'one'])
    nowMs += 1
    assert.deepEqual(picked(), ['one', 'two'], 'this one tries it')
    assert.deepEqual(picked(), ['two', 'one'], 'the others go on as before')
    await opened(1, isUnreachable)
    nowMs += 29_999
    assert.deepEqual(picked(), ['two', 'one'])
  })

  it('uses a channel as before once it responds again', async () => {
    await opened(5, isUnreachable)
    nowMs += 30_000
    picked()
    await opened(1, succeeds)
    assert.deepEqual(
      [picked(), picked()],
      [
        ['one', 'two'],
        ['one', 'two'],
      ],
    )
    await opened(4, isUnreachable)
    assert.deepEqual(picked(), ['one', 'two'], 'earlier failures are forgotten')
  })

  it('still tries the channels in order if all of them are failing', async () => {
    await opened(5, isUnreachable)
    for (let at = 0; at < 5; at++) routing.opened(two, await isUnreachable())
    assert.deepEqual(picked(), ['one', 'two'])
  })
})
