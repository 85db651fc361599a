// Runs the simulation on a copy with a planted bug, seed after seed, until a run finds the bug.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bug } from './bug.ts'
import { plant } from './plant.ts'

export type Budget = {
  readonly seeds: readonly number[]
  /** The time for all seeds together. */
  readonly minutes: number
  /** The folder for the output of each run. If undefined, the output is not written. */
  readonly logs: string | undefined
}

export type Proof =
  | { readonly kind: 'found'; readonly seed: number; readonly afterMs: number; readonly checks: string }
  | { readonly kind: 'not found'; readonly afterMs: number }
  /** The simulation itself failed, so the run says nothing about the bug. */
  | { readonly kind: 'crashed'; readonly seed: number; readonly afterMs: number; readonly why: string }

const MINUTE_MS = 60_000
/** The minimum time of a run. The first run may be shorter. */
const SHORTEST_MINUTES = 0.5
/** The additional time to start, settle and check. A run that takes longer counts as hanging and is killed. */
const HANGS_AFTER_MS = 10 * MINUTE_MS

export async function prove(bug: Bug, budget: Budget): Promise<Proof> {
  const { seeds, minutes } = budget
  const planted = plant(bug)
  const startedAt = Date.now()
  const usedMinutes = () => (Date.now() - startedAt) / MINUTE_MS
  let proof: Proof | undefined
  try {
    for (const [at, seed] of seeds.entries()) {
      // The remaining seeds share the remaining time.
      const share = (minutes - usedMinutes()) / (seeds.length - at)
      if (share < SHORTEST_MINUTES && at > 0) break
      const log = openLog(budget.logs, `${bug.name}-${seed}.log`)
      const ended = await simulate(planted.folder, argsOf(bug, seed, share), share, log)
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
  /** The names of the checks with findings, followed by the first finding; '' without findings. */
  readonly checks: string
  readonly last: string
}

type Log = { write(text: string): void; end(): void }

function openLog(folder: string | undefined, name: string): Log {
  if (folder === undefined) return { write: () => {}, end: () => {} }
  mkdirSync(folder, { recursive: true })
  return createWriteStream(join(folder, name))
}

/** Rounds are short, because the checks run after each round. */
const ROUND_SECONDS = 20

function argsOf({ only }: Bug, seed: number, minutes: number): string[] {
  const own = only === undefined ? [] : ['--only', only.join(',')]
  const times = ['--minutes', minutes.toFixed(2), '--round', String(ROUND_SECONDS)]
  return ['simulation/main.ts', '--seed', String(seed), ...times, ...own]
}

function simulate(folder: string, args: readonly string[], minutes: number, log: Log): Promise<Ended> {
  // The run gets its own process group, so that killing a hanging run also kills its child processes.
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
