// Runs the simulation on a copy with a planted bug, seed after seed, until one of them finds it.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bug } from './bug.ts'
import { plant } from './plant.ts'

export type Budget = {
  readonly seeds: readonly number[]
  /** For all seeds together. */
  readonly minutes: number
  /** Where the output of each run goes; undefined: nowhere. */
  readonly logs: string | undefined
}

export type Proof =
  | { readonly kind: 'found'; readonly seed: number; readonly afterMs: number; readonly checks: string }
  | { readonly kind: 'not found'; readonly afterMs: number }
  /** A run ended with an error of its own: that finds nothing. */
  | { readonly kind: 'crashed'; readonly seed: number; readonly afterMs: number; readonly why: string }

const MINUTE_MS = 60_000
/** A shorter run is not worth its start. */
const SHORTEST_MINUTES = 0.5
/** Beyond its minutes a run starts, settles and checks. One that takes still longer hangs. */
const HANGS_AFTER_MS = 10 * MINUTE_MS

export async function prove(bug: Bug, budget: Budget): Promise<Proof> {
  const { seeds, minutes } = budget
  const planted = plant(bug)
  const startedAt = Date.now()
  const usedMinutes = () => (Date.now() - startedAt) / MINUTE_MS
  let proof: Proof | undefined
  try {
    for (const [at, seed] of seeds.entries()) {
      // Seeds that are left share what is left of the time.
      const share = (minutes - usedMinutes()) / (seeds.length - at)
      if (share < SHORTEST_MINUTES && at > 0) break
      const log = openLog(budget.logs, `${bug.name}-${seed}.log`)
      const ended = await simulate(planted.folder, seed, share, log)
      log.end()
      const afterMs = Date.now() - startedAt
      if (ended.status === 1 && ended.checks !== '')
        return { kind: 'found', seed, afterMs, checks: ended.checks }
      if (ended.status !== 0) proof = { kind: 'crashed', seed, afterMs, why: ended.last }
    }
    return proof ?? { kind: 'not found', afterMs: Date.now() - startedAt }
  } finally {
    planted.remove()
  }
}

type Ended = {
  readonly status: number | null
  /** The checks with findings, as the report names them; '' when there are none. */
  readonly checks: string
  readonly last: string
}

type Log = { write(text: string): void; end(): void }

function openLog(folder: string | undefined, name: string): Log {
  if (folder === undefined) return { write: () => {}, end: () => {} }
  mkdirSync(folder, { recursive: true })
  return createWriteStream(join(folder, name))
}

function simulate(folder: string, seed: number, minutes: number, log: Log): Promise<Ended> {
  const args = ['simulation/main.ts', '--seed', String(seed), '--minutes', minutes.toFixed(2)]
  // A group of its own, so that one that hangs is ended with all its programs.
  const child = spawn(process.execPath, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', end)
  const hangs = setTimeout(end, minutes * MINUTE_MS + HANGS_AFTER_MS)
  let report = ''
  let last = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    report += text
    log.write(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    last = (last + text).slice(-2_000)
    log.write(text)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      clearTimeout(hangs)
      process.off('exit', end)
      resolve({ status, checks: checksIn(report), last })
    })
  })
}

/** Every finding begins with a line like "round 3, ledger verify: order-parts T…". */
function checksIn(report: string): string {
  const found = [...report.matchAll(/^round \d+, ([^:\n]+): (.*)$/gm)]
  const [, , first = ''] = found[0] ?? []
  const names = [...new Set(found.map(([, check = '']) => check))].join(', ')
  return names === '' ? '' : `${names}: ${first}`
}
