import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { expired, selfSigned } from '../../../test/builders/self-signed.ts'
import { cloneDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { type HealthOutcome, openHealth } from '../../rails/routing/health.ts'
import { checkChannels, checkFiles, checkSecretFiles } from './check-channels.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'))
after(() => rmSync(folder, { recursive: true }))

test('a file with a secret that others may read is a warning, not a refusal', () => {
  const [channelsFile, secret] = [join(folder, 'channels.json'), join(folder, 'key')]
  const entry = {
    name: 'a',
    secret: { file: 'key' },
    nested: [{ key: { file: secret } }, { file: 'missing' }],
  }
  writeFileSync(channelsFile, JSON.stringify([entry]), { mode: 0o600 })
  writeFileSync(secret, 'hidden')
  for (const [mode, status] of [
    [0o600, 'ok'],
    [0o400, 'ok'],
    [0o640, 'warn'],
    [0o604, 'warn'],
  ] as const) {
    chmodSync(secret, mode)
    const finding = checkSecretFiles({ channelsFile })
    assert.equal(finding.status, status, mode.toString(8))
    if (status === 'warn') assert.equal(finding.found, `others can read ${secret}`)
  }
})

const configOf = (channelsFile: string) =>
  readConfig({ TOLLGATE_MASTER_KEY: '0'.repeat(64), TOLLGATE_CHANNELS: channelsFile })

test('without a channels file there is nothing to warn of', () => {
  assert.equal(checkSecretFiles({ channelsFile: undefined }).status, 'ok')
})

test('a mistake in the channels file is one finding, under its own name', () => {
  const written = (text: string) => {
    const channelsFile = join(folder, 'wrong.json')
    writeFileSync(channelsFile, text, { mode: 0o600 })
    return channelsFile
  }
  for (const [channelsFile, expected] of [
    [join(folder, 'none'), /none does not exist$/],
    [written('['), /is not JSON: it is empty, or ends too early$/],
  ] as const) {
    const [finding, ...others] = checkFiles(configOf(channelsFile), systemClock)
    assert.deepEqual(
      { check: finding?.check, status: finding?.status, others },
      { check: 'channels file', status: 'fail', others: [] },
    )
    assert.match(finding?.found ?? '', expected)
    assert.match(finding?.todo ?? '', /^correct the file of TOLLGATE_CHANNELS/)
  }
  const [unnamed] = checkFiles(configOf(written('[{}]')), systemClock)
  assert.match(`${unnamed?.check}: ${unnamed?.found}`, /^channels file: .*entry 1 needs a "name"/)
})

test('a certificate that has expired or ends within 30 days is a warning, wherever it is in its chain', () => {
  const channelsFile = join(folder, 'certificates.json')
  writeFileSync(join(folder, 'key.pem'), selfSigned.key)
  const base = {
    protocol: 'stripe',
    methods: ['card'],
    secretKey: 'k',
    webhookSecret: 'whsec_0123456789abcdef',
  }
  const found = (cert: string, now: string, changes: object = {}) => {
    writeFileSync(join(folder, 'cert.pem'), cert)
    const tls = { clientCertificate: { file: 'cert.pem' }, clientKey: { file: 'key.pem' } }
    writeFileSync(channelsFile, JSON.stringify([{ name: 'a', ...base, ...tls, ...changes }]), { mode: 0o600 })
    const findings = checkFiles(configOf(channelsFile), { now: () => new Date(now) })
    const about = findings.find(({ check }) => check === 'certificates')
    return `${about?.status}: ${about?.found}`
  }
  const fine = 'ok: those of channels are valid for a month at least'
  const what = 'warn: channel a: Our certificate, "clientCertificate",'
  assert.equal(found(expired.cert, '2020-12-01T00:00:00Z'), fine)
  assert.equal(
    found(expired.cert, '2020-12-03T00:00:00Z'),
    `${what} ends on 2021-01-01: replace it and its key before.`,
  )
  assert.equal(
    found(expired.cert, '2021-01-01T00:00:01Z'),
    `${what} expired on 2021-01-01: replace it and its key.`,
  )
  assert.equal(found(selfSigned.cert, '2026-11-17T00:00:00Z'), fine)
  // A certificate that cannot be read is reported when the channel is connected. A protocol without certificates
  // ignores the setting.
  const garbled = expired.cert.replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA')
  assert.equal(found(garbled, '2026-11-17T00:00:00Z'), fine)
  const files = { protocol: 'sepa-files', methods: ['sepa'] }
  assert.equal(found(expired.cert, '2026-11-17T00:00:00Z', files), fine)
  assert.match(found(selfSigned.cert + expired.cert, '2026-11-17T00:00:00Z'), /expired on 2021-01-01/)
})

test('in live a secret of ours that is short or a placeholder is a warning, and is not repeated', () => {
  const channelsFile = join(folder, 'weak.json')
  const base = { name: 'a', protocol: 'bridge', methods: ['card'], url: 'https://bridge.example' }
  const found = (entry: object, mode = 'live') => {
    writeFileSync(channelsFile, JSON.stringify([{ ...base, ...entry }]), { mode: 0o600 })
    const env = { TOLLGATE_MASTER_KEY: '0'.repeat(64), TOLLGATE_CHANNELS: channelsFile, TOLLGATE_MODE: mode }
    const address = { TOLLGATE_BASE_URL: 'https://pay.example', TOLLGATE_TRUSTED_PROXIES: 'none' }
    const config = readConfig({ ...env, ...address })
    const about = checkFiles(config, systemClock).find(({ check }) => check === 'secrets')
    return about && `${about.status}: ${about.found}`
  }
  const fine = 'ok: those of channels that are ours to choose are long enough'
  const weak = (name: string) =>
    `warn: channel a: "${name}" is easy to guess: use at least 16 random characters, such as those of "openssl rand -hex 32".`
  for (const secret of [
    '4f9a1c07d2e8b36',
    'change-me-in-production',
    'Your_Secret_goes_here',
    '0'.repeat(64),
  ])
    assert.equal(found({ secret }), weak('secret'), secret)
  for (const secret of ['4f9a1c07d2e8b365', 'a secret of some length', '1b6f0e9c'.repeat(8)])
    assert.equal(found({ secret }), fine, secret)
  assert.equal(found({ secret: 'short' }, 'sandbox'), undefined)
  const pix = { protocol: 'pix', methods: ['pix'], clientSecret: 'of the bank' }
  assert.equal(found({ ...pix, webhookSecret: 'short' }), weak('webhookSecret'))
  const stripe = {
    protocol: 'stripe',
    secretKey: 'k',
    webhookSecret: 'whsec_0123456789abcdef',
    secret: 'ignored',
  }
  assert.equal(found(stripe), fine, 'the counterparty chose these')
})

test('each channel that was called in the last hour has a line, and a collapse is a warning', async () => {
  const { db, drop } = await cloneDatabase()
  const clock = { now: () => new Date('2026-11-18T12:00:00Z') }
  assert.deepEqual(await checkChannels(db, clock), [
    { check: 'channels', status: 'ok', found: 'none was called in the last hour' },
  ])
  const health = openHealth({ db, clock })
  const calls = (channel: string, outcome: HealthOutcome, times: number) => {
    for (let at = 0; at < times; at++) health.count(channel, outcome, 100 + at)
  }
  calls('well', 'answered', 199)
  calls('well', 'unknown', 1)
  calls('silent', 'answered', 3)
  calls('silent', 'failed', 2)
  calls('silent', 'unknown', 1)
  calls('declining', 'declined', 7)
  calls('declining', 'answered', 2)
  calls('picky', 'declined', 6)
  calls('picky', 'answered', 2)
  calls('rare', 'declined', 4)
  await health.flush()
  const found = (await checkChannels(db, clock)).map(({ check, status, found, todo = '' }) =>
    [status, check, found, todo].join(' | '),
  )
  assert.deepEqual(found, [
    'warn | channel declining | last hour: 9 calls, 22 % succeeded, 102 ms on average, 7 declined, 0 failed, 0 unknown | ask the counterparty why it declines so many; "channel pause declining" sends new payments elsewhere',
    'ok | channel picky | last hour: 8 calls, 25 % succeeded, 102 ms on average, 6 declined, 0 failed, 0 unknown | ',
    'ok | channel rare | last hour: 4 calls, 0 % succeeded, 102 ms on average, 4 declined, 0 failed, 0 unknown | ',
    'warn | channel silent | last hour: 6 calls, 50 % succeeded, 101 ms on average, 0 declined, 2 failed, 1 unknown | run "channel check silent"',
    'ok | channel well | last hour: 200 calls, 99 % succeeded, 199 ms on average, 0 declined, 0 failed, 1 unknown | ',
  ])
  const later = { now: () => new Date(clock.now().getTime() + 61 * 60_000) }
  assert.equal((await checkChannels(db, later))[0]?.check, 'channels')
  await drop()
})
