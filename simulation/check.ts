// A check is a condition that must hold whenever the faults are over. Each check is a file in checks/, listed in checks/all.ts.
import type { World } from './world/world.ts'

export type Check = {
  readonly name: string
  /** The promise in one sentence. */
  readonly promise: string
  run(world: World): Promise<Checked>
}

export type Checked = {
  /** The number of comparisons: a check that compares nothing proves nothing. */
  readonly compared: number
  readonly findings: readonly Finding[]
}

export type Finding = {
  readonly what: string
  /** The order or refund number, for its history; '' if there is none. */
  readonly about: string
  /** The rows that show the finding. */
  readonly rows?: unknown
}
