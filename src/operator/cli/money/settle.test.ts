import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { openVault } from '../../../platform/base/secret.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Command, Result } from '../command.ts'
import { parseCall } from '../parse.ts'
import { settleCommands } from './settle.ts'

const database = useDatabase()

const [settle] = settleCommands

function run(...args: string[]): Promise<Result> {
  assert.ok(settle)
  const command: Command = settle
  const masterKey = randomBytes(32)
  const tools = {
    clock: { now: () => new Date('2026-03-02T00:00:00Z') },
    config: () => readConfig({ TOLLGATE_MASTER_KEY: masterKey.toString('hex') }),
    vault: async () => openVault(masterKey),
    database: async () => database.db,
    at: () => assert.fail('it settles in one database'),
    asJson: true,
    print: async () => {},
    say: () => {},
  }
  return command.run({ ...parseCall(command, args), tools })
}

test('settle reports per currency what was settled and released, and how many orders wait', async () => {
  const at = new Date('2026-03-01T12:00:00Z')
  const terms = { marginBps: 1_000, marginDays: 30 }
  await paidOrder(database.db, { merNo: 46_000_001, at, terms })
  await paidOrder(database.db, {
    merNo: 46_000_001,
    at,
    terms: { feeFixed: 200_000n },
    money: { amount: 5n, currency: 'VND' },
  })
  const first = await run()
  assert.deepEqual(first.json, {
    asOf: '2026-03-02T00:00:00.000Z',
    settled: [{ currency: 'USD', orders: 1, amount: '9.00' }],
    released: [],
    waiting: 1,
    failed: [],
  })
  assert.match(first.text, /^settled {2}9\.00 USD {2}1 order\nOrders due that wait .*: 1\.$/)
  const second = await run('--as-of', '2026-03-31')
  assert.deepEqual(Object(second.json).released, [{ currency: 'USD', orders: 1, amount: '1.00' }])
  assert.match((await run('--as-of', '2026-03-31')).text, /^Nothing was settled\.\nOrders due/)
})

test('settle refuses a time that is ambiguous or malformed', async () => {
  for (const text of ['tomorrow', '2026-03-31T10:00:00', '2026-13-01', '31.3.2026'])
    await assert.rejects(run('--as-of', text), OperatorRefusal)
})
