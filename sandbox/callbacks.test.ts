import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { isSignedBy, signatureHeader, timestampHeader } from '../src/rails/toolkit/signature.ts'
import { openReceiver } from '../test/counterparties/receiver.ts'
import { eventually, staysFalse } from '../test/harness/eventually.ts'
import { type Callbacks, signedMessage, startCallbacks } from './callbacks.ts'
import { openOutbox } from './outbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-callbacks-'))
const receiver = await openReceiver()
const started: Callbacks[] = []
after(async () => {
  await Promise.all(started.map((callbacks) => callbacks.stop()))
  await receiver.close()
  rmSync(folder, { recursive: true })
})

let state = 'first'
const open = (name: string) => openOutbox(new DatabaseSync(join(folder, name)))
const start = (outbox: ReturnType<typeof open>, path: string) => {
  const messageOf = (key: string) => signedMessage(`${receiver.url}${path}`, 's', { key, state })
  const callbacks = startCallbacks({ outbox, messageOf })
  started.push(callbacks)
  return callbacks
}
const came = async (path: string, count: number) => {
  assert.ok(await eventually(() => receiver.received(path).length >= count))
  return receiver.received(path).map(({ body }) => JSON.parse(body))
}

describe("the sandbox's callbacks", () => {
  it('are signed, sent once, and sent again after a change', async () => {
    const outbox = open('once')
    const callbacks = start(outbox, '/once')
    outbox.add('A')
    callbacks.poke()
    assert.deepEqual(await came('/once', 1), [{ key: 'A', state: 'first' }])
    const [request] = receiver.received('/once')
    assert.ok(request)
    const { headers, body } = request
    const timestamp = String(headers[timestampHeader])
    const parts = { method: 'POST', path: '/once', timestamp, body }
    assert.ok(isSignedBy('s', parts, String(headers[signatureHeader]), new Date()))
    assert.ok(await staysFalse(() => receiver.received('/once').length > 1, 400))
    state = 'second'
    outbox.add('A')
    callbacks.poke()
    assert.equal((await came('/once', 2)).length, 2)
    assert.ok(await eventually(() => outbox.nextAt() === undefined))
  })

  it('are repeated with the current state until they are acknowledged', async () => {
    const outbox = open('deaf')
    const callbacks = start(outbox, '/deaf')
    state = 'early'
    receiver.on('/deaf', (response) => {
      state = 'late'
      receiver.on('/deaf', (again) => again.end())
      response.writeHead(500).end()
    })
    outbox.add('B')
    callbacks.poke()
    assert.deepEqual(await came('/deaf', 2), [
      { key: 'B', state: 'early' },
      { key: 'B', state: 'late' },
    ])
  })

  it('survive a restart', async () => {
    open('restart').add('C')
    start(open('restart'), '/restart')
    assert.equal((await came('/restart', 1)).length, 1)
  })

  it('stop after the last retry', () => {
    const outbox = open('given-up')
    outbox.add('D')
    let tries = 0
    for (let now = 0, due = outbox.take(now)[0]; due !== undefined; due = outbox.take(now)[0]) {
      outbox.failed(due, now)
      now += 1_000_000
      tries += 1
    }
    assert.equal(tries, 7)
    assert.equal(outbox.nextAt(), undefined)
  })

  it('are sent by one process at a time, and by another if it crashed', () => {
    const outbox = open('taken')
    outbox.add('F')
    assert.equal(outbox.take(1_000).length, 1)
    assert.equal(outbox.take(10_000).length, 0)
    assert.equal(outbox.take(60_000).length, 1)
  })

  it('are sent again if the charge changed meanwhile', () => {
    const outbox = open('changed')
    outbox.add('E')
    const [due] = outbox.take(Date.now())
    assert.ok(due)
    outbox.add('E')
    outbox.done(due)
    assert.equal(outbox.take(Date.now()).length, 1)
  })
})
