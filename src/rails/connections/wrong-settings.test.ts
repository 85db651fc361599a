// Makes every setting of every protocol wrong, one at a time. The error must name the entry and the setting in one
// sentence, and show no value.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSandbox } from '../../../sandbox/server.ts'
import { giveSandboxKeys } from '../../../test/builders/rsa-keys.ts'
import { toolsWith } from '../../../test/counterparties/connect-entry.ts'
import { channelPage } from '../../operator/golive/business-steps.ts'
import type { Fields } from '../../platform/base/object.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { ChannelStore } from '../contract/store.ts'
import { protocols } from '../protocols/protocols.ts'
import { ignoredSettings, settingsOf } from '../toolkit/settings/setting-warnings.ts'
import { parseChannels } from './channel-settings.ts'
import { connectionOf } from './connections.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-wrong-settings-'))
after(() => rmSync(folder, { recursive: true }))

/** An empty store is enough, because a protocol reads no records while it connects. */
const store: ChannelStore = {
  numberOf: async () => 0,
  referenceOf: async () => undefined,
  find: async () => undefined,
  listOf: async () => [],
  list: async () => [],
  write: async () => [],
}

function connect(entry: Fields): void {
  const [settings] = parseChannels([entry], 'x')
  assert.ok(settings)
  connectionOf(settings, toolsWith({ isLive: true, storeOf: () => store }))
}

function complaintAbout(entry: Fields): string {
  try {
    connect(entry)
  } catch (error) {
    assert.ok(error instanceof SettingError, String(error))
    return error.message
  }
  return ''
}

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const entries = new Map<string, Fields>()
before(async () => {
  giveSandboxKeys(folder)
  const options = { host: '127.0.0.1', dataDir: folder, minuteMs: 60_000, secret: 'a long secret of it' }
  const sandbox = await startSandbox(options)
  const all = sandbox.settings()
  await sandbox.close()
  for (const method of ['pix', 'alipay', 'wechat', 'apple_pay', 'google_pay', 'crypto']) {
    const entry = all.find((one) => one.method === method)
    assert.ok(entry, method)
    entries.set(method === 'crypto' ? 'bridge' : method, { ...entry })
  }
  const xpub = entries.get('bridge')?.xpub
  const url = 'https://rail.example'
  entries.set('adyen', {
    ...{
      methods: ['card', 'payout_bank'],
      url: `${url}/v72`,
      apiKey: 'api-key-value',
      hmacKey: 'ab'.repeat(32),
    },
    ...{ merchantAccount: 'Shop', transfersUrl: url, transfersKey: 'transfers-key', balanceAccountId: 'BA1' },
    ...{ transfersHmacKey: 'cd'.repeat(32), reportUser: 'report@Company', reportPassword: 'report-password' },
  })
  entries.set('stp', {
    ...{ methods: ['spei', 'payout_spei'], url, empresa: 'SHOP', privateKey: pem, clabePrefix: '6461801234' },
    ...{ ordenanteClabe: '032180000118359719', ordenanteName: 'Shop', callbackSecret: 'callback-secret-1' },
  })
  entries.set('stripe', {
    ...{
      methods: ['card'],
      url: `${url}/v1`,
      secretKey: 'sk_live_value',
      webhookSecret: 'whsec_0123456789abcdef',
    },
  })
  entries.set('dlocal', {
    ...{
      methods: ['spei', 'payout_spei'],
      url,
      login: 'login-1',
      transKey: 'trans-key',
      secretKey: 'secret-key',
    },
    ...{
      payoutUrl: url,
      payoutClientId: 'client-1',
      payoutClientSecret: 'payout-secret',
      payoutPurpose: 'OTHER',
    },
  })
  entries.set('sepa-files', {
    ...{ methods: ['sepa', 'payout_bank'], out: '/srv/out', in: '/srv/in', iban: 'DE89370400440532013000' },
    ...{ bic: 'COBADEFFXXX', accountHolder: 'Shop', instant: true },
  })
  entries.set('evm', {
    ...{ methods: ['crypto'], network: 'POLYGON', chainId: 137, rpcUrls: [url], xpub },
    ...{ confirmations: 12, coins: { ETH: { native: true } }, watchDays: 30, quietMinutes: 10 },
    outgoing: { from: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', folder: '/srv/coins' },
  })
  for (const [protocol, entry] of entries)
    entries.set(protocol, {
      ...{ ownDisputes: true, refunds: false, ...entry, name: 'rail-1', protocol },
    })
})

/**
 * Settings that may be missing: `transfersHmacKey`, because Adyen can sign with `hmacKey`, and `callbackSecret`,
 * because STP's callbacks only trigger queries.
 */
const OPTIONAL = ['transfersHmacKey', 'callbackSecret']
const EVERYWHERE = ['name', 'protocol', 'method', 'methods']

function entryOf(protocol: string): Fields {
  const known = settingsOf(protocol)
  return Object.fromEntries(
    Object.entries(entries.get(protocol) ?? {}).filter(([name]) => known.includes(name)),
  )
}

for (const protocol of protocols.keys()) {
  test(`${protocol}: every setting that is missing, of another type or malformed is named`, () => {
    const entry = entryOf(protocol)
    connect(entry)
    const values = Object.values(entry).filter((one) => typeof one === 'string' && one.length > 8)
    for (const name of Object.keys(entry).filter((one) => !EVERYWHERE.includes(one))) {
      for (const wrong of [undefined, -5, '', ' \n', ['x'], { x: 'y' }]) {
        const said = complaintAbout({ ...entry, [name]: wrong })
        const isRight = said.startsWith('channel rail-1: ') && said.includes(`"${name}"`)
        assert.ok(
          isRight || (wrong === undefined && said === ''),
          `${name}: ${JSON.stringify(wrong)}: ${said}`,
        )
        for (const value of values) assert.ok(!said.includes(String(value)), `${name}: ${said}`)
      }
    }
  })

  test(`${protocol}: a secret that signs callbacks is required`, () => {
    const entry = entryOf(protocol)
    const isSecret = (name: string) =>
      /secret|hmacKey|apiV3Key|PublicKey/i.test(name) && !OPTIONAL.includes(name)
    for (const name of Object.keys(entry).filter(isSecret))
      assert.match(complaintAbout({ ...entry, [name]: undefined }), new RegExp(`"${name}" is missing`))
  })

  test(`${protocol}: an address with a space or a line break is refused`, () => {
    const entry = entryOf(protocol)
    const isAddress = (one: unknown) => /^https?:/.test(String(one))
    for (const [name, value] of Object.entries(entry).filter(([, one]) => isAddress(one)))
      for (const text of [`${value} `, ` ${value}`, `${value}\n`, `${value}/a b`]) {
        const said = complaintAbout({ ...entry, [name]: Array.isArray(value) ? [text] : text })
        assert.match(said, new RegExp(`^channel rail-1: "${name}" must be .* without spaces$`))
      }
  })

  test(`${protocol}: a setting that it does not have is reported, and a method is refused`, () => {
    const entry = entryOf(protocol)
    const told = (changes: object) => ignoredSettings(parseChannels([{ ...entry, ...changes }], 'a test'))
    assert.deepEqual(told({ _comment: 'ours', '//': 'since May' }), [])
    const [one = '', ...others] = told({ curencies: ['EUR'] })
    assert.match(one, /^channel rail-1: .*no setting "curencies", so it has no effect/)
    assert.deepEqual(others, [])
    const { method: _, ...rest } = entry
    const [other = 'vn_bank'] = { bridge: ['payout_coin'], dlocal: ['card'] }[protocol] ?? []
    assert.match(complaintAbout({ ...rest, methods: [other] }), /^channel rail-1: .*(serve|payout_coin)/)
  })

  test(`${protocol}: its settings are those that its code reads`, () => {
    const scope = [DERIVED, ...settingsOf('')]
    const read = new Set(entriesFor(protocol).flatMap(readBy)).difference(new Set(scope))
    const known = settingsOf(protocol).filter((name) => !scope.includes(name))
    assert.deepEqual([...read].toSorted(), known.toSorted())
  })

  test(`${protocol}: its page has a row for each of its settings, and for no other`, () => {
    const page = channelPage(protocol)
    const rows = settingsOn(page, protocol)
    const known = settingsOf(protocol)
    assert.deepEqual(
      rows.filter((name) => !known.includes(name)),
      [],
      `${page} has settings that nothing reads`,
    )
    assert.deepEqual(
      known.filter((name) => !rows.includes(name) && !ofEveryEntry().includes(name)),
      [],
      `${page} lacks settings`,
    )
  })
}

/** The parser derives this setting from `methods`. */
const DERIVED = 'payoutKinds'

/**
 * Returns the entries to test for a protocol. The bridge gets several entries, because its methods read settings of
 * their own.
 */
function entriesFor(protocol: string): Fields[] {
  const entry = entryOf(protocol)
  if (protocol !== 'bridge') return [entry]
  const sheet = { walletUrl: 'https://sheet.example', walletSecret: 'a long secret of it' }
  return ['card', 'crypto', 'apple_pay', 'sepa', 'payout_bank'].map((method) => ({
    ...{ ...entry, ...sheet, method },
  }))
}

/** Returns the names of the settings that a protocol reads while it connects. */
function readBy(entry: Fields): string[] {
  const names: string[] = []
  const [settings] = parseChannels([entry], 'x')
  assert.ok(settings)
  const watched = new Proxy(settings, {
    get(target, name) {
      names.push(String(name))
      return Reflect.get(target, name)
    },
  })
  protocols.get(settings.protocol)?.(watched, toolsWith({ isLive: true, storeOf: () => store }))
  return names
}

/**
 * Returns the settings in the first column of the page's tables. A name such as `coins.price` counts as `coins`. A row
 * that names another protocol in brackets is left out.
 */
function settingsOn(page: string, protocol: string): string[] {
  const tables = readFileSync(page, 'utf8').matchAll(/^\| Setting \|.*\n\|[-|]+\n((?:\|.*\n)+)/gm)
  const rows = [...tables].flatMap(([, table = '']) => table.split('\n'))
  const cells = rows.map((row) => row.split(' | ')[0] ?? '')
  const ours = cells.filter((cell) => !cell.includes('(') || cell.includes(`(\`${protocol}\`)`))
  return ours.flatMap((cell) =>
    [...cell.replace(/\(.*/, '').matchAll(/`(\w+)/g)].map(([, name = '']) => name),
  )
}

/** Returns the settings of every entry, which docs/operations/configure.md explains once for all channels. */
function ofEveryEntry(): readonly string[] {
  const shared = [...settingsOf(''), 'clientCertificate', 'clientKey', 'ca', 'proxy']
  const text = readFileSync('docs/operations/configure.md', 'utf8')
  for (const name of shared) assert.match(text, new RegExp(`[\`"]${name}[\`"]`))
  return shared
}

test('the examples of the pages are refused until their placeholders are filled in', () => {
  const pages = readdirSync('docs/channels').map((page) => readFileSync(`docs/channels/${page}`, 'utf8'))
  const examples = pages.flatMap((page) =>
    [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = '']) => json),
  )
  const unfilled: string[] = []
  for (const { protocol, ...example } of examples.flatMap((json): Fields[] => [JSON.parse(json)].flat())) {
    const known = settingsOf(String(protocol))
    const unread = Object.keys(example).filter((name) => !known.includes(name))
    assert.deepEqual(unread, [], `the example of ${protocol} has settings that nothing reads`)
    for (const [name, value] of Object.entries(example).filter(([, one]) => String(one).includes('…'))) {
      const said = complaintAbout({ ...entryOf(String(protocol)), [name]: value })
      assert.match(said, new RegExp(`^channel rail-1: "${name}" is still that of the example: put your own`))
      unfilled.push(`${protocol} ${name}`)
    }
  }
  for (const name of ['empresa', 'clabePrefix', 'ordenanteClabe'])
    assert.ok(unfilled.includes(`stp ${name}`), name)
})

test("Stripe's webhook secret is not its key, and more than its prefix", () => {
  for (const webhookSecret of ['sk_live_0123456789abcdef', 'whsec_', 'whsec_short'])
    assert.match(
      complaintAbout({ ...entryOf('stripe'), webhookSecret }),
      /^channel rail-1: "webhookSecret" must be whsec_ and at least 16 characters/,
    )
})

test('a secret that is no text is refused with what may stand there', () => {
  const said = complaintAbout({ ...entryOf('stripe'), secretKey: { path: '/srv/key' } })
  assert.match(said, /"secretKey" must be a text, or \{ "file": "PATH" \}, or \{ "env": "NAME" \}$/)
})

test('countries must be codes of ISO 3166', () => {
  const wrong = /^channel rail-1: "countries" must be a list of two-letter ISO country codes/
  for (const countries of [['UK'], ['GB', 'ZZ'], ['gb']])
    assert.match(complaintAbout({ ...entryOf('stripe'), countries }), wrong)
  connect({ ...entryOf('stripe'), countries: ['GB', 'DE'] })
})

test('an amount that must be above its most is refused', () => {
  const amounts = { USD: { least: '5.00', most: '4.99' } }
  assert.match(complaintAbout({ ...entryOf('stripe'), amounts }), /"amounts" of USD has a "least" above/)
  connect({ ...entryOf('stripe'), amounts: { USD: { least: '5.00', most: '5.00' } } })
})
