import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDocs } from './open-docs.ts'
import { addressOf, excerptOf, type Hit, nameOf, openSearch, type Search } from './search.ts'

/** Words that newcomers type, each with a page that must be among the first three results. */
const newcomers: readonly (readonly [query: string, path: string])[] = [
  ['3ds', 'method-card'],
  ['3D Secure', 'method-card'],
  ['idempotency', 'time-outs'],
  ['Idempotency-Key', 'time-outs'],
  ['retry', 'time-outs'],
  ['capture', 'not-supported'],
  ['authorize', 'not-supported'],
  ['void', 'not-supported'],
  ['subscription', 'not-supported'],
  ['recurring', 'not-supported'],
  ['installments', 'not-supported'],
  ['tokenization', 'not-supported'],
  ['PayPal', 'not-supported'],
  ['python', 'samples'],
  ['php', 'samples'],
  ['java', 'samples'],
  ['javascript', 'sdk'],
  ['library', 'sdk'],
  ['amex', 'testing'],
  ['webhook', 'notifications'],
  ['webhooks', 'notifications'],
  ['IPN', 'notifications'],
  ['callback', 'notifications'],
  ['chargeback', 'disputes'],
  ['withdrawal', 'payouts'],
  ['disbursement', 'payouts'],
  ['embed', 'drop-in'],
  ['iframe', 'drop-in'],
  ['popup', 'drop-in'],
  ['bitcoin', 'method-crypto'],
  ['stablecoin', 'method-crypto'],
  ['hmac', 'notifications'],
  ['swagger', 'reference/endpoints'],
  ['postman', 'reference/endpoints'],
]

let search: Search

before(async () => {
  const folder = new URL('../../../', import.meta.url)
  const docs = await openDocs({ sandbox: true, baseUrl: 'http://127.0.0.1:8080', folder })
  const { text } = await docs.passages()
  search = await openSearch(JSON.parse(text.toString()))
})

describe('the search', () => {
  it('finds a field, an error code, a method, and words that are spelled nearly right', () => {
    const found = (query: string) => search(query).map(({ path }) => path)
    assert.ok(found('merRefundNo').includes('reference/refund/apply'))
    assert.equal(found('10015')[0], 'errors')
    assert.ok(found('pix').some((path) => path.startsWith('reference/')))
    assert.ok(found('notificatoins').includes('notifications'))
    assert.ok(found('order number').length > 0)
  })

  it('finds the page for the words that newcomers type', () => {
    for (const [query, path] of newcomers) {
      const pages = [...new Set(search(query).map((hit) => hit.path))].slice(0, 3)
      assert.ok(pages.includes(path), `${query}: ${path} is not among ${pages.join(', ')}`)
    }
  })

  it('shows the text around the words that matched, and marks them', () => {
    const [hit] = search('signature')
    assert.match(excerptOf(hit ?? assert.fail('nothing found'))[1] ?? '', /^signature$/i)
    const text = `${'before '.repeat(50)}match${' after'.repeat(50)}`
    const long: Hit = { path: 'p', anchor: '', title: 'T', heading: '', text, terms: ['match'] }
    const pieces = excerptOf(long)
    assert.deepEqual({ pieces: pieces.length, marked: pieces[1] }, { pieces: 3, marked: 'match' })
    assert.match(pieces[0] ?? '', /^… before/)
    assert.match(pieces[2] ?? '', /after .*…$/)
  })

  it('is bounded, whatever is searched for', () => {
    const long = search('merchant '.repeat(10_000) + 'x'.repeat(100_000))
    assert.ok(long.length <= 20)
    for (const odd of ['', ' ', '*', '(((', '\\', '\u0000', '"', 'constructor', '__proto__'])
      assert.ok(Array.isArray(search(odd)), odd)
    assert.deepEqual(search('qqqxxzz'), [])
  })

  it('names pages and headings, with addresses that begin at the root of the gateway', () => {
    const [first] = search('/payment')
    assert.equal(addressOf(first ?? assert.fail('nothing found')), 'docs/reference/payment')
    const passage = { path: 'p', anchor: 'a', title: 'Page', heading: 'Part', text: '' }
    assert.deepEqual(
      { name: nameOf(passage), address: addressOf(passage) },
      { name: 'Page: Part', address: 'docs/p#a' },
    )
  })
})
