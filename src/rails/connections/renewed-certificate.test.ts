// Tests that our certificate and key can be replaced on disk while the gateway runs. The bank records the certificates
// that it gets.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { mountPix, type SandboxPix } from '../../../sandbox/pix/mount.ts'
import { renewed, selfSigned } from '../../../test/builders/self-signed.ts'
import { makeRequest } from '../../../test/contracts/sandbox-driver.ts'
import { toolsWith } from '../../../test/counterparties/connect-entry.ts'
import { type FaultyProxy, openFaultyProxy } from '../../../test/counterparties/faulty-proxy.ts'
import { type Mounted, openMounted } from '../../../test/counterparties/mounted.ts'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { readConfig } from '../../platform/config/config.ts'
import { readEntries } from './channel-settings.ts'
import { type Connections, openConnections } from './connections.ts'
import { type ChannelsFileWatch, watchChannelsFile } from './watch-file.ts'

type Pair = typeof selfSigned

const money = { amount: 12_50n, currency: 'BRL' }
const ROUND_MS = 10
/** A time that is long enough for many rounds. */
const LONG_MS = 300
const folder = mkdtempSync(join(tmpdir(), 'tollgate-renewed-'))
const write = (name: 'cert' | 'key', text: string) => writeFileSync(join(folder, `${name}.pem`), text)
const serialOf = ({ cert }: Pair) => new X509Certificate(cert).serialNumber

let bank: Mounted<SandboxPix>
let front: FaultyProxy
let connections: Connections
let watching: ChannelsFileWatch
let logged = ''
let replacements = 0
before(async () => {
  bank = await openMounted(mountPix)
  const ca = [selfSigned.cert, renewed.cert]
  front = await openFaultyProxy(bank.url, { ...selfSigned, ca, requestCert: true, rejectUnauthorized: true })
  write('cert', selfSigned.cert)
  write('key', selfSigned.key)
  const file = join(folder, 'channels.json')
  const tls = {
    ca: selfSigned.cert,
    clientCertificate: { file: 'cert.pem' },
    clientKey: { file: 'key.pem' },
  }
  const entry = { ...bank.entry, ...tls, url: `${front.url}/pix/v2` }
  writeFileSync(file, JSON.stringify([entry]), { mode: 0o600 })
  const config = readConfig({ TOLLGATE_MASTER_KEY: '0'.repeat(64), TOLLGATE_CHANNELS: file })
  connections = openConnections(await readEntries(config), { tools: toolsWith() })
  const keep = (line: string) => {
    logged += line
  }
  const log = pino({}, { write: keep })
  const checkEntries = async () => {}
  const replaced = () => void replacements++
  watching = watchChannelsFile({ config, connections, checkEntries, replaced, log, everyMs: ROUND_MS })
})
after(async () => {
  await watching.stop()
  await front.close()
  await bank.close()
  rmSync(folder, { recursive: true })
})

const channel = () => connections.channels.all[0] ?? assert.fail('there is a channel')

/** Opens a payment, and returns the certificates that the bank got for it. */
async function seenByPayment(): Promise<ReadonlySet<string>> {
  const from = front.certificates().length
  const { kind } = await channel().start(makeRequest({ method: 'pix', money }, 'pays'))
  assert.equal(kind, 'pending')
  return new Set(front.certificates().slice(from))
}

const uses = async (pair: Pair) => assert.deepEqual(await seenByPayment(), new Set([serialOf(pair)]))

async function replacedBy(pair: Pair): Promise<void> {
  const old = channel()
  write('cert', pair.cert)
  write('key', pair.key)
  assert.ok(await eventually(() => channel() !== old), 'the new pair is not used')
}

test('new connections use the new pair, and a call under way ends well with the old one', async () => {
  await uses(selfSigned)
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  front.meet(
    async (forward) => {
      arrived.resolve()
      await released.promise
      return forward()
    },
    (path) => path.includes('/cob/'),
  )
  const request = makeRequest({ method: 'pix', money }, 'pays')
  const underWay = channel().start(request)
  await arrived.promise
  const seen = front.certificates().length
  await replacedBy(renewed)
  front.meet(undefined)
  await uses(renewed)
  released.resolve()
  assert.equal((await underWay).kind, 'pending')
  assert.equal(front.certificates()[seen - 1], serialOf(selfSigned))
  assert.equal((await channel().ask(request)).kind, 'pending')
  await uses(renewed)
})

const half = (text: string) => text.slice(0, text.length / 2)
const wrongPairs: readonly (readonly [string, Pair])[] = [
  ['a certificate whose key has not come yet', { cert: selfSigned.cert, key: renewed.key }],
  ['a key whose certificate has not come yet', { cert: renewed.cert, key: selfSigned.key }],
  ['half a certificate', { cert: half(selfSigned.cert), key: selfSigned.key }],
  ['half a key', { cert: selfSigned.cert, key: half(selfSigned.key) }],
  ['an empty file', { cert: '', key: selfSigned.key }],
  ['a chain that is cut off', { cert: selfSigned.cert + half(renewed.cert), key: selfSigned.key }],
]
for (const [what, wrong] of wrongPairs)
  test(`${what}: the old pair stays in use, and that is reported`, async () => {
    const [old, earlier] = [channel(), replacements]
    logged = ''
    write('cert', wrong.cert)
    write('key', wrong.key)
    assert.ok(await staysFalse(() => channel() !== old, LONG_MS))
    assert.equal(replacements, earlier)
    await uses(renewed)
    assert.match(watching.complaint(), /^channel pix: .*"client(Certificate|Key)"/)
    assert.match(logged, /the channels file is wrong; the old settings stay in use/)
    assert.doesNotMatch(logged, /BEGIN|MIG|MII/)
    await replacedBy(selfSigned)
    assert.equal(replacements, earlier + 1)
    await uses(selfSigned)
    assert.ok(await eventually(() => watching.complaint() === ''))
    await replacedBy(renewed)
  })
