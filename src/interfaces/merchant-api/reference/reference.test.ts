import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fastify from 'fastify'
import { eventually } from '../../../../test/harness/eventually.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { catalogue } from '../../../platform/errors/catalogue.ts'
import { addItem, removeItem } from '../../../platform/reference/change-list.ts'
import { openReference } from '../../../platform/reference/reference.ts'
import { referenceLists } from './lists.ts'
import { registerReference } from './routes.ts'

const app = fastify()
let reference: Awaited<ReturnType<typeof openReference>>
const database = useDatabase({
  async before() {
    reference = await openReference(database)
    registerReference(app, { sandbox: true, reference })
  },
  after: () => reference.close(),
})

async function read(name: string) {
  return JSON.parse((await app.inject(`/reference/${name}`)).body)
}

describe('the reference data', () => {
  it('has every list as JSON, with a version and items of one shape', async () => {
    const { lists } = JSON.parse((await app.inject('/reference')).body)
    const names = [...referenceLists(reference).keys()]
    assert.deepEqual(
      lists.map(({ name }: { name: string }) => name),
      names,
    )
    for (const [at, name] of names.entries()) {
      const { version, count, items } = await read(name)
      assert.match(version, /^(\d+|[0-9a-f]{12})$/)
      assert.equal(version, lists[at].version)
      assert.equal(count, items.length)
      assert.ok(count > 5, name)
      for (const item of items) assert.deepEqual(Object.keys(item), Object.keys(items[0]), name)
    }
  })

  it('says what the gateway itself uses', async () => {
    const { items: errors } = await read('errors')
    assert.equal(errors.length, Object.keys(catalogue).length)
    const vietnam = (await read('banks/vietnam')).items
    const known = vietnam.find(({ code }: { code: unknown }) => code === 970_436)
    assert.deepEqual(known, { code: 970_436, name: 'Vietcombank', bic: 'BFTVVNVX' })
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

  it('is a page for browsers, and both are cached by their content', async () => {
    const asked = { url: '/reference/banks/spei', headers: { accept: 'text/html,*/*' } }
    const { headers, body } = await app.inject(asked)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers.vary, 'accept')
    assert.equal(headers['cache-control'], 'public, max-age=300')
    assert.match(body, /<td>40138<\/td><td>ABC CAPITAL<\/td>/)
    assert.match(body, /href="\.\.\/\.\.\/assets\/pay\.css"/)
    const tag = String(headers.etag)
    const again = await app.inject({ ...asked, headers: { ...asked.headers, 'if-none-match': tag } })
    assert.deepEqual({ statusCode: again.statusCode, body: again.body }, { statusCode: 304, body: '' })
    const other = await app.inject({ url: asked.url, headers: { 'if-none-match': tag } })
    assert.equal(other.statusCode, 200)
  })

  it('follows a change at once, with the next version and another ETag', async () => {
    const list = 'banks/per'
    const first = await app.inject(`/reference/${list}`)
    const before = Number(JSON.parse(first.body).version)
    const item = { code: '77', name: '<b>Banco & Co</b>', bic: '' }
    await addItem(database.db, { list, item, at: new Date() })
    assert.ok(await eventually(async () => (await read(list)).version === String(before + 1)))
    assert.ok((await read(list)).items.some(({ code }: { code: string }) => code === '77'))
    const second = await app.inject({ url: `/reference/${list}`, headers: { accept: 'text/html' } })
    assert.notEqual(second.headers.etag, first.headers.etag)
    assert.match(second.body, /&#60;b&#62;Banco &#38; Co/)
    await removeItem(database.db, { list, code: '77', at: new Date() })
    assert.ok(await eventually(async () => (await read(list)).version === String(before + 2)))
    assert.ok((await read(list)).items.every(({ code }: { code: string }) => code !== '77'))
  })

  it('says where the lists are if there is no such list', async () => {
    for (const url of ['/reference/planets', '/reference/banks', '/reference/banks/constructor']) {
      const json = await app.inject(url)
      assert.equal(json.statusCode, 404)
      assert.match(JSON.parse(json.body).error, /GET \/reference names all lists/)
    }
    const asked = { url: '/reference/banks/mars/x?y=1', headers: { accept: 'text/html' } }
    const page = await app.inject(asked)
    assert.equal(page.statusCode, 404)
    assert.match(page.body, /href="\.\.\/\.\.\/\.\.\/reference"/)
  })
})
