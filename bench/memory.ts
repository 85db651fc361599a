// The resident memory of a process, and its peak while something runs.
import { existsSync, readFileSync } from 'node:fs'

const EVERY_MS = 250

/** Resident memory in MB (2^20); NaN if the system does not report it. */
export function residentMb(pid: number): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return Number.NaN
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1]) / 1024
}

export type MemoryWatch = { most(): number; stop(): void }

export function watchMemory(pid: number): MemoryWatch {
  let most = residentMb(pid)
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid))
  }, EVERY_MS)
  return { most: () => most, stop: () => clearInterval(timer) }
}
