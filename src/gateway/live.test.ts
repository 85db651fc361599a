// The start of a live gateway, and what it shows to the public and what only to operators.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { giveAccount, pendingAt } from '../../test/builders/give-account.ts'
import { freePort } from '../../test/harness/gateway-process.ts'
import { useDatabase } from '../../test/harness/harness.ts'
import { systemClock } from '../platform/base/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { SettingError } from '../platform/errors/catalogue.ts'
import { openLog } from '../platform/runtime/log.ts'
import { openStore } from '../rails/toolkit/records/store.ts'
import { type Gateway, openGateway } from './gateway.ts'

let dataDir: string
const database = useDatabase({
  before() {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-live-'))
  },
  after: () => rmSync(dataDir, { recursive: true }),
})

const live = { TOLLGATE_MODE: 'live', TOLLGATE_BASE_URL: 'https://pay.example' }

async function withGateway(
  env: Record<string, string>,
  check: (at: string, gateway: Gateway) => Promise<void>,
): Promise<void> {
  const config = readConfig({
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_MASTER_KEY: '1'.repeat(64),
    TOLLGATE_TRUSTED_PROXIES: '10.0.0.0/8',
    PORT: String(await freePort()),
    TOLLGATE_FAST_PATHS: process.env.TOLLGATE_FAST_PATHS,
    ...env,
  })
  const gateway = await openGateway({ config, db: database.db, log: openLog('silent') })
  try {
    await check(`http://127.0.0.1:${config.port}`, gateway)
  } finally {
    await gateway.close()
  }
}

function stpFile(changes: object): Record<string, string> {
  const file = join(dataDir, 'channels.json')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const own = { protocol: 'stp', methods: ['spei'], url: 'https://stp.example', empresa: 'SHOP' }
  const account = { ordenanteClabe: '646180123400000007', ordenanteName: 'Shop', clabePrefix: '6461801234' }
  const entry = { ...own, ...account, privateKey: key, callbackSecret: 'a secret', ...changes }
  writeFileSync(file, JSON.stringify([entry]), { mode: 0o600 })
  return { ...live, TOLLGATE_CHANNELS: file }
}

async function refusesToStart(changes: object, sentence: RegExp): Promise<void> {
  await assert.rejects(
    () => withGateway(stpFile(changes), async () => {}),
    (error) => error instanceof SettingError && sentence.test(error.message),
  )
}

const numbersOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)

test('a channel that was renamed after it gave an order a CLABE stops the start with one sentence', async () => {
  await numbersOf('stp-old').numberOf('A')
  await withGateway(stpFile({ name: 'stp-old' }), async () => {})
  await refusesToStart({ name: 'stp-new' }, /name the entry stp-old again/)
})

test('so does one that was renamed before this version started first', async () => {
  await giveAccount(database.db, 'stp-early', 'spei', async (reference) => {
    await numbersOf('stp-early').numberOf(reference)
    return pendingAt('646180777700000014')
  })
  await refusesToStart({ name: 'stp-late', clabePrefix: '6461807777' }, /name the entry stp-early again/)
})

const statusOf = async (url: string) => (await fetch(url)).status
const securityOf = (answer: Response) => answer.headers.get('strict-transport-security')

test('metrics and counts of a live gateway are on the operators’ port only', async () => {
  const opsPort = await freePort()
  await withGateway({ ...live, TOLLGATE_OPS_PORT: String(opsPort) }, async (at, gateway) => {
    await gateway.listen()
    const ops = `http://127.0.0.1:${opsPort}`
    for (const path of ['/healthz', '/readyz']) {
      assert.equal(await statusOf(at + path), 200, path)
      assert.equal(await statusOf(ops + path), 200, path)
    }
    const shown = await (await fetch(`${at}/readyz`)).json()
    assert.deepEqual(shown, { status: 'ready', detail: { forwarding: 'direct' } }, 'no counts for strangers')
    assert.match(await (await fetch(`${ops}/readyz`)).text(), /"checks":.*"notifications":/)
    assert.equal(await statusOf(`${at}/metrics`), 404)
    assert.match(await (await fetch(`${ops}/metrics`)).text(), /tollgate_payments_under_way/)
    for (const path of ['/', '/keys/platform.pem', '/pay/none']) assert.equal(await statusOf(ops + path), 404)
  })
})

test('a sandbox shows its metrics on both', async () => {
  const opsPort = await freePort()
  await withGateway({ TOLLGATE_OPS_PORT: String(opsPort) }, async (at, gateway) => {
    await gateway.listen()
    assert.equal(await statusOf(`${at}/metrics`), 200)
    assert.equal(await statusOf(`http://127.0.0.1:${opsPort}/metrics`), 200)
  })
})

test('pages of a live gateway at https send Strict-Transport-Security; others do not', async () => {
  const pagesOf = async (at: string) => [
    await fetch(at),
    await fetch(`${at}/pay/none`),
    await fetch(`${at}/payout/none`),
    await fetch(`${at}/cashier/checkStand`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }),
  ]
  await withGateway(live, async (at, gateway) => {
    await gateway.listen()
    for (const answer of await pagesOf(at)) {
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
      assert.equal(securityOf(answer), 'max-age=31536000', answer.url)
    }
  })
  for (const env of [{}, { ...live, TOLLGATE_BASE_URL: 'http://127.0.0.1:8080' }])
    await withGateway(env, async (at, gateway) => {
      await gateway.listen()
      for (const answer of await pagesOf(at)) assert.equal(securityOf(answer), null, answer.url)
    })
})

test('if a port is in use, the error names the setting', async () => {
  await withGateway(live, async (at, gateway) => {
    await gateway.listen()
    const port = new URL(at).port
    const refusal = async (env: Record<string, string>) => {
      let error: unknown
      await withGateway({ ...live, ...env }, async (_, second) => {
        error = await second.listen().catch((caught: unknown) => caught)
      })
      assert.ok(error instanceof SettingError)
      return error.message
    }
    const taken = `cannot listen on 127.0.0.1:${port}: another program, perhaps another Tollgate, already listens there.`
    assert.equal(await refusal({ PORT: port }), `${taken} Set PORT or HOST`)
    assert.equal(
      await refusal({ TOLLGATE_OPS_PORT: port }),
      `${taken} Set TOLLGATE_OPS_PORT or TOLLGATE_OPS_HOST`,
    )
  })
})
