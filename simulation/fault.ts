// A fault that the simulation injects. The faults are in faults/, listed in faults/all.ts.
import type { Random } from '../test/harness/random.ts'
import type { World } from './world/world.ts'

export type Fault = {
  readonly name: string
  readonly weight: number
  /** The longest duration of the fault. */
  readonly forMs: number
  /** Returns the reason why this machine cannot inject the fault. Returns undefined if the machine can inject it. */
  readonly unavailable?: (world: World) => string | undefined
  /** Starts the fault, and resolves to the function that ends it. Other faults may be active during both calls. */
  inject(world: World, random: Random): Promise<Heal>
}

export type Heal = () => Promise<void> | void
