// Compares what each gateway process uses with what it used at the first pause after its start, when it was warm.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Check, Finding } from '../check.ts'
import type { Node } from '../world/node.ts'
import type { World } from '../world/world.ts'
import { figuresOf, type ProcessFigures } from './process-figures.ts'

/** Whatever its load was, a process stays below these. */
const most: ProcessFigures = { rssMb: 600, files: 400, threads: 60 }
/** Growth from one pause to a later one: garbage that is not collected yet, connections that are kept alive. */
const tolerated: ProcessFigures = { rssMb: 100, files: 30, threads: 4 }
/** What a warm process may use anyhow: one that started just before its first pause had opened hardly anything yet. */
const usual: ProcessFigures = { rssMb: 300, files: 120, threads: 20 }
const units = { rssMb: 'MB of memory', files: 'open files', threads: 'threads' } as const
const names = ['rssMb', 'files', 'threads'] as const

/** Memory is given back, and idle connections are closed, some seconds after the load. */
const PATIENCE_MS = 40_000
const CHECK_MS = 1_000

type Seen = { readonly first: ProcessFigures; last: ProcessFigures }

/** By process, in order of their first pause. */
const seenIn = new WeakMap<World, Map<number, Seen & { readonly node: string }>>()

export const processesAtRest: Check = {
  name: 'memory and files are back where they were',
  promise: 'A gateway at rest has no more memory, files and threads than at its first pause.',
  async run(world) {
    const seen = seenIn.get(world) ?? new Map()
    seenIn.set(world, seen)
    const findings: Finding[] = []
    let compared = 0
    for (const node of world.nodes) {
      const pid = node.pid()
      if (pid === undefined) continue
      const first = seen.get(pid)?.first
      const figures = await whenAtRest(pid, first)
      if (figures === undefined) continue
      seen.set(pid, { node: node.name, first: first ?? figures, last: figures })
      compared += names.length
      findings.push(...complaintsOf(node, figures, first))
    }
    return { compared, findings }
  },
}

/** Memory in megabytes at the first and the last pause of each node, whichever of its processes ran then. */
export function memoryByNode(world: World): ReadonlyMap<string, { first: number; last: number }> {
  const byNode = new Map<string, { first: number; last: number }>()
  for (const { node, first, last } of seenIn.get(world)?.values() ?? []) {
    const known = byNode.get(node)
    byNode.set(node, { first: known?.first ?? first.rssMb, last: last.rssMb })
  }
  return byNode
}

async function whenAtRest(
  pid: number,
  first: ProcessFigures | undefined,
): Promise<ProcessFigures | undefined> {
  for (const deadline = Date.now() + PATIENCE_MS; ; ) {
    const figures = figuresOf(pid)
    if (figures === undefined || Date.now() > deadline) return figures
    if (names.every((name) => figures[name] <= limitOf(name, first))) return figures
    await sleep(CHECK_MS)
  }
}

function limitOf(name: keyof ProcessFigures, first: ProcessFigures | undefined): number {
  if (first === undefined) return most[name]
  return Math.min(most[name], Math.max(first[name], usual[name]) + tolerated[name])
}

function complaintsOf(node: Node, figures: ProcessFigures, first: ProcessFigures | undefined): Finding[] {
  return names
    .filter((name) => figures[name] > limitOf(name, first))
    .map((name) => ({
      what: `${node.name} has ${figures[name]} ${units[name]}, at first ${first?.[name] ?? 'unknown'}`,
      about: node.name,
      rows: { first, figures },
    }))
}
