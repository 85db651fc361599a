import assert from 'node:assert/strict'
import { createHash, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { rsaPair } from '../../../test/builders/rsa-keys.ts'
import { aMerchant, KEY, platformKeys } from '../../../test/harness/merchant-frame.ts'
import { signedReturn } from './signed-return.ts'

const result = { tradeNo: 'T1', merOrderNo: 'lamp & shade/7', payCode: '0' } as const
const ours = 'tradeNo=T1&merOrderNo=lamp%20%26%20shade%2F7&payCode=0&sign='

const back = (returnUrl: string, merchant = aMerchant()) =>
  signedReturn(platformKeys.privateKey, merchant, returnUrl, result)

/** Each row: the returnUrl, the text before our fields, and the text after the signature. */
const table: readonly (readonly [returnUrl: string, before: string, behind: string])[] = [
  ['https://shop.example', 'https://shop.example?', ''],
  ['https://shop.example/back', 'https://shop.example/back?', ''],
  ['https://shop.example/back?', 'https://shop.example/back?', ''],
  ['https://shop.example/back?a=1', 'https://shop.example/back?a=1&', ''],
  ['https://shop.example/back?a=1&', 'https://shop.example/back?a=1&', ''],
  ['https://shop.example/back?a=1&&b', 'https://shop.example/back?a=1&&b&', ''],
  ['https://shop.example/back?next=/cart?', 'https://shop.example/back?next=/cart?&', ''],
  ['https://shop.example/back#done', 'https://shop.example/back?', '#done'],
  ['https://shop.example/back?a=1#done', 'https://shop.example/back?a=1&', '#done'],
  ['https://shop.example/#/order?id=7', 'https://shop.example/?', '#/order?id=7'],
  ['https://shop.example/back?#', 'https://shop.example/back?', '#'],
  [
    'https://shop.example/?q=a+b%20c%2bd&e=%c3%a9&f=%zz',
    'https://shop.example/?q=a+b%20c%2bd&e=%c3%a9&f=%zz&',
    '',
  ],
  ['https://shop.example/?name=Zoë&x=\'"<>', 'https://shop.example/?name=Zoë&x=\'"<>&', ''],
  ['HTTPS://Shop.Example:443/a/../b?A=1', 'HTTPS://Shop.Example:443/a/../b?A=1&', ''],
  [
    'https://shop.example/?tradeNo=9&sign=theirs&payCode=7',
    'https://shop.example/?tradeNo=9&sign=theirs&payCode=7&',
    '',
  ],
]

describe('the link back to the shop', () => {
  for (const [returnUrl, before, behind] of table)
    it(`keeps ${returnUrl} unchanged, and appends our fields to its query`, async () => {
      const text = `event=return&merOrderNo=lamp & shade/7&payCode=0&tradeNo=T1${KEY}`
      const sign = createHash('md5').update(text).digest('hex').toUpperCase()
      assert.equal(await back(returnUrl), `${before}${ours}${sign}${behind}`)
    })

  it('verifies with the last value of each name, whatever the shop had in its query', async () => {
    const url = new URL(await back('https://shop.example/?tradeNo=9&sign=theirs'))
    const last = (name: string) => url.searchParams.getAll(name).at(-1)
    const text = `event=return&merOrderNo=${last('merOrderNo')}&payCode=${last('payCode')}&tradeNo=${last('tradeNo')}`
    assert.equal(last('sign'), createHash('md5').update(`${text}${KEY}`).digest('hex').toUpperCase())
    assert.deepEqual(url.searchParams.getAll('tradeNo'), ['9', 'T1'])
  })

  it("has the platform's RSA signature for a merchant with an RSA key", async () => {
    const rsaKey = rsaPair('merchant').publicKey
    const url = new URL(await back('https://shop.example/back?a=1', aMerchant({ rsaKey })))
    const sign = Buffer.from(url.searchParams.get('sign') ?? '', 'base64')
    const text = Buffer.from('event=return&merOrderNo=lamp & shade/7&payCode=0&tradeNo=T1')
    assert.ok(verify('sha256', text, platformKeys.publicKey, sign))
  })

  it('accepts only absolute web addresses', async () => {
    for (const wrong of [
      '',
      'javascript:alert(1)',
      'https:shop.example',
      '//shop.example',
      ' https://a.example',
    ])
      assert.equal(await back(wrong), '')
  })
})
