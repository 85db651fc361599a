import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { Constructed, fromBER, Sequence } from 'asn1js'
import {
  type AppleChain,
  type AppleWish,
  INTERMEDIATE_MARK,
  LEAF_MARK,
  makeAppleChain,
  makeAppleToken,
} from '../../../../test/builders/apple-pay.ts'
import { allFiat, currencyNumber } from '../../../platform/base/currency.ts'
import { type ApplePayKeys, openApplePayToken } from './token.ts'

const now = new Date('2026-07-01T12:00:00Z')
const ours = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const money = { amount: 1_250n, currency: 'USD' }

function keyOf({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }) {
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  return { privateKey, publicKeyHash: createHash('sha256').update(spki).digest() }
}

describe('an Apple Pay token', () => {
  let apple: AppleChain
  let keys: ApplePayKeys
  before(async () => {
    apple = await makeAppleChain()
    keys = keysWith(apple)
  })

  function keysWith({ root }: AppleChain): ApplePayKeys {
    return { root: new X509Certificate(root), merchantId: 'merchant.test.shop', keys: [keyOf(ours)] }
  }
  const make = (wish?: AppleWish, chain = apple) => makeAppleToken(chain, ours.publicKey, now, wish)
  const open = (token: string, with_: Partial<ApplePayKeys> = {}, use = { money }) =>
    openApplePayToken(token, { ...keys, ...with_ }, use, now)
  async function assertBad(
    token: string,
    message: RegExp,
    with_?: Partial<ApplePayKeys>,
    use?: { money: typeof money },
  ) {
    const verified = await open(token, with_, use)
    assert.equal(verified.kind, 'bad')
    assert.match(verified.message, message)
  }

  it("decrypts to the device's card, its cryptogram and the transaction id", async () => {
    const token = await make()
    const verified = await open(token)
    assert.deepEqual(verified, {
      kind: 'opened',
      tokenId: JSON.parse(token).header.transactionId,
      merNo: 0,
      card: {
        number: '4242424242424242',
        expiryMonth: '12',
        expiryYear: '2039',
        cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
        eci: '7',
      },
    })
  })

  it("may be the whole token or Apple's payment data, also in base64 and with application data", async () => {
    const token = await make({ applicationData: Buffer.from('of the order') })
    const whole = JSON.stringify({ paymentData: JSON.parse(token), transactionIdentifier: 'x' })
    for (const text of [token, whole, Buffer.from(token).toString('base64')])
      assert.equal((await open(text)).kind, 'opened')
  })

  it('may have a signature in indefinite-length encoding, as devices write it', async () => {
    const token = JSON.parse(await make())
    const signature = withoutLengths(Buffer.from(token.signature, 'base64')).toString('base64')
    assert.ok(signature.startsWith('MIAGCSqGSIb3DQEHAqCAMIACAQE'))
    assert.equal((await open(JSON.stringify({ ...token, signature }))).kind, 'opened')
  })

  it('decrypts with the key that it names while one is rotated out', async () => {
    const other = keyOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }))
    assert.equal((await open(await make(), { keys: [other, keyOf(ours)] })).kind, 'opened')
    await assertBad(await make(), /another key/, { keys: [other] })
  })

  it('is refused when any byte of the content or the signature is changed', async () => {
    const token = JSON.parse(await make({ applicationData: Buffer.from('of the order') }))
    const tampered = [0.05, 0.3, 0.6, 0.95].flatMap((part) => [
      { ...token, data: flip(token.data, part, 'base64') },
      ...Object.keys(token.header).map((name) => {
        const encoding = /Id|application/.test(name) ? 'hex' : 'base64'
        return { ...token, header: { ...token.header, [name]: flip(token.header[name], part, encoding) } }
      }),
    ])
    // One byte is changed in each certificate, in the signed attributes and in the signature.
    const cms = Buffer.from(token.signature, 'base64')
    const places = [apple.leaf.tbsView, apple.intermediate.tbsView].map((bytes) => cms.indexOf(bytes) + 150)
    const signatures = [...places, cms.length - 140, cms.length - 110, cms.length - 20, cms.length - 50].map(
      (at) => {
        const part = at / cms.length
        return { ...token, signature: flip(token.signature, part, 'base64') }
      },
    )
    const { applicationData: _, ...header } = token.header
    for (const wrong of [...tampered, ...signatures, { ...token, header }, { ...token, version: 'RSA_v1' }])
      await assertBad(JSON.stringify(wrong), /Apple Pay token/)
  })

  it('is refused when a part is missing or of another type, and throws nothing', async () => {
    const token = JSON.parse(await make())
    for (const value of [undefined, null, 5, '', [], {}, 'AAAA']) {
      for (const name of Object.keys(token))
        await assertBad(JSON.stringify({ ...token, [name]: value }), /Apple Pay token/)
      for (const name of Object.keys(token.header))
        await assertBad(
          JSON.stringify({ ...token, header: { ...token.header, [name]: value } }),
          /Apple Pay token/,
        )
    }
    for (const nonsense of ['', '{', 'null', '[]', '%%%', '{}']) await assertBad(nonsense, /Apple Pay token/)
  })

  it('is refused when it was signed more than five minutes ago or in the future', async () => {
    for (const minutes of [-6, 6])
      await assertBad(await make({ signingTime: new Date(now.getTime() + minutes * 60_000) }), /expired/)
    assert.equal((await open(await make({ signingTime: new Date(now.getTime() - 240_000) }))).kind, 'opened')
  })

  it('is refused when the chain does not end at our root, lacks an extension, or has expired', async () => {
    const stranger = await makeAppleChain()
    await assertBad(await make({}, stranger), /not signed by Apple/)
    for (const wish of [
      { leafMark: INTERMEDIATE_MARK },
      { intermediateMark: LEAF_MARK },
      { leafNotAfter: new Date('2026-06-30') },
      { isCa: false },
    ]) {
      const chain = await makeAppleChain(wish)
      await assertBad(await make({}, chain), /not signed by Apple/, keysWith(chain))
    }
  })

  it('is refused when the signature is not detached', async () => {
    await assertBad(
      await make({ attached: Buffer.from('signed by Apple once, for something else') }),
      /not valid/,
    )
  })

  it('is refused when it is for another amount, another currency or another merchant', async () => {
    const token = await make()
    await assertBad(token, /another amount/, {}, { money: { amount: 1_251n, currency: 'USD' } })
    await assertBad(token, /another amount/, {}, { money: { amount: 1_250n, currency: 'EUR' } })
    for (const transactionAmount of ['1250', 1250.5, null])
      await assertBad(await make({ payment: { transactionAmount } }), /another amount/)
    await assertBad(await make({ merchantId: 'merchant.other' }), /not valid/)
  })

  it('is refused when it contains no valid card', async () => {
    await assertBad(await make({ payment: { paymentDataType: 'EMV' } }), /unknown kind/)
    await assertBad(await make({ payment: { applicationPrimaryAccountNumber: '42' } }), /not valid/)
    await assertBad(await make({ payment: { applicationExpirationDate: '3913' } }), /not valid/)
    await assertBad(await make({ payment: { paymentData: {} } }), /not valid/)
  })
})

describe('numeric currency codes', () => {
  it('exist for every currency, with three digits', () => {
    for (const code of allFiat()) assert.match(currencyNumber(code) ?? '', /^\d{3}$/, code)
    assert.deepEqual(
      [currencyNumber('USD'), currencyNumber('JPY'), currencyNumber('BRL')],
      ['840', '392', '986'],
    )
  })
})

function flip(text: string, part: number, encoding: BufferEncoding): string {
  const bytes = Buffer.from(text, encoding)
  const at = Math.floor(bytes.length * part)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes.toString(encoding)
}

/**
 * Re-encodes the outer elements without lengths. In BER, an element may end with two zero bytes instead of stating its
 * length.
 */
function withoutLengths(cms: Buffer): Buffer {
  const { result: info } = fromBER(new Uint8Array(cms).buffer)
  assert.ok(info instanceof Sequence)
  const [type, content] = info.valueBlock.value
  assert.ok(type && content instanceof Constructed)
  const [signed] = content.valueBlock.value
  assert.ok(signed instanceof Sequence)
  const parts = signed.valueBlock.value.map((part) => Buffer.from(part.valueBeforeDecodeView))
  const open = (tag: number) => Buffer.from([tag, 0x80])
  const head = [open(0x30), Buffer.from(type.valueBeforeDecodeView), open(0xa0), open(0x30)]
  return Buffer.concat([...head, ...parts, Buffer.alloc(6)])
}
