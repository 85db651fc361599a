// A gateway behind a certificate that nobody accepts runs: what the doctor and golive say must not send anybody to start it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { type TestContext, test } from 'node:test'
import { expired, selfSigned } from '../../test/self-signed.ts'
import { systemClock } from '../base/clock.ts'
import { readConfig } from '../config.ts'
import { address } from '../golive/installation-steps.ts'
import { checkGateway, checkProxies, checkScripts } from './checks.ts'

async function serve(t: TestContext, pair: { readonly cert: string; readonly key: string }): Promise<string> {
  const server = createServer(pair, (_request, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close().closeAllConnections())
  const place = server.address()
  assert.ok(place !== null && typeof place === 'object')
  return `https://localhost:${place.port}`
}

const unasked = () => Promise.reject(new Error('this step does not ask for it'))
const others = { database: unasked, examine: unasked, merchant: unasked, entries: unasked, check: unasked }

for (const [pair, found, todo] of [
  [expired, /its certificate has expired$/, /^renew the certificate at the proxy/],
  [selfSigned, /no authority that is trusted here has signed its certificate$/, /NODE_EXTRA_CA_CERTS/],
] as const) {
  test(`the certificate of the public address is what is wrong: ${found.source}`, async (t) => {
    const baseUrl = await serve(t, pair)
    const config = () => ({ ...readConfig({}), baseUrl })
    const step = await address.check({ config, clock: systemClock, ...others })
    assert.equal(step.isDone, false)
    const gateway = await checkGateway(baseUrl)
    for (const one of [step, gateway]) assert.match(one.found, found)
    for (const one of [step, gateway, await checkProxies(baseUrl), await checkScripts(baseUrl)])
      assert.match(one.todo ?? '', todo)
  })
}
