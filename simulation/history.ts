// What happened, in order: every operation with its answer, every fault, every check. It is written to a file line by line; a
// failed run reads from it what concerns a finding.
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'

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
  /** Everything about these subjects, and the faults that overlapped it, in order of time. */
  of(subjects: readonly string[]): Promise<readonly Entry[]>
  readonly file: string
  close(): Promise<void>
}

/** Faults this long before the first entry may have caused what follows. */
const BEFORE_MS = 5_000
const BEGINS = 'fault begins'
const ENDS = 'fault ends'

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

/** A fault overlaps unless it ended before the first entry or began after the last. */
function withOverlapping(own: readonly Entry[], faults: readonly Entry[]): Entry[] {
  const [first, last] = [own[0]?.at, own.at(-1)?.at]
  if (first === undefined || last === undefined) return []
  const isNear = ({ at }: Entry) => at >= first - BEFORE_MS && at <= last
  const isOver = (begin: Entry) =>
    faults.some(
      ({ what, about, at }) => what === ENDS && about === begin.about && at > begin.at && at < first,
    )
  const lasting = faults.filter(
    (entry) => entry.what === BEGINS && entry.at < first - BEFORE_MS && !isOver(entry),
  )
  return [...own, ...lasting, ...faults.filter(isNear)].sort((one, other) => one.at - other.at)
}

export function withBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
