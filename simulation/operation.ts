// What merchants, payers and operators do. Each operation is a small file in operations/, listed in operations/all.ts.
import type { Random } from '../test/random.ts'
import type { Shop } from './witness.ts'
import type { World } from './world/world.ts'

export type Operation = {
  readonly name: string
  /** How often it is chosen, beside the others. */
  readonly weight: number
  /** Records in the witness what it sent and was answered. Throws only when the simulation itself is wrong. */
  run(actor: Actor): Promise<void>
}

export type Actor = {
  readonly world: World
  readonly random: Random
  readonly shop: Shop
}
