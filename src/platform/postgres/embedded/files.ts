// Creates the embedded PostgreSQL's folders, and checks what its user can reach.
// Invariant: a folder without `.new-` in its name is complete. Folders are created as drafts and renamed in one step, so
// concurrent starts and killed processes never leave an incomplete one.
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
import { hasCode } from '../../base/error-code.ts'

/** Options for spawn; empty when the server runs as this process's user. */
export type ServerUser = { readonly uid?: number; readonly gid?: number }

const sharedFolder = '/var/lib/tollgate'
const draftName = /\.new-(\d+)-[0-9a-f]{8}$/

/** Fills a draft folder and renames it. The first process wins, and the others use its folder. */
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

/** Removes the drafts of processes that have ended. */
export function sweepDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = draftName.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // A killed process's initdb may still be writing there: the next start tries again.
    }
  }
}

/** Creates a folder outside of one that only root can enter. */
export function openSharedFolder(): string {
  mkdirSync(sharedFolder, { recursive: true })
  chmodSync(sharedFolder, 0o755)
  sweepDrafts(sharedFolder)
  return sharedFolder
}

/** Tested by the system as that user, because modes, groups and access lists all count. */
export function canEnter(user: ServerUser, dir: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', dir], { ...user, cwd: '/' }).status === 0
}

/** Does not follow links: other users may create one under this name. */
export function giveTo({ uid, gid }: ServerUser, path: string): void {
  if (uid !== undefined && gid !== undefined) lchownSync(path, uid, gid)
}

/** A new name is safe from a power failure only once its folder is on the disk. */
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
