// Secrets of the channels file that lie elsewhere: `{ "file": "PATH" }` or `{ "env": "NAME" }` stands for a text.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isObject } from '../base/object.ts'
import { SettingError } from '../errors/catalogue.ts'

export type SecretSources = {
  /** Relative paths start here. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export function sourcesBeside(channelsFile: string): SecretSources {
  return { folder: dirname(channelsFile), env: process.env }
}

/** Reads every such value in an entry, at any depth. `where` names the entry in errors. */
export function readSecrets(value: unknown, where: string, sources: SecretSources): unknown {
  if (Array.isArray(value)) return value.map((one) => readSecrets(one, where, sources))
  if (!isObject(value)) return value
  const [only, ...others] = Object.entries(value)
  if (only !== undefined && others.length === 0 && typeof only[1] === 'string') {
    if (only[0] === 'file') return fromFile(only[1], where, sources)
    if (only[0] === 'env') return fromEnv(only[1], where, sources)
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, readSecrets(one, `${where}: "${name}"`, sources)]),
  )
}

/** The paths of all files that such values name. */
export function secretFilesIn(value: unknown, sources: SecretSources): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => secretFilesIn(one, sources))
  if (!isObject(value)) return []
  const { file, ...others } = value
  if (typeof file === 'string' && Object.keys(others).length === 0) return [resolve(sources.folder, file)]
  return Object.values(value).flatMap((one) => secretFilesIn(one, sources))
}

/** Editors end a file with a line break that is not part of the secret. */
function fromFile(path: string, where: string, sources: SecretSources): string {
  const text = textOf(path, where, sources)
  if (text !== '') return text
  throw new SettingError(`${where}: the file ${path} is empty`)
}

function textOf(path: string, where: string, { folder }: SecretSources): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isAbsent ? 'does not exist' : 'cannot be read: it must be a file that this user may read'
    throw new SettingError(`${where}: the file ${path} ${why}`)
  }
}

function fromEnv(name: string, where: string, { env }: SecretSources): string {
  const value = env[name]
  if (value !== undefined && value !== '') return value
  throw new SettingError(`${where}: the environment variable ${name} is not set`)
}
