// The process dies by SIGKILL before and after every write to its records, and so between all steps with files. The bank takes
// what is in `out` at once, as its client may.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSepaFiles, sepaPayout, sepaRequest } from '../../../test/sepa-files.ts'

const program = new URL('../../../test/sepa-files-process.ts', import.meta.url).pathname
const MOST_WRITES = 40

test('no transfer is lost or sent twice, wherever the process dies', async () => {
  const given = await openSepaFiles()
  const { bank, rail, channel, folder } = given
  /** True if the process died. */
  const run = async (when: string, nth: number): Promise<boolean> => {
    const child = spawn(process.execPath, [program, given.url, folder, when, String(nth)], {
      stdio: 'inherit',
    })
    const [code, signal] = await once(child, 'exit')
    assert.ok(signal === 'SIGKILL' || code === 0, `the process ended with ${code}`)
    return signal === 'SIGKILL'
  }
  let deaths = 0
  for (const when of ['before', 'after']) {
    for (let nth = 1; nth < MOST_WRITES; nth++) {
      const payouts = [sepaPayout(1_00n), sepaPayout(2_00n)]
      for (const payout of payouts) await rail.send(payout)
      const request = sepaRequest(24_00n)
      const outcome = await channel.start(request)
      assert.equal(outcome.kind, 'pending')
      bank.notify(bank.credit([{ cents: 24_00n, text: outcome.channelRef }]))
      const hasDied = await run(when, nth)
      bank.takeOrders()
      await run('', 0)
      bank.takeOrders()
      bank.state()
      await run('', 0)
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
