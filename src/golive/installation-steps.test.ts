import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { systemClock } from '../base/clock.ts'
import { readConfig } from '../config.ts'
import { address } from './installation-steps.ts'
import type { StepResult } from './step.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

/** What the step says if the address answers so. */
async function addressAnswering(body: string): Promise<StepResult> {
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const config = { ...readConfig({}), baseUrl: `http://localhost:${port}` }
  const refuse = () => Promise.reject(new Error('this step does not ask for it'))
  const result = await address.check({
    config: () => config,
    database: refuse,
    clock: systemClock,
    examine: refuse,
    merchant: refuse,
    entries: refuse,
    check: refuse,
  })
  server.close()
  return result
}

test('an address is right only if Tollgate answers there', async () => {
  const right = await addressAnswering(JSON.stringify({ status: 'ready', detail: { forwarding: 'none' } }))
  assert.equal(right.isDone, true, right.found)
  const other = await addressAnswering('<h1>It works!</h1>')
  assert.deepEqual([other.isDone, /not as Tollgate does/.test(other.found)], [false, true])
})

test('a proxy that is not trusted keeps an installation from going live', async () => {
  const body = JSON.stringify({ status: 'ready', detail: { forwarding: 'untrusted' } })
  const { isDone, found, todo = '' } = await addressAnswering(body)
  assert.equal(isDone, false)
  assert.match(`${found} ${todo}`, /TOLLGATE_TRUSTED_PROXIES.*all payers count as one/)
})
