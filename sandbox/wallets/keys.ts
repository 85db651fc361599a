// The wallets' keys, created once and stored in the sandbox's folder, so that tokens stay valid after a restart.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { isObject } from '../../src/platform/base/object.ts'
import { readOrCreateSecret } from '../../src/platform/base/secret-file.ts'

/** Returns P-256 keys by name, as base64 of PKCS #8. */
export function readOrCreateKeys<const Name extends string>(
  file: string,
  names: readonly Name[],
): Record<Name, string> {
  const make = () => JSON.stringify(Object.fromEntries(names.map((name) => [name, makeKey()])))
  const keys: unknown = JSON.parse(readOrCreateSecret(file, make))
  if (!isObject(keys) || !hasAll(keys, names)) throw new Error(`${file} does not contain all keys`)
  return keys
}

function hasAll<Name extends string>(keys: object, names: readonly Name[]): keys is Record<Name, string> {
  return names.every((name) => name in keys)
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

/** Copies the bytes: the ASN.1 library reads the whole ArrayBuffer, which Node shares between buffers. */
export function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
