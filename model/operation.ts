// An operation moves money in the gateway and in the model. A step is an operation with its input. The input is plain
// data, so steps can be printed, shrunk and pasted into a test.
import { inspect } from 'node:util'
import type fc from 'fast-check'
import type { Gateway } from './gateway.ts'
import type { Model } from './rules/facts.ts'

type Definition<Input> = {
  readonly name: string
  /** How often the operation is drawn, compared with the others. */
  readonly weight: number
  readonly input: fc.Arbitrary<Input>
  /** Returns false if the model has nothing to which the operation could apply. */
  readonly isPossible?: (model: Model, input: Input) => boolean
  /**
   * Performs the operation in the gateway, and in the model by the model's rules. Throws if the gateway answers
   * otherwise.
   */
  readonly run: (model: Model, gateway: Gateway, input: Input) => Promise<void>
}

export type Step = {
  readonly operation: string
  /** The step as code. */
  readonly text: string
  isPossible(model: Model): boolean
  run(model: Model, gateway: Gateway): Promise<void>
}

export type Operation<Input> = {
  readonly name: string
  readonly weight: number
  readonly steps: fc.Arbitrary<Step>
  step(input: Input): Step
}

const NO_PROTOTYPE = '[Object: null prototype] '

export function operation<Input>(defined: Definition<Input>): Operation<Input> {
  const { name, weight, input, isPossible = () => true, run } = defined
  const step = (given: Input): Step => ({
    operation: name,
    text: `${name}.step(${inspect(given, { breakLength: Number.POSITIVE_INFINITY }).replace(NO_PROTOTYPE, '')})`,
    isPossible: (model) => isPossible(model, given),
    run: (model, gateway) => run(model, gateway, given),
  })
  return { name, weight, steps: input.map(step), step }
}

/**
 * Returns the item that the number chooses: the number modulo the length of the list. Returns undefined if the list is
 * empty.
 */
export function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(items.length, 1)]
}

/** Returns the item that the number chooses. `isPossible` has ensured that the list is not empty. */
export function mustPick<Item>(items: readonly Item[], at: number): Item {
  const found = pick(items, at)
  if (found === undefined) throw new Error('the model has nothing to choose from')
  return found
}

/** Returns a short list in every possible order, because work at the same moment may happen in any order. */
export function ordersOfAll<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((first) =>
    ordersOfAll(items.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  )
}
