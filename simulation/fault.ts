// What goes wrong. Each fault is a small file in faults/, listed in faults/all.ts.
import type { Random } from '../test/random.ts'
import type { World } from './world/world.ts'

export type Fault = {
  readonly name: string
  readonly weight: number
  /** How long it lasts, at most. */
  readonly forMs: number
  /** Undefined where this machine cannot do it, with the reason printed once. */
  readonly unavailable?: (world: World) => string | undefined
  /** Returns what ends it. Both may come while other faults last. */
  inject(world: World, random: Random): Promise<Heal>
}

export type Heal = () => Promise<void> | void
