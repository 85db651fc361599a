// What happened, in order: every operation with its answer, every fault, every check. It is kept in memory by subject, and
// written to a file line by line, so that a failed run can be read later.
import { createWriteStream } from 'node:fs'

export type Entry = {
  /** Milliseconds since the run began. */
  readonly at: number
  readonly what: string
  /** The order number, refund number or node that it is about. */
  readonly about: string
  readonly detail?: unknown
}

export type History = {
  add(what: string, about: string, detail?: unknown): void
  /** Everything about a subject, and the faults that overlapped it. */
  of(about: string): readonly Entry[]
  readonly file: string
  close(): Promise<void>
}

/** Faults this long before the first entry may have caused what follows. */
const BEFORE_MS = 5_000
const FAULT = 'fault'

export function openHistory(file: string): History {
  const startedAt = Date.now()
  const stream = createWriteStream(file)
  const bySubject = new Map<string, Entry[]>()
  const faults: Entry[] = []
  return {
    file,
    add(what, about, detail) {
      const entry: Entry = {
        at: Date.now() - startedAt,
        what,
        about,
        ...(detail !== undefined && { detail }),
      }
      stream.write(`${JSON.stringify(entry)}\n`)
      if (what.startsWith(FAULT)) faults.push(entry)
      const entries = bySubject.get(about)
      if (entries === undefined) bySubject.set(about, [entry])
      else entries.push(entry)
    },
    of(about) {
      const own = bySubject.get(about) ?? []
      const first = own[0]?.at ?? 0
      const last = own.at(-1)?.at ?? 0
      const during = faults.filter(({ at }) => at >= first - BEFORE_MS && at <= last)
      return [...own, ...during].sort((one, other) => one.at - other.at)
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  }
}
