// The folder that the bank's client fills. The gateway claims a file by renaming it into `work`. After reading, the
// file is moved to `done` or, if it cannot be read, to `bad`, with a text file that gives the reason. A file that a
// crash left in `work` is read again. Reading is idempotent, because each change is recorded under a fixed key.
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../platform/base/thrown.ts'
import { ignoreMissing } from './files.ts'
import { BadFile, MAX_FILE_BYTES } from './xml.ts'

type Inbox = {
  /** Returns the names of at most MAX_CLAIMED files to read: complete files, and those that a crash left. */
  claim(): Promise<string[]>
  /** Returns undefined if another gateway has already moved the file. */
  read(name: string): Promise<Buffer | undefined>
  /** Returns the path to which `done` will write the file's table. */
  tableOf(name: string): Promise<string>
  /** `table` is for `tollgate reconcile`. Undefined if the file has no table. */
  done(name: string, table: string | undefined): Promise<void>
  bad(name: string, why: string): Promise<void>
}

const MAX_CLAIMED = 100
const TABLE = '.csv'

export function openInbox(folder: string): Inbox {
  const places = { work: join(folder, 'work'), done: join(folder, 'done'), bad: join(folder, 'bad') }
  /** Size and time of each file in the previous round. A file that has changed since then is still being written. */
  let seen = new Map<string, string>()

  async function readyFiles(): Promise<string[]> {
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile() && isWanted(entry.name)).map(({ name }) => name)
    const now = new Map<string, string>()
    for (const name of names.sort()) now.set(name, await stateOf(join(folder, name)))
    const ready = [...now].filter(([name, state]) => state !== '' && seen.get(name) === state)
    seen = now
    return ready.map(([name]) => name)
  }

  /**
   * Writes the text beside the target, then moves the file. After a crash between the two steps, the file is still in
   * `work`, and both steps are repeated.
   */
  async function move(
    name: string,
    place: 'done' | 'bad',
    beside: { readonly suffix: string; readonly text: string } | undefined,
  ): Promise<void> {
    const target = await targetOf(name, place)
    if (beside !== undefined) await writeFile(target + beside.suffix, beside.text, { mode: 0o640 })
    await ignoreMissing(rename(join(places.work, name), target))
  }

  async function targetOf(name: string, place: 'done' | 'bad'): Promise<string> {
    return join(places[place], await freeName(places[place], name))
  }

  return {
    async claim() {
      for (const place of Object.values(places)) await mkdir(place, { recursive: true, mode: 0o750 })
      const left = (await readdir(places.work)).sort().slice(0, MAX_CLAIMED)
      const ready = (await readyFiles()).filter((name) => !left.includes(name))
      const claimed: string[] = []
      for (const name of ready.slice(0, MAX_CLAIMED - left.length))
        if (await ignoreMissing(rename(join(folder, name), join(places.work, name)))) claimed.push(name)
      return [...left, ...claimed]
    },
    async read(name) {
      const path = join(places.work, name)
      try {
        if ((await stat(path)).size > MAX_FILE_BYTES)
          throw new BadFile(`is larger than ${MAX_FILE_BYTES} bytes`)
        return await readFile(path)
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
    },
    tableOf: async (name) => (await targetOf(name, 'done')) + TABLE,
    done: (name, table) => move(name, 'done', table === undefined ? table : { suffix: TABLE, text: table }),
    bad: (name, why) => move(name, 'bad', { suffix: '.why.txt', text: `${name} ${why}.\n` }),
  }
}

/** False for hidden and temporary names, under which clients first write a file, and for tables (.csv). */
function isWanted(name: string): boolean {
  return !name.startsWith('.') && !/\.(tmp|part|filepart|csv)$/i.test(name)
}

/** Returns size and time; '' if the file does not exist any more. */
async function stateOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(path)
    return `${size} ${mtimeMs}`
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}

/** Returns a name that no file in the folder has: banks use the same name for different files. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set(await readdir(folder))
  for (let copy = 1; ; copy++) {
    const candidate = copy === 1 ? name : `${name}.${copy}`
    if (!taken.has(candidate)) return candidate
  }
}
