// The operator decides about money in suspense: accepts it for its order, or books it back to its channel.
import { isObject } from '../../src/base/object.ts'
import type { Operation } from '../operation.ts'
import { command } from './command.ts'

export const decideSuspense: Operation = {
  name: 'decide about suspense',
  weight: 3,
  async run(actor) {
    const { random } = actor
    const listed = await command(actor, 'list suspense', 'suspense', 'suspense', 'list')
    const items = listed.kind === 'done' && Array.isArray(listed.json) ? listed.json.filter(isObject) : []
    const item = random.pick(items)
    if (item === undefined) return
    const id = String(item.suspenseId)
    const decision = random.chance(0.6) ? 'accept' : 'return'
    await command(actor, `${this.name}: ${decision}`, `suspense ${id}`, 'suspense', decision, id)
  },
}
