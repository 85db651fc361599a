// Tokens of Apple Pay and Google Pay. Whole tokens are changed, and contents are changed before they are signed and
// encrypted.
import { createPublicKey, X509Certificate } from 'node:crypto'
import { isObject } from '../../../src/platform/base/object.ts'
import { parseJson } from '../../../src/platform/http/client/http-client.ts'
import { hashOf } from '../../../src/rails/protocols/apple-pay/apple-pay.ts'
import { openApplePayToken } from '../../../src/rails/protocols/apple-pay/token.ts'
import { openGooglePayToken } from '../../../src/rails/protocols/google-pay/token.ts'
import { makeAppleChain, makeAppleToken } from '../../../test/builders/apple-pay.ts'
import { keyPair, makeGoogleKeys, makeGoogleToken } from '../../../test/builders/google-pay.ts'
import type { Target } from '../../input.ts'
import { parserTarget } from './parser-target.ts'

const money = { amount: 1_250n, currency: 'USD' }
const MERCHANT = 10_001

export async function openGoogleTokens(): Promise<Target> {
  const keys = makeGoogleKeys()
  const now = new Date()
  const ours = {
    rootKeys: [{ key: keys.root.publicKey, expiresAt: new Date(now.getTime() + 86_400_000) }],
    privateKeys: [keys.ours.privateKey],
    recipientId: 'gateway:tollgate',
  }
  const token = makeGoogleToken(keys, now)
  return parserTarget({
    name: 'google-pay-tokens',
    seeds: [
      { token, message: '', details: '' },
      {
        token: '',
        message: '{"paymentMethod":"CARD"}',
        details: '{"pan":"4242424242424242","expirationYear":2039}',
      },
    ],
    async parse({ token = '', message = '', details = '' }) {
      const inside = { message: fieldsIn(message), details: fieldsIn(details) }
      const text = token === '' ? makeGoogleToken(keys, now, inside) : token
      return (await openGooglePayToken(text, ours, MERCHANT, now)).kind === 'opened'
    },
    batch: 512,
  })
}

export async function openAppleTokens(): Promise<Target> {
  const [chain, { privateKey }] = [await makeAppleChain(), keyPair()]
  const now = new Date()
  const ours = {
    root: new X509Certificate(chain.root),
    merchantId: 'merchant.test.shop',
    keys: [{ privateKey, publicKeyHash: hashOf(privateKey) }],
  }
  const publicKey = createPublicKey(privateKey)
  const token = await makeAppleToken(chain, publicKey, now)
  return parserTarget({
    name: 'apple-pay-tokens',
    seeds: [
      { token, payment: '' },
      {
        token: '',
        payment: '{"currencyCode":"840","transactionAmount":1250,"applicationExpirationDate":"391231"}',
      },
    ],
    async parse({ token = '', payment = '' }) {
      const text =
        token === '' ? await makeAppleToken(chain, publicKey, now, { payment: fieldsIn(payment) }) : token
      return (await openApplePayToken(text, ours, { money }, now)).kind === 'opened'
    },
    batch: 256,
  })
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}
