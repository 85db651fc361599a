// Tests the protocol pix: settings, certificates, scopes, and the credentials and webhook address that each bank gets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { mountEfi, mountPix, type SandboxPix } from '../../../../sandbox/pix/mount.ts'
import type { ChannelEntry } from '../../../../sandbox/place.ts'
import { selfSigned } from '../../../../test/builders/self-signed.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectChannel, connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { type Mounted, openMounted } from '../../../../test/counterparties/mounted.ts'
import { openScriptedServer } from '../../../../test/counterparties/scripted-server.ts'
import { isAtEfi } from './pix.ts'

const texts = ['clientId', 'clientSecret', 'pixKey', 'payeeName', 'payeeCity', 'webhookSecret']
const settings = Object.fromEntries(texts.map((one) => [one, `a ${one}`]))
const entryAt = (url: string, changes: object = {}): ChannelEntry => {
  return { name: 'pix-1', protocol: 'pix', methods: ['pix'], url, ...settings, ...changes }
}
const check = (entry: ChannelEntry) => connectEntry(entry).check(AbortSignal.timeout(10_000))

describe('a bank that wants our certificate', () => {
  const server = createServer(
    { ...selfSigned, ca: selfSigned.cert, requestCert: true, rejectUnauthorized: true },
    ({ url }, response) => {
      const isToken = url === '/oauth/token'
      response.writeHead(isToken ? 200 : 404, { 'content-type': 'application/json' })
      response.end(isToken ? '{"access_token":"t","expires_in":600}' : '{}')
    },
  )
  let url = ''
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    url = `https://localhost:${address.port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('gets it from the settings, and answers nobody else', async () => {
    const { cert: clientCertificate, key: clientKey } = selfSigned
    const ca = selfSigned.cert
    const right = await check(entryAt(url, { ca, clientCertificate, clientKey }))
    assert.equal(right.isRight, true, right.message)
    const without = await check(entryAt(url, { ca }))
    assert.equal(without.isRight, false)
    assert.match(without.message, /certificate/)
  })
})

describe('the scopes of an application', () => {
  let bank: Mounted<SandboxPix>
  before(async () => {
    bank = await openMounted(mountPix)
  })
  after(() => bank.close())

  it('are asked for, and a bank that lacks one of them refuses', async () => {
    const answers = [
      [undefined, true],
      ['cob.read cob.write pix.read pix.write webhook.write', true],
      ['pix.read', false],
      ['cob.read conta.total', false],
    ] as const
    for (const [scopes, isRight] of answers) {
      const checked = await check({ ...bank.entry, ...(scopes !== undefined && { scopes }) })
      assert.equal(checked.isRight, isRight, `${scopes}: ${checked.message}`)
    }
    const request = makeRequest({ method: 'pix', money: { amount: 1_250n, currency: 'BRL' } }, 'pays')
    const outcome = await connectChannel({ ...bank.entry, scopes: 'pix.read' }, 'pix').start(request)
    assert.ok(outcome.kind === 'failed' && outcome.cause === 'unauthorised')
  })
})

describe('what a bank is told', () => {
  it('is where to send messages, at Efí without its test of our certificate, and credentials where it wants them', async () => {
    const server = await openScriptedServer()
    server.answerWith(({ path }) =>
      path === '/oauth/token'
        ? { status: 200, body: { access_token: 't', expires_in: 600 } }
        : { status: 400 },
    )
    const request = makeRequest({ method: 'pix', money: { amount: 1_250n, currency: 'BRL' } }, 'pays')
    const sentTo = async (changes: object) => {
      const from = server.requests.length
      await connectChannel(entryAt(server.url, changes), 'pix').start(request)
      const [token, webhook] = server.requests.slice(from)
      assert.ok(token && webhook)
      assert.match(webhook.path, /^\/webhook\//)
      return { token, header: webhook.headers['x-skip-mtls-checking'] }
    }
    assert.equal((await sentTo({})).header, undefined)
    const efi = await sentTo({ outgoing: 'efi', scopes: 'cob.read pix.send' })
    assert.equal(efi.header, 'true')
    assert.equal(efi.token.body, 'grant_type=client_credentials&scope=cob.read+pix.send')
    assert.match(String(efi.token.headers.authorization), /^Basic /)
    const inter = await sentTo({ outgoing: 'inter' })
    assert.equal(inter.token.headers.authorization, undefined)
    assert.equal(new URLSearchParams(inter.token.body).get('client_secret'), 'a clientSecret')
    await server.close()
  })
})

describe('the webhook of a key', () => {
  let efi: Mounted<SandboxPix>
  before(async () => {
    efi = await openMounted(mountEfi)
  })
  after(() => efi.close())
  const request = () => makeRequest({ method: 'pix', money: { amount: 1_250n, currency: 'BRL' } }, 'pays')

  it('is missed by an operator, once until it works again, if the bank refuses it', async (t) => {
    const alarms: string[] = []
    const alarm = (_reference: string, what: string) => void alarms.push(what)
    const server = await openScriptedServer()
    t.after(() => server.close())
    let status = 400
    server.answerWith(({ path }) => {
      if (path === '/oauth/token') return { status: 200, body: { access_token: 't', expires_in: 600 } }
      return path.startsWith('/webhook/') ? { status, body: { detail: 'no certificate' } } : { status: 404 }
    })
    const channel = connectChannel(entryAt(server.url), 'pix', toolsWith({ alarm }))
    const pay = async (answer: number, place: string) => {
      status = answer
      await channel.start({ ...request(), callbackUrl: `https://pay.example/${place}` })
    }
    for (const answer of [503, 400, 403]) await pay(answer, 'one')
    assert.equal(alarms.length, 1)
    assert.match(alarms[0] ?? '', /pix-1.*refused to register our webhook \(400, no certificate\)/)
    await pay(200, 'one')
    await pay(400, 'two')
    assert.equal(alarms.length, 2)
  })

  it('is refused by Efí unless the test of our certificate is switched off; a check shows what is registered', async () => {
    const alarms: string[] = []
    const tools = toolsWith({
      alarm: (_reference, what) => void alarms.push(what),
      callbackUrlOf: () => request().callbackUrl,
    })
    const at = (changes: object) => connectEntry({ ...efi.entry, ...changes }, tools)
    const says = async (callbackUrl = request().callbackUrl) => {
      const { check } = connectEntry(efi.entry, { ...tools, callbackUrlOf: () => callbackUrl })
      return (await check(AbortSignal.timeout(10_000))).message
    }
    await at({}).channels[0]?.start(request())
    assert.match(alarms.join(), /did not ask for a certificate/)
    assert.match(await says(), /No webhook is registered yet/)
    await at({ outgoing: 'efi' }).channels[0]?.start(request())
    assert.equal(alarms.length, 1)
    assert.match(await says(), /Its messages come to us/)
    assert.match(await says('https://other.example'), /another address \(127\.0\.0\.1/)
  })

  it('belongs to Efí by its address too', () => {
    assert.ok(isAtEfi('https://pix.api.efipay.com.br/v2'))
    for (const host of ['efipay.com.br.example', 'notefipay.com.br', 'cdpj.partners.bancointer.com.br'])
      assert.ok(!isAtEfi(`https://${host}/v2`), host)
  })
})

describe('settings of Pix', () => {
  it('are refused with one sentence that names the channel and the setting', () => {
    const url = 'https://bank.example/v2'
    for (const name of ['url', ...texts])
      assert.throws(() => connectEntry(entryAt(url, { [name]: '' })), new RegExp(`pix-1: "${name}"`))
    for (const changes of [{ methods: ['pix', 'payout_pix'] }, { outgoing: 'itau' }])
      assert.throws(() => connectEntry(entryAt(url, changes)), /pix-1: "outgoing"/)
    for (const methods of [['pix', 'spei'], ['payout_card']])
      assert.throws(
        () => connectEntry(entryAt(url, { methods, outgoing: 'efi' })),
        /serves pix, payout_pix only/,
      )
  })
})
