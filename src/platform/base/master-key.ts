// Reads the master key, which encrypts the secrets in the database. The key is in a setting. In sandbox, it may be in
// the data folder, where a gateway creates it if it is missing.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { SettingError } from '../errors/catalogue.ts'
import { readOrCreateSecret, readSecret } from './secret-file.ts'
import { whyOf } from './thrown.ts'

/**
 * The program that reads the key. Only a gateway creates a missing key: a command with wrong settings must not create
 * one.
 */
export type ReadBy = 'gateway' | 'command'

export function masterKeyOf(
  text: string | undefined,
  mode: 'sandbox' | 'live',
  dataDir: string,
  by: ReadBy,
): () => Buffer {
  if (!text && mode === 'live')
    return refuse('TOLLGATE_MASTER_KEY', 'is required in live: create one with "openssl rand -hex 32"')
  // The key is read on first use: most commands need no key, and may run on a machine without the data folder.
  if (!text && by === 'command') return () => sandboxKey(dataDir, readSecret)
  const key = text
    ? (decodeKey(text) ??
      refuse('TOLLGATE_MASTER_KEY', 'must be 32 bytes, written as 64 hex digits or as base64'))
    : sandboxKey(dataDir, (file) => readOrCreateSecret(file, () => randomBytes(32).toString('hex')))
  return () => key
}

function sandboxKey(dataDir: string, read: (file: string) => string | undefined): Buffer {
  const file = join(dataDir, 'master.key')
  const text = fromDataFolder(dataDir, () => read(file))
  if (text === undefined)
    throw new SettingError(
      `there is no master key in ${dataDir}: set TOLLGATE_DATA_DIR or TOLLGATE_MASTER_KEY as the gateway has it`,
    )
  return decodeKey(text) ?? refuse(file, 'does not contain a master key of 64 hex digits')
}

/** Reads from the data folder. The message of an error is about the whole folder, and not about a single file. */
function fromDataFolder<Read>(dataDir: string, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    return refuse(
      'TOLLGATE_DATA_DIR',
      `is ${dataDir}, which cannot be used: ${whyOf(error)}. Make it writable or choose another folder`,
    )
  }
}

function decodeKey(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return key.length === 32 ? key : undefined
}

function refuse(name: string, rule: string): never {
  throw new SettingError(`${name} ${rule}`)
}
