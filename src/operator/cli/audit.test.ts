import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'

import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { type Operator, operatorAt } from '../../../test/harness/operator.ts'
import { commands } from './cli.ts'

/** Commands that write no audit line, because they only read, or act through the merchant API. */
const withoutLine = [
  'merchant show',
  'platform show',
  'channel list',
  'bridge check',
  'fee-plan list',
  'risk list',
  'risk rules',
  'chargeback list',
  'ledger verify',
  'ledger review-past',
  'statement',
  'suspense list',
  'notify list',
  'listen',
  'payout list',
  'pay',
  'trigger',
  'refund list',
  'review list',
  'review show',
  'review file',
  'sign',
  'explain',
  'doctor',
  'user list',
  'approval list',
  'outcome list',
  'reference list',
  'link list',
  'exam',
  'channel show',
  'channel check',
  'golive',
  'golive restored',
]

/** Commands whose use case writes the audit line itself, because the back office calls the use case too. */
const ownLine = [
  'user create',
  'user disable',
  'user reset-factor',
  'approval approve',
  'approval reject',
  'ledger correct',
  'outcome decide',
  'suspense accept',
  'suspense return',
  'suspense assign',
]

let operator: Operator
let dataDir: string
const database = useDatabase({
  before({ url }) {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-audit-'))
    operator = operatorAt({ databaseUrl: url, dataDir })
  },
  after: () => rmSync(dataDir, { recursive: true }),
})

type Line = { action: string; actor: string; subject: string; after: unknown; reason: string | null }

async function linesOf(action: string): Promise<Line[]> {
  return await database.db.query<Line>({
    text: 'select action, actor, subject, after, reason from audit_log where action = $1 order by entry_id',
    values: [action],
  })
}

test('every command that changes something writes to the audit log', () => {
  const silent = commands.filter(({ audit }) => audit === undefined).map(({ name }) => name)
  assert.deepEqual(silent.toSorted(), [...withoutLine, ...ownLine].toSorted())
})

test('a line says who did what to what, and why', async () => {
  const { merNo } = await operator.run(
    'merchant',
    'create',
    '--name',
    'Shop',
    '--site',
    'shop.example',
    '--pending',
  )
  await operator.run('merchant', 'approve', String(merNo), '--why', 'Contract signed')
  const actor = userInfo().username
  const [created] = await linesOf('merchant.create')
  assert.deepEqual(created, {
    action: 'merchant.create',
    actor,
    subject: String(merNo),
    after: { name: 'Shop', site: ['shop.example'], pending: true },
    reason: null,
  })
  const [approved] = await linesOf('merchant.approve')
  assert.deepEqual(approved, {
    action: 'merchant.approve',
    actor,
    subject: String(merNo),
    after: {},
    reason: 'Contract signed',
  })
})

test('commands that change one row write a line too', async () => {
  const { merNo } = await operator.run('merchant', 'create', '--name', 'Paused', '--site', 'paused.example')
  await operator.run('notify', 'pause', String(merNo))
  await operator.run('notify', 'resume', String(merNo))
  await operator.run('fx', 'set', '--from', 'USD', '--to', 'EUR', '--rate', '0.91')
  await operator.run('platform', 'limit', '--method', 'card', '--daily', '1000.00')
  for (const action of ['notify.pause', 'notify.resume', 'fx.set', 'platform.limit'])
    assert.equal((await linesOf(action)).length, 1, action)
})

test('a refused command leaves no line', async () => {
  await operator.refused('merchant', 'approve', '999999')
  await operator.refused('payout', 'approve', 'T00000000000000000000000000')
  await operator.refused('notify', 'resend', '--trade-no', 'T00000000000000000000000000')
  assert.equal((await linesOf('payout.approve')).length, 0)
  assert.equal((await linesOf('notify.resend')).length, 0)
  assert.equal((await linesOf('merchant.approve')).length, 1)
})
