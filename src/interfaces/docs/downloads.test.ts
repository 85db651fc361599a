import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastify from 'fastify'
import { registerDocs } from './routes.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const sdk = Buffer.from([1, 2, 3])
let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'downloads-'))
  for (const name of ['docs', 'sdk/README.md', 'examples/README.md'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
})
after(() => rmSync(folder, { recursive: true }))

function app() {
  const made = fastify()
  const baseUrl = 'https://pay.example'
  registerDocs(made, { sandbox: false, isLocal: false, baseUrl, folder: pathToFileURL(`${folder}/`) })
  return made
}

describe('GET /downloads', () => {
  it('says what the operator does if nothing was packed', async () => {
    const { statusCode, body } = await app().inject('/downloads')
    assert.equal(statusCode, 200)
    assert.match(body, /runs <code>node setup\.mjs<\/code>/)
    assert.equal((await app().inject('/downloads/sdk-1.tgz')).statusCode, 404)
  })

  it('lists each package with its hashes, and serves its bytes once', async () => {
    const entry = (name: string, needs: readonly string[]) => ({
      name: `@shop/${name}`,
      version: '1.2.3',
      description: `The ${name}`,
      file: `${name}-1.2.3.tgz`,
      needs,
    })
    mkdirSync(join(folder, 'downloads'))
    writeFileSync(
      join(folder, 'downloads/packages.json'),
      JSON.stringify([entry('sdk', []), entry('plugin', ['@shop/sdk', 'others'])]),
    )
    writeFileSync(join(folder, 'downloads/sdk-1.2.3.tgz'), sdk)
    writeFileSync(join(folder, 'downloads/plugin-1.2.3.tgz'), 'plugin')
    const server = app()
    const { body } = await server.inject('/downloads')
    const text = body.replace(/<[^>]+>/g, ' ')
    // The hashes of the bytes 1, 2 and 3, as `printf '\1\2\3' | openssl dgst` prints them.
    assert.ok(text.includes('039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81'), text)
    assert.match(text, /3 bytes/)
    const both =
      'https://pay.example/downloads/sdk-1.2.3.tgz \\\n  https://pay.example/downloads/plugin-1.2.3.tgz'
    assert.ok(
      body.replace(/<[^>]+>/g, '').includes(`npm install ${both}`),
      'a plugin is installed with the SDK',
    )
    const sent = await server.inject('/downloads/sdk-1.2.3.tgz')
    assert.ok(sent.rawPayload.equals(sdk))
    assert.equal(sent.headers['content-type'], 'application/gzip')
    const headers = { 'if-none-match': String(sent.headers.etag) }
    assert.equal((await server.inject({ url: '/downloads/sdk-1.2.3.tgz', headers })).statusCode, 304)
    for (const name of ['packages.json', '..%2fpackage.json', 'none.tgz', 'built-from'])
      assert.equal((await server.inject(`/downloads/${name}`)).statusCode, 404, name)
  })
})
