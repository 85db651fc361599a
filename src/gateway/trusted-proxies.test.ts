// In live, the list of trusted proxies is required. X-Forwarded-For from any other address is reported.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { platformKeys } from '../../test/harness/merchant-frame.ts'
import { createFrame, type FrameDeps } from '../interfaces/merchant-api/frame.ts'
import { registerMerchantApi } from '../interfaces/merchant-api/serve-request.ts'
import { checkProxies, forwardingProblem } from '../operator/doctor/checks.ts'
import { Gate } from '../platform/concurrency/gate.ts'
import { readConfig } from '../platform/config/config.ts'
import { watchForwarding } from './watch-forwarding.ts'

describe('TOLLGATE_TRUSTED_PROXIES', () => {
  const env = (proxies: string | undefined, mode = 'live') => ({
    TOLLGATE_MODE: mode,
    TOLLGATE_MASTER_KEY: randomBytes(32).toString('hex'),
    TOLLGATE_BASE_URL: 'https://pay.example',
    TOLLGATE_TRUSTED_PROXIES: proxies,
  })

  it('is required in live, where "none" is a value', () => {
    assert.throws(
      () => readConfig(env(undefined)),
      /^Error: TOLLGATE_TRUSTED_PROXIES is required in live.*"none"/,
    )
    assert.throws(() => readConfig(env('')), /TOLLGATE_TRUSTED_PROXIES is required/)
    assert.deepEqual(readConfig(env('none')).trustedProxies, [])
    assert.deepEqual(readConfig(env('10.0.0.0/8, ::1')).trustedProxies, ['10.0.0.0/8', '::1'])
    assert.deepEqual(readConfig(env(undefined, 'sandbox')).trustedProxies, [])
  })

  it('holds addresses and ranges only', () => {
    for (const wrong of ['loopback', '10.0.0.0/33', 'none,10.0.0.1'])
      assert.throws(() => readConfig(env(wrong)), /TOLLGATE_TRUSTED_PROXIES must be/, wrong)
  })
})

describe('X-Forwarded-For from an address that is not trusted', () => {
  const servers: FastifyInstance[] = []
  after(() => Promise.all(servers.map((server) => server.close())))

  const nothing: FrameDeps = {
    mode: 'live',
    mayNotify: () => false,
    clock: { now: () => new Date() },
    findMerchant: async () => undefined,
    keyUsed: () => {},
    duplicateOf: async () => undefined,
    requestMacOf: (text) => text,
    platformKey: platformKeys.privateKey,
    gate: new Gate({ most: 10 }),
    queryGate: new Gate({ most: 10 }),
    handlers: { '/payment': async () => ({ data: {} }) },
    observe: () => {},
  }

  async function serve(trustedProxies: readonly string[]) {
    const warned: unknown[] = []
    const forwarding = watchForwarding({ warn: (about: unknown) => void warned.push(about) }, trustedProxies)
    const log = { info: () => {}, error: () => {} }
    const app = Fastify({ logger: false })
    const forwardedByStranger = forwarding.byStranger
    registerMerchantApi(app, createFrame(nothing, { log, trustedProxies, forwardedByStranger }))
    app.get('/readyz', async ({ raw }) => ({ detail: { forwarding: forwarding.healthFor(raw) } }))
    servers.push(app)
    const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    const pay = (headers: Record<string, string>) =>
      fetch(`${baseUrl}/payment`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      })
    return { baseUrl, warned, pay }
  }

  it('is logged once as a warning, and reported by the doctor from then on', async () => {
    const { baseUrl, warned, pay } = await serve([])
    await pay({})
    assert.deepEqual(
      { warned: warned.length, status: (await checkProxies(baseUrl)).status },
      { warned: 0, status: 'ok' },
    )
    await pay({ 'x-forwarded-for': '198.51.100.7' })
    await pay({ 'x-forwarded-for': '198.51.100.8' })
    assert.deepEqual(warned, [{ address: '127.0.0.1' }])
    const { status, todo } = await checkProxies(baseUrl)
    assert.equal(status, 'warn')
    assert.match(todo ?? '', /TOLLGATE_TRUSTED_PROXIES/)
  })

  it('causes no warning from a trusted address', async () => {
    const { baseUrl, warned, pay } = await serve(['127.0.0.0/8'])
    await pay({ 'x-forwarded-for': '198.51.100.7' })
    assert.deepEqual(
      { warned: warned.length, status: (await checkProxies(baseUrl)).status },
      { warned: 0, status: 'ok' },
    )
  })

  it('is found by a request through the proxy, before any merchant has called', async () => {
    const ask = async (trusted: readonly string[], headers: Record<string, string>) => {
      const reply = await fetch(`${(await serve(trusted)).baseUrl}/readyz`, { headers })
      return Object(await reply.json()).detail.forwarding
    }
    const forwarded = { 'x-forwarded-for': '198.51.100.7' }
    assert.equal(await ask([], forwarded), 'untrusted')
    assert.equal(await ask(['127.0.0.1'], forwarded), 'ok')
    assert.equal(await ask(['127.0.0.1'], {}), 'direct')
  })

  it('of a monitor that sends the header itself is forgotten', async () => {
    const { baseUrl } = await serve([])
    await fetch(`${baseUrl}/readyz`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
    assert.equal((await checkProxies(baseUrl)).status, 'ok')
  })

  it('must come with every request to an https address, because the gateway speaks no TLS itself', () => {
    assert.match(forwardingProblem('direct', 'https://pay.example')?.found ?? '', /sends no X-Forwarded-For/)
    assert.equal(forwardingProblem('direct', 'http://localhost:8080'), undefined)
    assert.equal(forwardingProblem('ok', 'https://pay.example'), undefined)
  })

  it('is not known while no gateway runs', async () => {
    assert.equal((await checkProxies('http://127.0.0.1:1')).status, 'warn')
  })
})
