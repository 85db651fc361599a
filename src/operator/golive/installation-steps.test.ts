import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../../../test/harness/gateway-process.ts'
import { cloneDatabase } from '../../../test/harness/harness.ts'
import { createUser } from '../../people/users/store-users.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { address, operator } from './installation-steps.ts'
import type { StepDeps, StepResult } from './step.ts'

/** Returns the result of the step if the address answers with this body. */
async function addressAnswering(body: string): Promise<StepResult> {
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const config = { ...readConfig({}), baseUrl: `http://localhost:${port}` }
  const result = await address.check(depsOf(config))
  server.close()
  return result
}

/** Returns dependencies that provide only the settings: this step needs nothing else. */
function depsOf(config: Config): StepDeps {
  const refuse = () => Promise.reject(new Error('this step does not ask for it'))
  return {
    config: () => config,
    database: refuse,
    clock: systemClock,
    examine: refuse,
    merchant: refuse,
    entries: refuse,
    check: refuse,
  }
}

test('an address is right only if Tollgate answers there', async () => {
  const right = await addressAnswering(JSON.stringify({ status: 'ready', detail: { forwarding: 'none' } }))
  assert.equal(right.isDone, true, right.found)
  const other = await addressAnswering('<h1>It works!</h1>')
  assert.equal(other.isDone, false)
  assert.match(other.found, /not as Tollgate does/)
})

test('an address that does not answer is reported with the cause', async () => {
  const config = readConfig({ TOLLGATE_BASE_URL: `http://localhost:${await freePort()}` })
  const { isDone, found } = await address.check(depsOf(config))
  assert.equal(isDone, false)
  assert.match(found, /does not answer: .*ECONNREFUSED/)
})

test('an admin without a second factor is named, and is not to be created again', async (t) => {
  const { db, drop } = await cloneDatabase()
  t.after(drop)
  const deps = { ...depsOf(readConfig({})), database: async () => db }
  const email = 'ann@company.example'
  const look = () => operator.check(deps).then(({ found, todo = '' }) => `${found}; ${todo}`)
  assert.match(await look(), /no admin has .*; run "user create/)
  const now = new Date()
  await db.transaction((tx) => createUser(tx, { merNo: 0, email, name: 'Ann', role: 'admin', now }))
  assert.match(await look(), /no admin has .*; run "user create/)
  const password = 'correct horse battery staple 7'
  const bea = { merNo: 0, email: 'bea@company.example', name: 'Bea', role: 'admin', password, now }
  await db.transaction((tx) => createUser(tx, bea))
  assert.match(
    await look(),
    /^bea@company.example is admin, but has no second factor; sign in at .*\/backoffice as/,
  )
})

test('a proxy that is not trusted keeps an installation from going live', async () => {
  const body = JSON.stringify({ status: 'ready', detail: { forwarding: 'untrusted' } })
  const { isDone, found, todo = '' } = await addressAnswering(body)
  assert.equal(isDone, false)
  assert.match(`${found} ${todo}`, /TOLLGATE_TRUSTED_PROXIES.*all payers count as one/)
})
