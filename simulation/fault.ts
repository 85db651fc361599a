// A fault that the simulation injects. The faults are in faults/, listed in faults/all.ts.
import type { Random } from '../test/harness/random.ts'
import type { World } from './world/world.ts'

export type Fault = {
  readonly name: string
  readonly weight: number
  /** The longest duration of the fault. */
  readonly forMs: number
  /** Returns the reason why this machine cannot inject the fault, which is printed once; undefined if it can. */
  readonly unavailable?: (world: World) => string | undefined
  /** Returns the function that ends the fault. Both may be called while other faults last. */
  inject(world: World, random: Random): Promise<Heal>
}

export type Heal = () => Promise<void> | void
