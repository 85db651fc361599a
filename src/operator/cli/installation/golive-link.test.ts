// A link is refused if no payer could pay it. Otherwise the operator would learn of the problem from the payer.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { runTollgate } from '../../../../test/harness/operator.ts'
import { PAY_INS, takeUnbounded } from '../../../money/orders/limit-usage.ts'
import { localDay } from '../../../platform/base/local-day.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-golive-link-'))
const channelsFile = join(folder, 'channels.json')
let env: Record<string, string>
let merNo = ''
const database = useDatabase({
  async before({ url }) {
    env = {
      TOLLGATE_MODE: 'live',
      TOLLGATE_MASTER_KEY: '3'.repeat(64),
      TOLLGATE_BASE_URL: 'https://pay.example',
      TOLLGATE_TRUSTED_PROXIES: 'none',
      TOLLGATE_DATA_DIR: folder,
      TOLLGATE_CHANNELS: channelsFile,
      DATABASE_URL: url,
    }
    writeChannel({})
    const made = await tollgate('merchant', 'create', '--name', 'Shop', '--site', 'shop.example')
    merNo = String(JSON.parse(made.stdout).merNo)
    const limits = ['--limit-single', '100.00', '--limit-daily', '150.00', '--limit-monthly', '200.00']
    await tollgate('merchant', 'set', merNo, '--currencies', 'EUR', ...limits)
    await tollgate('fx', 'set', '--from', 'EUR', '--to', 'USD', '--rate', '2')
  },
  after: () => rmSync(folder, { recursive: true }),
})

function writeChannel(entry: object): void {
  const usual = { name: 'acquirer', protocol: 'bridge', methods: ['card'], url: 'https://bridge.example' }
  const content = JSON.stringify([{ ...usual, secret: 'a secret of some length', ...entry }])
  writeFileSync(channelsFile, content, { mode: 0o600 })
}

const tollgate = (...args: readonly string[]) => runTollgate([...args, '--json'], env)

async function link(amount: string): Promise<string> {
  const { stdout } = await tollgate('golive', 'link', merNo, '--currency', 'EUR', '--amount', amount)
  const { error, url } = JSON.parse(stdout)
  return error ?? String(url).replace(/P[0-9A-Z]{26}.*/, 'made')
}

async function made(): Promise<number> {
  const { stdout } = await tollgate('link', 'list', '--mer-no', merNo)
  return JSON.parse(stdout).links.length
}

test("an amount above the merchant's limits makes no link", async () => {
  assert.match(await link('1.00'), /made$/)
  assert.match(
    await link('50.01'),
    /50\.01 EUR \(100\.02 USD\) is above .*: 100\.00 USD in one payment\..*merchant set/,
  )
  const day = localDay(new Date(), 'UTC')
  const used = { merNo: Number(merNo), method: PAY_INS, used: 12_000n }
  await database.db.query(takeUnbounded([{ ...used, period: day }]))
  assert.match(await link('15.01'), /150\.00 USD in \d{4}-\d\d-\d\d, of which 120\.00 are used/)
  assert.match(await link('15.00'), /made$/)
  await database.db.query(takeUnbounded([{ ...used, used: 19_999n, period: day.slice(0, 7) }]))
  assert.match(await link('1.00'), /200\.00 USD in \d{4}-\d\d, of which 199\.99 are used/)
  await tollgate('merchant', 'set', merNo, '--limit-daily', 'none')
  assert.match(await link('1.00'), /may take nothing: Merchant has no daily limit configured\. Set it/)
  await tollgate('merchant', 'set', merNo, '--limit-daily', '500.00', '--limit-monthly', '500.00')
  assert.equal(await made(), 2)
})

test('an amount that no channel takes makes no link', async () => {
  writeChannel({ amounts: { EUR: { least: '5.00', most: '20.00' } } })
  assert.match(await link('4.99'), /no channel takes 4\.99 EUR: acquirer takes from 5\.00 up to 20\.00 EUR$/)
  assert.match(await link('20.01'), /no channel takes 20\.01 EUR/)
  assert.match(await link('5.00'), /made$/)
  writeChannel({ currencies: ['USD'] })
  assert.match(await link('5.00'), /no channel takes EUR for merchant \d+: compare "channel list" with/)
  writeChannel({})
  await tollgate('channel', 'pause', 'acquirer')
  assert.match(
    await link('5.00'),
    /every channel that takes 5\.00 EUR is paused: run "channel resume acquirer"/,
  )
  assert.equal(await made(), 3)
})

test('backups are not confirmed without the proof, and that is what is said', async () => {
  const { stdout } = await tollgate('golive', 'confirm', 'backups', '--why', 'restored elsewhere')
  assert.match(JSON.parse(stdout).error, /^--proof is missing: give it what "golive restored" prints/)
})
