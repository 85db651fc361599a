// The interface between the sandbox and its counterparties. Each counterparty has its own database in the folder, its
// own routes on the shared port, and the channel settings for a gateway.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../src/platform/base/clock.ts'
import type { Bank } from './bank/bank.ts'

export type SandboxPlace = {
  readonly app: FastifyInstance
  /** The folder for databases and keys. */
  readonly folder: string
  /** The sandbox's address, which is known only once the sandbox listens. */
  readonly url: () => string
  /** The secret that the sandbox shares with the gateway. */
  readonly secret: string
  readonly clock: Clock
  readonly minuteMs: number
}

/** An entry of a channels file. */
export type ChannelEntry = {
  readonly name: string
  readonly method?: string | undefined
  readonly methods?: readonly string[]
  readonly [setting: string]: unknown
}

export type Counterparty = {
  /** The counterparty's banks, by method. */
  readonly banks: ReadonlyMap<string, Bank>
  /** Returns the channel settings. Called only after the sandbox listens. */
  settings(): readonly ChannelEntry[]
  close(): Promise<void>
}

/** Registers the routes of a counterparty, before the sandbox listens. */
export type Mount = (place: SandboxPlace) => Counterparty
