// A secret that is made once and kept in a file. Several processes may start for the first time at once: one file counts,
// and nobody sees half of it, because it gets its name only when it is whole.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What the file holds, white space around it aside; made first where there is none. */
export function keptFile(file: string, make: () => string): string {
  return readKept(file) ?? keep(file, make())
}

/** Undefined where there is no such file, or nothing in it. */
function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function keep(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  const kept = readKept(file)
  if (kept === undefined) throw new Error(`${file} is empty: remove it, and it is made anew`)
  return kept
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
