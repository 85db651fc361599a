// A secret that is made once and kept in a file. Several processes may start for the first time at once: one file counts,
// and nobody sees half of it, because it gets its name only when it is whole.
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from './error-code.ts'
import { closeToOthers, openDataFolder, writeDraft } from './secret-file.ts'

/** What the file holds, white space around it aside; made first where there is none. */
export function keptFile(file: string, make: () => string): string {
  return readKept(file) ?? keep(file, make())
}

/** Undefined where there is no such file, or nothing in it. */
function readKept(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim()
    closeToOthers(file)
    return text || undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function keep(file: string, text: string): string {
  openDataFolder(dirname(file))
  const draft = writeDraft(file, `${text}\n`)
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  const kept = readKept(file)
  if (kept === undefined) throw new Error(`${file} is empty: remove it, and it is made anew`)
  return kept
}
