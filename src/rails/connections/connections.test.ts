import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { HDKey } from '@scure/bip32'
import pino from 'pino'
import { toolsWith } from '../../../test/counterparties/connect-entry.ts'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { cloneDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { ChannelSettings } from '../contract/settings.ts'
import { offered } from '../methods/crypto.ts'
import { createPayoutRouting } from '../routing/payout-routing.ts'
import { openStore } from '../toolkit/records/store.ts'
import { parseChannels, readEntries } from './channel-settings.ts'
import { connectionOf, openConnections } from './connections.ts'
import { watchChannelsFile } from './watch-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-connections-'))
after(() => rmSync(folder, { recursive: true }))

const card = { name: 'one', methods: ['card', 'unionpay'], url: 'https://one.example', secret: 'hidden' }
const bank = { name: 'two', methods: ['sepa', 'payout_bank'], url: 'https://two.example', secret: 'hidden' }
const open = (entries: readonly object[]) =>
  openConnections(parseChannels(entries, 'x'), { tools: toolsWith() })

const namesOf = ({ all }: { readonly all: readonly { readonly name: string }[] }) =>
  all.map(({ name }) => name)

test('an entry may serve several methods and payouts', () => {
  const { channels, rails } = open([card, bank])
  assert.deepEqual(
    channels.all.map(({ name, method }) => [name, method]),
    [
      ['one', 'card'],
      ['one', 'unionpay'],
      ['two', 'sepa'],
    ],
  )
  assert.equal(channels.named('one', 'unionpay')?.method, 'unionpay')
  assert.deepEqual(
    rails.all.map(({ name, kinds }) => [name, kinds]),
    [['two', ['bank_account']]],
  )
})

test('a network of an entry is offered once the entry is in use, and not while it is only checked', async () => {
  const { db, drop } = await cloneDatabase()
  const tools = toolsWith({ storeOf: (name) => openStore({ db, clock: systemClock }, name) })
  const { publicExtendedKey: xpub } = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'")
  const coins = { TGC: { native: true, price: '1' } }
  const chain = { name: 'chain', protocol: 'evm', methods: ['crypto'], network: 'UNUSED', chainId: 5, xpub }
  const settings = { ...chain, rpcUrls: ['https://node.example/'], confirmations: 3, coins }
  const isOffered = () => ({
    network: offered.networks.includes('UNUSED'),
    coin: offered.coins.includes('TGC'),
  })
  for (const entry of parseChannels([settings], 'x')) connectionOf(entry, tools)
  assert.deepEqual(isOffered(), { network: false, coin: false })
  const connections = openConnections([], { tools })
  assert.deepEqual(isOffered(), { network: false, coin: false })
  connections.replace(parseChannels([settings], 'x'))
  assert.deepEqual(isOffered(), { network: true, coin: true })
  await drop()
})

test('currencies, countries, amounts and refunds narrow every channel of an entry', () => {
  const scope = {
    currencies: ['EUR', 'CNY'],
    countries: ['DE'],
    amounts: { EUR: { least: '1.00', most: '5.00' } },
    refunds: false,
  }
  const [first, second] = open([{ ...card, ...scope }]).channels.all
  assert.deepEqual(first?.traits.currencies, ['EUR', 'CNY'])
  assert.deepEqual(first?.traits.amounts?.get('EUR'), { least: 100n, most: 500n })
  assert.equal(second?.traits.refundable, false)
  for (const wrong of [
    { currencies: ['EURO'] },
    { countries: ['Germany'] },
    { amounts: { EUR: { least: '1.005' } } },
    { amounts: { EUR: { max: '1.00' } } },
    { refunds: 'no' },
  ])
    assert.throws(() => open([{ ...card, ...wrong }]), SettingError)
})

test('the currencies of an entry hold for its payouts, too', () => {
  const currenciesOf = (changes: object) => {
    const { channels, rails } = open([{ ...bank, ...changes }])
    return { payIn: channels.all[0]?.traits.currencies, payout: rails.named('two')?.currencies }
  }
  assert.deepEqual(currenciesOf({}), { payIn: ['EUR'], payout: 'any' })
  assert.deepEqual(currenciesOf({ currencies: ['EUR'] }), { payIn: ['EUR'], payout: ['EUR'] })
  assert.deepEqual(currenciesOf({ currencies: ['EUR', 'GBP'] }), { payIn: ['EUR'], payout: ['EUR', 'GBP'] })
  const payouts = { methods: ['payout_bank'] }
  assert.deepEqual(currenciesOf({ ...payouts, currencies: ['GBP'] }), { payIn: undefined, payout: ['GBP'] })
  for (const currencies of [[], 'GBP', ['gbp'], [1]])
    assert.throws(() => currenciesOf({ ...payouts, currencies }), /channel two: "currencies" must be a list/)
})

test('a payout goes only by channels whose currencies have its own', () => {
  const { rails } = open([
    { ...bank, name: 'pounds', methods: ['payout_bank'], currencies: ['GBP'] },
    { ...bank, currencies: ['EUR', 'GBP'] },
  ])
  const routing = createPayoutRouting({ rails, clock: systemClock })
  const railsFor = (currency: string) => {
    const needs = { kinds: ['bank_account'], currency, amount: 1n, hasExpiry: false } as const
    assert.equal(routing.canServe(needs, undefined), routing.pick(needs, undefined).length > 0)
    return routing.pick(needs, undefined).map(({ name }) => name)
  }
  assert.deepEqual(['GBP', 'EUR', 'USD'].map(railsFor), [['pounds', 'two'], ['two'], []])
})

test('a payout goes only by channels whose amounts hold its own, bounds included', () => {
  const { rails } = open([
    { ...bank, name: 'small', methods: ['payout_bank'], amounts: { EUR: { least: '1.00', most: '5.00' } } },
    { ...bank, amounts: { EUR: { most: '9.00' } } },
  ])
  const routing = createPayoutRouting({ rails, clock: systemClock })
  const railsFor = (amount: bigint | undefined, currency = 'EUR') =>
    routing
      .pick({ kinds: ['bank_account'], currency, amount, hasExpiry: false }, undefined)
      .map(({ name }) => name)
  assert.deepEqual(
    [99n, 100n, 500n, 501n, 901n].map((amount) => railsFor(amount)),
    [['two'], ['small', 'two'], ['small', 'two'], ['two'], []],
  )
  assert.deepEqual([railsFor(undefined), railsFor(10_000n, 'USD')], [rails, rails].map(namesOf))
})

test('an entry that only pays out is refused with wrong amounts, and with what restricts payments', () => {
  const payouts = { ...bank, methods: ['payout_bank'] }
  for (const amounts of ['rubbish', [], { EUR: { max: '1.00' } }, { EURO: { most: '1.00' } }])
    assert.throws(
      () => open([{ ...payouts, amounts }]),
      /channel two: "amounts" must have "least" and "most"/,
    )
  for (const wrong of [{ countries: ['DE'] }, { terminals: ['WEB'] }, { refunds: false }])
    assert.throws(
      () => open([{ ...payouts, ...wrong }]),
      new RegExp(
        `channel two: "${Object.keys(wrong)[0]}" restricts payments, and this channel only pays out`,
      ),
    )
  const { channels } = open([{ ...bank, countries: ['DE'] }])
  assert.deepEqual(channels.all[0]?.traits.countries, ['DE'])
  assert.throws(
    () => open([{ ...bank, countries: ['nonsense'] }]),
    /"countries" must be a list of two-letter/,
  )
})

test('changed entries get a new connection; the others keep theirs', () => {
  const connections = open([card, bank])
  const [before] = connections.channels.forMethod('card')
  const changed = parseChannels([card, { ...bank, secret: 'new' }], 'x')
  assert.deepEqual(connections.replace(changed), ['two'])
  assert.equal(connections.channels.forMethod('card')[0], before)
  assert.deepEqual(connections.replace(changed.slice(0, 1)), ['two'])
  assert.equal(connections.rails.named('two'), undefined)
})

test('a wrong entry changes nothing', () => {
  const connections = open([card])
  const [before] = connections.channels.all
  assert.throws(() => connections.replace(parseChannels([bank, { ...card, secret: '' }], 'x')), SettingError)
  assert.deepEqual(connections.channels.all[0], before)
  assert.equal(connections.rails.named('two'), undefined)
})

test('a secret that is renewed in its file is used without a restart, and a broken file is not', async () => {
  const [file, secret] = [join(folder, 'channels.json'), join(folder, 'secret')]
  const write = (content: unknown) => {
    writeFileSync(file, JSON.stringify(content))
    chmodSync(file, 0o600)
  }
  writeFileSync(secret, 'first\n')
  write([{ ...card, secret: { file: 'secret' } }])
  const config = readConfig({ TOLLGATE_MASTER_KEY: '0'.repeat(64), TOLLGATE_CHANNELS: file })
  const connections = openConnections(await readEntries(config), { tools: toolsWith() })
  const secretNow = () => connections.entries()[0]?.secret
  const log = pino({ level: 'silent' })
  let refused = ''
  const checkEntries = async (entries: readonly ChannelSettings[]) => {
    if (entries.some(({ name }) => name === refused)) throw new SettingError('refused')
  }
  const watching = watchChannelsFile({ config, connections, checkEntries, log, everyMs: 10 })
  after(() => watching.stop())
  assert.equal(secretNow(), 'first')
  writeFileSync(secret, 'second')
  assert.ok(await eventually(() => secretNow() === 'second'))
  writeFileSync(secret, 'third')
  write([
    { ...card, secret: { file: 'secret' } },
    { ...bank, url: 'ftp://two.example' },
  ])
  assert.ok(await staysFalse(() => secretNow() !== 'second', 100))
  assert.match(watching.complaint(), /^channel two: "url"/)
  refused = card.name
  write([{ ...card, secret: { env: 'HOME' } }])
  assert.ok(await staysFalse(() => secretNow() !== 'second', 100))
  refused = ''
  assert.ok(await eventually(() => secretNow() === process.env.HOME))
  assert.equal(watching.complaint(), '')
})

test('a secret that Kubernetes swaps by a link is used without a restart, relative to the channels file', async () => {
  const home = join(folder, 'mounted')
  const put = (generation: string, secret: string) => {
    mkdirSync(join(home, generation), { recursive: true })
    writeFileSync(join(home, generation, 'rail.secret'), secret)
    const entries = JSON.stringify([{ ...card, secret: { file: 'rail.secret' } }])
    writeFileSync(join(home, generation, 'channels.json'), entries, { mode: 0o600 })
    symlinkSync(generation, join(home, '..data_tmp'))
    renameSync(join(home, '..data_tmp'), join(home, '..data'))
  }
  put('..first', 'first')
  for (const name of ['channels.json', 'rail.secret']) symlinkSync(join('..data', name), join(home, name))
  const file = join(home, 'channels.json')
  const config = readConfig({ TOLLGATE_MASTER_KEY: '0'.repeat(64), TOLLGATE_CHANNELS: file })
  const connections = openConnections(await readEntries(config), { tools: toolsWith() })
  const log = pino({ level: 'silent' })
  const watching = watchChannelsFile({ config, connections, checkEntries: async () => {}, log, everyMs: 10 })
  after(() => watching.stop())
  assert.equal(connections.entries()[0]?.secret, 'first')
  put('..second', 'second')
  rmSync(join(home, '..first'), { recursive: true })
  assert.ok(await eventually(() => connections.entries()[0]?.secret === 'second'))
  assert.equal(watching.complaint(), '')
})

test('a secret that is still being written is not used', async () => {
  const [file, secret] = [join(folder, 'growing.json'), join(folder, 'growing')]
  writeFileSync(secret, 'first')
  writeFileSync(file, JSON.stringify([{ ...card, secret: { file: 'growing' } }]), { mode: 0o600 })
  const config = readConfig({ TOLLGATE_MASTER_KEY: '0'.repeat(64), TOLLGATE_CHANNELS: file })
  const connections = openConnections(await readEntries(config), { tools: toolsWith() })
  const log = pino({ level: 'silent' })
  const checkEntries = async () => {}
  const watching = watchChannelsFile({ config, connections, checkEntries, log, everyMs: 3_600_000 })
  after(() => watching.stop())
  const secretAfter = async (content: string) => {
    writeFileSync(secret, content)
    await setImmediate()
    watching.poke()
    await setImmediate()
    return connections.entries()[0]?.secret
  }
  for (const content of ['sec', 'second, ha', 'second, whole'])
    assert.equal(await secretAfter(content), 'first')
  assert.equal(await secretAfter('second, whole'), 'second, whole')
})
