// Kills the process by SIGKILL before and after every write of records, and so between all steps with files. The bank
// takes every file from `out` at once.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  openSepaFiles,
  type SepaFiles,
  sepaPayout,
  sepaRequest,
} from '../../../../test/counterparties/sepa-files.ts'

const program = new URL('../../../../test/counterparties/sepa-files-process.ts', import.meta.url).pathname
const MOST_WRITES = 40

type Run = { readonly hasDied: boolean; readonly raised: string }

async function run({ url, folder }: SepaFiles, when = '', nth = 0): Promise<Run> {
  const child = spawn(process.execPath, [program, url, folder, when, String(nth)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [raised, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.ok(signal === 'SIGKILL' || code === 0, `the process ended with ${code}`)
  return { hasDied: signal === 'SIGKILL', raised }
}

test('no transfer is lost or sent twice, wherever the process dies', async () => {
  const given = await openSepaFiles()
  const { bank, rail, channel, folder } = given
  let deaths = 0
  for (const when of ['before', 'after']) {
    for (let nth = 1; nth < MOST_WRITES; nth++) {
      const payouts = [sepaPayout(1_00n), sepaPayout(2_00n)]
      for (const payout of payouts) await rail.send(payout)
      const request = sepaRequest(24_00n)
      const outcome = await channel.start(request)
      assert.equal(outcome.kind, 'pending')
      bank.notify(bank.credit([{ cents: 24_00n, text: outcome.channelRef }]))
      const { hasDied } = await run(given, when, nth)
      bank.takeOrders()
      await run(given)
      bank.takeOrders()
      bank.state()
      await run(given)
      for (const { reference } of payouts) {
        assert.equal(bank.countPaid(reference), 1, `${when} write ${nth}`)
        assert.equal((await rail.ask(reference)).kind, 'succeeded', `${when} write ${nth}`)
      }
      const paid = await channel.ask(request)
      assert.ok(paid.kind === 'received' && paid.deposits.length === 1, `${when} write ${nth}`)
      assert.deepEqual(readdirSync(join(folder, 'out')), [])
      assert.deepEqual(readdirSync(join(folder, 'in', 'work')), [])
      assert.equal(bank.countDuplicates(), 0, `${when} write ${nth}`)
      if (!hasDied) break
      deaths += 1
    }
  }
  assert.ok(deaths >= 10, `${deaths} deaths`)
  await given.close()
})

test('everything is reported to the operator at least once, wherever the process dies', async () => {
  const given = await openSepaFiles()
  const { bank, folder } = given
  bank.credit([{ cents: 1_00n, text: 'no order' }])
  bank.state()
  await run(given)
  let deaths = 0
  for (const when of ['before', 'after']) {
    for (let nth = 1; nth < MOST_WRITES; nth++) {
      bank.credit([{ cents: 1_00n, text: 'no order' }])
      bank.held(() => bank.state())
      bank.credit([{ cents: 2_00n, text: 'no order' }])
      bank.state()
      writeFileSync(join(folder, 'in', 'page.xml'), '<html></html>')
      const dying = await run(given, when, nth)
      const raised = dying.raised + (await run(given)).raised
      for (const expected of [
        /2\.00 EUR of .* names no payment/,
        /is missing between/,
        /page\.xml .* to bad/,
      ])
        assert.match(raised, expected, `${when} write ${nth}`)
      if (!dying.hasDied) break
      deaths += 1
    }
  }
  assert.ok(deaths >= 6, `${deaths} deaths`)
  assert.equal((await run(given)).raised, '')
  await given.close()
})
