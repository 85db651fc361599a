import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { assetsFolder, scriptManifest } from '../pages/manifest.ts'
import { checkScripts, scriptPath } from './checks.ts'

const manifest = scriptManifest()
const [[name, hash] = ['', ''], ...others] = Object.entries(manifest)
const script = readFileSync(new URL(name, assetsFolder))
const tag = `<script src="../assets/${name}" integrity="${hash}" defer></script>`

const servers: FastifyInstance[] = []
after(() => Promise.all(servers.map((server) => server.close())))

/** A fake gateway with these pages. */
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
  assert.deepEqual([status, todo], ['warn', 'start the gateway'])
})
