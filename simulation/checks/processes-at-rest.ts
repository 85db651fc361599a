// Compares the resources of each gateway process with its resources at its first pause, which comes after some load.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Check, Finding } from '../check.ts'
import type { Node } from '../world/node.ts'
import type { World } from '../world/world.ts'
import { figuresOf, type ProcessFigures } from './process-figures.ts'

/** The maximum resources of any process at rest. */
const most: ProcessFigures = { rssMb: 600, files: 400, threads: 60 }
/** The tolerated growth since the first pause: uncollected garbage, and connections that are kept alive. */
const tolerated: ProcessFigures = { rssMb: 100, files: 30, threads: 4 }
/** Resources that are always accepted, because a process that has just started uses little at its first pause. */
const usual: ProcessFigures = { rssMb: 300, files: 120, threads: 20 }
const units = { rssMb: 'MB of memory', files: 'open files', threads: 'threads' } as const
const names = ['rssMb', 'files', 'threads'] as const

/** The maximum wait. Processes release memory and close idle connections some seconds after the load. */
const PATIENCE_MS = 40_000
const CHECK_MS = 1_000

type Seen = { readonly first: ProcessFigures; last: ProcessFigures }

/** The figures by process id, in the order in which the processes were first seen. */
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

/** Each node's memory in megabytes at its first and its last pause. A restarted node had several processes. */
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
