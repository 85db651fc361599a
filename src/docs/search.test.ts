import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Docs, openDocs } from './open-docs.ts'

let docs: Docs

before(async () => {
  const folder = new URL('../../', import.meta.url)
  docs = await openDocs({ sandbox: true, baseUrl: 'http://127.0.0.1:8080', folder })
})

describe('the search', () => {
  it('finds a field, an error code, a method, and words that are spelled nearly right', async () => {
    const found = async (query: string) => (await docs.search(query)).map(({ path }) => path)
    assert.ok((await found('merRefundNo')).includes('reference/refund/apply'))
    assert.equal((await found('10015'))[0], 'errors')
    assert.ok((await found('pix')).some((path) => path.startsWith('reference/')))
    assert.ok((await found('notificatoins')).includes('notifications'))
    assert.ok((await found('order number')).length > 0)
  })

  it('shows results with their words marked, and says what to do without any', async () => {
    assert.match(await docs.results('signature'), /<mark>signature<\/mark>/i)
    assert.match(await docs.results(''), /Enter a word/)
    const nothing = await docs.results('<qqqxxzz>')
    assert.match(nothing, /Nothing was found/)
    assert.doesNotMatch(nothing, /<qqq/)
  })

  it('is bounded, whatever is asked', async () => {
    const long = await docs.search('merchant '.repeat(10_000) + 'x'.repeat(100_000))
    assert.ok(long.length <= 20)
    assert.ok((await docs.suggestions('a')).length <= 8)
    for (const odd of ['*', '(((', '\\', '\u0000', '"', 'constructor', '__proto__'])
      assert.ok(Array.isArray(await docs.search(odd)), odd)
  })

  it('suggests addresses that begin at the root of the gateway', async () => {
    const [first] = await docs.suggestions('/payment')
    assert.equal(first?.address, 'docs/reference/payment')
  })
})
