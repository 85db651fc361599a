// Everything secret in the data folder is written here: files for their owner alone (0600) in folders that nobody else
// enters (0700). What an older version or a lax umask left open is closed when it is next used.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { hasCode } from './error-code.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077

/**
 * The data folder itself: others may pass through but not list it, because under root the embedded database runs as
 * another user. One that exists keeps the mode that its owner gave it.
 */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
}

/** Made if missing; the files that lie in it are closed to others too. */
export function openSecretFolder(folder: string): void {
  openDataFolder(dirname(folder))
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  closeToOthers(folder)
  for (const name of readdirSync(folder)) closeToOthers(join(folder, name))
}

/** For a file that somebody else writes, such as SQLite: there from now on, and for its owner alone. */
export function openSecretFile(file: string): void {
  openDataFolder(dirname(file))
  closeSync(openSync(file, 'a', FILE_MODE))
  closeToOthers(file)
}

/** Replaces the file whole: a reader sees the old content or the new one. */
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

/** A new file beside `file`, on disk before this returns; the caller gives it its name or removes it. */
export function writeDraft(file: string, text: string): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, text, { mode: FILE_MODE, flag: 'wx', flush: true })
  return draft
}

/** Links are left alone, and so is what belongs to another user: `doctor` tells of that. */
export function closeToOthers(path: string): void {
  try {
    const stats = lstatSync(path)
    if ((stats.mode & OTHERS) === 0) return
    if (stats.isDirectory()) chmodSync(path, FOLDER_MODE)
    else if (stats.isFile()) chmodSync(path, FILE_MODE)
  } catch (error) {
    // SQLite removes its side files when the last process leaves.
    if (!hasCode(error, 'EPERM', 'ENOENT')) throw error
  }
}
