// A check is a condition that must hold whenever the faults are over. Each check is a file in checks/, listed in
// checks/all.ts.
import type { World } from './world/world.ts'

export type Check = {
  readonly name: string
  /** The condition in one sentence, as a promise of the gateway. */
  readonly promise: string
  run(world: World): Promise<Checked>
}

export type Checked = {
  /** The number of comparisons. With zero comparisons, a check proves nothing. */
  readonly compared: number
  readonly findings: readonly Finding[]
}

export type Finding = {
  readonly what: string
  /** The order or refund number, under which the history is found; '' if there is no such number. */
  readonly about: string
  /** The rows that show the finding. */
  readonly rows?: unknown
}
