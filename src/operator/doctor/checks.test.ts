import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { after, type TestContext, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { expired, selfSigned } from '../../../test/builders/self-signed.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { assetsFolder, scriptManifest } from '../../platform/pages/manifest.ts'
import { address } from '../golive/installation-steps.ts'
import { checkGateway, checkProxies, checkScripts, scriptPath } from './checks.ts'

const manifest = scriptManifest()
const [[name, hash] = ['', ''], ...others] = Object.entries(manifest)
const script = readFileSync(new URL(name, assetsFolder))
const tag = `<script src="../assets/${name}" integrity="${hash}" defer></script>`

const servers: FastifyInstance[] = []
after(() => Promise.all(servers.map((server) => server.close())))

/** Serves a page, like a gateway. */
async function serve(page: string, content: string | Buffer): Promise<string> {
  const server = fastify()
  servers.push(server)
  server.get(scriptPath(name), async () => content)
  for (const [other] of others)
    server.get(scriptPath(other), async () => readFileSync(new URL(other, assetsFolder)))
  server.get('/pay/none', (_request, reply) => reply.code(404).type('text/html').send(page))
  return server.listen({ host: '127.0.0.1', port: 0 })
}

test('scripts and script tags that match the manifest pass', async () => {
  assert.equal((await checkScripts(await serve(`<html>${tag}</html>`, script))).status, 'ok')
})

test('a changed script is found', async () => {
  const { status, found } = await checkScripts(await serve(tag, `${script}\nskim()`))
  assert.equal(status, 'fail')
  assert.match(found, new RegExp(`${name} has been changed`))
})

const strange = [
  `${tag}<script src="https://cdn.example/skim.js"></script>`,
  `${tag}<SCRIPT>skim()</SCRIPT>`,
  tag.replace(hash, 'sha384-AAAA'),
  tag.replace(` integrity="${hash}"`, ''),
  'no script at all',
]
for (const page of strange) {
  test(`a page is found that has ${page.slice(-40)}`, async () => {
    assert.equal((await checkScripts(await serve(page, script))).status, 'fail')
  })
}

test('a gateway that does not run is a warning, not a failure', async () => {
  assert.equal((await checkScripts('http://127.0.0.1:1')).status, 'warn')
})

test('a proxy whose gateway does not run is a warning, not an accusation', async () => {
  const proxy = fastify()
  servers.push(proxy)
  proxy.get('/*', (_request, reply) => reply.code(502).type('text/html').send('<h1>Bad Gateway</h1>'))
  const { status, todo } = await checkScripts(await proxy.listen({ host: '127.0.0.1', port: 0 }))
  assert.deepEqual({ status, todo }, { status: 'warn', todo: 'start the gateway' })
})

// A gateway still runs if its certificate is refused. The doctor and golive must not advise to start it.

async function serveBadly(
  t: TestContext,
  pair: { readonly cert: string; readonly key: string },
): Promise<string> {
  const server = createServer(pair, (_request, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close().closeAllConnections())
  const place = server.address()
  assert.ok(place !== null && typeof place === 'object')
  return `https://localhost:${place.port}`
}

const unasked = () => Promise.reject(new Error('this step does not ask for it'))
const otherDeps = { database: unasked, examine: unasked, merchant: unasked, entries: unasked, check: unasked }

for (const [pair, found, todo] of [
  [expired, /its certificate has expired$/, /^renew the certificate at the proxy/],
  [selfSigned, /no authority that is trusted here has signed its certificate$/, /NODE_EXTRA_CA_CERTS/],
] as const) {
  test(`the certificate of the public address is what is wrong: ${found.source}`, async (t) => {
    const baseUrl = await serveBadly(t, pair)
    const config = () => ({ ...readConfig({}), baseUrl })
    const step = await address.check({ config, clock: systemClock, ...otherDeps })
    assert.equal(step.isDone, false)
    const gateway = await checkGateway(baseUrl)
    for (const one of [step, gateway]) assert.match(one.found, found)
    for (const one of [step, gateway, await checkProxies(baseUrl), await checkScripts(baseUrl)])
      assert.match(one.todo ?? '', todo)
  })
}
