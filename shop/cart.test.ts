import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cartCookie, countPieces, readCart, withPieces } from './cart.ts'
import { totalOf, wireAmount } from './prices.ts'

const skus = (cookies: string) => readCart(cookies).map(({ product, quantity }) => [product.sku, quantity])

test('a cart comes back as it was stored', () => {
  const lines = withPieces(withPieces([], 'MUG', 2), 'MAP', 1)
  const cookies = `other=1; ${cartCookie(lines).split(';')[0]}`
  assert.deepEqual(readCart(cookies), lines)
  assert.equal(countPieces(lines), 3)
  assert.deepEqual(withPieces(lines, 'MUG', 0), withPieces([], 'MAP', 1))
})

test('whatever a browser sends becomes a cart that the shop could have made', () => {
  const cases: readonly (readonly [string, readonly unknown[]])[] = [
    ['', []],
    ['shop_cart=', []],
    ['shop_cart=NOPE.1~MUG.1', [['MUG', 1]]],
    ['shop_cart=MUG.99', [['MUG', 20]]],
    ['shop_cart=MUG.0~MAP.-1~BAG.1e1~FLASK.NaN', []],
    ['shop_cart=__proto__.1~constructor.2', []],
    [`shop_cart=${'MUG.1~'.repeat(10_000)}MAP.1`, [['MUG', 1]]],
  ]
  for (const [cookies, expected] of cases) assert.deepEqual(skus(cookies), expected, cookies.slice(0, 60))
})

test('prices are exact in every currency', () => {
  const lines = withPieces(withPieces([], 'NOTEBOOK', 3), 'MUG', 1)
  assert.equal(wireAmount(totalOf(lines, 'USD')), '42.50')
  assert.equal(wireAmount(totalOf(lines, 'BRL')), '229.50')
  assert.equal(wireAmount(totalOf(lines, 'VND')), '1062500.00')
})
