// Bad input over real connections. The response is always an envelope with a request id, and the server keeps running.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { eventually } from '../../../test/harness/eventually.ts'
import { aCardPayment, buildFrame, signed } from '../../../test/harness/merchant-frame.ts'
import { Overloaded } from '../../platform/postgres/batch.ts'

const frame = await buildFrame()
const base = await frame.app.listen({ host: '127.0.0.1', port: 0 })
after(() => frame.app.close())

const good = JSON.stringify(signed(aCardPayment()))
const json = { 'content-type': 'application/json', referer: 'https://shop.example/' }

async function send(path: string, init: RequestInit) {
  const answer = await fetch(base + path, { signal: AbortSignal.timeout(120_000), ...init })
  const text = await answer.text()
  const id = answer.headers.get('x-request-id') ?? ''
  assert.match(id, /^[0-9a-f-]{36}$/, 'every response has a request id')
  return { status: answer.status, headers: answer.headers, text }
}

async function post(body: string | Buffer, headers: Record<string, string> = json, path = '/payment') {
  const { status, text } = await send(path, { method: 'POST', body, headers })
  const { code } = JSON.parse(text)
  return { status, code }
}

test('a good request passes over a real connection', async () => {
  assert.deepEqual(await post(good), { status: 200, code: '00000' })
})

test('only POST is served', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    const { status, headers, text } = await send('/payment', { method, headers: json })
    assert.deepEqual(
      { method, status, allow: headers.get('allow'), code: JSON.parse(text).code },
      { method, status: 405, allow: 'POST', code: '99997' },
    )
  }
  assert.equal((await send('/payment?x=1', { method: 'GET' })).status, 405)
  assert.equal((await send('/payment', { method: 'HEAD' })).status, 405)
})

test('unknown paths get 404, and so do endpoints without a handler', async () => {
  for (const path of [
    '/',
    '/paymen',
    '/payment/',
    '/Payment',
    '/file/upload',
    '/cashier/checkStand',
    '/%zz',
    '/a%00',
  ])
    assert.deepEqual(await post(good, json, path), { status: 404, code: '99997' }, path)
})

test('other content types and charsets get 415', async () => {
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', 'application/jsonp']
  const charsets = ['application/json; charset=iso-8859-1', 'application/json; charset="utf-16"']
  for (const type of [...types, ...charsets])
    assert.deepEqual(
      await post(good, { ...json, 'content-type': type }),
      { status: 415, code: '99997' },
      type,
    )
  assert.deepEqual(await post(Buffer.from(good), { referer: json.referer }), { status: 415, code: '99997' })
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;a=b',
  ])
    assert.deepEqual(
      await post(good, { ...json, 'content-type': type }),
      { status: 200, code: '00000' },
      type,
    )
})

test('a body that is not a JSON object gets 99996', async () => {
  const bodies = [
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    'null',
    '"text"',
    '5',
    '[]',
    `[${good}]`,
    'NaN',
    'a=b&c=d',
  ]
  for (const body of bodies)
    assert.deepEqual(await post(body), { status: 200, code: '99996' }, body.slice(0, 20))
  const latin1 = Buffer.from('{"billingCity":"Köln"}', 'latin1')
  assert.deepEqual(await post(latin1), { status: 200, code: '99996' })
  assert.deepEqual(await post(`\uFEFF${good}`), { status: 200, code: '00000' })
})

test('a body of 1 MiB is read, one byte more gets 413', async () => {
  const padding = (size: number) =>
    good
      .slice(0, -1)
      .concat(',"x":"')
      .padEnd(size - 2, 'x')
      .concat('"}')
  assert.deepEqual(await post(padding(1024 * 1024)), { status: 200, code: '00000' })
  assert.deepEqual(await post(padding(1024 * 1024 + 1)), { status: 413, code: '99997' })
})

test('endpoints other than payments read 128 KiB', async () => {
  const query = JSON.stringify(signed({ merNo: 100001 }, ['merNo', 'version']))
  const sized = (size: number) => `${query.slice(0, -1)},"x":"`.padEnd(size - 2, 'x').concat('"}')
  for (const path of ['/balance/query', '/refund/apply', '/payout']) {
    assert.equal((await post(sized(128 * 1024 + 1), json, path)).status, 413)
    assert.equal((await post(sized(128 * 1024), json, path)).status, 200)
  }
})

test('a request that is refused for its head gets its response before the body arrives', async () => {
  const headOf = (path: string, type: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
  const heads: [string, string][] = [
    [headOf('/payment', 'application/json', 1024 * 1024 + 1), '413'],
    [headOf('/refund/apply', 'application/json', 128 * 1024 + 1), '413'],
    [headOf('/payment', 'text/plain', 100), '415'],
    [headOf('/nowhere', 'application/json', 100), '404'],
  ]
  const { hostname, port } = new URL(base)
  for (const [head, status] of heads) {
    const socket = connect(Number(port), hostname)
    socket.write(head)
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), new RegExp(`^HTTP/1.1 ${status} .*"code":"99997"`, 's'))
    socket.destroy()
  }
})

test('a body of 10 MB always gets its response, for any content and path', async () => {
  const large = `{"x":"${'x'.repeat(10_000_000)}"}`
  for (let round = 0; round < 5; round++) assert.deepEqual(await post(large), { status: 413, code: '99997' })
  assert.deepEqual(await post(large, { 'content-type': 'text/plain' }), { status: 413, code: '99997' })
  assert.deepEqual(await post(large, json, '/nowhere'), { status: 404, code: '99997' })
  assert.deepEqual(await post(large, { 'content-type': 'nonsense' }, '/nowhere'), {
    status: 404,
    code: '99997',
  })
  const chunks = ReadableStream.from(Array(10).fill(Buffer.alloc(1_000_000, 'x')))
  const { status } = await send('/payment', { method: 'POST', body: chunks, headers: json, duplex: 'half' })
  assert.equal(status, 413)
})

test('a client that reads only after it has sent 10 MB still gets its response', async () => {
  const { hostname, port } = new URL(base)
  const size = 10_000_000
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).pause()
  socket.write(
    `POST /payment HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
  )
  for (let sent = 0; sent < size; sent += 100_000) {
    await new Promise((resolve, reject) =>
      socket.write(Buffer.alloc(100_000, 'x'), (error) => (error ? reject(error) : resolve(undefined))),
    )
  }
  socket.resume()
  const [received] = await once(socket, 'data')
  socket.destroy()
  assert.match(String(received), /^HTTP\/1\.1 413 .*"code":"99997"/s)
})

test('deep nesting is refused in any field', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const withField = (name: string, value: string) => `${good.slice(0, -1)},"${name}":${value}}`
  assert.deepEqual(await post(withField('unknown', deep(33))), { status: 200, code: '99997' })
  assert.deepEqual(await post(withField('productInfoList', deep(100_000))), { status: 200, code: '99997' })
  assert.deepEqual(await post(withField('unknown', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)), {
    status: 200,
    code: '99997',
  })
  assert.deepEqual(await post(deep(33)), { status: 200, code: '99996' })
  assert.deepEqual(await post(deep(200_000)), { status: 200, code: '99997' })
  assert.deepEqual(await post(withField('unknown', deep(32))), { status: 200, code: '00000' })
})

test('__proto__ and similar names are only unknown fields', async () => {
  const body = `${good.slice(0, -1)},"__proto__":{"billingCity":5,"polluted":1},"constructor":{"prototype":{"polluted":1}}}`
  assert.deepEqual(await post(body), { status: 200, code: '00000' })
  assert.equal(Reflect.has({}, 'polluted'), false)
  const inside = good.replace('"sku":"S-1"', '"__proto__":{"sku":"S-1"}')
  assert.deepEqual(await post(inside), { status: 200, code: '10002' })
})

test('of a repeated key the last value counts', async () => {
  assert.deepEqual(await post(`{"billingCity":5,${good.slice(1)}`), { status: 200, code: '00000' })
  assert.deepEqual(await post(`${good.slice(0, -1)},"billingCity":5}`), { status: 200, code: '99996' })
})

test('bytes that are not HTTP get an envelope too', async () => {
  const { hostname, port } = new URL(base)
  const answer = await new Promise<string>((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write('NOT HTTP AT ALL\r\n\r\n'))
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  assert.match(head, /^HTTP\/1\.1 400 .*X-Request-Id: [0-9a-f-]{36}/s)
  assert.equal(JSON.parse(body).code, '99997')
})

test('an internal error gets 99999 with the request id, and without the error message', async () => {
  const { post } = await buildFrame({
    handlers: {
      '/payment': async () => {
        throw new Error('secret detail')
      },
    },
  })
  const answer = await post('/payment', signed(aCardPayment()))
  assert.deepEqual({ status: answer.status, code: answer.body.code }, { status: 200, code: '99999' })
  assert.ok(answer.body.message.includes(String(answer.headers['x-request-id'])))
  assert.match(answer.body.message, /query the order/)
  assert.ok(!answer.text.includes('secret'))
})

test('overload gets 503 with Retry-After', async () => {
  const { post, observed } = await buildFrame({
    handlers: {
      '/payment': async () => {
        throw new Overloaded()
      },
    },
  })
  const answer = await post('/payment', signed(aCardPayment()))
  assert.deepEqual(
    { status: answer.status, code: answer.body.code, retryAfter: answer.headers['retry-after'] },
    { status: 503, code: '99999', retryAfter: '1' },
  )
  assert.deepEqual(observed, ['/payment 99999'])
})

test('during a shutdown, requests in progress are finished and new ones get 503', async () => {
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const closing = await buildFrame({
    handlers: {
      '/payment': async () => {
        reached.resolve()
        await gate.promise
        return { data: {} }
      },
    },
  })
  const address = new URL(await closing.app.listen({ host: '127.0.0.1', port: 0 }))
  const accepted = once(closing.app.server, 'connection')
  const request = [
    'POST /payment HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    'Referer: https://shop.example/',
    `Content-Length: ${Buffer.byteLength(good)}`,
    '',
    good,
  ].join('\r\n')
  const socket = connect(Number(address.port), address.hostname)
  const [served] = await accepted
  socket.write(request)
  await reached.promise
  const closed = closing.app.close()
  // The second request is sent on the connection of the first, as a busy proxy would do.
  socket.write(request)
  assert.ok(await eventually(() => served.bytesRead === 2 * Buffer.byteLength(request)))
  gate.resolve()
  const received = Buffer.concat(await Array.fromAsync(socket)).toString()
  await closed
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 503'])
  assert.match(received, /retry-after: 1\r\n.*"code":"99999"/s)
})

test('the server is still up afterwards', async () => {
  assert.deepEqual(await post(good), { status: 200, code: '00000' })
})
