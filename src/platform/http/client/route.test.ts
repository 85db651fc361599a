// Requests through a proxy. The caller learns whether the request may have arrived.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { selfSigned } from '../../../../test/builders/self-signed.ts'
import { createHttpClient } from './http-client.ts'

const { signal } = new AbortController()
const TUNNEL = 'HTTP/1.1 200 Connection established\r\n\r\n'
const tls = { ca: selfSigned.cert }

async function portOf(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return address.port
}

/** Starts a proxy that handles the socket of each requested tunnel with `handle`. */
async function proxyThat(t: TestContext, handle: (socket: Socket) => void, isTls = false): Promise<string> {
  const proxy = isTls ? https.createServer(selfSigned) : http.createServer()
  proxy.on('connect', (_request, socket) => {
    socket.on('error', () => {})
    if ('setNoDelay' in socket) handle(socket as Socket)
  })
  proxy.on('request', (request, response) => response.end(`forwarded ${request.url}`))
  return isTls ? `https://localhost:${await portOf(t, proxy)}` : `http://127.0.0.1:${await portOf(t, proxy)}`
}

/** Starts a proxy with a tunnel to a counterparty for the name localhost, and counts the counterparty's requests. */
async function tunnelTo(t: TestContext, answer: (response: http.ServerResponse) => void, isTls = false) {
  const seen: string[] = []
  let tunnels = 0
  const server = https.createServer(selfSigned, (request, response) => {
    seen.push(request.url ?? '')
    answer(response)
  })
  const port = await portOf(t, server)
  const lead = (socket: Socket) => {
    tunnels++
    const there = connect(port, '127.0.0.1', () => socket.write(TUNNEL))
    there.on('error', () => {})
    there.pipe(socket).pipe(there)
  }
  const proxy = await proxyThat(t, lead, isTls)
  return { proxy, seen, tunnels: () => tunnels }
}

const post = (path = '/', ms = 0) => ({
  method: 'POST' as const,
  url: new URL(`https://acquirer.example${path}`),
  body: 'x',
  signal: ms === 0 ? signal : AbortSignal.timeout(ms),
})

test('a tunnel that the proxy refuses: unsent', async (t) => {
  const proxy = await proxyThat(t, (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  assert.equal((await createHttpClient({ proxy })(post())).kind, 'unsent')
})

test('a wrong certificate inside the tunnel: unsent, and the counterparty sees nothing', async (t) => {
  const { proxy, seen } = await tunnelTo(t, (response) => response.end())
  for (const trusted of [{}, { tls }])
    assert.equal((await createHttpClient({ proxy, ...trusted })(post())).kind, 'unsent')
  await sleep(50)
  assert.deepEqual(seen, [])
})

test('a request that left by the tunnel and is not answered: silent, also on a kept connection', async (t) => {
  const { proxy, seen } = await tunnelTo(t, (response) => {
    if (seen.at(-1) === '/pays') response.end('paid')
    if (seen.at(-1) === '/breaks') response.destroy()
    // The deadline passes only after the server has the request, however slow the machine is.
    if (seen.at(-1) === '/waits') late.abort()
  })
  let late = new AbortController()
  const client = createHttpClient({ proxy, tls })
  // The name `localhost.` does not count as this machine, so the proxy is used. The certificate is for localhost.
  const send = async (path: string) => {
    late = new AbortController()
    const url = new URL(`https://localhost.${path}`)
    return (await client({ ...post(path), url, signal: late.signal })).kind
  }
  assert.equal(await send('/waits'), 'silent')
  assert.equal(await send('/breaks'), 'silent')
  for (const path of ['/breaks', '/waits']) {
    assert.equal(await send('/pays'), 'answer')
    assert.equal(await send(path), 'silent')
  }
  assert.deepEqual(seen, ['/waits', '/breaks', '/pays', '/breaks', '/pays', '/waits'])
})

test('a tunnel that is not opened in time, or a handshake that does not end: unsent, in time', async (t) => {
  for (const handle of [() => undefined, (socket: Socket) => socket.write(TUNNEL)]) {
    const proxy = await proxyThat(t, handle)
    const reply = await createHttpClient({ proxy })(post('/', 100))
    assert.deepEqual(reply, { kind: 'unsent', why: 'no response in time' })
  }
})

test('a proxy that does not answer to a plain request: silent, and one that nobody runs: unsent', async (t) => {
  const late = new AbortController()
  // The deadline passes only after the server has the request, however slow the machine is.
  const mute = createServer((socket) => void socket.on('data', () => late.abort()))
  const proxy = `http://127.0.0.1:${await portOf(t, mute)}`
  const url = new URL('http://acquirer.example/')
  const reply = await createHttpClient({ proxy })({ method: 'POST', url, signal: late.signal })
  assert.equal(reply.kind, 'silent')
  const nobody = createHttpClient({ proxy: 'http://127.0.0.1:1' })
  assert.deepEqual(await nobody({ method: 'POST', url, signal }), {
    kind: 'unsent',
    why: 'the proxy cannot be reached: the connection was refused',
  })
})

test('the time was over before: unsent', async (t) => {
  const proxy = await proxyThat(t, () => assert.fail('it was asked for a tunnel'))
  const reply = await createHttpClient({ proxy })({ ...post(), signal: AbortSignal.abort() })
  assert.equal(reply.kind, 'unsent')
})

test('tunnels are kept, each for one origin', async (t) => {
  const { proxy, tunnels } = await tunnelTo(t, (response) => response.end('paid'))
  const client = createHttpClient({ proxy, tls })
  for (const origin of ['https://localhost.', 'https://localhost.:8443', 'https://localhost.'])
    assert.equal((await client({ ...post(), url: new URL(origin) })).kind, 'answer')
  assert.equal(tunnels(), 2)
})

test('a kept tunnel does not keep a process that has nothing else to do', async (t) => {
  const { proxy } = await tunnelTo(t, (response) => response.end('paid'))
  const module = new URL('./http-client.ts', import.meta.url).href
  const program = `
    const { createHttpClient } = await import(${JSON.stringify(module)})
    const client = createHttpClient(${JSON.stringify({ proxy, tls })})
    const { signal } = new AbortController()
    console.log((await client({ method: 'GET', url: new URL('https://localhost./'), signal })).text)`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 })
  assert.equal(stdout, 'paid\n')
})

test('a proxy that is reached by TLS needs a certificate of a public authority', async (t) => {
  const { proxy, tunnels } = await tunnelTo(t, (response) => response.end('paid'), true)
  const client = createHttpClient({ proxy, tls })
  const get = (url: string) => client({ method: 'GET', url: new URL(url), signal })
  for (const url of ['http://acquirer.example/a', 'https://localhost./']) {
    const reply = await get(url)
    assert.equal(reply.kind, 'unsent')
    assert.match(reply.kind === 'unsent' ? reply.why : '', /^the proxy cannot be reached: no authority/)
  }
  const before = getCACertificates('default')
  t.after(() => setDefaultCACertificates(before))
  setDefaultCACertificates([selfSigned.cert])
  for (const [url, text] of [
    ['http://acquirer.example/a', 'forwarded http://acquirer.example/a'],
    ['https://localhost./', 'paid'],
    ['https://localhost./', 'paid'],
  ] as const) {
    const reply = await get(url)
    assert.equal(reply.kind === 'answer' && reply.text, text)
  }
  assert.equal(tunnels(), 1)
})
