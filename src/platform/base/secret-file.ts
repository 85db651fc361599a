// Secrets in the data folder. Files have mode 0600, and the folders of secrets have mode 0700. If an older version or a
// lax umask left wider modes, the next use corrects them.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { hasCode } from './thrown.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077

/**
 * Creates the data folder if it is missing. Other users may enter the folder but not list it, because the embedded
 * database runs as another user if root starts the gateway. An existing folder keeps its mode.
 */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
}

/** Creates the folder if it is missing, and removes other users' access to the folder and its files. */
export function openSecretFolder(folder: string): void {
  openDataFolder(dirname(folder))
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  closeToOthers(folder)
  for (const name of readdirSync(folder)) closeToOthers(join(folder, name))
}

/**
 * Creates the file if it is missing, and removes other users' access. The caller passes the file to a library such as
 * SQLite, which writes its content.
 */
export function openSecretFile(file: string): void {
  openDataFolder(dirname(file))
  closeSync(openSync(file, 'a', FILE_MODE))
  closeToOthers(file)
}

/** Replaces the file atomically: a reader sees the old or the new content. */
export function replaceSecret(file: string, text: string): void {
  openDataFolder(dirname(file))
  const draft = writeDraft(file, text)
  try {
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft)
    throw error
  }
}

/**
 * Returns the content without surrounding white space, and creates the file if it is missing. If several processes
 * start at once, only one creates the file. No process reads a partial file, because a file gets its name only when its
 * content is complete.
 */
export function readOrCreateSecret(file: string, create: () => string): string {
  const known = readSecret(file)
  if (known !== undefined) return known
  openDataFolder(dirname(file))
  const draft = writeDraft(file, `${create()}\n`)
  try {
    linkSync(draft, file)
  } catch (error) {
    // Another process has created the file first. Its secret is read below.
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  const stored = readSecret(file)
  if (stored === undefined) throw new Error(`${file} is empty: delete it, and a new one is created`)
  return stored
}

/** The secret in the file. Undefined if the file is missing or empty. */
export function readSecret(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim()
    closeToOthers(file)
    return text || undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Writes and syncs a temporary file, which the caller renames or removes. */
function writeDraft(file: string, text: string): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, text, { mode: FILE_MODE, flag: 'wx', flush: true })
  return draft
}

/** Removes other users' access. Skips links and files of other users, which `doctor` reports. */
export function closeToOthers(path: string): void {
  try {
    const stats = lstatSync(path)
    if ((stats.mode & OTHERS) === 0) return
    if (stats.isDirectory()) chmodSync(path, FOLDER_MODE)
    else if (stats.isFile()) chmodSync(path, FILE_MODE)
  } catch (error) {
    // EPERM: another user owns the file. ENOENT: SQLite removes its side files when the last process closes the
    // database.
    if (!hasCode(error, 'EPERM', 'ENOENT')) throw error
  }
}
