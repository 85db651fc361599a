// The parts of src that a process has run, by V8's own block coverage. The program runs as it is, without
// instrumentation.
//
// V8 reports ranges of characters, and an inner range overrides the outer range around it. V8 joins ranges with equal
// counts, so the same code may be reported in different ranges. Therefore ranges are converted to single characters
// here: a character that runs for the first time is new code.
import type { Profiler } from 'node:inspector'
import type { Inspector } from './inspector.ts'

export type Coverage = {
  /** Adds the code that ran since the last call. Returns the code that ran for the first time. */
  take(): Promise<Reached>
  /** Returns the part of this code that ran since the last call. */
  takeOf(code: Reached): Promise<Reached>
  totals(): Totals
}

/** For each file, the characters of its code. */
export type Reached = ReadonlyMap<string, ReadonlySet<number>>

export type Totals = {
  readonly functions: number
  readonly allFunctions: number
  readonly characters: number
  readonly allCharacters: number
}

type FileCoverage = {
  /** A byte for each character: 1 when it has run. */
  run: Uint8Array
  /**
   * 1 for a character inside of a function. Other code runs when the file is loaded, and would hide how much is called.
   */
  inside: Uint8Array
  /** True for each function that has run, by its place in the file. */
  readonly functions: Map<string, boolean>
}

const sources = new URL('../src/', import.meta.url).href

/**
 * Callers open the coverage before the program is loaded, because V8 covers a function that is already compiled only as
 * a whole.
 */
export async function openCoverage(inspector: Inspector): Promise<Coverage> {
  const files = new Map<string, FileCoverage>()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  const takeAll = async (): Promise<Profiler.ScriptCoverage[]> => {
    const taken = await inspector.post('Profiler.takePreciseCoverage')
    return isTaken(taken) ? taken.result.filter(({ url }) => url.startsWith(sources)) : []
  }
  return {
    async take() {
      const scripts = await takeAll()
      return reachedIn(scripts, (script) => add(fileOf(files, script), script))
    },
    async takeOf(code) {
      const scripts = await takeAll()
      return reachedIn(scripts, (script) => {
        const run = paint(script)
        return [...(code.get(script.url) ?? [])].filter((at) => run[at] === 1)
      })
    },
    totals: () => totalsOf([...files.values()]),
  }
}

export function without(code: Reached, gone: Reached): Reached {
  const left = [...code].map(([url, all]) => [url, all.difference(gone.get(url) ?? new Set())] as const)
  return new Map(left.filter(([, characters]) => characters.size > 0))
}

function isTaken(value: unknown): value is Profiler.TakePreciseCoverageReturnType {
  return typeof value === 'object' && value !== null && 'result' in value
}

function reachedIn(
  scripts: readonly Profiler.ScriptCoverage[],
  charactersOf: (script: Profiler.ScriptCoverage) => readonly number[],
): Reached {
  const all = scripts.map((script) => [script.url, new Set(charactersOf(script))] as const)
  return new Map(all.filter(([, characters]) => characters.size > 0))
}

function fileOf(files: Map<string, FileCoverage>, { url }: Profiler.ScriptCoverage): FileCoverage {
  const file = files.get(url) ?? { run: new Uint8Array(0), inside: new Uint8Array(0), functions: new Map() }
  files.set(url, file)
  return file
}

/** Returns the characters that ran for the first time. */
function add(file: FileCoverage, script: Profiler.ScriptCoverage): number[] {
  const painted = paint(script)
  file.run = atLeast(file.run, painted.length)
  file.inside = atLeast(file.inside, painted.length)
  for (const { ranges } of script.functions) {
    const [whole] = ranges
    if (whole === undefined || whole.startOffset === 0) continue
    const place = `${whole.startOffset}-${whole.endOffset}`
    file.functions.set(place, file.functions.get(place) === true || whole.count > 0)
    file.inside.fill(1, whole.startOffset, whole.endOffset)
  }
  const added: number[] = []
  for (let at = 0; at < painted.length; at++) {
    if (painted[at] !== 1 || file.run[at] === 1) continue
    file.run[at] = 1
    added.push(at)
  }
  return added
}

function atLeast(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length >= length) return bytes
  const longer = new Uint8Array(length)
  longer.set(bytes)
  return longer
}

/** Marks the characters that ran. V8 lists outer functions and ranges first, so inner ranges override them. */
function paint({ functions }: Profiler.ScriptCoverage): Uint8Array {
  const ranges = functions.flatMap((one) => one.ranges)
  const painted = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)))
  for (const { startOffset, endOffset, count } of ranges)
    painted.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return painted
}

function totalsOf(files: readonly FileCoverage[]): Totals {
  const functions = files.flatMap((file) => [...file.functions.values()])
  return {
    functions: functions.filter((isRun) => isRun).length,
    allFunctions: functions.length,
    characters: sum(
      files.map(({ run, inside }) => inside.reduce((count, one, at) => count + (one & (run[at] ?? 0)), 0)),
    ),
    allCharacters: sum(files.map(({ inside }) => inside.reduce((count, one) => count + one, 0))),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
