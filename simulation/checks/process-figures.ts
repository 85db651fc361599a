// The resources of a process, as Linux counts them.
import { readdirSync, readFileSync } from 'node:fs'

export type ProcessFigures = {
  readonly rssMb: number
  /** The number of open files and sockets. */
  readonly files: number
  readonly threads: number
}

/** Returns undefined if the process has ended, or if the system has no /proc. */
export function figuresOf(pid: number): ProcessFigures | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return {
      rssMb: Math.round(numberIn(status, 'VmRSS') / 1024),
      files: readdirSync(`/proc/${pid}/fd`).length,
      threads: numberIn(status, 'Threads'),
    }
  } catch {
    return undefined
  }
}

function numberIn(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
}
