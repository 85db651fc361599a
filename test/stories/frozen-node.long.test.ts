// Two gateways on one database. One of them stands still inside a transaction, as a paused virtual machine does, and
// goes on later. The other one waits for a bounded time only, and no money moves twice.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, call, pay, type Reply } from '../harness/client.ts'
import { assertSound } from '../harness/database-checks.ts'
import { eventually } from '../harness/eventually.ts'
import {
  freePort,
  type GatewayProcess,
  type Installation,
  openInstallation,
} from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { waitUntilSomebodyWaits } from '../harness/lock-waits.ts'

let installation: Installation
let frozen: GatewayProcess
let living: GatewayProcess

const database = useDatabase({
  async before({ url }) {
    installation = await openInstallation({
      DATABASE_URL: url,
      TOLLGATE_CHANNEL_TIMEOUT_MS: '1000',
    })
    frozen = await installation.start()
    living = await installation.start({ PORT: String(await freePort()) })
  },
  after: () => installation.remove(),
})

async function paid(account: Account): Promise<Reply['data']> {
  const { data } = await pay(account)
  assert.equal(data.payCode, 0)
  return data
}

function refund(account: Account, { tradeNo, merOrderNo }: Reply['data']): Promise<Reply> {
  const body = { merNo: account.merNo, merOrderNo, tradeNo, operationType: 'refund', version: 'V3.0.0' }
  return call(account, '/refund/apply', { ...body, amount: '4.00' })
}

/** The database ends an idle transaction much earlier, but the machine of the test may be slow. */
const BOUND_MS = 30_000

it('a node that stands still inside a transaction holds up the others for a bounded time', async () => {
  const { db } = database
  const [held, other] = [await paid(living.account), await paid(living.account)]
  let waiting: Promise<Reply> | undefined
  await db.transaction(async (tx) => {
    await tx.query({ text: 'select 1 from orders where trade_no = $1 for update', values: [held.tradeNo] })
    // The frozen gateway has the merchant's lock now, and waits for the order's lock.
    waiting = refund(frozen.account, held)
    await waitUntilSomebodyWaits(db)
    process.kill(frozen.pid, 'SIGSTOP')
  })
  // The frozen gateway's session has both locks, and the gateway cannot go on.
  const made = await Promise.race([refund(living.account, other), sleep(BOUND_MS)])
  process.kill(frozen.pid, 'SIGCONT')
  assert.ok(made, 'the other node waits for the locks of the one that stands still')
  assert.equal(made.code, '00000')
  const late = await waiting
  assert.notEqual(late?.code, '00000', 'its transaction was undone')

  assert.equal((await refund(frozen.account, held)).code, '00000')
  const isDone = async () => {
    const rows = await db.query({ text: `select from refunds where state = 'succeeded'` })
    return rows.length === 2
  }
  assert.ok(await eventually(isDone))
  await assertSound(db)
})
