import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { afterEach, describe, it } from 'node:test'
import { eventually, staysFalse } from '../../../../test/harness/eventually.ts'
import type { OrderKey } from '../../../money/orders/order.ts'
import { openStatusStreams, type StatusStreams, type StreamDeps } from './status-streams.ts'

const key = (tradeNo: string): OrderKey => ({ merNo: 1, tradeNo })
const quick = { pollMs: 20 }

let streams: StatusStreams | undefined
afterEach(() => streams?.close())

/** Opens streams of page versions that a test can change, and records every poll. */
function streamsOver(versions: Map<string, string>, limits: StreamDeps['limits'] = {}) {
  const polls: string[][] = []
  const errors: unknown[] = []
  streams = openStatusStreams({
    async readVersions(keys) {
      polls.push(keys.map(({ tradeNo }) => tradeNo))
      if (versions.size === 0) throw new Error('the database is gone')
      return versions
    },
    onError: (error) => errors.push(error),
    limits: { ...quick, ...limits },
  })
  return { streams, polls, errors }
}

function eventsOf(stream: Readable | undefined): string[] {
  assert.ok(stream)
  const events: string[] = []
  stream.setEncoding('utf8').on('data', (text: string) => events.push(...text.split('\n\n').filter(Boolean)))
  return events
}

const event = (version: string) => `id: 1\ndata: {"mark":"${version}"}`

describe('live status', () => {
  it('sends the version immediately, and again when it changes', async () => {
    const versions = new Map([['T1', 'a']])
    const events = eventsOf(streamsOver(versions).streams.open(key('T1'), 'a'))
    assert.ok(await staysFalse(() => events.length > 1, 100))
    versions.set('T1', 'b')
    assert.ok(await eventually(() => events.length > 1))
    assert.deepEqual(events, [event('a'), event('b')])
  })

  it('polls once for all pages, once per order, and not at all without open pages', async () => {
    const { streams, polls } = streamsOver(
      new Map([
        ['T1', 'a'],
        ['T2', 'a'],
      ]),
    )
    assert.ok(await staysFalse(() => polls.length > 0, 60))
    const open = [streams.open(key('T1'), 'a'), streams.open(key('T1'), 'a'), streams.open(key('T2'), 'a')]
    assert.ok(await eventually(() => polls.length > 0))
    for (const poll of polls) assert.deepEqual(poll, ['T1', 'T2'])
    for (const stream of open) stream?.destroy()
    const isQuiet = async () => {
      const before = polls.length
      return staysFalse(() => polls.length > before, 100)
    }
    assert.ok(await eventually(isQuiet), 'it keeps polling')
  })

  it('limits the number of pages, per order and in total', () => {
    const { streams } = streamsOver(new Map(), { max: 3, maxPerOrder: 2 })
    const first = streams.open(key('T1'), 'a')
    assert.ok(first && streams.open(key('T1'), 'a'))
    assert.equal(streams.open(key('T1'), 'a'), undefined)
    assert.ok(streams.open(key('T2'), 'a'))
    assert.equal(streams.open(key('T3'), 'a'), undefined)
  })

  it('says in advance whether a stream can be opened, so that nothing is read for a refused one', () => {
    const { streams } = streamsOver(new Map([['T1', 'a']]), { max: 3, maxPerOrder: 2 })
    for (let n = 0; n < 2; n++) assert.ok(streams.hasCapacity(key('T1')) && streams.open(key('T1'), 'a'))
    assert.equal(streams.hasCapacity(key('T1')), false)
    assert.equal(streams.hasCapacity(key('T2')), true)
    streams.close()
    assert.equal(streams.hasCapacity(key('T2')), false)
  })

  it('frees its slot when a page is closed', async () => {
    const { streams } = streamsOver(new Map([['T1', 'a']]), { maxPerOrder: 1 })
    const first = streams.open(key('T1'), 'a')
    first?.destroy()
    assert.ok(await eventually(() => streams.open(key('T1'), 'a') !== undefined))
  })

  it('ends after its lifetime, when the order is gone, and at shutdown', async () => {
    const { streams } = streamsOver(
      new Map([
        ['T1', 'a'],
        ['T2', 'a'],
      ]),
      { lifeMs: 50 },
    )
    const old = streams.open(key('T1'), 'a')
    const gone = streams.open(key('T9'), 'a')
    const ended: string[] = []
    old?.resume().once('end', () => ended.push('old'))
    gone?.resume().once('end', () => ended.push('gone'))
    assert.ok(await eventually(() => ended.length > 1))
    assert.deepEqual(ended.sort(), ['gone', 'old'])
    streams
      .open(key('T2'), 'a')
      ?.resume()
      .once('end', () => ended.push('stopped'))
    streams.close()
    assert.ok(await eventually(() => ended.includes('stopped')))
    assert.equal(streams.open(key('T2'), 'a'), undefined)
  })

  it('keeps idle connections alive, and continues after a failed poll', async () => {
    const versions = new Map([['T1', 'a']])
    const { streams, errors } = streamsOver(versions, { heartbeatMs: 30 })
    const events = eventsOf(streams.open(key('T1'), 'a'))
    assert.ok(await eventually(() => events.includes(':')), events.join())
    versions.clear()
    assert.ok(await eventually(() => errors.length > 0))
    versions.set('T1', 'b')
    assert.ok(await eventually(() => events.includes(event('b'))))
  })
})
