// The finds of a run. Each kind of find is printed once, and written to a file that `--replay` runs again.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Input } from './input.ts'

export type Find = {
  readonly target: string
  readonly seed: number
  readonly problem: string
  /**
   * The input that caused the problem, or the last batch if the problem showed only after it. Empty for a problem at
   * the end of the run.
   */
  readonly inputs: readonly Input[]
}

export type Finds = {
  /** Returns false if a find of the same kind is known. */
  add(find: Find): boolean
  readonly all: readonly Find[]
}

const folder = fileURLToPath(new URL('./finds/', import.meta.url))
const SHOWN = 400

export function openFinds(say: (line: string) => void): Finds {
  const all: Find[] = []
  const known = new Set<string>()
  return {
    all,
    add(find) {
      const kind = kindOf(find)
      if (known.has(kind)) return false
      known.add(kind)
      all.push(find)
      const file = writeFind(find, kind)
      const [first] = find.inputs
      say(`FOUND in ${find.target}, seed ${find.seed}: ${find.problem}`)
      say(`  ${JSON.stringify(first ?? {}).slice(0, SHOWN)}`)
      say(`  again with: npm run fuzz -- --replay ${file}`)
      return true
    },
  }
}

/** Replaces words with digits, because times, order numbers and addresses differ from one occurrence to the next. */
function kindOf({ target, problem }: Find): string {
  return `${target} ${problem.replace(/\b(?=\w*\d)\w{4,}\b/g, '#')}`
}

function writeFind(find: Find, kind: string): string {
  mkdirSync(folder, { recursive: true })
  const hash = createHash('sha256').update(kind).digest('hex').slice(0, 8)
  const file = join(folder, `${find.target}-${hash}.json`)
  writeFileSync(file, `${JSON.stringify(find, undefined, 2)}\n`)
  return file
}

export function readFind(file: string): Find {
  return JSON.parse(readFileSync(file, 'utf8'))
}
