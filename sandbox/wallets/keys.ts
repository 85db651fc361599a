// The wallets' keys, made once and kept in the sandbox's folder: a token that waits in a book opens after a restart too.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { isObject } from '../../src/base/object.ts'
import { readOrCreateSecret } from '../../src/base/secret-file.ts'

/** By name, the base64 of PKCS #8, all of P-256. */
export function keepKeys<const Name extends string>(
  file: string,
  names: readonly Name[],
): Record<Name, string> {
  const make = () => JSON.stringify(Object.fromEntries(names.map((name) => [name, makeKey()])))
  const kept: unknown = JSON.parse(readOrCreateSecret(file, make))
  if (!isObject(kept) || !hasAll(kept, names)) throw new Error(`${file} does not hold the keys it should`)
  return kept
}

function hasAll<Name extends string>(kept: object, names: readonly Name[]): kept is Record<Name, string> {
  return names.every((name) => name in kept)
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
}

export function privateKeyIn(text: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
}

export function publicKeyOf(text: string): KeyObject {
  return createPublicKey(privateKeyIn(text))
}

export function spkiOf(text: string): Buffer {
  return publicKeyOf(text).export({ format: 'der', type: 'spki' })
}

/** The ASN.1 library takes the whole of a buffer, and Node's are often parts of a larger one. */
export function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
