import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type GoogleWish,
  keyPair,
  makeGoogleKeys,
  makeGoogleToken,
} from '../../../../test/builders/google-pay.ts'
import { type GooglePayKeys, openGooglePayToken } from './token.ts'

const now = new Date('2026-07-01T12:00:00Z')
const google = makeGoogleKeys()
const keys: GooglePayKeys = {
  rootKeys: [{ key: google.root.publicKey, expiresAt: new Date('2038-01-01') }],
  privateKeys: [google.ours.privateKey],
  recipientId: 'gateway:tollgate',
}

const open = (token: string, with_: Partial<GooglePayKeys> = {}, merNo = 10_001) =>
  openGooglePayToken(token, { ...keys, ...with_ }, merNo, now)
const make = (wish?: GoogleWish) => makeGoogleToken(google, now, wish)

async function assertBad(token: string, message: RegExp, with_?: Partial<GooglePayKeys>, merNo?: number) {
  const verified = await open(token, with_, merNo)
  assert.equal(verified.kind, 'bad')
  assert.match(verified.message, message)
}

describe('a Google Pay token', () => {
  it("decrypts to the device's card, its cryptogram and the token's id", async () => {
    const verified = await open(make({ message: { messageId: 'M1' } }))
    assert.deepEqual(verified, {
      kind: 'opened',
      tokenId: 'M1',
      merNo: 10_001,
      card: {
        number: '4242424242424242',
        expiryMonth: '04',
        expiryYear: '2039',
        cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
        eci: '05',
      },
    })
  })

  it('may be base64, and may contain a card stored in the wallet account', async () => {
    const token = make({ details: { authMethod: 'PAN_ONLY', cryptogram: undefined } })
    const verified = await open(Buffer.from(token).toString('base64'))
    assert.equal(verified.kind, 'opened')
    assert.ok(!('cryptogram' in verified.card && verified.card.cryptogram !== undefined))
  })

  it('decrypts with any of our keys while one is rotated out', async () => {
    const privateKeys = [keyPair().privateKey, google.ours.privateKey]
    assert.equal((await open(make(), { privateKeys })).kind, 'opened')
    await assertBad(make(), /another key/, { privateKeys: [keyPair().privateKey] })
  })

  it('is refused when any byte of it is changed', async () => {
    const token = JSON.parse(make())
    const flip = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
    const wrongs = (text: string) =>
      [0.1, 0.35, 0.6, 0.85].map((part) => flip(text, Math.floor(text.length * part)))
    const { intermediateSigningKey: key } = token
    const tampered = [
      ...wrongs(token.signature).map((signature) => ({ ...token, signature })),
      ...wrongs(token.signedMessage).map((signedMessage) => ({ ...token, signedMessage })),
      ...wrongs(key.signedKey).map((signedKey) => ({
        ...token,
        intermediateSigningKey: { ...key, signedKey },
      })),
      ...wrongs(key.signatures[0]).map((signature) => ({
        ...token,
        intermediateSigningKey: { ...key, signatures: [signature] },
      })),
      { ...token, protocolVersion: 'ECv1' },
    ]
    for (const wrong of tampered) await assertBad(JSON.stringify(wrong), /Google Pay token/)
  })

  it('is refused when a part is missing or of another type, and throws nothing', async () => {
    const token = JSON.parse(make())
    for (const name of Object.keys(token))
      for (const value of [undefined, null, 5, '', [], {}])
        await assertBad(JSON.stringify({ ...token, [name]: value }), /Google Pay token/)
    for (const nonsense of ['', '{', 'null', '[]', '"x"', '%%%', '{}'])
      await assertBad(nonsense, /Google Pay token/)
  })

  it('is refused when the message is signed but encrypted for another key', async () => {
    // The signature is right. Only the tag shows that the message was encrypted for another key.
    const other = { ...google, ours: keyPair() }
    await assertBad(makeGoogleToken(other, now), /another key/)
  })

  it('is refused once it, its signing key or every root key has expired', async () => {
    const past = String(now.getTime())
    await assertBad(make({ message: { messageExpiration: past } }), /expired/)
    await assertBad(make({ keyExpiration: past }), /expired/)
    const rootKeys = [{ key: google.root.publicKey, expiresAt: now }]
    await assertBad(make(), /not signed by Google/, { rootKeys })
  })

  it('is refused when it was made for another recipient or another merchant', async () => {
    await assertBad(make({ recipientId: 'gateway:other' }), /not signed for us/)
    await assertBad(make({ message: { gatewayMerchantId: '10002' } }), /another merchant/)
    await assertBad(make({ message: { gatewayMerchantId: undefined } }), /another merchant/)
    const recipientId = 'merchant:12345678901234567890'
    const direct = make({ recipientId, message: { gatewayMerchantId: undefined } })
    const verified = await open(direct, { recipientId })
    assert.deepEqual(verified.kind === 'opened' && verified.merNo, 0)
  })

  it('is refused when Google signed neither key nor message', async () => {
    await assertBad(makeGoogleToken({ ...google, root: keyPair() }, now), /not signed by Google/)
    const forged = { ...JSON.parse(make()), signature: JSON.parse(make()).signature }
    await assertBad(JSON.stringify(forged), /not signed for us/)
  })

  it('is refused when it contains no valid card', async () => {
    await assertBad(make({ message: { paymentMethod: 'BANK' } }), /no card/)
    await assertBad(make({ details: { authMethod: 'OTHER' } }), /unknown kind/)
    for (const details of [
      { pan: '42' },
      { expirationMonth: 13 },
      { expirationYear: 39 },
      { cryptogram: '' },
    ])
      await assertBad(make({ details }), /not valid/)
  })
})
