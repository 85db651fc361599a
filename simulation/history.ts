// The history of a run, in order of time: requests with their answers, faults, and other events. The history is written
// to a file line by line. The report of a failed run reads the entries about a finding from this file.
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'

export type Entry = {
  /** Milliseconds since the run began. */
  readonly at: number
  readonly what: string
  /** The order number, refund number or node that the entry is about. */
  readonly about: string
  readonly detail?: unknown
}

export type History = {
  add(what: string, about: string, detail?: unknown): void
  /** All entries about these subjects, and the faults that came close to them, in order of time. */
  of(subjects: readonly string[]): Promise<readonly Entry[]>
  readonly file: string
  close(): Promise<void>
}

/**
 * A fault may have caused an entry if the fault began or ended at most BEFORE_MS before or AFTER_MS after the entry.
 */
const BEFORE_MS = 2_000
const AFTER_MS = 300

export function openHistory(file: string): History {
  const startedAt = Date.now()
  const stream = createWriteStream(file)
  return {
    file,
    add(what, about, detail) {
      const entry: Entry = {
        at: Date.now() - startedAt,
        what,
        about,
        ...(detail !== undefined && { detail }),
      }
      stream.write(`${JSON.stringify(entry, withBigints)}\n`)
    },
    async of(subjects) {
      await new Promise((resolve) => stream.write('', resolve))
      const [own, faults] = await readEntries(file, subjects)
      return withOverlapping(own, faults)
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  }
}

async function readEntries(file: string, subjects: readonly string[]): Promise<[Entry[], Entry[]]> {
  const own: Entry[] = []
  const faults: Entry[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const isFault = line.includes('"what":"fault ')
    if (!isFault && !subjects.some((subject) => line.includes(subject))) continue
    const entry: Entry = JSON.parse(line)
    if (isFault) faults.push(entry)
    else if (subjects.includes(entry.about)) own.push(entry)
  }
  return [own, faults]
}

/** Adds the beginnings and ends of faults that came shortly before or after one of the entries. */
function withOverlapping(own: readonly Entry[], faults: readonly Entry[]): Entry[] {
  const isNear = (fault: Entry) =>
    own.some(({ at }) => fault.at >= at - BEFORE_MS && fault.at <= at + AFTER_MS)
  return [...own, ...faults.filter(isNear)].sort((one, other) => one.at - other.at)
}

export function withBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
