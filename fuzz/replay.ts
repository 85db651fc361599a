// Runs the inputs of a find again, one after the other, at a new gateway.
import { brokenRules } from './checks/books.ts'
import { watchLog } from './checks/log.ts'
import type { Find } from './finds.ts'
import type { Target } from './input.ts'
import type { World } from './world.ts'

/** Returns true if the repeated inputs cause no problem. */
export async function replay(
  world: World,
  [target]: readonly Target[],
  find: Find,
  say: (line: string) => void,
): Promise<boolean> {
  if (target === undefined) throw new Error(`there is no target ${find.target}`)
  const log = watchLog(world.gateway.output)
  const problems: string[] = []
  for (const seed of target.seeds) await target.run(seed)
  for (const input of find.inputs) {
    const { problem, answer } = await target.run(input)
    if (find.inputs.length === 1) say(`answer: ${answer ?? '-'}`)
    if (problem === undefined) continue
    problems.push(problem)
    say(`${problem}: ${JSON.stringify(input)}`)
  }
  await target.close?.()
  problems.push(...log.problems(), ...(await brokenRules(world.db)))
  say(`then: ${find.problem}`)
  for (const problem of new Set(problems)) say(`now:  ${problem}`)
  if (problems.length === 0) say('now:  nothing')
  return problems.length === 0
}
