// What every counterparty of the sandbox is given, and what it gives back. Each has its own book in the folder, its own
// routes on the shared port, and tells how a gateway reaches it.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../src/base/clock.ts'
import type { Bank } from './bank/bank.ts'

export type SandboxPlace = {
  readonly app: FastifyInstance
  /** Where books and keys are kept. */
  readonly folder: string
  /** The sandbox's address, known once it listens. */
  readonly url: () => string
  /** Shared with the gateway. */
  readonly secret: string
  readonly clock: Clock
  readonly minuteMs: number
}

/** One entry as a channels file has it: what a gateway needs to set the channel up. */
export type ChannelEntry = {
  readonly name: string
  readonly method: string
  readonly [setting: string]: unknown
}

export type Counterparty = {
  /** The books behind it, by method. */
  readonly banks: ReadonlyMap<string, Bank>
  /** Asked for once the sandbox listens. */
  settings(): readonly ChannelEntry[]
  close(): Promise<void>
}

/** Registers its routes; called before the sandbox listens. */
export type Mount = (place: SandboxPlace) => Counterparty
