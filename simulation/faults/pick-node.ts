// Which node a fault takes away. Mostly one of two remains to serve and one to work, so that operations meet the fault
// instead of a closed door, on a slow machine too. Now and then all of them are gone.
import type { Random } from '../../test/random.ts'
import type { Node } from '../world/node.ts'
import type { World } from '../world/world.ts'

const LAST_ONE_TOO = 0.1

export function pickRunning({ nodes }: World, random: Random): Node | undefined {
  const running = nodes.filter((node) => node.isRunning())
  if (random.chance(LAST_ONE_TOO)) return random.pick(running)
  return random.pick(running.filter(({ role }) => running.filter((other) => other.role === role).length > 1))
}
