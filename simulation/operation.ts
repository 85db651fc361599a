// An operation of a merchant, payer or operator. The operations are in operations/, and are listed in
// operations/all.ts.
import type { Random } from '../test/harness/random.ts'
import type { Shop } from './witness.ts'
import type { World } from './world/world.ts'

export type Operation = {
  readonly name: string
  /** The relative frequency of the operation. */
  readonly weight: number
  /** Records its requests and their answers in the witness. Throws only if the simulation itself is wrong. */
  run(actor: Actor): Promise<void>
}

export type Actor = {
  readonly world: World
  readonly random: Random
  readonly shop: Shop
}
