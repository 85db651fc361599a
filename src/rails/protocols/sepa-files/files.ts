// Writes files that survive a crash. Only a complete file gets its final name, so no other program reads an incomplete
// file.
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../platform/base/thrown.ts'

/** Writes a new file. Returns after its content and its name are on disk. */
export async function writeDurably(folder: string, name: string, content: string): Promise<void> {
  const file = await open(join(folder, name), 'wx', 0o640)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(folder)
}

/** Renames a file. Does nothing if the file `from` does not exist, because it was renamed before. */
export async function renameOnce(folder: string, from: string, to: string): Promise<void> {
  await ignoreMissing(rename(join(folder, from), join(folder, to)))
  await syncFolder(folder)
}

/**
 * Removes the remaining temporary files of the message. Several processes may have written the message, but only one of
 * the files is renamed to the final name.
 */
export async function removeTemporary(folder: string, id: string): Promise<void> {
  const names = await readdir(folder)
  const left = names.filter((name) => name.startsWith(`${id}.`) && name.endsWith('.tmp'))
  for (const name of left) await rm(join(folder, name), { force: true })
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns false if `work` failed because a file is missing. */
export async function ignoreMissing(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    return false
  }
}
