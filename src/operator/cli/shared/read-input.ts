import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Given } from '../command.ts'

/**
 * Resolves a path that the operator typed. npm runs the command in the project's folder. INIT_CWD is the folder in
 * which the operator typed the path.
 */
export function typedPath(file: string): string {
  return resolve(process.env.INIT_CWD ?? '', file)
}

export async function readTextFile(file: string): Promise<string> {
  return (await readBinaryFile(file)).toString('utf8')
}

export async function readBinaryFile(file: string): Promise<Buffer> {
  try {
    return await readFile(typedPath(file))
  } catch (error) {
    throw new OperatorRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Reads a time. Without a text, returns `now`. A text with a time of day needs a zone, because the time would otherwise
 * depend on the machine. A text with only a day means the start of the day in UTC.
 */
export function readTime(text: string | undefined, now: Date): Date {
  if (text === undefined) return now
  const at = new Date(text)
  const isWhole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  if (isWhole && !Number.isNaN(at.getTime())) return at
  throw new OperatorRefusal(`${text} is not a time: write 2026-01-31T00:00:00Z, or a day as 2026-01-31`)
}

export const reasonOption = { value: 'TEXT', required: true, help: 'why; it stays in the audit log' } as const

const MOST = 500

export function readReason(given: Given): string {
  const reason = (given.text('reason') ?? '').trim()
  const length = [...reason].length
  if (length >= 1 && length <= MOST && !/\p{Cc}|\p{Cs}/u.test(reason)) return reason
  throw new OperatorRefusal(`--reason must have 1 to ${MOST} characters and no control characters`)
}
