import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { afterEach, describe, it } from 'node:test'
import { eventually, staysFalse } from '../../test/eventually.ts'
import type { OrderKey } from '../orders/keys.ts'
import { openStatusStreams, type StatusStreams, type StreamDeps } from './status-streams.ts'

const key = (tradeNo: string): OrderKey => ({ merNo: 1, tradeNo })
const quick = { lookMs: 20 }

let streams: StatusStreams | undefined
afterEach(() => streams?.close())

/** Streams over marks that a test changes, and every look that was taken. */
function streamsOver(marks: Map<string, string>, bounds: StreamDeps['bounds'] = {}) {
  const looks: string[][] = []
  const faults: unknown[] = []
  streams = openStatusStreams({
    async look(keys) {
      looks.push(keys.map(({ tradeNo }) => tradeNo))
      if (marks.size === 0) throw new Error('the database is gone')
      return marks
    },
    onFault: (error) => faults.push(error),
    bounds: { ...quick, ...bounds },
  })
  return { streams, looks, faults }
}

function heardFrom(stream: Readable | undefined): string[] {
  assert.ok(stream)
  const heard: string[] = []
  stream.setEncoding('utf8').on('data', (text: string) => heard.push(...text.split('\n\n').filter(Boolean)))
  return heard
}

const event = (mark: string) => `id: 1\ndata: {"mark":"${mark}"}`

describe('live status', () => {
  it('tells the mark at once, and again when it is another one', async () => {
    const marks = new Map([['T1', 'a']])
    const heard = heardFrom(streamsOver(marks).streams.open(key('T1'), 'a'))
    assert.ok(await staysFalse(() => heard.length > 1, 100))
    marks.set('T1', 'b')
    assert.ok(await eventually(() => heard.length > 1))
    assert.deepEqual(heard, [event('a'), event('b')])
  })

  it('looks once for all pages, for an order once, and not at all when nobody listens', async () => {
    const { streams, looks } = streamsOver(
      new Map([
        ['T1', 'a'],
        ['T2', 'a'],
      ]),
    )
    assert.ok(await staysFalse(() => looks.length > 0, 60))
    const open = [streams.open(key('T1'), 'a'), streams.open(key('T1'), 'a'), streams.open(key('T2'), 'a')]
    assert.ok(await eventually(() => looks.length > 0))
    for (const look of looks) assert.deepEqual(look, ['T1', 'T2'])
    for (const stream of open) stream?.destroy()
    const isQuiet = async () => {
      const before = looks.length
      return staysFalse(() => looks.length > before, 100)
    }
    assert.ok(await eventually(isQuiet), 'it goes on looking')
  })

  it('is for so many pages and no more, of one order and of all', () => {
    const { streams } = streamsOver(new Map(), { most: 3, mostOfOrder: 2 })
    const first = streams.open(key('T1'), 'a')
    assert.ok(first && streams.open(key('T1'), 'a'))
    assert.equal(streams.open(key('T1'), 'a'), undefined)
    assert.ok(streams.open(key('T2'), 'a'))
    assert.equal(streams.open(key('T3'), 'a'), undefined)
  })

  it('says beforehand whether there is room, so that nothing is read for a page that gets no stream', () => {
    const { streams } = streamsOver(new Map([['T1', 'a']]), { most: 3, mostOfOrder: 2 })
    for (let n = 0; n < 2; n++) assert.ok(streams.hasRoom(key('T1')) && streams.open(key('T1'), 'a'))
    assert.equal(streams.hasRoom(key('T1')), false)
    assert.equal(streams.hasRoom(key('T2')), true)
    streams.close()
    assert.equal(streams.hasRoom(key('T2')), false)
  })

  it('makes room when a page is left', async () => {
    const { streams } = streamsOver(new Map([['T1', 'a']]), { mostOfOrder: 1 })
    const first = streams.open(key('T1'), 'a')
    first?.destroy()
    assert.ok(await eventually(() => streams.open(key('T1'), 'a') !== undefined))
  })

  it('ends after its time, when the order is gone, and at a stop', async () => {
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

  it('keeps silent connections alive, and outlives a look that fails', async () => {
    const marks = new Map([['T1', 'a']])
    const { streams, faults } = streamsOver(marks, { beatMs: 30 })
    const heard = heardFrom(streams.open(key('T1'), 'a'))
    assert.ok(await eventually(() => heard.includes(':')), heard.join())
    marks.clear()
    assert.ok(await eventually(() => faults.length > 0))
    marks.set('T1', 'b')
    assert.ok(await eventually(() => heard.includes(event('b'))))
  })
})
