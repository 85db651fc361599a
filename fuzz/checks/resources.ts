// The gateway's memory and descriptors, which must not grow with the number of inputs.
import { existsSync, readdirSync } from 'node:fs'
import { residentMb } from '../../bench/memory.ts'
import type { Inspector } from '../inspector.ts'

export type Resources = {
  readonly heapMb: number
  readonly residentMb: number
  /** Open files and sockets; NaN if the system does not report them. */
  readonly descriptors: number
}

/**
 * The allowed growth of the heap: caches fill up to their bounds, and newly reached code is compiled and gets counters.
 */
const MORE_HEAP_MB = 24
/** The allowed growth of the descriptors: the pool opens database connections up to its size. */
const MORE_DESCRIPTORS = 64

export async function measure(pid: number, inspector: Inspector): Promise<Resources> {
  await inspector.post('HeapProfiler.collectGarbage')
  const usage = await inspector.post('Runtime.getHeapUsage')
  return { heapMb: usedIn(usage) / 2 ** 20, residentMb: residentMb(pid), descriptors: descriptorsOf(pid) }
}

export function growth(before: Resources, after: Resources): string[] {
  const problems: string[] = []
  if (after.heapMb > before.heapMb + MORE_HEAP_MB)
    problems.push(`the heap grew from ${Math.round(before.heapMb)} to ${Math.round(after.heapMb)} MB`)
  if (after.descriptors > before.descriptors + MORE_DESCRIPTORS)
    problems.push(`${after.descriptors} descriptors are open, ${before.descriptors} were`)
  return problems
}

function descriptorsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return existsSync(folder) ? readdirSync(folder).length : Number.NaN
}

function usedIn(usage: unknown): number {
  const isUsage = typeof usage === 'object' && usage !== null && 'usedSize' in usage
  return isUsage ? Number(usage.usedSize) : Number.NaN
}
