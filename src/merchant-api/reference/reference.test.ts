import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fastify from 'fastify'
import { catalogue } from '../../errors/catalogue.ts'
import { referenceLists } from './lists.ts'
import { registerReference } from './routes.ts'

const app = fastify()
registerReference(app, true)

async function read(name: string) {
  return JSON.parse((await app.inject(`/reference/${name}`)).body)
}

describe('the reference data', () => {
  it('has every list as JSON, with a version and items of one shape', async () => {
    const { lists } = JSON.parse((await app.inject('/reference')).body)
    assert.deepEqual(
      lists.map(({ name }: { name: string }) => name),
      [...referenceLists.keys()],
    )
    for (const name of referenceLists.keys()) {
      const { version, count, items } = await read(name)
      assert.match(version, /^[0-9a-f]{12}$/)
      assert.equal(count, items.length)
      assert.ok(count > 5, name)
      for (const item of items) assert.deepEqual(Object.keys(item), Object.keys(items[0]), name)
    }
  })

  it('says what the gateway itself uses', async () => {
    const { items: errors } = await read('errors')
    assert.equal(errors.length, Object.keys(catalogue).length)
    assert.ok((await read('banks/vietnam')).items.some(({ code }: { code: unknown }) => code === 970_436))
    assert.deepEqual((await read('banks/per')).items[0], { code: '01', name: 'bcp' })
    const { items: currencies } = await read('currencies')
    const yen = currencies.find(({ code }: { code: string }) => code === 'JPY')
    assert.deepEqual(yen, { code: 'JPY', name: 'Japanese Yen', decimals: 0, kind: 'fiat' })
    const { items: states } = await read('states')
    const numbers = states.filter(
      ({ field }: { field: string }) => field === 'payCode of payments and payouts',
    )
    assert.deepEqual(
      numbers.map(({ value, name }: { value: number; name: string }) => [value, name]),
      [
        [0, 'succeeded'],
        [1, 'failed'],
        [2, 'pending'],
      ],
    )
  })

  it('is a page for browsers, and both are cached by their version', async () => {
    const asked = { url: '/reference/banks/spei', headers: { accept: 'text/html,*/*' } }
    const { headers, body } = await app.inject(asked)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers.vary, 'accept')
    assert.equal(headers['cache-control'], 'public, max-age=3600')
    assert.match(body, /<td>40138<\/td><td>ABC CAPITAL<\/td>/)
    assert.match(body, /href="\.\.\/\.\.\/assets\/pay\.css"/)
    const tag = String(headers.etag)
    const again = await app.inject({ ...asked, headers: { ...asked.headers, 'if-none-match': tag } })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
    const other = await app.inject({ url: asked.url, headers: { 'if-none-match': tag } })
    assert.equal(other.statusCode, 200)
  })
})
