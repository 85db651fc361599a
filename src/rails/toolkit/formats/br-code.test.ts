import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createStaticPix, hasError, isDynamicPix, parsePix } from 'pix-utils'
import { brCode } from '../../../../sandbox/pix/br-code.ts'
import { payeeIn, writeBrCode } from './br-code.ts'

const money = { amount: 123_456n, currency: 'BRL' }
const txid = 'A0123456789ABCDEFGHJKMNPQR1'
const location = 'pix.bank.example/qr/v2/9d36b84fc70b478fb95c12729b90ca25'
const ours = writeBrCode({
  money,
  location,
  payeeName: 'Loja São José & Filhos do Brasil',
  payeeCity: 'São Paulo',
})
const theirs = brCode({ location, amount: '1234.56', name: 'LOJA SAO JOSE', city: 'SAO PAULO' })

describe('a BR Code', () => {
  it('is read by an independent library, from the gateway and the sandbox', () => {
    for (const [code, name, city] of [
      [ours, 'Loja Sao Jose & Filhos do', 'Sao Paulo'],
      [theirs, 'LOJA SAO JOSE', 'SAO PAULO'],
    ] as const) {
      const read = parsePix(code)
      assert.ok(!hasError(read) && isDynamicPix(read), code)
      assert.equal(read.url, location)
      assert.equal(read.merchantName, name)
      assert.equal(read.merchantCity, city)
      assert.equal(read.transactionCurrency, '986')
      assert.equal(read.countryCode, 'BR')
    }
  })

  it('contains the payee', () => {
    assert.equal(payeeIn(ours, { money, txid }), 'Loja Sao Jose & Filhos do')
    assert.equal(payeeIn(theirs, { money, txid }), 'LOJA SAO JOSE')
  })

  it('is refused with any one character changed', () => {
    for (let at = 0; at < theirs.length; at += 1) {
      const changed = theirs.slice(0, at) + (theirs[at] === '0' ? '1' : '0') + theirs.slice(at + 1)
      assert.equal(payeeIn(changed, { money, txid }), undefined, `changed at ${at}`)
    }
  })

  it('is refused when it is valid but for another charge', () => {
    const other = { amount: money.amount + 1n, currency: 'BRL' }
    assert.equal(payeeIn(theirs, { money: other, txid }), undefined)
    assert.equal(payeeIn(theirs, { money: { ...money, currency: 'USD' }, txid }), undefined)
    // A code with a Pix key points to no charge, even if it asks for the same amount.
    const toKey = createStaticPix({
      merchantName: 'LOJA',
      merchantCity: 'RECIFE',
      pixKey: 'a3b5c7d9-1f2e-4d3c-8b5a-697887a6b5c4',
      transactionAmount: 1234.56,
    })
    assert.ok(!hasError(toKey))
    assert.equal(payeeIn(toKey.toBRCode(), { money, txid }), undefined)
  })
})
