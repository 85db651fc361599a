// Apple Pay tokens (EC_v1): verifies Apple's signature, decrypts the token, and compares it with the order.

import {
  createDecipheriv,
  createHash,
  diffieHellman,
  type KeyObject,
  type X509Certificate,
} from 'node:crypto'
import { currencyNumber } from '../../../platform/base/currency.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { isEqualSecret } from '../../../platform/base/secret.ts'
import {
  ANY_MERCHANT,
  BadToken,
  base64In,
  checkedCard,
  type OpenedToken,
  objectIn,
  parseFields,
  parseToken,
  publicKeyOfSpki,
  type TokenUse,
  textIn,
  type VerifiedToken,
  verifyToken,
} from '../../toolkit/wallet-token.ts'
import { checkSignature } from './signature.ts'

export type ApplePayKeys = {
  readonly root: X509Certificate
  /** Our id at Apple, such as merchant.com.example.shop. */
  readonly merchantId: string
  /** Our keys. A token names its key by the hash of the public key. During a key rotation there are several keys. */
  readonly keys: readonly { readonly privateKey: KeyObject; readonly publicKeyHash: Buffer }[]
}

const TAG_BYTES = 16

export function openApplePayToken(
  text: string,
  ours: ApplePayKeys,
  use: Pick<TokenUse, 'money'>,
  now: Date,
): Promise<VerifiedToken> {
  return verifyToken('Apple Pay', async () => {
    const token = paymentDataIn(parseToken(text))
    if (token.version !== 'EC_v1') throw new BadToken('The Apple Pay token is of another version')
    const header = objectIn(token, 'header')
    const transactionId = hexIn(header, 'transactionId')
    const ephemeral = base64In(header, 'ephemeralPublicKey')
    const data = base64In(token, 'data')
    const applicationData =
      header.applicationData === undefined ? Buffer.alloc(0) : hexIn(header, 'applicationData')
    const signed = Buffer.concat([ephemeral, data, transactionId, applicationData])
    await checkSignature(base64In(token, 'signature'), signed, ours.root, now)
    const shared = sharedWith(ours, base64In(header, 'publicKeyHash'), ephemeral)
    const payment = parseFields(decrypt(data, deriveKey(shared, ours.merchantId)))
    checkMoney(payment, use)
    return toOpened(payment, transactionId.toString('hex'))
  })
}

/** Returns the paymentData. Merchants may send Apple's whole token or only its paymentData. */
function paymentDataIn(token: Fields): Fields {
  return isObject(token.paymentData) ? token.paymentData : token
}

function hexIn(fields: Fields, name: string): Buffer {
  const text = textIn(fields, name)
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw new Error(`${name} is not hex`)
  return Buffer.from(text, 'hex')
}

function sharedWith(ours: ApplePayKeys, publicKeyHash: Buffer, ephemeral: Buffer): Buffer {
  const found = ours.keys.find((key) => isEqualSecret(key.publicKeyHash, publicKeyHash))
  if (found === undefined) throw new BadToken('The Apple Pay token was made for another key')
  return diffieHellman({ privateKey: found.privateKey, publicKey: publicKeyOfSpki(ephemeral) })
}

/** Derives the decryption key from the shared secret, by NIST SP 800-56A with one round of SHA-256. */
export function deriveKey(shared: Buffer, merchantId: string): Buffer {
  const party = createHash('sha256').update(merchantId).digest()
  return createHash('sha256')
    .update(Buffer.from([0, 0, 0, 1]))
    .update(shared)
    .update('\x0did-aes256-GCM')
    .update('Apple')
    .update(party)
    .digest()
}

function decrypt(data: Buffer, key: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(16), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(data.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** Throws if the payer confirmed another amount or currency on the device. */
function checkMoney(payment: Fields, { money }: Pick<TokenUse, 'money'>): void {
  const { transactionAmount: amount, currencyCode } = payment
  const isAmount =
    typeof amount === 'number' && Number.isSafeInteger(amount) && BigInt(amount) === money.amount
  if (!isAmount || currencyCode !== currencyNumber(money.currency))
    throw new BadToken('The Apple Pay token is for another amount')
}

function toOpened(payment: Fields, tokenId: string): OpenedToken {
  if (payment.paymentDataType !== '3DSecure') throw new BadToken('The Apple Pay token is of an unknown kind')
  const proof = objectIn(payment, 'paymentData')
  const { eciIndicator: eci } = proof
  const [, year, month] = /^(\d\d)(\d\d)\d\d$/.exec(textIn(payment, 'applicationExpirationDate')) ?? []
  const card = checkedCard({
    number: textIn(payment, 'applicationPrimaryAccountNumber'),
    expiryMonth: `${month}`,
    expiryYear: `20${year}`,
    cryptogram: textIn(proof, 'onlinePaymentCryptogram'),
    ...(typeof eci === 'string' && eci !== '' && { eci }),
  })
  return { kind: 'opened', tokenId, merNo: ANY_MERCHANT, card }
}
