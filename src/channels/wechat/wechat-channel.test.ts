// WeChat Pay with wrong settings, and a platform with an unknown key.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { privatePem, publicPem } from '../../../sandbox/rsa-keys.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { toolsWith } from '../../../test/connect-entry.ts'
import { giveSandboxKeys, rsaPair } from '../../../test/rsa-keys.ts'
import { makeRequest } from '../../../test/sandbox-driver.ts'
import { connectWechat } from './connect.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-wechat-'))
giveSandboxKeys(dataDir)
const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000 })
after(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

const entry = sandbox.settings().find(({ method }) => method === 'wechat')
assert.ok(entry)
const settings = { ...entry, method: 'wechat' } as const
const tools = toolsWith({ timeoutMs: 60_000 })
const stranger = rsaPair('stranger')
const request = () => makeRequest({ method: 'wechat', money: { amount: 1_250n, currency: 'CNY' } }, 'pays')

function forward(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = incoming
  const onward = ask(`${entry?.url}${url}`, { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(response)
  })
  incoming.pipe(onward)
}

describe('a WeChat channel', () => {
  it('is refused with a key that the platform does not know', async () => {
    const channel = connectWechat({ ...settings, privateKey: privatePem(stranger.privateKey) }, tools)
    const started = request()
    const outcome = await channel.start(started)
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.cause, 'unauthorised')
    assert.equal(sandbox.bank('wechat')?.find(started.reference), undefined)
    assert.equal((await channel.ask(started)).kind, 'unknown')
  })

  it("refuses responses that are not signed with the platform's key", async () => {
    const channel = connectWechat({ ...settings, platformPublicKey: publicPem(stranger.publicKey) }, tools)
    const started = request()
    assert.equal((await channel.start(started)).kind, 'unknown')
    assert.equal((await channel.ask(started)).kind, 'unknown')
  })

  it('fails for certain when the connection is refused, and returns unknown for an older attempt', async () => {
    const channel = connectWechat({ ...settings, url: 'http://127.0.0.1:1' }, tools)
    const outcome = await channel.start(request())
    assert.equal(outcome.kind, 'failed')
    assert.equal(outcome.cause, 'unreachable')
    assert.equal((await channel.cancel(request())).kind, 'unknown')
  })

  it('does not know the outcome of a used number whose query gets no response', async (t) => {
    const front = createServer((incoming, response) => {
      if (incoming.method === 'GET') incoming.socket.destroy()
      else forward(incoming, response)
    }).listen(0, '127.0.0.1')
    t.after(() => front.close())
    await once(front, 'listening')
    const { port } = front.address() as AddressInfo
    const started = request()
    assert.equal((await connectWechat(settings, tools).cancel(started)).kind, 'failed')
    const channel = connectWechat({ ...settings, url: `http://127.0.0.1:${port}` }, tools)
    assert.equal((await channel.start(started)).kind, 'unknown')
  })

  it('does not close an order whose payer may have the code', async () => {
    const channel = connectWechat(settings, tools)
    const started = request()
    const outcome = await channel.start(started)
    assert.equal(outcome.kind, 'pending')
    const { reference, money } = started
    const { channelRef } = outcome
    assert.equal((await channel.ask({ reference, money, channelRef })).kind, 'unknown')
    assert.equal(sandbox.bank('wechat')?.find(reference)?.status, 'open')
  })

  it('needs keys and a secret of the right kind', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const wrong = {
      privateKey: privatePem(ec.privateKey),
      platformPublicKey: 'x',
      apiV3Key: 'too short',
      mchid: undefined,
    }
    for (const [name, value] of Object.entries(wrong))
      assert.throws(
        () => connectWechat({ ...settings, [name]: value }, tools),
        new RegExp(`channel wechat: "${name}"`),
      )
  })
})
