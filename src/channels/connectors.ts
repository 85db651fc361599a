// How a channel of each method is made from its settings.
import { connectCard } from './card/connect.ts'
import type { Method } from './method.ts'
import type { Connect } from './settings.ts'

export const connectors: Readonly<Partial<Record<Method, Connect>>> = {
  card: connectCard,
}
