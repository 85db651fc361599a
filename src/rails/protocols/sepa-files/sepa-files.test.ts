import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ChannelEntry } from '../../../../sandbox/place.ts'
import { mountSepaFiles } from '../../../../sandbox/sepa-files/mount.ts'
import { startSandbox } from '../../../../sandbox/server.ts'
import { connectEntry, settingsOf, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { openSepaFiles, sepaPayout, sepaRequest } from '../../../../test/counterparties/sepa-files.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import { openStore } from '../../toolkit/records/store.ts'

const signal = AbortSignal.timeout(600_000)
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-sepa-'))
let tools: ChannelTools

useDatabase({
  before({ db }) {
    tools = toolsWith({ storeOf: (channel) => openStore({ db, clock: systemClock }, channel) })
  },
  after: () => rmSync(dataDir, { recursive: true }),
})

const entry: ChannelEntry = {
  name: 'house-bank',
  protocol: 'sepa-files',
  methods: ['sepa', 'payout_bank'],
  out: join(dataDir, 'out'),
  in: join(dataDir, 'in'),
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'COBADEFFXXX',
}

test('each wrong setting has a sentence', () => {
  const wrong: readonly (readonly [Partial<ChannelEntry>, RegExp])[] = [
    [{ methods: ['card'] }, /serves sepa, payout_bank only/],
    [{ methods: ['payout_spei'] }, /payout_bank/],
    [{ iban: 'DE88370400440532013000' }, /"iban" must be an IBAN/],
    [{ bic: 'X' }, /"bic" must be a BIC/],
    [{ accountHolder: '李雷' }, /"accountHolder" must be the account holder in Latin letters/],
    [{ out: 'out' }, /"out" must be the absolute path/],
    [{ in: '' }, /"in" is missing/],
    [{ in: entry.out }, /must be different folders/],
    [{ instant: 'yes' }, /"instant" must be true or false/],
  ]
  for (const [change, sentence] of wrong)
    assert.throws(() => connectEntry({ ...entry, ...change }, tools), sentence, JSON.stringify(change))
})

test('an entry serves what it names', () => {
  const served = (methods: readonly string[]) => {
    const { channels, rail } = connectEntry({ ...entry, methods }, tools)
    return [channels.map(({ method }) => method), rail?.kinds]
  }
  assert.deepEqual(served(['sepa']), [['sepa'], undefined])
  assert.deepEqual(served(['payout_bank']), [[], ['bank_account']])
  assert.equal(settingsOf(entry).protocol, 'sepa-files')
})

test('a check names the folder that cannot be used', async () => {
  const { check } = connectEntry(entry, tools)
  mkdirSync(join(dataDir, 'out'))
  const checked = await check(signal)
  assert.equal(checked.isRight, false)
  assert.match(checked.message, /The folder "in", .*, is missing or cannot be written/)
  mkdirSync(join(dataDir, 'in'))
  assert.deepEqual(await check(signal), { isRight: true, message: 'Both folders can be written.' })
})

test("the sandbox's bank pays, and is paid, by files", async () => {
  const options = { host: '127.0.0.1', dataDir, minuteMs: 60_000, extra: [mountSepaFiles] }
  const sandbox = await startSandbox(options)
  try {
    const found = sandbox.settings().find(({ protocol }) => protocol === 'sepa-files')
    assert.ok(found)
    const { channels, rail, watcher } = connectEntry(found, tools)
    const [channel] = channels
    assert.ok(channel && rail && watcher)
    const payout = sepaPayout(3_00n)
    const request = sepaRequest(24_00n)
    await rail.send(payout)
    const outcome = await channel.start(request)
    assert.ok(outcome.kind === 'pending')
    const body = JSON.stringify({ amount: '24.00', text: `Invoice ${outcome.channelRef}` })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${sandbox.url}/sepa-files/transfers`, { method: 'POST', headers, body })
    assert.equal(reply.status, 200)
    const isDone = async () => {
      await watcher.work(signal)
      const kinds = [(await rail.ask(payout.reference)).kind, (await channel.ask(request)).kind]
      return kinds.join() === 'succeeded,received'
    }
    assert.ok(await eventually(isDone))
  } finally {
    await sandbox.close()
  }
})

test('a file that cannot be read goes to bad, and holds up nothing', async () => {
  const given = await openSepaFiles()
  const request = sepaRequest(5_00n)
  const outcome = await given.channel.start(request)
  assert.ok(outcome.kind === 'pending')
  const put = (name: string, text: string) => writeFileSync(join(given.folder, 'in', name), text)
  put('a.xml', '<Document><BkToCstmrStmt>')
  put('b.xml', '<Document><CstmrDrctDbtInitn><GrpHdr></GrpHdr></CstmrDrctDbtInitn></Document>')
  put('c.xml', '<Document><BkToCstmrStmt><Stmt><Id>1</Id></Stmt></BkToCstmrStmt></Document>')
  given.bank.notify(given.bank.credit([{ cents: 5_00n, text: outcome.channelRef }]))
  const raised = await given.work()
  assert.match(raised, /a\.xml is not well-formed XML; it may be cut off; it was moved to bad/)
  assert.match(raised, /b\.xml is a message CstmrDrctDbtInitn, not a pain\.002/)
  assert.match(raised, /c\.xml is about other accounts/)
  assert.equal((await given.channel.ask(request)).kind, 'received')
  const bad = join(given.folder, 'in', 'bad')
  assert.equal(readdirSync(bad).length, 6)
  assert.equal(readFileSync(join(bad, 'c.xml.why.txt'), 'utf8'), 'c.xml is about other accounts.\n')
  await given.close()
})
