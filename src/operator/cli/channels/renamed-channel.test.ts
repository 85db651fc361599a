// doctor, golive and channel check report an entry that would give out addresses or CLABEs of another entry. The
// operator learns of the conflict before a gateway starts.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ChannelEntry } from '../../../../sandbox/place.ts'
import { giveAccount, pendingAt } from '../../../../test/builders/give-account.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { connectEntry, settingsOf, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { numberedBy } from '../../../rails/toolkit/records/number-owners.ts'
import { openStore } from '../../../rails/toolkit/records/store.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-renamed-'))
const channelsFile = join(dataDir, 'channels.json')
const database = useDatabase({ after: () => rmSync(dataDir, { recursive: true }) })

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stp = {
  ...{
    protocol: 'stp',
    methods: ['spei'],
    url: 'https://127.0.0.1:1',
    empresa: 'SHOP',
    ordenanteName: 'Shop',
  },
  ...{ ordenanteClabe: '032180000118359719', callbackSecret: 'a secret' },
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
}
/** An entry with the extended public key of the seed phrase that development chains use. */
const evm = {
  ...{ protocol: 'evm', methods: ['crypto'], network: 'POLYGON', chainId: 137, confirmations: 9 },
  ...{ rpcUrls: ['https://127.0.0.1:1'], coins: { ETH: { native: true } } },
  xpub: 'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP',
}
const FIRST_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

async function run(entry: object, ...args: readonly string[]) {
  writeFileSync(channelsFile, JSON.stringify([entry]), { mode: 0o600 })
  const { stdout } = await runTollgate([...args, '--json'], {
    DATABASE_URL: database.url,
    TOLLGATE_MODE: 'live',
    TOLLGATE_MASTER_KEY: '1'.repeat(64),
    TOLLGATE_TRUSTED_PROXIES: 'none',
    TOLLGATE_BASE_URL: 'http://localhost:1',
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_CHANNELS: channelsFile,
  })
  return JSON.parse(stdout)
}

/**
 * Returns what doctor, golive and channel check say about the entry. A text is empty if the command reports no problem.
 */
async function saidOf(entry: ChannelEntry & { readonly name: string }): Promise<string[]> {
  const { findings } = await run(entry, 'doctor')
  const finding = findings.find(({ check }: { check: string }) => check === 'channels file')
  const { steps } = await run(entry, 'golive')
  const step = steps.find(({ found }: { found: string }) => found.startsWith('channels file: '))
  const { message } = await run(entry, 'channel', 'check', entry.name)
  return [
    finding.status === 'ok' ? '' : `${finding.status} ${finding.found} ${finding.todo}`,
    step === undefined ? '' : `${step.found} ${step.todo}`,
    /have been given/.test(message) ? message : '',
  ]
}

const NOTHING = ['', '', '']

const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)

test('doctor, golive and channel check name the entry that owns a prefix', async () => {
  const owner = settingsOf({ ...stp, name: 'stp-a', clabePrefix: '6461801111' })
  const { name, clabePrefix } = owner
  await openStore({ db: database.db, clock: systemClock }, name, numberedBy(owner)).numberOf('A')
  assert.deepEqual(await saidOf({ ...stp, name, clabePrefix }), NOTHING)
  const sentence =
    /channel stp-b: orders of the channel stp-a have .* "clabePrefix" .*: name the entry stp-a again, or set another/
  const [doctor = '', ...others] = await saidOf({ ...stp, name: 'stp-b', clabePrefix })
  assert.match(doctor, /^fail .*TOLLGATE_CHANNELS/)
  for (const said of [doctor, ...others]) assert.match(said, sentence)
  assert.deepEqual(await saidOf({ ...stp, name: 'stp-b', clabePrefix: '6461802222' }), NOTHING)
})

test('an entry that is renamed while an earlier version is updated is known by its CLABEs', async () => {
  const [old, clabePrefix] = [{ ...stp, name: 'stp-old', clabePrefix: '6461803333' }, '6461804444']
  const start = (entry: typeof old) => async (reference: string) => {
    const [channel] = connectEntry(entry, toolsWith({ storeOf })).channels
    return channel?.start(
      makeRequest({ method: 'spei', money: { amount: 500n, currency: 'MXN' } }, 'pays', reference),
    )
  }
  await giveAccount(database.db, old.name, 'spei', start(old))
  // After this order, the operator changes the prefix of the entry.
  await giveAccount(database.db, old.name, 'spei', start({ ...old, clabePrefix }))
  for (const prefix of [old.clabePrefix, clabePrefix])
    for (const said of await saidOf({ ...stp, name: 'stp-new', clabePrefix: prefix }))
      assert.match(
        said,
        /channel stp-new: orders of the channel stp-old have .* name the entry stp-old again/,
      )
  assert.deepEqual(await saidOf({ ...old, clabePrefix }), NOTHING)
  assert.deepEqual(await saidOf({ ...stp, name: 'stp-new', clabePrefix: '6461805555' }), NOTHING)
  // This channel was renamed long ago. Its own orders have CLABEs with this prefix, too.
  const current = { ...stp, name: 'stp-current', clabePrefix: old.clabePrefix }
  await giveAccount(database.db, current.name, 'spei', start(current))
  assert.deepEqual(await saidOf(current), NOTHING)
})

test('an entry that is renamed while an earlier version is updated is known by its addresses', async () => {
  await giveAccount(database.db, 'evm-old', 'crypto', async (reference) => {
    await storeOf('evm-old').numberOf(reference)
    return pendingAt(FIRST_ADDRESS)
  })
  for (const said of await saidOf({ ...evm, name: 'evm-new' }))
    assert.match(
      said,
      /channel evm-new: orders of the channel evm-old have .*"xpub".* name the entry evm-old again/,
    )
  assert.deepEqual(await saidOf({ ...evm, name: 'evm-old' }), NOTHING)
})

test('an entry with which no gateway starts is named', async () => {
  const right = { ...stp, name: 'stp-z', clabePrefix: '6461808888' }
  const { url: _, ...bare } = right
  for (const [entry, wrong] of [
    [right, ''],
    [bare, 'channel stp-z: "url" is missing'],
    [
      { ...right, empresa: '…' },
      'channel stp-z: "empresa" is still that of the example: put your own value there',
    ],
    [{ ...right, privateKey: 'no key' }, 'channel stp-z: "privateKey" must be an RSA private key in PEM'],
    // The setting `callbackSecret` is optional in this protocol.
    [{ ...right, callbackSecret: undefined }, ''],
    [{ ...evm, name: 'evm-z', xpub: 'xpub6A' }, 'channel evm-z: "xpub"'],
  ] as const) {
    const { findings } = await run(entry, 'doctor')
    const { status, found } = findings.find(({ check }: { check: string }) => check === 'channels file')
    assert.equal(status, wrong === '' ? 'ok' : 'fail', found)
    assert.ok(found.startsWith(wrong), found)
  }
})

test('an update with migrations is preceded by the same sentence, and by what is wrong with the file itself', async () => {
  const [first, prefix] = [{ ...stp, name: 'stp-before', clabePrefix: '6461806666' }, '6461807777']
  await openStore(
    { db: database.db, clock: systemClock },
    first.name,
    numberedBy(settingsOf(first)),
  ).numberOf('A')
  const unapply = (since: string) =>
    database.db.query({ text: 'delete from migrations where name >= $1', values: [since] })
  const statusOf = async (entry: object) => {
    const { findings } = await run(entry, 'doctor')
    return ['channels file', 'migrations'].map(
      (name) => findings.find(({ check }: { check: string }) => check === name).status,
    )
  }
  await unapply('0052')
  const renamed = { ...first, name: 'stp-after' }
  assert.deepEqual(await statusOf(first), ['ok', 'fail'])
  assert.deepEqual(await statusOf(renamed), ['fail', 'fail'])
  const { steps } = await run(renamed, 'golive')
  assert.match(steps[0].found, /^channels file: channel stp-after: orders of the channel stp-before have/)
  // From here on, the database has the schema of a version without the table of given numbers.
  await unapply('0041')
  await database.db.query({ text: 'drop table channel_numbers, channel_records' })
  assert.deepEqual(await statusOf(renamed), ['ok', 'fail'])
  assert.deepEqual(await statusOf({ ...renamed, methods: ['none'], clabePrefix: prefix }), ['fail', 'fail'])
})
