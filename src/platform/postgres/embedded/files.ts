// Creates the embedded PostgreSQL's folders. Invariant: a folder without `.new-` in its name is complete. Folders are
// created as drafts and renamed in one step, so concurrent starts and killed processes leave no incomplete folder.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { hasCode } from '../../base/thrown.ts'

/** The user of the server, as options for spawn. Empty for the user of this process. */
export type ServerUser = { readonly uid?: number; readonly gid?: number }

const sharedFolder = '/var/lib/tollgate'
const draftName = /\.new-(\d+)-[0-9a-f]{8}$/

/** Fills a draft folder and renames it. If several processes do this, all use the folder of the first process. */
export async function make(path: string, fill: (draft: string) => void | Promise<void>): Promise<string> {
  const draft = `${path}.new-${process.pid}-${randomHex()}`
  mkdirSync(draft, { mode: 0o700 })
  try {
    await fill(draft)
    renameSync(draft, path)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  syncFolder(dirname(path))
  return path
}

export function sweepDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = draftName.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // The initdb of a killed process may still be writing into the draft. The next start tries again.
    }
  }
}

/** Creates a folder that an ordinary user can enter, for data and programs that otherwise only root could use. */
export function openSharedFolder(): string {
  mkdirSync(sharedFolder, { recursive: true })
  chmodSync(sharedFolder, 0o755)
  sweepDrafts(sharedFolder)
  return sharedFolder
}

/**
 * True if the user can enter the folder. The system runs the test as that user, because modes, groups and access lists
 * all count.
 */
export function canEnter(user: ServerUser, dir: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', dir], { ...user, cwd: '/' }).status === 0
}

/** Gives the path to the user. Links are not followed, because other users may create a link with this name. */
export function giveTo({ uid, gid }: ServerUser, path: string): void {
  if (uid !== undefined && gid !== undefined) lchownSync(path, uid, gid)
}

/** Writes the folder's names to disk. A new name in a folder survives a power failure only after this call. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined
    throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

export function randomHex(): string {
  return randomBytes(4).toString('hex')
}
