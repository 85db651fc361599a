// Bodies that arrive in pieces over real connections. The buffered bytes are bounded for all clients together.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { eventually } from '../../../../test/harness/eventually.ts'
import { aCardPayment, buildFrame, signed } from '../../../../test/harness/merchant-frame.ts'
import { chunk, chunkedHead, inChunks, rawClient, whole } from '../../../../test/harness/raw-client.ts'

const MOST_BUFFERED = 1_000_000
const good = JSON.stringify(signed(aCardPayment()))

for (const rawServer of [true, false]) {
  const { app, frame } = await buildFrame({ server: { rawServer, mostBufferedBytes: MOST_BUFFERED } })
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const server = rawServer ? 'behind the raw server' : "with Node's server alone"
  after(() => app.close())

  test(`${server}: when too much is buffered, the oldest body is dropped`, async () => {
    const part = whole('/payment', 'x'.repeat(300_000), 400_000)
    const first = await rawClient(port, part)
    assert.ok(await eventually(() => frame.bodies.bufferedBytes >= 300_000))
    const others = [await rawClient(port, part), await rawClient(port, part), await rawClient(port, part)]
    assert.match(await first.ended(), /^HTTP\/1\.1 503 .*retry-after: 1\r\n.*"code":"99999"/s)
    assert.ok(frame.bodies.bufferedBytes <= MOST_BUFFERED)
    const payment = await rawClient(port, inChunks('/payment', good))
    assert.match((await once(payment.socket, 'data'))[0], /^HTTP\/1\.1 200 .*"code":"00000"/s)
    for (const { socket } of [...others, payment]) socket.destroy()
    assert.ok(await eventually(() => frame.bodies.bufferedBytes === 0))
  })

  test(`${server}: a body in too many pieces of one byte is refused`, async () => {
    const minced = (text: string) => [...text].map(chunk).join('')
    const few = await rawClient(port, chunkedHead('/payment') + minced(good.slice(0, 500)))
    few.socket.write(`${chunk(good.slice(500))}0\r\n\r\n`)
    assert.match((await once(few.socket, 'data'))[0], /^HTTP\/1\.1 200 .*"code":"00000"/s)
    few.socket.destroy()
    const many = await rawClient(port, chunkedHead('/payment') + minced('x'.repeat(1_010)))
    assert.match((await once(many.socket, 'data'))[0], /^HTTP\/1\.1 413 .*too many pieces/s)
    many.socket.write(minced('x'))
    await many.ended()
  })
}
